#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Damaged flash images: the boot code says what is wrong on the console and ends QEMU with a status of
# docs/look-up/errors.md; the program shows both and ends with 3, or with 2 where there is no image to start, or one of other
# tables than those of plugin and host library.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

image=$build/firmware/sluice.flash
# Offsets of struct sl_image_header (hal/contract/layouts.def), which is at byte 64.
magic=64 version=72 payload_crc=76 payload_offset=80 payload_bytes=88 load_address=96 entry=104 header_crc=112
information_offset=116 information_bytes=120 information_crc=124

copy() {
    cp "$image" flash
}

# number OFFSET BYTES
number() {
    od -An -v "-tu$2" -j "$1" -N "$2" flash | tr -d ' '
}

# put OFFSET HEX: bytes in the order of memory
put() {
    local i escaped=
    for ((i = 0; i < ${#2}; i += 2)); do
        escaped+="\\x${2:i:2}"
    done
    # shellcheck disable=SC2059 # the escapes are the format
    printf "$escaped" | dd of=flash bs=1 seek="$1" conv=notrunc status=none
}

# flip OFFSET BIT
flip() {
    put "$1" "$(printf '%02x' $(($(number "$1" 1) ^ 1 << $2)))"
}

# crc OFFSET BYTES: CRC-32 in the order of memory; gzip ends with it
crc() {
    tail -c +$(($1 + 1)) flash | head -c "$2" | gzip -c | tail -c 8 | head -c 4 | od -An -tx1 | tr -d ' '
}

# What makes a changed header, or changed information, good again.
sign_header() {
    put $header_crc "$(crc 64 48)"
}
sign_information() {
    put $information_crc "$(crc "$(number $information_offset 4)" "$(number $information_bytes 4)")"
}

# refused STATUS TEXT: QEMU's status, and what the console says
refused() {
    run 3 fib 10 --quiet --set "host.flash=$PWD/flash" --set host.boot_limit=1000s
    expect err "the machine did not boot: $engine ended with exit status $1: "
    expect err "sluice boot: bad firmware image: $2( \(.*\))?: expected 0x[0-9a-f]{16}, found 0x[0-9a-f]{16}"
    [[ ! -s out ]] || fail "a result: $(cat out)"
    ! "$bin/mkflash" --verify flash >verify 2>&1 || fail "mkflash calls it good: $(cat verify)"
}

# payload PLACE: a bit of the payload, by its distance from the beginning, or from the end where negative
payload() {
    local at
    copy
    at=$(($(number $payload_offset 8) + $1))
    (($1 >= 0)) || at=$((at + $(number $payload_bytes 8)))
    flip $at "$2"
    refused 19 'CRC-32 of the payload'
}

header() {
    copy
    flip "$1" "$2"
    refused "$3" "$4"
}

# signed OFFSET HEX TEXT: a bad field in a header whose CRC is right
signed() {
    copy
    put "$1" "$2"
    sign_header
    refused "$3" "$4"
}

# Nothing there that could say anything: the wait for the firmware ends.
silent() {
    run 3 fib 10 --quiet --set "host.flash=$PWD/flash" --set host.boot_limit=700ms
    expect err 'the machine did not boot: the firmware was not ready within 700 ms \(host\.boot_limit\)'
}

zero() {
    truncate -s 32M flash
    silent
}

no_code() {
    copy
    put 0 00000000
    silent
}

garbage() {
    head -c $((32 << 20)) </dev/urandom >flash
    run 3 fib 10 --quiet --set "host.flash=$PWD/flash" --set host.boot_limit=700ms
    expect err 'the machine did not boot: '
}

no_file() {
    run 2 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect err "host\.flash: .*$PWD/flash"
}

no_image() {
    mkdir flash
    no_file
}

size() {
    copy
    truncate -s "$1" flash
    no_file
    expect err '33554432|32 MiB'
}

cut_short() {
    copy
    put $information_offset 0000000000000000
    truncate -s $(($(number $payload_offset 8) + $(number $payload_bytes 8) - 9)) flash
    refused 19 'CRC-32 of the payload'
}

# A flash device's content as a whole, what lies behind the image included.
filled() {
    copy
    truncate -s 32M flash
    run 0 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect_result "fib(10) = 55"
}

good() {
    copy
    run 0 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect_result "fib(10) = 55"
}

elsewhere() {
    mkdir 'a, b=c'
    cp "$image" 'a, b=c/d,e'
    run 0 fib 10 --quiet --set "host.flash=a, b=c/d,e"
    expect_result "fib(10) = 55"
}

# ---- what an image says of itself ----

inspected() {
    local id
    id=$(cat "$build/contract/id")
    run 0 sluice flash inspect
    expect out '^flash  0x20009[0-9a-f]{3} to 0x20009[0-9a-f]{3}  information$'
    expect out '^build +[0-9a-f]{32}$'
    expect out "^contract +0x$id\$"
    expect out '^commit +(unknown|[0-9a-f]{12}(-dirty)?)$'
    expect out '^ring +dispatch +256$'
    expect out '^policy +levelized +1 +drained,throttle +Channel stacks by level'
    expect out '^policy +flat +0 +throttle          Channels round robin'
    expect out '^predicate +age +2 +Ready elements'
    expect out '^guard +empty +1 +Elements'
    # One column for all sentences.
    [[ $(grep -E '^(policy|predicate|guard) ' out | sed -E 's/[A-Z].*//' | awk '{ print length }' | sort | uniq -c) =~ ^\ *8\ [0-9]+$ ]] ||
        fail "columns are not aligned: $(cat out)"
}

# Images of before there was information, which are not compared.
older() {
    copy
    put $information_offset 000000000000000000000000
    truncate -s $(($(number $payload_offset 8) + $(number $payload_bytes 8))) flash
    run 0 sluice flash verify flash
    expect out '^good$'
    run 0 sluice flash inspect flash
    expect out '^no information$'
    run 0 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect_result "fib(10) = 55"
}

# damaged_information COMMAND ARGUMENT...: of the copy
damaged_information() {
    copy
    "$@"
    run 1 sluice flash verify flash
    expect err "flash: bad: the information's place or CRC-32"
    run 0 sluice flash inspect flash
    expect out '^information is damaged$'
    run 2 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect err "host\\.flash: the information of $PWD/flash is damaged"
}
flip_information() {
    flip $(($(number $information_offset 4) + $1)) "$2"
}

# An image that was built from other tables is refused, and all ids are told.
other_tables() {
    local id at
    id=$(cat "$build/contract/id")
    copy
    at=$(grep -abo "contract.0x$id" flash | cut -d : -f 1)
    put $((at + 11)) "$(printf %s "$(tr 0-9a-f a-f0-9 <<<"$id")" | od -An -tx1 | tr -d ' \n')"
    sign_information
    run 2 fib 10 --quiet --set "host.flash=$PWD/flash"
    expect err '^fib: host\.flash: the parts of the machine are built from different tables \(hal/contract\)'
    expect err "^  0x$(tr 0-9a-f a-f0-9 <<<"$id")  firmware image $PWD/flash\$"
    expect err "^  0x$id  plugin $build/.*sluice-plugin\\.so\$"
    expect err "^  0x$id  host library\$"
    expect err '^build the image again, from the sources of the plugin and the host library \(make flash\)'
    run 0 sluice flash verify flash
}

# A plugin of other tables: its note is another one.
other_plugin() {
    local id at
    id=$(cat "$build/contract/id")
    mkdir lib
    cp "$build/lib/"{sluice-native,sluice-plugin.so} lib
    at=$(LC_ALL=C grep -aboP '\x07\x00{3}\x08\x00{3}\x01\x00{3}Sluice\x00\x00' lib/sluice-plugin.so | cut -d : -f 1)
    printf 'another!' | dd of=lib/sluice-plugin.so bs=1 seek=$((at + 20)) conv=notrunc status=none
    run 2 fib 10 --quiet --set "host.plugin=$PWD/lib"
    expect err '^fib: host\.plugin: the parts of the machine are built from different tables'
    expect err "^  0x$id  firmware image "
    expect err "^  0x[0-9a-f]{16}  plugin $PWD/lib/sluice-plugin\\.so\$"
    expect err '^build the plugin again, from the sources of the image and the host library'
}

# What a sweep has kept is of the same build when only the commit is another one.
other_commit() {
    local at before
    copy
    run 0 sluice sweep --out kept --set "host.flash=$PWD/flash" 'fib 5'
    before=$(stat -c %y kept/runs/00000/status.json)
    at=$(grep -abo 'commit.' flash | tail -n 1 | cut -d : -f 1)
    put $((at + 7)) 5858
    sign_information
    run 0 sluice flash inspect flash
    expect out '^commit +XX'
    run 0 sluice sweep --out kept --set "host.flash=$PWD/flash" 'fib 5'
    [[ $(stat -c %y kept/runs/00000/status.json) == "$before" ]] || fail "it was run again"
    printf x >>flash
    run 0 sluice sweep --out kept --set "host.flash=$PWD/flash" 'fib 5'
    [[ $(stat -c %y kept/runs/00000/status.json) != "$before" ]] || fail "another image was not run"
}

# ---- the contract id ----

# edit FILE SED: in a copy of the tables; prints their id
edit() {
    sed -E "$2" "$root/$1" >"tree/$1"
    ! cmp -s "$root/$1" "tree/$1" || fail "nothing in $1 is changed by $2"
    "$root/scripts/contract-id.sh" tree
    cp "$root/$1" "tree/$1"
}
copy_tables() {
    mkdir -p tree/hal
    cp -r "$root/hal/contract" "$root/hal/include" tree/hal
    [[ $("$root/scripts/contract-id.sh" tree) == "$(cat "$build/contract/id")" ]] || fail "a copy has another id"
}

sentences() {
    local table
    copy_tables
    for table in "$root"/hal/contract/*.def; do
        [[ $(edit "hal/contract/${table##*/}" 's/"\)$/ or so")/; s/^ \* /&Well: /') == "$(cat "$build/contract/id")" ]] ||
            fail "sentences of ${table##*/} change the id"
    done
    [[ $(edit hal/include/sluice/limits.h 's|/\*\*<|&well,|') == "$(cat "$build/contract/id")" ]] ||
        fail "comments of limits.h change the id"
}

# Each change gives an id of its own.
values() {
    local ids
    copy_tables
    cat "$build/contract/id" >ids
    while read -r file change; do
        edit "$file" "$change" >>ids
    done <<'CHANGES'
hal/include/sluice/limits.h s/(SL_DISPATCH_ENTRIES +)256/\1128/
hal/include/sluice/limits.h s/(SL_YIELD_ENTRIES +)256/\1128/
hal/include/sluice/memory_map.h s/(#define SL_FIRMWARE_BYTES +)SL_MIB\(.\)/\1SL_MIB(7)/
hal/contract/registers.def s/^SL_REGISTER\(DRAM_BYTES, 0x010/SL_REGISTER(DRAM_BYTES, 0x018/
hal/contract/registers.def s/^SL_REGISTER\(DRAM_BYTES, 0x010, RO/SL_REGISTER(DRAM_BYTES, 0x010, RW/
hal/contract/layouts.def s/^SL_LAYOUT_FIELD\(dispatch, 8, uint32_t, channel/SL_LAYOUT_FIELD(dispatch, 8, uint32_t, canal/
hal/contract/layouts.def s/^SL_LAYOUT_FIELD\(dispatch, 8, uint32_t, channel/SL_LAYOUT_FIELD(dispatch, 8, int32_t, channel/
hal/contract/codes.def s/^SL_ENUM_VALUE\(MARK, END, 2/SL_ENUM_VALUE(MARK, END, 3/
hal/contract/policies.def s/SL_POLICY_DRAINED \| SL_POLICY_THROTTLE/SL_POLICY_DRAINED/
hal/contract/policy_flags.def s/drained, 0/drained, 4/
hal/contract/predicates.def s/age, 2/at_age, 2/
hal/contract/guards.def /SL_GUARD\(EMPTY/d
hal/contract/statistics.def /SL_STATISTIC\(GPU_CYCLES/d
hal/contract/stalls.def s/"issue"/"issued"/
hal/contract/agg_stack.def s/"retiring"/"retired"/
hal/contract/served.def s/"loads"/"reads"/
hal/contract/exceptions.def /illegal instruction/d
CHANGES
    ids=$(sort -u ids | wc -l)
    [[ $ids == "$(wc -l <ids)" ]] || fail "$ids ids of $(wc -l <ids) tables"
}

check "a copy is good" good
check "what an image says of itself" inspected
check "an image without information" older
check "information: first bit" damaged_information flip_information 0 0
check "information: a bit in it" damaged_information flip_information 100 3
check "information: CRC" damaged_information flip $information_crc 1
check "information: place" damaged_information put $information_offset 04000000
check "information: beyond flash" damaged_information put $information_offset f8ffffff
check "information: length zero" damaged_information put $information_bytes 00000000
check "information: length" damaged_information put $information_bytes f8ffffff
check "an image of other tables" other_tables
check "a plugin of other tables" other_plugin
check "another commit is not another build" other_commit
check "contract id: sentences leave it" sentences
check "contract id: values change it" values
check "a relative path with commas" elsewhere
check "first bit of the payload" payload 0 0
check "a bit of the payload" payload 1234 5
check "last bit of the payload" payload -1 7
check "magic number" header $magic 3 16 'magic number'
check "header: version" header $version 0 17 'CRC-32 of the header'
check "header: CRC of the payload" header $payload_crc 1 17 'CRC-32 of the header'
check "header: payload's offset" header $payload_offset 12 17 'CRC-32 of the header'
check "header: payload's length" header $payload_bytes 4 17 'CRC-32 of the header'
check "header: its own CRC" header $header_crc 6 17 'CRC-32 of the header'
check "version of the future" signed $version 02000000 17 'version of the header'
check "length zero" signed $payload_bytes 0000000000000000 18 'payload length'
check "length beyond flash" signed $payload_bytes f8ffffffffffffff 18 'payload length'
check "length beyond memory" signed $payload_bytes 0000300000000000 18 'payload length'
check "length not a multiple of 8" signed $payload_bytes 0410000000000000 18 'payload length'
check "length shorter than the payload" signed $payload_bytes 0010000000000000 19 'CRC-32 of the payload'
check "offset in the header" signed $payload_offset 4000000000000000 18 'payload offset'
check "offset beyond flash" signed $payload_offset 0000000200000000 18 'payload offset'
check "load address" signed $load_address 0000108000000000 18 'load address'
check "entry outside" signed $entry 0000000000000000 18 'entry'
check "all zero" zero
check "no boot code" no_code
check "random bytes" garbage
check "missing file" no_file
check "a folder" no_image
check "cut short" cut_short
check "as long as flash" filled
check "empty" size 0
check "too long" size 33M
