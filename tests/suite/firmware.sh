#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Firmware that goes wrong: a copy of its ELF file gets other instructions at the beginning of a function,
# and mkflash makes a good image of it. Traps and hangs are reported, in the run of a graph and before.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cross=${CROSS:-riscv64-unknown-elf-}

# patch FUNCTION HEX: bytes in the order of memory; makes ./flash
patch() {
    local address type offset virtual at='' i escaped=''
    cp "$build/firmware/sluice.elf" flash.elf
    address=$("${cross}nm" flash.elf | awk -v name="$1" '$3 == name { print $1 }')
    [[ -n $address ]] || fail "the firmware has no function $1"
    address=$((16#$address))
    # shellcheck disable=SC2034 # columns
    while read -r type offset virtual _; do
        [[ $type == LOAD ]] || continue
        ((address < virtual || address >= virtual + 0x100000)) || at=$((offset + address - virtual))
    done < <("${cross}readelf" -lW flash.elf)
    [[ -n $at ]] || fail "function $1 is in no segment"
    for ((i = 0; i < ${#2}; i += 2)); do
        escaped+="\\x${2:i:2}"
    done
    # shellcheck disable=SC2059 # the escapes are the format
    printf "$escaped" | dd of=flash.elf bs=1 seek=$at conv=notrunc status=none
    "$bin/mkflash" flash.elf flash
    pc=$(printf '0x%x' $address)
}

loop_forever=130000006ff0dfff   # 1: nop; j 1b
repeated=6f000000               # j .
loop_slowly=0f1000006ff0dfff    # 1: fence.i; j 1b: engines execute few of them in a second
illegal=00000000                # an illegal instruction
load_zero=03350000              # ld a0, 0(zero)
load_aperture=3705005003350500  # lui a0, 0x50000; ld a0, 0(a0)
store_aperture=370500402330a500 # lui a0, 0x40000; sd a0, 0(a0)
jump_zero=67000000              # jr zero
bad_stack=130100002330a100      # li sp, 0; sd a0, 0(sp)

# trapped HEX CAUSE [ADDRESS [DISTANCE]]: in the middle of a graph's run, at so many bytes from the function
trapped() {
    local at calls=' <- .*firmware_main \(main\.c:[0-9]+\)'
    [[ ! ${4:-} =~ [0-9] ]] || calls='' # code that was put over the prologue has no frame
    patch completion_take "$1"
    at=$(printf '0x%x' $((pc + ${4:-0})))
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect err "^fib: the firmware trapped and has stopped: $2 \(cause [0-9]+\) at pc $at, address 0x${3:-0}, ra 0x[0-9a-f]+, sp 0x[0-9a-f]+; in (completion_take|0x0 \(no code of the firmware\) <- completion_poll) \(completion\.[ch]:[0-9]+\)$calls"
    expect err "sluice firmware: trap: $2: cause 0x[0-9a-f]{16}, pc 0x0*${at#0x}, address 0x0*${3:-0}$"
    expect err ', s0 0x[0-9a-f]{16}'
    [[ ! -s out ]] || fail "a result: $(cat out)"
}

# The device ends what ignores the cycle limit.
hung() {
    patch completion_take $loop_forever
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash" --set gpu.cycle_limit=200000
    expect err "the machine ended: $engine ended with exit status 24: .*hangs.* in completion_take \(completion\.c:[0-9]+\) <- .*; it goes round in completion_take"
}

# No limit is reached before this is seen.
repeats() {
    patch completion_take $repeated
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect err "the machine ended: $engine ended with exit status 29: .*again and again.* in completion_take \(completion\.c:[0-9]+\) <- "
}

# The pc is said, and where the file has to be.
without_names() {
    patch completion_take "$1"
    ${3:-rm} flash.elf
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect err "pc $pc.*; for names of functions keep the firmware's ELF file beside the flash image, x\.elf beside x\.flash, or set profile\.firmware: .*$2"
}

trapped_at_boot() {
    patch firmware_main $illegal
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect err "the machine did not boot: $engine ended with exit status 21: The firmware trapped"
    expect err "sluice firmware: trap: illegal instruction: cause 0x0000000000000002, pc 0x0*${pc#0x},"
}

hung_at_boot() {
    local limit_ms
    limit_ms=$(($(start_ms) * 15)) # before it hangs it has to come that far
    patch service_announce $loop_slowly
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash" --set "host.boot_limit=${limit_ms}ms"
    expect err "the machine did not boot: the firmware was not ready within $limit_ms ms"
    expect err 'sluice firmware [0-9]'
}

trapped_in_boot_code() {
    patch boot_load $illegal
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect err "the machine did not boot: $engine ended with exit status 21: The firmware trapped"
    expect err "sluice boot: trap: cause 0x0000000000000002, pc 0x0*${pc#0x},"
}

# boots_in_memory OFFSET: QEMU alone, over ./dram: firmware finds no device and ends. Prints the word there.
boots_in_memory() {
    local status=0
    timeout --kill-after=5 "$hang_s" qemu-system-riscv64 -machine virt,memory-backend=dram \
        -object memory-backend-file,id=dram,size=64M,mem-path=dram,share=on -m 64M -bios none -display none -nodefaults \
        -serial file:uart -device "loader,addr=0x20000000,cpu-num=0,force-raw=on,file=$build/firmware/sluice.flash" || status=$?
    ((status == 20)) || fail "status $status: $(cat uart)"
    expect uart '^sluice firmware [0-9]'
    od -An -v -tx8 -j "$1" -N 8 dram
}

# Firmware's variables are zero: in memory that QEMU has just got, and in what another firmware has left.
old_memory() {
    local at
    at=$("${cross}nm" "$build/firmware/sluice.elf" | awk '$3 == "channels" { print $1 }')
    at=$((16#$at - 0x80000000))
    truncate -s 64M dram
    [[ $(boots_in_memory $at) == ' 0000000000000000' ]] || fail 'not zero at first'
    printf '\xff%.0s' {1..8} | dd of=dram bs=1 seek=$at conv=notrunc status=none
    [[ $(boots_in_memory $at) == ' 0000000000000000' ]] || fail 'not zero again'
}

console() {
    run 0 fib 10 --quiet --set debug.uart=uart
    expect uart '^sluice firmware [0-9]'
}

check "console copy" console
check "illegal instruction in a run" trapped $illegal 'illegal instruction'
check "load from page 0" trapped $load_zero 'load access fault' 0
check "load from an aperture of the compute units" trapped $load_aperture 'load access fault' 50000000 4
check "store to an aperture of the compute units" trapped $store_aperture 'store access fault' 40000000 4
check "jump to page 0" trapped $jump_zero 'instruction access fault' 0 -pc
check "bad stack pointer" trapped $bad_stack 'store access fault' 0 4
check "endless loop in a run" hung
check "one instruction again and again" repeats
check "a trap without the ELF file" without_names $illegal 'flash\.elf.* cannot be opened'
check "a hang without the ELF file" without_names $repeated 'flash\.elf.* cannot be opened'
check "a trap, with the ELF file of another image" without_names $illegal 'was not made from' "cp $build/firmware/sluice.elf"
check "trap before the device is known" trapped_at_boot
check "endless loop before it is ready" hung_at_boot
check "trap in the boot code" trapped_in_boot_code
check "memory of another QEMU" old_memory
