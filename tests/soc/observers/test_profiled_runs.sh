#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs tests of the compute units again, now profiled (SLUICE_TEST_LAWS): whatever they execute, the rows of the profile
# of kernels add up to what the machine counts, and to the cycles in which wavefronts hold contexts
# (tests/common/kernel_laws.h). That is yields, locks of each kind, work-groups, consistency models, memory systems whose
# answers are pending, faults, and random programs.
# SLUICE_TEST_LONG: those that take long, too.
# usage: tests/soc/observers/test_profiled_runs.sh
set -euo pipefail

build=${SLUICE_BUILD:-build}
tests=(micro_latency micro_rate pending yield yield_groups yield_locks lock lock_arms lock_queue lock_thesis lock_partition pending_groups groups barrier
    order_models order_effects control control_faults lds quickrelease hybrid_stale routines cu_timing cu_memory_timing
    scoped_atomics litmus atomics channel_lds)
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    tests+=(memory_fuzz stale_memory spin retry)
fi
failed=0
export SLUICE_TEST_LAWS=1 CMOCKA_MESSAGE_OUTPUT=STDOUT

output=$(mktemp)
trap 'rm -f "$output"' EXIT
for name in "${tests[@]}"; do
    if "$build/tests/soc/soc" "test_$name" >"$output" 2>&1; then
        printf 'ok - laws_of_%s\n' "$name"
    else
        printf 'not ok - laws_of_%s\n' "$name"
        grep -E 'ERROR|LINE|FAILED' "$output" || true
        failed=1
    fi
done
exit "$failed"
