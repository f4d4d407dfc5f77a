#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""What a report says that another aggregator would gain (hal/host/observe/report/report_gains.c), beside what it gains:
each program runs as it is and with each change, with the same random delays of DRAM.

Prints a row for each program and change: the estimate, the measured gain of the run's time, and how much less of the
time the GPU is blocked; means over seeds, in % of the time without the change. A * marks an estimate that is more than
3 points from the gain.
usage: gains.py [--seeds N] ['PROGRAM [ARGUMENT...]'...]
    programs are those of build/bin, or SLUICE_BUILD; default fib 20, cilk_fib 20, queens 9, cilksort 65536, uts
"""
import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = ["fib 20", "cilk_fib 20", "queens 9", "cilksort 65536", "uts"]
CLOSE = 3  # points
JITTER = "20ns"


def run(folder, program, seed, settings):
    """The report of a run."""
    build = os.environ.get("SLUICE_BUILD", "build")
    name, *arguments = program.split()
    with tempfile.NamedTemporaryFile(suffix=".json", dir=folder, delete=False) as file:
        report = file.name
    command = [os.path.join(build, "bin", name), *arguments, "--quiet", "--report", report]
    for setting in [f"mem.jitter={JITTER}", f"mem.jitter_seed={seed}", *settings]:
        command += ["--set", setting]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def figures(report):
    """Cycles of the run, and those in which the GPU is blocked."""
    cycles = report["statistics"]["gpu.cycles"]
    return cycles, cycles * report["statistics"]["gpu.blocked_on_agg_pct"] / 100


def mean(values):
    return statistics.mean(list(values))


def rows(pool, folder, program, seeds):
    """For each change: its words, the estimate, the gain, and that of blocked time."""
    def runs(settings):
        return [pool.submit(run, folder, program, seed, settings) for seed in seeds]

    base = [one.result() for one in runs([])]
    changed = [runs(gain["set"]) for gain in base[0]["gains"]]
    whole, blocked = (mean(column) for column in zip(*map(figures, base)))
    for number, gain in enumerate(base[0]["gains"]):
        cycles, waits = (mean(column) for column in zip(*(figures(one.result()) for one in changed[number])))
        estimate = mean(one["gains"][number]["gain_pct"] for one in base)
        yield gain, estimate, 100 * (1 - cycles / whole), 100 * (blocked - waits) / whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="runs with other delays each (default: 3)")
    parser.add_argument("programs", nargs="*", default=PROGRAMS, metavar="'PROGRAM [ARGUMENT...]'")
    options = parser.parse_args()
    layout = "{:16} {:29} {:>8} {:>6} {:>8}"
    close = total = 0

    print(layout.format("program", "change", "estimate", "gain", "blocked"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program in options.programs:
            for gain, estimate, measured, blocked in rows(pool, folder, program, range(1, options.seeds + 1)):
                is_close = abs(estimate - measured) <= CLOSE
                print(layout.format(program, gain["change"], f"{estimate:.1f}", f"{measured:.1f}", f"{blocked:.1f}"),
                      "" if is_close else " *", sep="", flush=True)
                close += is_close
                total += 1
    print(f"{close} of {total} within {CLOSE} points")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"gains.py: {error}")
