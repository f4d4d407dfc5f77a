#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Whether a program takes the arguments that its --help speaks of, and no others.

Each option and argument is tried with its bounds, below, above, and with what is no number, word or file. Values are
refused with a message that names option and value, exit status 2 and nothing on standard output; values that are allowed
are read before the --help behind them.

Prints a line for each program: its name, a tab, and what is wrong, or nothing.
usage: check_arguments.py PROGRAM...
"""
import os
import re
import subprocess
import sys

COMMON = "Options of all Sluice programs:"
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
NUMBER = r"[0-9][0-9.e+-]*(?: (?:B|KiB|MiB|GiB))?"
RANGE = re.compile(rf"({NUMBER}) to ({NUMBER})(?:, [^,]* where it is not given)?(?= \(default|$)")

program = name = None  # that is tried


class Wrong(Exception):
    """What the program does not do as it should."""


def run(*arguments):
    # No line is broken, so that an option is a line.
    environment = dict(os.environ, ARGP_HELP_FMT="rmargin=9999,opt-doc-col=200", LC_ALL="C")
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL,
                          timeout=60, check=False)


def takes(*arguments):
    done = run(*arguments, "--help")
    if done.returncode != 0 or done.stderr:
        raise Wrong(f"{arguments}: status {done.returncode}: {done.stderr}")


def refuses(message, *arguments):
    done = run(*arguments)
    if done.returncode != 2 or done.stdout or not re.match(f"{re.escape(name)}: (?:{message})", done.stderr):
        raise Wrong(f"{arguments}: status {done.returncode}, wanted 2 and '{message}': {done.stdout}{done.stderr}")


def plain(text):
    """A number of the help, without its unit."""
    number, _, unit = text.partition(" ")
    return float(number) if re.search(r"[.e]", number) else int(number) * UNITS.get(unit, 1)


def bounds(text):
    found = RANGE.search(text)
    return (plain(found[1]), plain(found[2])) if found else None


def try_numbers(what, least, most, words):
    """words: of a value, the words of the command line."""
    small = 1 if isinstance(most, int) and isinstance(least, int) else 0.5
    for value in ([least - small] if least >= small else []) + [most + small, "zebra"]:
        refuses(f"{what}: '{re.escape(str(value))}' is not a (number|size) from ", *words(value))


def try_option(what, letter, value, text):
    """Returns the values that the option takes, the first and the last; None if they are not known."""
    def words(given):
        return [f"{what}={given}"]
    limits = bounds(text)
    if value is None:
        if run(f"{what}=1").returncode != 2:
            raise Wrong(f"{what}=1 is taken")
        return [what], [what]
    if "|" in value:
        refuses(f"{what}: 'zebra' is n(one of|either|ot a number) ", *words("zebra"))
        return [word for given in value.split("|") for word in words(given)], words(value.split("|")[-1])
    if value == "FILE":
        refuses(f"{what}: cannot (read|write) '/no/such/file': No such file", *words("/no/such/file"))
        return [], []
    if limits:
        try_numbers(what, *limits, words)
        if "a power of two from" in text:
            refuses(f"{what}: 3 is not a power of two|{what}: '3' is not a number", *words(3))
        if letter is not None:
            refuses(f"{what}: '' is not ", letter, "")
        return words(limits[0]), words(limits[1])
    if value in ("NAME", "FORM") or value.startswith("NAME["):
        refuses(f"{what}: 'zebra' is none of ", *words("zebra"))
        return [], []
    for given in "-1", str(2**64):
        refuses(f"{what}: '{re.escape(given)}' is not a number from ", *words(given))
    return [], []


def try_options(lines):
    first, last = [], []
    for line in lines:
        found = re.match(r" +((?:-\S, )?--\S+?(?:, --\S+?)*)(?:\s+(.*)|$)", line)
        if found is None:
            continue
        letter = re.match(r"-\S(?=, )", found[1])
        option, _, value = re.search(r"--\S+?(?=, --|$)", found[1])[0].partition("=")
        one, other = try_option(option, letter and letter[0], value or None, found[2])
        first += one
        last += other
    takes(*first)
    takes(*last)


def try_arguments(names, lines):
    """Those that stand alone: the first, and whether there may be one more."""
    text = " ".join(lines)
    first = names[0].strip("[].") if names else None
    if first is None:
        refuses("no argument is expected, and 'zebra' is one", "zebra")
        return
    sentence = re.search(rf"\b{first} is (?:from|a power of two from|a size from) (.*?)\. ", text + " ")
    choice = re.search(rf"\b{first} is one of (.*?)\. ", text + " ")
    if not names[0].startswith("["):
        refuses(f"the argument {first} is missing")
    if sentence and bounds(sentence[1]):
        least, most = bounds(sentence[1])
        takes(str(least))
        takes(str(most))
        try_numbers(first, least, most, lambda value: [str(value)])
        if len(names) == 1:
            refuses(f"one argument, {first}, is expected, and '{least}' is another", str(least), str(least))
    elif choice:
        words = re.split(", | and ", choice[1])
        refuses(f"{first}: 'zebra' is n(one of|either) ", "zebra")
        for word in words if len(names) == 1 else []:
            takes(word)


def try_program():
    lines = run("--help").stdout.splitlines()
    if not lines or COMMON not in "\n".join(lines):
        raise Wrong("--help does not show the options of all programs")
    usage = re.match(r"Usage: \S+ \[OPTION\.\.\.\]\s*(.*)", lines[0])
    common = next(i for i, line in enumerate(lines) if COMMON in line)
    try_options(lines[1:common])
    try_arguments(usage[1].split(), lines[common:])


for program in sys.argv[1:]:
    name = os.path.basename(program)
    try:
        try_program()
        print(f"{name}\t")
    except Wrong as wrong:
        print(f"{name}\t{' '.join(str(wrong).split())}")
