#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Prints the last commit that changed one of the given files or folders of the tree, with -dirty where they have changed
# since, so that other commits leave what is built of them as it is; "unknown" where the tree is no git tree. Spaces follow:
# of equal length, it moves nothing in a file.
# usage: scripts/source-commit.sh PATH...
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
commit=
if [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$(pwd -P)" ]]; then
    commit=$(git log -1 --format=%h --abbrev=12 -- "$@" 2>/dev/null || true)
fi
if [[ -n $commit ]] && [[ -n $(git status --porcelain -- "$@") ]]; then
    commit+=-dirty
fi
printf '%-18s\n' "${commit:-unknown}"
