#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the models cilk.pml and stamps.pml with Spin: instances that have to be free of errors, and variants with a rule taken
# away, in which Spin has to find the error (without that the model would show nothing). Exhaustive: every state
# is stored in full, compressed without loss (COLLAPSE); no bitstate hashing. Small instances; with
# SLUICE_TEST_LONG larger ones, each below 2 minutes and 2 GiB. Reports in TAP, with the states.
# usage: tests/model/test_cilk.sh
set -uo pipefail

# shellcheck source=tests/model/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

model=cilk
holds "2 levels, 4 tasks" safety
holds "2 levels, 4 tasks, drained" safety DRAINED
breaks "with final wavefronts while more can come, more comes" '!\(is_final' FINAL_WHILE_FED
breaks "without the width rule it gets stuck" '!\(is_stuck\)' NARROWER=1
holds "2 levels, 8 tasks, 1 context" safety ROOTS=8 CONTEXTS=1
breaks "the same without the pool rule gets stuck" '!\(is_stuck\)' ROOTS=8 CONTEXTS=1 NO_POOL_RULE
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    holds "2 levels, 4 tasks: every run ends" progress
    holds "2 levels, 8 tasks" safety ROOTS=8
    holds "2 levels, 8 tasks, polled from the deepest level" safety ROOTS=8 POLL_DEEPEST_FIRST
    holds "2 levels, 8 tasks: every run ends" progress ROOTS=8
    breaks "2 levels, 8 tasks, without the pool rule gets stuck" '!\(is_stuck\)' ROOTS=8 NO_POOL_RULE
    breaks "6 tasks and packets of one wavefront, without the pool rule get stuck" '!\(is_stuck\)' \
        ROOTS=6 CONTEXTS=1 PACKET=1 NO_POOL_RULE
    holds "the same with the pool rule" safety ROOTS=6 CONTEXTS=1 PACKET=1
    holds "6 tasks and packets of two do not need the pool rule" safety ROOTS=6 CONTEXTS=1 NO_POOL_RULE
    holds "2 levels, 4 tasks, 3 blocks" safety BLOCKS=3
    holds "2 levels, 6 tasks, 3 blocks, 1 context" safety ROOTS=6 BLOCKS=3 CONTEXTS=1
    holds "the same without the waiters rule" safety ROOTS=6 BLOCKS=3 CONTEXTS=1 NO_WAITERS_RULE
    holds "the same without the waiters rule: every run ends" progress \
        ROOTS=6 BLOCKS=3 CONTEXTS=1 NO_WAITERS_RULE
    holds "3 levels, 4 tasks, 1 lane, 1 child" safety LEVELS=3 LANES=1 FAN_OUT=1
    holds "3 levels, 3 tasks, 1 context" safety LEVELS=3 ROOTS=3 CONTEXTS=1
    breaks "the same without the width rule gets stuck" '!\(is_stuck\)' LEVELS=3 ROOTS=3 CONTEXTS=1 NARROWER=1
    holds "3 levels, 4 tasks, 1 context, 0 or 2 children" safety LEVELS=3 CONTEXTS=1 ALL_OR_NOTHING
    breaks "with final continuations while tasks of their level run, more comes" '!\(is_final' FINAL_BY_LEVEL
    breaks "with final tasks while tasks of the level above are ready, more comes" '!\(is_final' FINAL_OF_NEXT
    holds "2 levels, 6 tasks, final wavefronts also while others wait" safety ROOTS=6 FINAL_WHILE_WAITING
    holds "2 levels, 8 tasks, drained: every run ends" progress ROOTS=8 DRAINED
    holds "3 levels, 3 tasks, 1 context, drained" safety LEVELS=3 ROOTS=3 CONTEXTS=1 DRAINED
    breaks "with the free blocks of the pool miscounted a wavefront finds none" '\(k<2\)' \
        ROOTS=6 NO_POOL_RULE BLOCKS_NOT_CLAMPED
    breaks "with continuations before deeper work results are wrong" 'pending' ROOTS=6 EARLY_CONTINUATIONS
    breaks "with children polled before continuations results are wrong" 'pending' ROOTS=6 CHILDREN_FIRST
fi
model=stamps
holds "stamps: 2 wavefronts, 1 round" safety WAVEFRONTS=2 ROUNDS=1
breaks "stamps before their entries are early" 'written' WAVEFRONTS=2 STAMP_FIRST
breaks "stamps that are flags count a lap later" 'tail|written' WAVEFRONTS=2 FLAGS
breaks "with hidden children not counted results are wrong" 'is_done' WAVEFRONTS=2 NO_HIDDEN_RULE
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    holds "stamps: 2 wavefronts, 2 rounds" safety WAVEFRONTS=2
    holds "stamps: 3 wavefronts, 1 round" safety ROUNDS=1
fi
exit $status
