/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sl_talloc, sl_talloc_or_trap, sl_talloc_or_yield, sl_enq, sl_tfree: the wavefront's side of a channel (papers/001
 * section 3.2 and Figure 5; sl_deq is inline in sluice/wave/wave.h).
 *
 * Each is one leaf routine, because elect, scan and broadcast have to see the same lanes: a compiler
 * that duplicated one of them along two paths would break that. Each is right for any active subset
 * of the lanes and for a channel that varies between them. The common shape is a loop over distinct
 * channels: the first lane's is broadcast, the lanes with that one work together, the others go round
 * again. The lanes that have worked meet the others at the loop's end: the branch there tests a
 * result that only the work writes, so that no lane waits for another inside the work.
 *
 * What a lane may allocate, its kernel's own edge says: the kernel's table of limits has an entry for
 * each channel. A channel to which the kernel has no edge, and one whose lanes reserve each for itself
 * (the paper's baseline; flag SL_CHANNEL_WORKITEM), leave the common path where the fan-out is checked:
 * the word behind the fan-out then has its sign bit set, and one load reads both. In what follows there
 * (item in the labels) a fan-out of 0 is no edge, and a trap; else each lane goes round its own
 * compare-and-swap until it has succeeded, and publishes for itself.
 *
 * The lane that sl.elect chooses is the one that sl.first broadcasts from: the first active one.
 *
 * Counters are 64 bits and only grow; positions are counters modulo a length that is a power of two.
 * Registers: a0 to a7 and t0 to t6 alone, for each routine those of sluice/wave/changes.h; no stack. */
#include "sluice/layout_offsets.h"
#include "kernel/channel_routines.inc"
#include "kernel/xsluice.inc"

talloc sl_talloc, FULL_RETURNS, IN_ORDER
talloc sl_talloc_or_trap, FULL_TRAPS, IN_ORDER
talloc sl_talloc_or_yield, FULL_YIELDS, IN_ORDER

/* void sl_enq(int channel, void *elements, int count)
 *
 * a0 channel, a1 elements, then the control array, a2 count; t1 channel base, t3 offset of the first
 * element, t5 width, a6 mask of the control array's positions in bytes: entries are 4 wide and twice as
 * many as elements; t6 address of the limit, then 0 while the lane has not worked yet. */
    routine sl_enq
    blez a2, .Lenq_end
    channel_base t1, a0, .Lenq_bad_channel
    channel_limit t6, a0, t2
    ld t4, SL_LIMIT_FAN_OUT(t6)
    element_offset t3, t1, .Lenq_bad_element
    /* A lane's elements begin in the data array and are no more than the fan-out. */
    lwu t5, CHANNEL(WIDTH)(t1)
    add t4, t4, t5
    sub t4, t4, a2
    bge t3, t4, .Lenq_item
    ld a1, CHANNEL(CONTROL)(t1)
    slli a6, t5, 3
    addi a6, a6, -4
    li t6, 0

.Lenq_next:
    sl_first t0, a0
    bne t0, a0, .Lenq_others
    sl_elect t6
    sl_scan_add t2, a2
    sl_reduce_add t4, a2
    beqz t6, .Lenq_reserved
    addi a3, t1, CHANNEL(CONTROL_RESERVE)
    /* Here a code line begins: a fetch between lr and sc would let others in. */
.Lenq_retry:
    lr.d a4, (a3)
    add a7, a4, t4
    sc.d t0, a7, (a3)
    bnez t0, .Lenq_retry
.Lenq_reserved:
    store_entries enq

    /* The leader publishes in order of reservation: when the tail has reached its start, it moves it to
     * its end. Waiting and publishing are one loop body, so that it stays right where several lanes
     * would be in it. */
    beqz t6, .Lenq_published
    addi a3, t1, CHANNEL(CONTROL_TAIL)
    add a7, a4, t4
.Lenq_wait:
    sl_load_acquire_d a5, a3
    bne a5, a4, .Lenq_pause
    sl_store_release_d a7, a3
.Lenq_wait_end:
    bne a5, a4, .Lenq_wait
.Lenq_published:
    li t6, 1
.Lenq_others:
    beqz t6, .Lenq_next
.Lenq_end:
    ret

    /* Each wavefront ahead publishes in turn, some 100 elements in some 100 cycles: standing back for about
     * that long leaves the SIMD units to those that have something to do. */
.Lenq_pause:
    sub t0, a4, a5
    sl_pause_turn t0
    j .Lenq_wait_end

    /* Each lane by itself. */
.Lenq_item:
    lw t0, SL_LIMIT_RESERVATION(t6)
    bgez t0, .Lenq_bad_element
    lwu t4, SL_LIMIT_FAN_OUT(t6)
    beqz t4, .Lenq_no_edge
    add t4, t4, t5
    sub t4, t4, a2
    bge t3, t4, .Lenq_bad_element
    addi a3, t1, CHANNEL(CONTROL_RESERVE)
.Lenq_item_retry:
    lr.d a4, (a3)
    add a7, a4, a2
    sc.d t0, a7, (a3)
    bnez t0, .Lenq_item_retry
    ld a3, CHANNEL(CONTROL)(t1)
    slli a5, a4, 2
    slli a6, t5, 3
    addi a6, a6, -4
    add a2, a2, t3
.Lenq_item_store:
    and t0, a5, a6
    add t0, t0, a3
    sw t3, 0(t0)
    addi t3, t3, 1
    addi a5, a5, 4
    bne t3, a2, .Lenq_item_store
    /* In order of reservation among all lanes, those of this wavefront too: the lane whose turn it is
     * publishes in the same loop body in which the others wait. */
    addi a3, t1, CHANNEL(CONTROL_TAIL)
.Lenq_item_wait:
    sl_load_acquire_d a5, a3
    bne a5, a4, .Lenq_item_pause
    sl_store_release_d a7, a3
.Lenq_item_wait_end:
    bne a5, a4, .Lenq_item_wait
    j .Lenq_end
.Lenq_item_pause:
    sub t0, a4, a5
    sl_pause_turn t0
    j .Lenq_item_wait_end

.Lenq_no_edge:
    sl_trap %.LSL_TRAP_EDGE, a0, a2
.Lenq_bad_channel:
    sl_trap %.LSL_TRAP_CHANNEL_ID, a0, t1
.Lenq_bad_element:
    sl_trap %.LSL_TRAP_ELEMENT, a0, a1
    routine_end sl_enq

/* void sl_tfree(int channel, int index)
 *
 * One atomic addition for each distinct done count among the lanes, whatever their channels. t4 is the
 * address of the lane's done count, 0 when it has been counted. */
    routine sl_tfree
    channel_base t1, a0, .Ltfree_bad_channel
    ld t2, CHANNEL(CONTROL)(t1)
    slli t3, a1, 2
    add t2, t2, t3
    lwu t3, 0(t2)
    lwu t2, CHANNEL(WIDTH)(t1)
    addi t2, t2, -1
    and t3, t3, t2
    lwu t2, CHANNEL(DONE_SHIFT)(t1)
    srl t3, t3, t2
    slli t3, t3, 2
    ld t4, CHANNEL(DONE)(t1)
    add t4, t4, t3
    li t5, 1
.Ltfree_next:
    sl_first t0, t4
    bne t0, t4, .Ltfree_others
    sl_elect a2
    sl_reduce_add a3, t5
    beqz a2, .Ltfree_counted
    amoadd.w.rl zero, a3, (t4)
.Ltfree_counted:
    li t4, 0
.Ltfree_others:
    bnez t4, .Ltfree_next
    ret

.Ltfree_bad_channel:
    sl_trap %.LSL_TRAP_CHANNEL_ID, a0, t1
    routine_end sl_tfree
