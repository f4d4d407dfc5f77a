#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the model locks.pml with Spin: instances of lock.stack=join, of which every run has to end, and variants without one of
# its rules, in which Spin has to find a run without end (without that the model would show nothing). Small instances; with
# SLUICE_TEST_LONG larger ones.
# usage: tests/model/test_locks.sh
set -uo pipefail

# shellcheck source=tests/model/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

model=locks
three="2 wavefronts, 3 lanes, 3 locks"
holds "$three: every run ends" fair WHOLE_ROUNDS CHOICES=2
holds "$three, handed over: every run ends" fair WHOLE_ROUNDS CHOICES=2 CHAIN
holds "2 wavefronts, 2 lanes, handed over, requests of lanes apart: only holders give back" safety LANES=2 CHAIN
holds "1 wavefront, 3 lanes, all choices: every run ends" fair WAVEFRONTS=1
runs_for_ever "without rotation lanes wait for ever" WAVEFRONTS=1 NO_ROTATION
runs_for_ever "with rotation of the innermost siblings alone, too" WAVEFRONTS=1 INNERMOST_ROTATION
runs_for_ever "with joins where one lock may be held, too" WAVEFRONTS=1 JOINS_AT_DEPTH_1
holds "who loses the second lock holds another lane's third: every run ends" fair LOSERS
runs_for_ever "the same as in papers/004: lanes wait for ever" THESIS LOSERS
holds "the stack of papers/004, all lanes alike: every run ends" fair THESIS SAME
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    holds "2 wavefronts, 2 lanes, requests of lanes apart: every run ends" fair LANES=2
    holds "2 wavefronts, 2 lanes, handed over, requests of lanes apart: every run ends" fair LANES=2 CHAIN
    holds "$three, more choices: every run ends" fair WHOLE_ROUNDS CHOICES=3
    holds "$three, handed over, more choices: every run ends" fair WHOLE_ROUNDS CHOICES=3 CHAIN
    holds "3 wavefronts, 2 lanes: every run ends" fair WHOLE_ROUNDS WAVEFRONTS=3 LANES=2 CHOICES=3
fi
exit $status
