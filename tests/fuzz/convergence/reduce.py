#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Makes a kernel of generate.py small that was wrong, or that the build refused.

usage: reduce.py SEED PROFILE KERNEL NAME

Takes away parts of the kernel as long as the same can be said of it (a column of verdicts.py, like wrong_refused), and
writes what is left to NAME.c and NAME.expect. That takes minutes; each step is told on standard error.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import generate
import shrink
import verdicts

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = pathlib.Path(os.environ.get('SLUICE_BUILD', ROOT / 'build')).resolve()
ENVIRONMENT = dict(os.environ, SLUICE_BUILD=str(BUILD))
AT_ONCE = 60


def call(name, output, *command):
    """Runs a command whose output goes to NAME.output; returns its status."""
    with open(f'{name}.{output}', 'a', encoding='utf-8') as file:
        return subprocess.run([str(word) for word in command], env=ENVIRONMENT, stdout=file, stderr=file,
                              check=False).returncode


def columns(judged, inputs, name):
    """What can be said of each kernel, by its name; of those that a compiler refuses, `untried`."""
    found = {}
    while judged:
        for old in pathlib.Path(name).parent.iterdir():  # outputs are appended to
            old.unlink()
        generate.write(name, judged, inputs)
        if call(name, 'messages', ROOT / 'scripts/sluice-kernel-cc', '-c', name + '.c', '-o', name + '.o') == 0:
            break
        refused = verdicts.compiler_messages(name, 'error')
        if not refused:
            return found
        found.update((kernel, 'untried') for kernel in refused)
        judged = [(kernel, results) for kernel, results in judged if kernel.name not in refused]
    if judged and call(name, 'messages', HERE / 'link.sh', name + '.o', name + '.elf') == 0:
        call(name, 'check', BUILD / 'bin/check-convergence', name + '.elf')
        call(name, 'verdicts', BUILD / 'fuzz/run_kernels', name + '.elf', name + '.expect')
        remarks = verdicts.remarks(name)
        for line in verdicts.lines_of(pathlib.Path(name + '.verdicts')):
            kernel, verdict = line.split()[:2]
            found[kernel] = verdicts.column_of(verdict, remarks.get(kernel, (None,))[0])
    return found


def first_like(column, candidates, inputs, name):
    """The first of the kernels of which this can be said; None where it is none of them."""
    for begin in range(0, len(candidates), AT_ONCE):
        judged = []
        for i, candidate in enumerate(candidates[begin:begin + AT_ONCE]):
            kernel = shrink.renamed(candidate, candidate.name, f'k{i}')
            results = generate.judge(kernel, inputs)
            if results is not None:
                judged.append((kernel, results))
        found = columns(judged, inputs, name)
        for kernel, _ in judged:
            if found.get(kernel.name) == column:
                return kernel
    return None


def reduce(kernel, column, inputs, name):
    while True:
        smaller = first_like(column, shrink.kernels(kernel), inputs, name)
        if smaller is None:
            return kernel
        kernel = smaller
        print(f'{column}: {shrink.size(kernel)} nodes', file=sys.stderr)


def main():
    if len(sys.argv) != 5:
        sys.exit('usage: reduce.py SEED PROFILE KERNEL NAME')
    seed, profile, output = int(sys.argv[1]), sys.argv[2], sys.argv[4]
    inputs = generate.make_inputs(seed, profile)
    kernel, results = generate.make_kernel(seed, profile, int(sys.argv[3].removeprefix('k')), inputs)
    with tempfile.TemporaryDirectory() as folder:
        name = str(pathlib.Path(folder) / 'kernels')
        column = columns([(kernel, results)], inputs, name).get(kernel.name)
        if column in (None, 'right'):
            sys.exit(f'reduce.py: nothing can be said of this kernel but: {column}')
        small = reduce(kernel, column, inputs, name)
    small = shrink.renamed(small, small.name, kernel.name)
    generate.write(output, [(small, generate.judge(small, inputs))], inputs)


if __name__ == '__main__':
    sys.setrecursionlimit(20000)
    main()
