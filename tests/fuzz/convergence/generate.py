#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Writes random structured kernels with cross-lane operations (NAME.c) and what their lanes compute (NAME.expect).

usage: generate.py [--only K[,K]...] [--without K[,K]...] SEED COUNT PROFILE NAME

Kernels are k0, k1, ...: each depends on seed, profile and its number alone. NAME.expect, which run_kernels reads, has
a line `input` with a word for each lane, in hexadecimal; then a line for each kernel: its name, the lanes' results by
rule S (structure.py), and those by rule D (postdominators.py) where they differ.
"""
import argparse
import sys

from dice import Dice
from lanes import TooLong, execute
from nodes import LANES
from postdominators import PostdominatorFrame
from source import program
from structure import StructureFrame
from tree import Maker, features_of


def make_inputs(seed, profile):
    dice = Dice('inputs', seed, profile)
    pattern = [dice.below(1 << 32) for _ in range(5)]
    return [dice.choose([i, i // 8, pattern[i % 5], dice.below(8), dice.below(1 << 32)]) for i in range(LANES)]


def judge(kernel, inputs):
    """The lanes' results by both rules; None where the kernel takes too long."""
    try:
        return execute(StructureFrame, kernel, inputs), execute(PostdominatorFrame, kernel, inputs)
    except (TooLong, RecursionError):
        return None


def make_kernel(seed, profile, number, inputs):
    """A kernel and its results."""
    attempt = 0
    while True:
        kernel = Maker(Dice('kernel', seed, profile, number, attempt), profile).kernel(f'k{number}')
        results = judge(kernel, inputs)
        if results is not None:
            return kernel, results
        attempt += 1


def write(name, judged, inputs):
    """Both files, of kernels with their results."""
    with open(name + '.c', 'w', encoding='ascii') as file:
        file.write(program(kernel for kernel, _ in judged))
    with open(name + '.expect', 'w', encoding='ascii') as file:
        file.write('input ' + ' '.join(f'{word:x}' for word in inputs) + '\n')
        for kernel, (structure, postdominators) in judged:
            words = structure if structure == postdominators else structure + postdominators
            file.write(kernel.name + ' ' + ' '.join(f'{word:x}' for word in words) + '\n')


def numbers(text):
    """The numbers of a list of kernels: k3,k7."""
    return {int(name.removeprefix('k')) for name in text.split(',') if name}


def main():
    parser = argparse.ArgumentParser(description='random kernels with cross-lane operations')
    parser.add_argument('--only', type=numbers, help='these kernels, like k3,k7')
    parser.add_argument('--without', type=numbers, default=set(), help='all but these')
    parser.add_argument('seed', type=int)
    parser.add_argument('count', type=int)
    parser.add_argument('profile')
    parser.add_argument('name')
    options = parser.parse_args()
    if features_of(options.profile) is None:
        parser.error(f"there is no profile '{options.profile}'")
    wanted = range(options.count) if options.only is None else sorted(options.only)
    inputs = make_inputs(options.seed, options.profile)
    write(options.name, [make_kernel(options.seed, options.profile, i, inputs) for i in wanted
                         if i not in options.without], inputs)


if __name__ == '__main__':
    sys.setrecursionlimit(20000)
    main()
