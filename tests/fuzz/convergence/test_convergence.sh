#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Lanes meet where the source says it (docs/look-up/isa.md, "Where lanes meet"): random kernels of each profile (campaign.sh), each
# of which has to do what its structure says, and none of which may be refused. 300 kernels; 16,000 with SLUICE_TEST_LONG. Reports in TAP.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${SLUICE_BUILD:-$here/../../../build}" && pwd)
export SLUICE_BUILD=$build
if [[ ! -x $build/fuzz/run_kernels ]]; then
    echo "ok - random kernels # SKIP not built: run 'make $build/fuzz/run_kernels' first"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

profiles=(tame wtame chains logic switch wswitch jumps returns mixed wmixed all wall)
options=(--kernels 25 --per-file 25)
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    profiles=()
    options=(--kernels 1000)
fi
status=0

# That kernels can be wrong: a lane's result that nobody expects.
cd "$folder"
PYTHONDONTWRITEBYTECODE=1 "$here/generate.py" 1 1 tame one
"$here/../../../scripts/sluice-kernel-cc" one.c -o one.elf
sed -i '/^k0/s/[^ ]*$/abcdef/' one.expect
if "$build/fuzz/run_kernels" one.elf one.expect >verdict ||
    ! grep -q '^k0 wrong lanes 1 first 63 .* abcdef$' verdict; then
    sed 's/^/# /' verdict
    echo "not ok - self-test: a wrong lane is noticed"
    status=1
fi

tried=0
"$here/campaign.sh" "${options[@]}" --log "$folder/log" "${profiles[@]}" >table 2>progress || tried=$?
sed 's/^/# /' table
if ((tried > 1)); then
    sed 's/^/# /' progress
    echo "not ok - all files could be tried"
    status=1
fi

# Of each profile, one result; what was not right is told by its seed and number, which campaign.sh makes it of again.
while read -r profile kernels wrong; do
    if ((wrong == 0)); then
        echo "ok - $profile: $kernels random kernels, all as the source has them"
    else
        echo "not ok - $profile: of $kernels random kernels, $wrong are not as the source has them, or are refused"
        grep "^$profile " log.findings | grep -v ' structure ' | sed 's/^/# /'
        status=1
    fi
done < <(awk '{ kernels[$1] += $3 + $13 + $14; wrong[$1] += $3 - $4 - $9 - $10 + $13 + $14 }
    END { for (profile in kernels) { print profile, kernels[profile], wrong[profile] } }' log | sort)
exit $status
