/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One kernel for each way to fault, for faults.c, and one that does not. The line that faults ends
 * with a comment "faults: NAME"; tests/suite/faults.sh looks it up and wants it in the
 * message. Lanes 3 to 5 fault where it matters, the others put their elements back first. */
#include "workloads/common/relay_kernel.h"

#include "probes/faults/faults.h"

static inline int is_faulty(unsigned lane)
{
    return lane >= FAULTS_LANE_FIRST && lane <= FAULTS_LANE_LAST;
}

SL_KERNEL void fault_illegal(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        __asm__ volatile(".insn r 0x7b, 0, 0, x0, x0, x0"); /* faults: illegal */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_load(int source, int index, const volatile uint32_t *address)
{
    if (is_faulty(sl_lane_id())) {
        (void)*address; /* faults: load */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_store(int source, int index, volatile uint64_t *address)
{
    if (is_faulty(sl_lane_id())) {
        *address = 1; /* faults: store */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_jump(int source, int index, void (*function)(void))
{
    if (is_faulty(sl_lane_id())) {
        function(); /* faults: jump */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_return(int source, int index, uint64_t address)
{
    if (is_faulty(sl_lane_id())) {
        __asm__ volatile("mv ra, %0\n\tret" : : "r"(address) : "ra"); /* faults: return */
    }
    sl_tfree(source, index);
}

/* What it calls has values to keep across calls, so that it would have registers to save. */
SL_KERNEL void fault_called(int source, int index, uint64_t *out)
{
    sl_tfree(source, index);
    __asm__ volatile("" : : : "s2", "fs3");
    *out = (uint64_t)index;
} /* faults: called */

SL_KERNEL void fault_call(int source, int index)
{
    void (*volatile kernel)(int, int, uint64_t *) = fault_called;
    uint64_t result = 0;
    if (is_faulty(sl_lane_id())) {
        kernel(source, index, &result);
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_loop(int source, int index)
{
    (void)source;
    (void)index;
    for (;;) { /* faults: loop */
        __asm__ volatile("");
    }
}

/* Each call has a frame, which the one above it can see. */
static __attribute__((noinline)) uint64_t deeper(volatile uint64_t *above)
{ /* faults: stack */
    volatile uint64_t here = *above + 1;
    uint64_t below = 0;
    if (here != 0) {
        below = deeper(&here); /* faults: call */
    }
    return below + here;
}

SL_KERNEL void fault_stack(int source, int index, uint64_t *out)
{
    if (is_faulty(sl_lane_id())) {
        volatile uint64_t bottom = 0;
        *out = deeper(&bottom);
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_trap(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_trap(SL_TRAP_USER + 4, 0xabc, 0xdef); /* faults: trap */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_assert(int source, int index)
{
    unsigned lane = sl_lane_id();
    SL_ASSERT(!is_faulty(lane), lane); /* faults: assert */
    sl_tfree(source, index);
}

SL_KERNEL void fault_channel(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_talloc_or_trap(77, 1); /* faults: channel */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_fan_out(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_talloc_or_trap(source, 2); /* faults: fan-out */
    }
    sl_tfree(source, index);
}

/* Channel 1 is another kernel's: its edge allows more than this one's. */
SL_KERNEL void fault_edge_fan_out(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_talloc_or_trap(1, 3); /* faults: edge-fan-out */
    }
    sl_tfree(source, index);
}

/* Channel 2 is there, and the other kernel puts elements into it. */
SL_KERNEL void fault_edge(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_talloc_or_yield(2, 1); /* faults: edge */
    }
    sl_tfree(source, index);
}

SL_KERNEL void fault_edge_enq(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        char *element = (char *)(uintptr_t)sl_wave_channel(2)->data;
        sl_enq(2, element, 2); /* faults: edge-enq */
    }
    sl_tfree(source, index);
}

/* What the others' channels are connected to. Nothing comes to it. */
SL_KERNEL void fault_other(int source, int index)
{
    sl_tfree(source, index);
}

SL_KERNEL void fault_element(int source, int index)
{
    if (is_faulty(sl_lane_id())) {
        sl_enq(source, (char *)sl_deq(source, index) + 1, 1); /* faults: element */
    }
    sl_tfree(source, index);
}

/* Puts one in for each, and never gives its own back. */
SL_KERNEL void fault_never_freed(int source, int index)
{
    (void)index;
    sl_enq(source, sl_talloc_or_trap(source, 1), 1); /* faults: never-freed */
}

/* Puts two in for each, until the channel is full. */
SL_KERNEL void fault_overflow(int source, int index)
{
    for (int i = 0; i < 2; i++) {
        struct relay_element *next = sl_talloc_or_trap(source, 1); /* faults: overflow */
        sl_enq(source, next, 1);
    }
    sl_tfree(source, index);
}
