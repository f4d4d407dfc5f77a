#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The generated pages in docs/ are what the tables give now, and the page of the configuration names
# each preset. Needs build/bin/docgen
# (make test and make check build it). Reports in TAP.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${SLUICE_BUILD:-build}
docgen=$build/bin/docgen
status=0
if [[ ! -x $docgen ]]; then
    printf "not ok - %s is not built: run 'make %s' first ('make check' does so itself)\n" "$docgen" "$docgen"
    exit 1
fi
for page in registers statistics configuration errors; do
    if difference=$("$docgen" "$page" | diff -u "docs/$page.md" - 2>&1); then
        printf 'ok - docs/%s.md is up to date\n' "$page"
    else
        printf '%s\nnot ok - docs/%s.md differs from its table: run make docs\n' "$difference" "$page"
        status=1
    fi
done
for preset in sim-soc/configs/*.ini; do
    name=$(basename "$preset" .ini)
    if ! grep -q "^| \`$name\` |" docs/configuration.md; then
        printf 'not ok - docs/configuration.md does not name preset %s: add it to scripts/tools/docgen/configuration.c, run make docs\n' "$name"
        status=1
    fi
done
exit $status
