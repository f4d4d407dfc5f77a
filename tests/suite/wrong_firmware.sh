#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Firmware that traps or hangs: the message names function and line, and who has called it.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/wrong_image.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/wrong_image.sh"

calls='\(flat\.c:[0-9]+\) <- .*firmware_main \(main\.c:[0-9]+\) <- firmware_start \(crt\.S:[0-9]+\)'

# told PATTERN [OPTION]...: in the image as it is now
told() {
    image || fail "$(cat "$suite_folder/log")"
    run 3 fib 9 --quiet --set host.flash="$place/firmware/sluice.flash" "${@:2}"
    expect err "^fib: $1"
    [[ ! -s out ]] || fail "a result: $(cat out)"
    cp "$root/firmware/policies/flat.c" "$tree/firmware/policies/flat.c"
    cp "$root/firmware/predicates/full.c" "$tree/firmware/predicates/full.c"
}
ended="the machine ended: $engine ended with exit status"

loops() {
    with flat choose 'uint32_t sum = 0; for (volatile uint32_t i = 0;; i++) { sum += i; run->channels[0].throttle->bound = sum; } return sum;'
    told "$ended 24: .* in wrong $calls; it goes round in wrong \(flat\.c:[0-9]+\)"
}

# No limit of the run is reached: it is seen that no pass begins, with the core that is simulated slowest.
loops_without_limits() {
    with flat choose 'for (volatile uint32_t i = 0; run->passes > 20; i++) { } return choose(run, choice, space);'
    told "$ended 24: .* in wrong $calls; it goes round in wrong \(flat\.c:[0-9]+\)" --set gpu.progress_limit=0 --set agg.core=4way-ooo
}

repeats() {
    with flat choose 'for (;;) { __asm__ volatile(""); } return 0;'
    told "$ended 29: .* in wrong $calls; it goes round in wrong \(flat\.c:[0-9]+\)"
}

zeroes() {
    with flat choose 'extern char firmware_start[]; for (volatile uint64_t *word = (volatile uint64_t *)0x80000000;; word++) { *word = 0; } return 0;'
    told "$ended 30: .* in wrong $calls"
}

null_pointer() {
    with flat choose 'return *(volatile uint32_t *)0;'
    told "the firmware trapped and has stopped: load access fault .*; in wrong $calls"
}

# In a predicate, which a policy calls by a pointer.
null_predicate() {
    sed 's/return \(.*\);/return *(volatile uint32_t *)(uintptr_t)(lanes >> 31) + (\1);/' "$root/firmware/predicates/full.c" \
        >"$tree/firmware/predicates/full.c"
    told 'the firmware trapped and has stopped: load access fault .*; in full \(full\.c:[0-9]+\) <- .*firmware_start' --predicate full
}

recurses() {
    with flat choose 'volatile uint32_t here = space; return here == 0 ? 0 : wrong(run, choice, here + 1) + here;'
    told "$ended 30: .* in wrong \(flat\.c:[0-9]+\) <- wrong \(flat\.c:[0-9]+\) <- .* more <- .*; its stack overflowed: "
}

jumps() {
    with flat choose 'return ((uint32_t (*)(void))0x90000000)();'
    told "the firmware trapped and has stopped: .*; in .* <- wrong $calls"
}

# stray STORES PATTERN: a warning at the run's end, and a failure where that is asked for
stray() {
    with flat choose "$1 return choose(run, choice, space);"
    image || fail "$(cat "$suite_folder/log")"
    run 0 fib 9 --quiet --set host.flash="$place/firmware/sluice.flash"
    expect err "^fib: the firmware stored to $2, at pc 0x[0-9a-f]+, in wrong \\(flat\\.c:[0-9]+\\).*; there are [0-9]+ such stores$"
    told "the firmware stored to $2, at pc .*" --set debug.registers=fail
}

fills_window() {
    with flat choose 'for (uint32_t at = 0; at < SL_REG_BYTES; at += 8) { agg_register_write((enum sl_register)at, 0x34); } return 0;'
    told "$ended 52; the firmware stored to read-only register ID, at pc .*, in .*agg_register_write .* <- wrong \\(flat\\.c:[0-9]+\\).*; there are [0-9]+ such stores"
}

prepare
check "a loop" loops
check "a loop, without limits" loops_without_limits
check "a loop of one instruction" repeats
check "overwrites its code" zeroes
check "null pointer" null_pointer
check "null pointer in a predicate" null_predicate
check "endless recursion" recurses
check "a jump to nowhere" jumps
check "stores to a read-only register" stray '*(volatile uint64_t *)(agg_device_window + SL_REG_TIME_PS) = 1;' 'read-only register TIME_PS'
check "stores to no register" stray '*(volatile uint64_t *)(agg_device_window + 0xff8) = 1;' 'offset 0xff8 of the window, where no register is'
check "stores to a part of a register" stray '*(volatile uint32_t *)(agg_device_window + SL_REG_HOST_BELL) = 1;' \
    'a part of register HOST_BELL'
check "stores across registers" stray '__asm__ volatile("sd zero, 4(%0)" :: "r"(agg_device_window + SL_REG_COMPLETION_HEAD));' \
    'a part of register COMPLETION_HEAD'
check "fills the window" fills_window
