#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A short campaign of libFuzzer on all that reads input from outside (campaign.sh), where there is clang with libFuzzer: some
# seconds for each, two minutes with SLUICE_TEST_LONG. The same readers without libFuzzer: tests/fuzz/test_input.c.
# usage: tests/fuzz/input/test_fuzzers.sh
set -uo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
build=${SLUICE_BUILD:-build}
if [[ ! -d $build/fuzz/input ]]; then
    echo 'ok - fuzzers # SKIP no clang with libFuzzer on this machine: apt-get install clang libclang-rt-14-dev'
    exit 0
fi
seconds=8
[[ -z ${SLUICE_TEST_LONG:-} ]] || seconds=120
said=$("$here/campaign.sh" --jobs 1 $seconds 2>&1)
status=$?
awk 'NR > 1 && NF == 4 && $4 ~ /^[0-9]+$/ {
    printf "%s - %s: %s executions\n", ($4 > 0 ? "not ok" : "ok"), $1, $2 }' <<<"$said"
if ((status != 0)); then
    printf '# %s\n' "${said//$'\n'/$'\n# '}"
fi
exit $status
