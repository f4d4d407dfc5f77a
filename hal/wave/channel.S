/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sl_talloc, sl_talloc_or_trap, sl_talloc_or_yield, sl_enq, sl_tfree: the wavefront's side of a channel (papers/001
 * section 3.2 and Figure 5; sl_deq is inline in sluice_wave.h).
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
 * Registers: a0 to a7 and t0 to t6 alone, for each routine those of wave/changes.h; no stack. */
#include "sluice/layout_offsets.h"
#include "wave/xsluice.inc"

/* Where a field of channel 0 is from tp; the channel's number times its size is added. */
#define CHANNEL(field) (SL_GRAPH_BYTES + SL_CHANNEL_##field)

/* base = tp + channel * size. Traps for a number that is none. */
.macro channel_base base, channel, bad
    sl_limit_count \base
    bgeu \channel, \base, \bad
    slli \base, \channel, SL_CHANNEL_BYTES_LOG2
    add \base, \base, tp
.endm

/* limit = address of what the kernel may put into the channel. Only for a number that is one. */
.macro channel_limit limit, channel, scratch
    sl_limits \limit
    slli \scratch, \channel, SL_LIMIT_BYTES_LOG2
    add \limit, \limit, \scratch
.endm

/* What talloc does where a channel has no space. */
.equ FULL_RETURNS, 0
.equ FULL_TRAPS, 1
.equ FULL_YIELDS, 2

/* After lanes have reserved by themselves, and only some of one channel found space: a wavefront that
 * yielded with the others' elements in its hands could wait for ever, because those who hold the rest do
 * the same. So these are given back, counted as done without having been used, and all lanes of the
 * channel ask for what they need together. They also reserve it together, in the common path: if each
 * took its own again, many restarted wavefronts could each take a part, all fail, and go on so for
 * ever, while of those that want all or nothing one always succeeds. a2 is 0 while a lane's channel has
 * not been looked at, 1 where all its lanes have their elements, 2 where they have yielded. */
.macro talloc_settle name
    li a2, 0
.L\name\()_settle:
    sl_first t0, a0
    bne t0, a0, .L\name\()_settle_others
    sltz t4, a4
    sl_reduce_add t4, t4
    li a2, 1
    beqz t4, .L\name\()_settle_others
    sl_reduce_add t4, a1
    bltz a4, .L\name\()_settle_yield
    lwu a5, CHANNEL(DONE_SHIFT)(t1)
    ld a6, CHANNEL(DONE)(t1)
    add a7, a4, a1
    li t6, 1
.L\name\()_settle_element:
    and t0, a4, t5
    srl t0, t0, a5
    slli t0, t0, 2
    add t0, t0, a6
    amoadd.w.rl zero, t6, (t0)
    addi a4, a4, 1
    bne a4, a7, .L\name\()_settle_element
.L\name\()_settle_yield:
    sl_yield a0, t4
    li a2, 2
.L\name\()_settle_others:
    beqz a2, .L\name\()_settle
    addi a2, a2, -2
    li t6, -1
    beqz a2, .L\name\()_next
.endm

/* void *sl_talloc(int channel, int count)
 *
 * a0 channel, a1 count; t1 channel base, t2 width, t3 address of the limit, then prefix, t4 limit, then
 * total, t5 mask of positions, t6 result: -1 while the lane
 * has not worked yet. A successful reservation is of [start, start + total), start in a4. */
.macro talloc name, when_full
    routine \name
    blez a1, .L\name\()_none
    channel_base t1, a0, .L\name\()_bad_channel
    channel_limit t3, a0, t4
    ld t4, SL_LIMIT_FAN_OUT(t3)
    lwu t2, CHANNEL(WIDTH)(t1)
    blt t4, a1, .L\name\()_item
    addi t5, t2, -1
    li t6, -1

.L\name\()_next:
    sl_first t0, a0
    bne t0, a0, .L\name\()_others
    sl_elect a2
    sl_scan_add t3, a1
    sl_reduce_add t4, a1
    beqz a2, .L\name\()_reserved
    /* The leader: head first, so that the tail that it is compared with is not older. */
    addi a5, t1, CHANNEL(DATA_HEAD)
    addi a3, t1, CHANNEL(DATA_TAIL)
    sl_load_acquire_d a6, a5
.L\name\()_retry:
    lr.d a4, (a3)
    add a7, a4, t4
    sub t0, a7, a6
    bltu t2, t0, .L\name\()_no_space
    sc.d t0, a7, (a3)
    bnez t0, .L\name\()_retry
    and a4, a4, t5
.L\name\()_reserved:
    sl_first a4, a4
    bltz a4, .L\name\()_full
    add a4, a4, t3
    and a4, a4, t5
    lwu a2, CHANNEL(STRIDE)(t1)
    ld t6, CHANNEL(DATA)(t1)
    mul a4, a4, a2
    add t6, t6, a4
.L\name\()_others:
    bltz t6, .L\name\()_next
.L\name\()_end:
    mv a0, t6
    ret

.L\name\()_none:
    li t6, 0
    j .L\name\()_end

    /* Full, unless the aggregator has moved head in the meantime. */
.L\name\()_no_space:
    mv a4, a6
    sl_load_acquire_d a6, a5
    bne a4, a6, .L\name\()_retry
    li a4, -1
    j .L\name\()_reserved

.L\name\()_full:
    .if \when_full == FULL_TRAPS
    sl_trap %.LSL_TRAP_CHANNEL_FULL, a0, t4
    .else
    .if \when_full == FULL_YIELDS
    /* These lanes have not worked yet: they go round the loop again, with those that wait there. */
    sl_yield a0, t4
    .else
    li t6, 0
    .endif
    j .L\name\()_others
    .endif

    /* Each lane by itself: a4 is where its elements start, -1 where it found no space. */
.L\name\()_item:
    bgez t4, .L\name\()_bad_count
    lwu t4, SL_LIMIT_FAN_OUT(t3)
    bltu t4, a1, .L\name\()_bad_count
    addi t5, t2, -1
    addi a5, t1, CHANNEL(DATA_HEAD)
    addi a3, t1, CHANNEL(DATA_TAIL)
    sl_load_acquire_d a6, a5
.L\name\()_item_retry:
    lr.d a4, (a3)
    add a7, a4, a1
    sub t0, a7, a6
    bltu t2, t0, .L\name\()_item_no_space
    sc.d t0, a7, (a3)
    bnez t0, .L\name\()_item_retry
    and a4, a4, t5
.L\name\()_item_tried:
    .if \when_full == FULL_RETURNS
    li t6, 0
    bltz a4, .L\name\()_end
    .elseif \when_full == FULL_TRAPS
    bltz a4, .L\name\()_item_full
    .else
    talloc_settle \name
    .endif
    lwu a2, CHANNEL(STRIDE)(t1)
    ld t6, CHANNEL(DATA)(t1)
    mul a4, a4, a2
    add t6, t6, a4
    j .L\name\()_end

.L\name\()_item_no_space:
    mv a4, a6
    sl_load_acquire_d a6, a5
    bne a4, a6, .L\name\()_item_retry
    li a4, -1
    j .L\name\()_item_tried

    .if \when_full == FULL_TRAPS
    /* For what lacks in the first lane's channel. */
.L\name\()_item_full:
    sl_first t0, a0
    bne t0, a0, .L\name\()_item_full
    sl_reduce_add t4, a1
    sl_trap %.LSL_TRAP_CHANNEL_FULL, a0, t4
    .endif

.L\name\()_bad_channel:
    sl_trap %.LSL_TRAP_CHANNEL_ID, a0, t1
.L\name\()_bad_count:
    beqz t4, .L\name\()_no_edge
    sl_trap %.LSL_TRAP_FAN_OUT, a0, a1
.L\name\()_no_edge:
    sl_trap %.LSL_TRAP_EDGE, a0, a1
    routine_end \name
.endm

talloc sl_talloc, FULL_RETURNS
talloc sl_talloc_or_trap, FULL_TRAPS
talloc sl_talloc_or_yield, FULL_YIELDS

/* void sl_enq(int channel, void *elements, int count)
 *
 * a0 channel, a1 elements, then the control array, a2 count; t1 channel base, t3 offset of the first
 * element, t5 width, a6 mask of the control array's positions in bytes: entries are 4 wide and twice as
 * many as elements; t6 address of the limit, then 0 while the lane has not worked yet. */
    routine sl_enq
    blez a2, .Lenq_end
    channel_base t1, a0, .Lenq_bad_channel
    /* The offset in elements, by the reciprocal; the remainder shows whether it is an element. */
    channel_limit t6, a0, t2
    ld t4, SL_LIMIT_FAN_OUT(t6)
    ld t2, CHANNEL(DATA)(t1)
    lwu t3, CHANNEL(RECIPROCAL)(t1)
    sub t2, a1, t2
    mul t3, t3, t2
    srli t3, t3, 32
    lwu t0, CHANNEL(STRIDE)(t1)
    mul t0, t0, t3
    bne t0, t2, .Lenq_bad_element
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
    /* Offsets go to entries start + prefix and up. */
    sl_first a4, a4
    add a5, a4, t2
    slli a5, a5, 2
    add a2, a2, t3
.Lenq_store:
    and a7, a5, a6
    add a7, a7, a1
    sw t3, 0(a7)
    addi t3, t3, 1
    addi a5, a5, 4
    bne t3, a2, .Lenq_store

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
    sl_pause t0
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
    sl_pause t0
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
