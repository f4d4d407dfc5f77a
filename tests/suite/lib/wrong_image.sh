# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Images of wrong firmware: a copy of what images are made of, in which a function is replaced or a line changed.
# shellcheck shell=bash disable=SC2154 # of common.sh

tree=$suite_folder/tree
place=$suite_folder/place

# A copy of what images are made of, and a place for what is built of it. The build's newlib is taken as it is.
prepare() {
    mkdir -p "$tree" "$place"
    (cd "$root" && scripts/list-sources.sh | grep -E '^(Makefile|mk|scripts|firmware|hal|linker|sim-soc)(/|$)' | tar -c -T -) | tar -x -C "$tree"
    ln -s "$build/newlib" "$place/newlib"
    image || fail "$(cat "$suite_folder/log")"
}

image() {
    make -s -C "$tree" -o "$place/newlib/firmware/stamp" -o "$place/newlib/firmware/checked" BUILD="$place" \
        FIRMWARE_OPTIONS='-Wno-unused-function -Wno-unused-parameter -Wno-unused-variable' flash >"$suite_folder/log" 2>&1
}

declare -A signatures=(
    [choose]='uint32_t wrong(struct run *run, struct choice *choice, uint32_t space)'
    [poll]='struct poll wrong(struct run *run)'
    [dispatched]='void wrong(struct run *run, struct channel *channel, uint32_t count)'
    [is_complete]='bool wrong(struct run *run)'
)

# with POLICY MEMBER BODY: the policy's function is this one
with() {
    awk -v member="$2" -v body="static ${signatures[$2]} { $3 }" '/^SCHEDULER_DEFINE/ { print body; is_table = 1 }
        is_table { sub("\\." member " = [a-z_]+", "." member " = wrong") } { print }' \
        "$root/firmware/policies/$1.c" >"$tree/firmware/policies/$1.c"
}

# edited POLICY SED: the policy's file is changed so
edited() {
    sed -z "$2" "$root/firmware/policies/$1.c" >"$tree/firmware/policies/$1.c"
    ! cmp -s "$root/firmware/policies/$1.c" "$tree/firmware/policies/$1.c" || fail "nothing is changed by $2"
}
