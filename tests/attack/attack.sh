#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The whole campaign against the machine (docs/know/trust.md), some minutes: wild accesses, gadgets, lying calls, wrong
# descriptions, damaged kernel files, signals; each with a table of what came of it. The exit status is 1 where anything
# was believed, or anybody did not survive.
#
# usage: tests/attack/attack.sh [SEED]: another seed than 1 makes other attacks
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
build=${SLUICE_BUILD:-build}
seed=${1:-${SEED:-1}}
status=0

for campaign in stores gadgets calls descriptors files; do
    "$build/attack/attack" --seed "$seed" "$campaign" || status=1
done
SLUICE_BUILD=$build tests/attack/signals.py --seed "$seed" || status=1
SLUICE_BUILD=$build tests/attack/tools.sh "$seed" || status=1
exit $status
