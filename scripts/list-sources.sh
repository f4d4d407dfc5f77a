#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Prints the source files of the tree (SLUICE_TREE, or the one that this script is in) whose names end in
# one of the given suffixes or that are called so, one per line and sorted; without arguments, all of them. In a git tree
# these are the tracked files and the new ones that are not ignored, elsewhere all but build/.
# usage: scripts/list-sources.sh [suffix|name...]
set -euo pipefail

cd "${SLUICE_TREE:-$(dirname "${BASH_SOURCE[0]}")/..}"
if [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$(pwd -P)" ]]; then
    git ls-files --cached --others --exclude-standard
else
    find . -name .git -prune -o -path ./build -prune -o -type f -print | sed 's|^\./||'
fi | while IFS= read -r file; do
    for suffix in "${@:-}"; do
        if [[ -f $file && ($# -eq 0 || $file == *.$suffix || /$file == */$suffix) ]]; then
            printf '%s\n' "$file"
        fi
    done
done | LC_ALL=C sort
