/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channel routines for stamped channels (SL_CHANNEL_STAMPED; docs/know/design.md, "Stamped
 * publication"), which kernels call that define SL_STAMPED: as those of channel_routines.S, but that nobody
 * waits. A wavefront that reserves control entries takes the next publication's number with them, in
 * one addition to one word: the upper half counts publications, the lower half entries. That word and
 * the number of its entries, added up, are the stamp which it leaves when they are written.
 *
 * Only for such channels, which have the fan-out in their limits where the others have none: the
 * routines of channel_routines.S take them for channels without an edge, and the other way round. */
#include "sluice/layout_offsets.h"
#include "sluice/limits.h"
#include "kernel/channel_routines.inc"
#include "kernel/xsluice.inc"

talloc sl_talloc_stamped, FULL_RETURNS, STAMPED
talloc sl_talloc_or_trap_stamped, FULL_TRAPS, STAMPED
talloc sl_talloc_or_yield_stamped, FULL_YIELDS, STAMPED

/* void sl_enq_stamped(int channel, void *elements, int count)
 *
 * a0 channel, a1 elements, then the control array, a2 count; t1 channel base, t3 offset of the first
 * element, t5 width, a6 mask of the control array's positions in bytes; t6 address of the limit, then 0
 * while the lane has not worked yet. */
    routine sl_enq_stamped
    blez a2, .Lstamped_end
    channel_base t1, a0, .Lstamped_bad_channel
    channel_limit t6, a0, t2
    element_offset t3, t1, .Lstamped_bad_element
    ld t4, SL_LIMIT_FAN_OUT(t6)
    lwu t5, CHANNEL(WIDTH)(t1)
    add t4, t4, t5
    sub t4, t4, a2
    bge t3, t4, .Lstamped_bad_count
    ld a1, CHANNEL(CONTROL)(t1)
    slli a6, t5, 3
    addi a6, a6, -4
    li t6, 0

.Lstamped_next:
    sl_first t0, a0
    bne t0, a0, .Lstamped_others
    sl_elect t6
    sl_scan_add t2, a2
    sl_reduce_add t4, a2
    beqz t6, .Lstamped_reserved
    addi a3, t1, CHANNEL(CONTROL_RESERVE)
    li a7, 1
    slli a7, a7, SL_PUBLICATION_SHIFT
    add a7, a7, t4
    amoadd.d a4, a7, (a3)
.Lstamped_reserved:
    store_entries stamped

    /* The leader's stamp, in the publication's place. */
    beqz t6, .Lstamped_published
    ld a3, CHANNEL(STAMPS)(t1)
    slli a7, t5, 1
    addi a7, a7, -1
    srli a5, a4, SL_PUBLICATION_SHIFT
    and a5, a5, a7
    slli a5, a5, 3
    add a3, a3, a5
    add a7, a4, t4
    sl_store_release_d a7, a3
.Lstamped_published:
    li t6, 1
.Lstamped_others:
    beqz t6, .Lstamped_next
.Lstamped_end:
    ret

.Lstamped_bad_count:
    lwu t4, SL_LIMIT_FAN_OUT(t6)
    bnez t4, .Lstamped_bad_element
    sl_trap %.LSL_TRAP_EDGE, a0, a2
.Lstamped_bad_channel:
    sl_trap %.LSL_TRAP_CHANNEL_ID, a0, t1
.Lstamped_bad_element:
    sl_trap %.LSL_TRAP_ELEMENT, a0, a1
    routine_end sl_enq_stamped
