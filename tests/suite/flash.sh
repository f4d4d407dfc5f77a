#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Damaged flash images: the boot code says what is wrong on the console and ends QEMU with a status of
# docs/look-up/errors.md; the program shows both and ends with 3, or with 2 where there is no image to start.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

image=$build/firmware/sluice.flash
# Offsets of struct sl_image_header (hal/contract/layouts.def), which is at byte 64.
magic=64 version=72 payload_crc=76 payload_offset=80 payload_bytes=88 load_address=96 entry=104 header_crc=112

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

# The CRC that makes a changed header good again: gzip ends with it.
sign_header() {
    put $header_crc "$(tail -c +65 flash | head -c 48 | gzip -c | tail -c 8 | head -c 4 | od -An -tx1 | tr -d ' ')"
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

cut() {
    copy
    truncate -s -9 flash
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

check "a copy is good" good
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
check "cut short" cut
check "as long as flash" filled
check "empty" size 0
check "too long" size 33M
