#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every shell script of the tree, with what it includes, passes shellcheck. Reports in TAP. One that has to fail is checked
# first.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v shellcheck >/dev/null; then
    echo "ok - shell scripts # SKIP no shellcheck on this machine: apt-get install shellcheck"
    exit 0
fi

# shellcheck disable=SC2016 # the inner shell expands
if printf '#!/bin/sh\nrm $1/*\n' | shellcheck - >/dev/null; then
    echo "not ok - self-test: an argument without quotes is remarked on"
    exit 1
fi
mapfile -t scripts < <(scripts/list-sources.sh sh sluice-kernel-cc .ci/run)
if printf '%s\n' "${scripts[@]}" | xargs -n 8 shellcheck --external-sources --source-path=SCRIPTDIR --format=gcc; then
    printf 'ok - shell scripts: %d without a remark\n' ${#scripts[@]}
else
    printf 'not ok - shell scripts: see above\n'
    exit 1
fi
