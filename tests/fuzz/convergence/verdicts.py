#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""What compiler, check-convergence and lanes say of each kernel of a file that campaign.sh has tried.

usage: verdicts.py refused NAME
           adds the kernels that the compiler refuses (NAME.messages, by lines of NAME.c) to NAME.refused; prints all
           that are in there, like k3,k7; the exit status is 1 where there is no new one
       verdicts.py tally NAME PROFILE SEED
           from NAME.refused, NAME.messages, NAME.check and NAME.verdicts: writes NAME.findings, a line for each kernel
           that is not right without a remark; prints the line of the log (COLUMNS)
"""
import collections
import pathlib
import re
import sys

COLUMNS = ['tried', 'right', 'wrong', 'wrong_refused', 'wrong_warned', 'right_refused', 'right_warned', 'structure',
           'postdominator', 'neither', 'untried', 'unkept']

DEFINITION = re.compile(r'(?:SL_KERNEL void|.*\buint32_t) (k\d+)(?:_\d+)?\(const uint32_t \*in')
OF_COMPILER = re.compile(r'[^ ]*\.c:(\d+):(?:\d+:)? (?:fatal )?(error|warning): (.*)')
OF_CHECK = re.compile(r'(.*) \((k\d+)[^ ]* in [^ ]*\)$')
# Of random conditions; these have nothing to do with lanes.
USUAL = re.compile(r'tests is always [01]')
# What the plugin says of an operation that it finds changed (scripts/kernel-plugin/kept.cc).
OF_PLUGIN = 'the compiler '
RULES = ('structure', 'postdominator', 'neither')


def lines_of(path):
    return path.read_text(encoding='utf-8').splitlines() if path.exists() else []


def kernels_by_line(name):
    """For each line of the source, numbered from 1, the kernel whose function it is in."""
    kernels, current = [None], None
    for line in lines_of(pathlib.Path(name + '.c')):
        match = DEFINITION.match(line)
        if match:
            current = match[1]
        kernels.append(current)
    return kernels


def compiler_messages(name, wanted):
    """Messages of one kind by kernel, the first of each."""
    kernels = kernels_by_line(name)
    found = {}
    for line in lines_of(pathlib.Path(name + '.messages')):
        match = OF_COMPILER.match(line)
        if match and match[2] == wanted and not USUAL.search(match[3]):
            found.setdefault(kernels[int(match[1])], match[3])
    found.pop(None, None)
    return found


def refused(name):
    path = pathlib.Path(name + '.refused')
    found = compiler_messages(name, 'error')
    with path.open('a', encoding='utf-8') as file:
        for kernel, message in found.items():
            file.write(f'{kernel} {message}\n')
    print(','.join(line.split()[0] for line in lines_of(path)))
    return 0 if found else 1


def remarks(name):
    """By kernel: 'refused' or 'warned', with the first message; a refusal wins."""
    found = {kernel: ('warned', text) for kernel, text in compiler_messages(name, 'warning').items()}
    for line in lines_of(pathlib.Path(name + '.check')):
        match = OF_CHECK.match(line)
        if match:
            kind = 'warned' if 'warning: ' in match[1] else 'refused'
            if kind == 'refused' and found.get(match[2], ('warned',))[0] == 'warned' or match[2] not in found:
                found[match[2]] = kind, match[1]
    return found


def column_of(verdict, remark):
    if verdict in RULES:
        return verdict
    side = 'right' if verdict == 'same' else 'wrong'
    return side if remark is None else f'{side}_{remark}'


def tally(name, profile, seed):
    counts = collections.Counter()
    said = remarks(name)
    findings = []
    for line in lines_of(pathlib.Path(name + '.verdicts')):
        kernel, verdict = line.split()[:2]
        remark, message = said.get(kernel, (None, ''))
        column = column_of(verdict, remark)
        counts[column] += 1
        counts['tried'] += 1
        if column != 'right':
            findings.append(f'{profile} {seed} {line}' + (f' {remark}: {message}' if remark else ''))
    for line in lines_of(pathlib.Path(name + '.refused')):
        kernel, message = line.split(maxsplit=1)
        column = 'unkept' if message.startswith(OF_PLUGIN) else 'untried'
        counts[column] += 1
        findings.append(f'{profile} {seed} {kernel} {column} refused: {message}')
    pathlib.Path(name + '.findings').write_text(''.join(line + '\n' for line in findings), encoding='utf-8')
    print(profile, seed, *(counts[column] for column in COLUMNS))
    return 0


if __name__ == '__main__':
    COMMANDS = {('refused', 3): refused, ('tally', 5): tally}
    command = COMMANDS.get((sys.argv[1], len(sys.argv))) if len(sys.argv) > 1 else None
    if command is None:
        sys.exit('usage: verdicts.py refused NAME | tally NAME PROFILE SEED')
    sys.exit(command(*sys.argv[2:]))
