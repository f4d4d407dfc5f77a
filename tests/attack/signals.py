#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Signals at random moments, to host programs, to the sluice command and to QEMU: what runs ends at once with the
# status that the pages promise, and leaves nothing behind: no process, no file in /dev/shm or in the temporary folder, and
# of an output file at most the part that the next program removes. A pause (SIGSTOP, SIGCONT) changes nothing.
#
# usage: tests/attack/signals.py [--seed N] [--first N] [--count N]: the exit status is 1 where something was not so
import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# "At once" takes some hundredths of a second; a busy or slow machine has so much for it.
REACT_S = 20.0
# What a killed sluice command had started notices it at its own end.
ORPHANS_S = 60.0
HANG_S = 300.0
BUILD = os.path.abspath(os.environ.get("SLUICE_BUILD", "build"))

# Name, command, result line, output files with how they are checked.
PROGRAMS = [
    ("fib", ["fib", "16", "--stats", "out.json"], "fib(16) = 987", ["out.json"]),
    ("cilk_fib", ["cilk_fib", "12", "--stats", "out.json"], "cilk_fib(12) = 144", ["out.json"]),
    ("report", ["fib", "14", "--report", "out.json"], "fib(14) = 377", ["out.json"]),
    ("sluice run", ["sluice", "run", "fib", "16", "--stats", "out.json"], "fib(16) = 987", ["out.json"]),
    ("sluice profile", ["sluice", "profile", "--seeds", "1", "--cores", "simple", "--out", "profile", "fib 12"], None, []),
    ("sluice sweep", ["sluice", "sweep", "--vary", "gpu.cus=2,4", "--out", "sweep", "fib 12"], None, []),
]
TO_PROGRAM = ["INT", "TERM", "HUP", "QUIT", "KILL", "PIPE", "STOP"]
TO_QEMU = ["TERM", "INT", "HUP", "QUIT", "KILL", "STOP"]


class Wrong(Exception):
    pass


def children(pid):
    """Process ids below one, those of its children too."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        return found
    for child in list(found):
        found += children(child)
    return found


def is_qemu(pid):
    """Whether it is a machine, and no question for QEMU's version."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            words = file.read().split("\0")
            return os.path.basename(words[0]).startswith("qemu-system") and "-plugin" in words
    except OSError:
        return False


def of_session(session):
    """What still runs in a session."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(name))
    return found


def wait(process, limit):
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None


def find_qemu(process, limit):
    end = time.monotonic() + limit
    while time.monotonic() < end and process.poll() is None:
        for pid in children(process.pid):
            if is_qemu(pid):
                return pid
        time.sleep(0.002)
    return None


def send(pid, name):
    """Returns whether there was somebody to send it to."""
    try:
        os.kill(pid, getattr(signal, "SIG" + name))
        return True
    except ProcessLookupError:
        return False


def is_unfinished(name, files):
    """What a program that is killed leaves of a file that it writes, and the next one removes (docs/know/trust.md)."""
    return any(re.fullmatch(rf"\.{re.escape(file)}\.sluice-[a-z0-5]{{6}}", name) for file in files)


def check_files(folder, files, is_whole):
    for name in files:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            if is_whole:
                raise Wrong(f"{name} is not there")
            continue
        try:
            with open(path, encoding="utf-8") as file:
                json.load(file)
        except ValueError as error:
            raise Wrong(f"a part of {name} is there: {error}") from None
    left = [n for n in os.listdir(folder) if n not in files + ["tmp", "sweep", "profile", "stdout", "stderr"]]
    if not is_whole:
        left = [n for n in left if not is_unfinished(n, files)]
    if left:
        raise Wrong(f"left behind: {', '.join(sorted(left))}")


def check_nothing_left(process, shm, temporary, limit):
    end = time.monotonic() + limit
    while of_session(process.pid):
        if time.monotonic() > end:
            raise Wrong(f"still runs: {of_session(process.pid)}")
        time.sleep(0.005)
    new = {n for n in os.listdir("/dev/shm") if "sluice" in n.lower()} - shm
    if new:
        raise Wrong(f"left in /dev/shm: {new}")
    if os.listdir(temporary):
        raise Wrong(f"left in the temporary folder: {os.listdir(temporary)}")


def check_end(status, name, target, took, result, output):
    """Status and time. What has ended by itself before the signal came is right."""
    if status is None:
        raise Wrong(f"not ended after {HANG_S} s")
    if status == 0:
        if result is not None and result not in output:
            raise Wrong(f"status 0 without the result: {output[:200]}")
        return "right"
    if name == "STOP":
        raise Wrong(f"status {status} after a pause: {output[:400]}")
    if took > REACT_S:
        raise Wrong(f"took {took:.2f} s")
    if target == "qemu":
        if status != 3:
            raise Wrong(f"status {status}, should be 3: {output[:400]}")
        if "machine" not in output and "QEMU" not in output:
            raise Wrong(f"does not say that QEMU has ended: {output[:400]}")
        return "told"
    wanted = -getattr(signal, "SIG" + name)
    if status != wanted:
        raise Wrong(f"status {status}, should be {wanted}: {output[:400]}")
    return "ended"


def attack(rng, folder, what):
    """One run and one signal. Returns (row, outcome)."""
    label, command, result, files = PROGRAMS[rng.randrange(len(PROGRAMS))]
    target = "qemu" if label in ("fib", "cilk_fib", "report") and rng.random() < 0.4 else "program"
    name = rng.choice(TO_QEMU if target == "qemu" else TO_PROGRAM)
    moment = rng.random() ** 2 * (0.6 if label.startswith("sluice") else 0.25)
    what.append(f"{label}, SIG{name} to {target} after {moment * 1000:.0f} ms")
    temporary = os.path.join(folder, "tmp")
    os.mkdir(temporary)
    shm = set(os.listdir("/dev/shm"))
    environment = dict(os.environ, TMPDIR=temporary, SLUICE_BUILD=BUILD)
    environment["PATH"] = os.path.join(BUILD, "bin") + ":" + environment["PATH"]
    reader, writer = os.pipe() if name == "PIPE" else (None, None)
    with open(os.path.join(folder, "stdout"), "wb") as out, open(os.path.join(folder, "stderr"), "wb") as err:
        process = subprocess.Popen([os.path.join(BUILD, "bin", command[0])] + command[1:], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=writer if writer is not None else out, stderr=err,
                                   start_new_session=True)
    if writer is not None:
        os.close(writer)
    pid = process.pid if target == "program" else find_qemu(process, HANG_S)
    time.sleep(moment)
    begin = time.monotonic()
    if name == "PIPE":
        os.close(reader)
    elif pid is not None and send(pid, name) and name == "STOP":
        time.sleep(0.05)
        send(pid, "CONT")
    status = wait(process, HANG_S)
    took = time.monotonic() - begin
    try:
        with open(os.path.join(folder, "stdout"), encoding="utf-8", errors="replace") as file:
            output = file.read()
        with open(os.path.join(folder, "stderr"), encoding="utf-8", errors="replace") as file:
            output += file.read()
        outcome = check_end(status, name, target, took if name != "PIPE" else 0, result if name != "PIPE" else None, output)
        check_nothing_left(process, shm, temporary, ORPHANS_S if label.startswith("sluice") and name == "KILL" else REACT_S)
        check_files(folder, files, outcome == "right")
    finally:
        for left in of_session(process.pid):
            send(left, "KILL")
    return f"{label}, {target}", outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    rows = collections.defaultdict(collections.Counter)
    wrong = 0
    begin = time.monotonic()
    for number in range(options.first, options.first + options.count):
        folder = tempfile.mkdtemp(prefix="attack-")
        what = []
        try:
            row, outcome = attack(random.Random(options.seed * 1000003 + number), folder, what)
        except Wrong as error:
            row, outcome = what[0].split(", SIG")[0] + (", qemu" if "to qemu" in what[0] else ", program"), "WRONG"
            wrong += 1
            print(f"attack: signals --seed {options.seed} --first {number} --count 1: {what[0]}: {error}", file=sys.stderr)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        rows[row][outcome] += 1
    print(f"\n# signals, seed {options.seed}: {options.count} signals, {time.monotonic() - begin:.0f} s")
    columns = ["right", "ended", "told", "WRONG"]
    print(f"{'':28} {'signals':>8} " + " ".join(f"{c:>8}" for c in columns))
    rows["all"] = sum(rows.values(), collections.Counter())
    for row, counts in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"{row:28} {sum(counts.values()):8} " + " ".join(f"{counts[c]:8}" for c in columns))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
