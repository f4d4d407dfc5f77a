#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Kernels that fault: exit status 3 and a message with what, kernel, function, source line and lanes; after
# it the same machine runs a good graph (tests/probes/faults/faults.c).
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

kernels=$root/tests/probes/faults/faults_kernel.c

# fault KIND FUNCTION LANES MESSAGE [SETTING]: the line is the one that the kernel's source marks.
fault() {
    local kind=$1 function=$2 lanes=$3 message=$4 marked=$5 line
    line=$(grep -n "/\* faults: $marked \*/" "$kernels" | cut -d : -f 1)
    [[ -n $line ]] || fail "no line marked '$marked' in $kernels"
    run 3 faults "$kind" "${@:6}"
    expect_result "faults(1) = 1"
    expect err "$message"
    expect err "[( ]$function \(faults_kernel\.c:$line\)"
    expect err "lanes $lanes, CU [0-9]+, at [0-9.]+ us"
}

on_one_machine() {
    local names
    names=$("$bin/faults" --list | cut -d ' ' -f 1)
    # shellcheck disable=SC2086 # one word each
    run 3 faults $names $names --set gpu.cycle_limit=200000
    expect_result "faults($((2 * $(wc -w <<<"$names")))) = $((2 * $(wc -w <<<"$names")))"
}

# A fault that all lanes of many wavefronts have at about the same time.
many() {
    run 3 fib 27 --quiet --width 16384
    expect err "channel 0 'fib' overflows.*; use a wider channel"
}

# However early it is, the limit is reported as such: the firmware is given time to answer.
limit() {
    run 3 fib 18 --quiet --config ideal --set "gpu.cycle_limit=$1"
    expect err "cycle limit reached: the graph is not complete after $1 cycles \(gpu\.cycle_limit\)"
}

unknown() {
    run 2 faults nonsense
    expect err "'nonsense' is no fault"
}

some='3-5 \(3 of 64\)'
all='0-7 \(8 of 64\)'
check "illegal instruction" fault illegal fault_illegal "$some" 'kernel fault_illegal faulted: illegal instruction 0x0000007b,' illegal
check "load from address 0" fault null fault_load "$some" 'kernel fault_load faulted: access outside memory: load of 4 bytes at 0x0,' load
check "store to address 0x40" fault store fault_store "$some" 'access outside memory: store of 8 bytes at 0x40,' store
check "store to the firmware's memory" fault firmware fault_store "$some" 'access outside memory: store of 8 bytes at 0x80000000,' store
check "store into kernel code" fault code fault_store "$some" 'kernel fault_store faulted: store into kernel code: 8 bytes at 0x80400008, where 0x80400000 to 0x8040[0-9a-f]{4} may only be read and executed,' store
check "store to the mailbox" fault mailbox fault_store "$some" 'access outside memory: store of 8 bytes at 0x80300000,' store
check "load from between apertures" fault aperture fault_load "$some" 'access outside memory: load of 4 bytes at 0x60000000,' load
check "load from behind DRAM" fault end fault_load "$some" 'access outside memory: load of 4 bytes at 0xc0000000,' load
check "misaligned load" fault misaligned fault_load "$some" 'misaligned access: load of 4 bytes at 0x80800002' load
check "jump to where no code is" fault jump fault_jump "$some" 'kernel fault_jump faulted: instruction fetch outside the kernel code' jump
check "return to where no call was" fault return fault_return "$some" 'return to an address that is not after the call' return
check "call of a kernel" fault call fault_called "$some" 'return to an address that is not after the call: 0x40000000, where lanes end: a kernel was called through a pointer, and a kernel cannot be called' called
check "endless loop" fault loop fault_loop "$all" 'cycle limit reached: the graph is not complete after 100000 cycles' loop --set gpu.cycle_limit=100000
check "stack overflow" fault stack deeper "$some" 'stack overflow: store of 8 bytes at 0x4ffff.*gpu\.stack is 1 KiB' stack
check "a larger stack is larger" fault stack deeper "$some" 'gpu\.stack is 2 KiB' stack --set gpu.stack=2KiB
check "reconvergence stack overflow" fault stack deeper "$some" 'reconvergence stack overflow; gpu\.divergence_depth is 20, gpu\.divergence_spill is 0' call --set gpu.divergence_depth=20 --set gpu.divergence_spill=0
check "trap of the kernel's own" fault trap fault_trap "$some" 'kernel trap 20 \(operands 0xabc and 0xdef\)' trap
check "assertion" fault assert fault_assert "$some" 'assertion failed in line [0-9]+ \(value 3\)' assert
check "no such channel" fault channel fault_channel "$some" 'there is no channel 77: the graph has 1' channel
check "fan-out exceeded" fault fan-out fault_fan_out "$some" "asks channel 0 'fan-out' for 2 elements at once, the kernel's declared fan-out into it is 1" fan-out
check "fan-out of the kernel's edge exceeded" fault edge-fan-out fault_edge_fan_out "$some" "kernel fault_edge_fan_out faulted: kernel trap: a lane asks channel 1 'shared' for 3 elements at once, the kernel's declared fan-out into it is 2," edge-fan-out
check "no edge, talloc" fault edge fault_edge "$some" "kernel fault_edge faulted: kernel trap: a lane puts 1 element into channel 2 'foreign', to which no edge from the kernel is declared; declare one with sl_graph_output\(\)," edge
check "no edge, enq" fault edge-enq fault_edge_enq "$some" "kernel fault_edge_enq faulted: kernel trap: a lane puts 2 elements into channel 2 'foreign', to which no edge from the kernel is declared" edge-enq
check "enq of what is no element" fault element fault_element "$some" "0x[0-9a-f]+ is not an element of channel 0 'element'" element
check "overflow" fault overflow fault_overflow '[0-9,-]+ \([0-9]+ of 64\)' "channel 0 'overflow' overflows: width 64, a wavefront demands [0-9]+ more elements .*; use a wider channel" overflow
check "overflow, nothing freed" fault never-freed fault_never_freed '[0-9,-]+ \([0-9]+ of 64\)' "channel 0 'never-freed' overflows: width 64, a wavefront demands [0-9]+ more elements .*; none of its elements has been freed since the run began: free each \(sl_tfree\(\)\), or use a wider channel" never-freed
check "32 lanes" fault illegal fault_illegal '3-5 \(3 of 32\)' 'illegal instruction' illegal --set gpu.lanes=32
check "all of them twice on one machine" on_one_machine
check "fib, in many wavefronts" many
for cycles in 1000 2500 4650 6000 12000 30000; do
    check "cycle limit of $cycles" limit $cycles
done
check "unknown name" unknown
