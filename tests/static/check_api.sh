#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Interfaces are documented, and shown: Doxygen (docs/Doxyfile) finds each public declaration of the headers with its comment;
# each is in a group, and each group on one of the pages docs/look-up/host-api.md and kernel-api.md, as is what each header
# says of itself. Without Doxygen the check is skipped. Reports in TAP. A self-test proves on trees of its own that a
# declaration without comment or group, and a group or header that no page shows, are found.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pages=(docs/look-up/host-api.md docs/look-up/kernel-api.md)

# differ WORDS: names that are in one of the files shown and declared, and not in the other
differ() {
    local names
    names=$(sort "$folder/shown" "$folder/declared" | uniq -u | tr '\n' ' ')
    [[ -z $names ]] || printf '%s: %s\n' "$1" "$names"
}

# What is wrong with the tree that is the current folder, in lines; nothing where it is right.
faults() {
    local xml=$folder/api/xml
    rm -rf "$folder/api"
    scripts/api-xml.sh "$folder/api" 2>&1 || return 0

    sed -n 's/.*<memberdef .*id="[a-z_]*_8h_.*/&/p' "$xml"/*_8h.xml | grep -o 'kind="[a-z]*" id="[a-z_]*_8h' |
        sort -u | sed 's/^/not in a group: /' || true
    (cd "$xml" && printf '%s\n' struct*.xml union*.xml | sed '/\*/d; s/\.xml$//') >"$folder/declared"
    sed -n 's/.*<innerclass refid="\([a-z_]*\)".*/\1/p' "$xml"/group__*.xml >"$folder/shown"
    differ 'in no group, or in two'

    sed -n 's/.*@defgroup \([a-z_]*\) .*/\1/p' hal/include/sluice/*.h hal/include/sluice/wave/*.h >"$folder/declared"
    sed -n 's/^```{doxygengroup} //p' "${pages[@]}" >"$folder/shown"
    differ 'groups not shown once'

    grep -o 'hal/include/sluice/[a-z_/]*\.h' docs/Doxyfile | sed 's|^hal/include/||' >"$folder/declared"
    sed -n 's/^```{doxygenfile} //p' "${pages[@]}" >"$folder/shown"
    differ 'headers not shown once'
}

# finds WORDS FILE SCRIPT: what a change of the file by sed gives
finds() {
    local tree=$folder/tree found
    rm -rf "$tree"
    mkdir -p "$tree"/{docs/look-up,scripts,hal/include}
    cp docs/Doxyfile "$tree/docs/"
    cp "${pages[@]}" "$tree/docs/look-up/"
    cp scripts/api-xml.sh "$tree/scripts/"
    cp -r hal/include/sluice "$tree/hal/include/"
    sed -i "$3" "$tree/$2"
    found=$(cd "$tree" && faults)
    if [[ $found != *"$1"* ]]; then
        printf '%s\nnot ok - self-test: %s of %s should give "%s"\n' "$found" "$3" "$2" "$1"
        status=1
    fi
}

if ! command -v doxygen >/dev/null; then
    echo 'ok - interfaces are documented # SKIP no doxygen on this machine: apt-get install doxygen'
    exit
fi

status=0
version=hal/include/sluice/version.h
finds 'is not documented' $version 's|^#define SL_VERSION .*|&\nint sl_new(void);|'
finds 'is not documented' $version 's|^#define SL_VERSION .*|&\n/** New. */\nstruct sl_new { int a; };|'
finds 'not in a group: kind="function" id="version_8h' $version 's|^/\*\* @} \*/|&\n/** New. */\nint sl_new(void);|'
finds 'in no group, or in two: structsl__new' $version 's|^/\*\* @} \*/|&\n/** New. */\nstruct sl_new { int a; /**< one */ };|'
finds 'groups not shown once: host_version' docs/look-up/host-api.md '/^```{doxygengroup} host_version/d'
finds 'headers not shown once: sluice/version.h' docs/look-up/host-api.md '/^```{doxygenfile} sluice.version/d'
((status)) || echo 'ok - self-test: what is not documented or not shown is found'

cd "$root"
found=$(faults)
if [[ -n $found ]]; then
    printf '%s\nnot ok - interfaces are documented\n' "$found"
    exit 1
fi
echo 'ok - interfaces are documented'
exit $status
