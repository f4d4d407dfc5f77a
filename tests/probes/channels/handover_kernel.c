/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of handover.c. */
#include "probes/channels/handover.h"
#include "sluice/wave/wave.h"

#define POLL_CYCLES   200
#define LINGER_CYCLES 1000
#define SPENT         (1ull << 40)

/* Waits in place until there is space: whoever makes it needs nothing that this wavefront has. */
SL_KERNEL void handover_make(int source, int index, int goods, uint32_t rounds)
{
    const struct handover_maker *maker = sl_deq(source, index);
    const uint64_t number = maker->number;

    for (uint32_t round = 0; round < rounds; round++) {
        struct handover_good *made;
        while ((made = sl_talloc(goods, HANDOVER_GOODS)) == NULL) {
            sl_pause_for(POLL_CYCLES);
        }
        for (uint32_t i = 0; i < HANDOVER_GOODS; i++) {
            made[i].value = handover_value(number, round, i);
            made[i].pauses = round % 16;
        }
        sl_enq(goods, made, HANDOVER_GOODS);
    }
    sl_tfree(source, index);
}

/* Stores to the element before it gives it back, as to memory of its own, and goes on for a while
 * behind that: its end would be a release. */
SL_KERNEL void handover_take(int source, int index, struct handover_result *result)
{
    struct handover_good *const good = sl_deq(source, index);
    const uint64_t pauses = good->pauses;

    sl_atomic_add_u64(&result->sum, good->value);
    sl_atomic_add_u64(&result->count, 1);
    good->value = SPENT;
    sl_tfree(source, index);
    for (uint64_t i = 0; i < pauses; i++) {
        sl_pause_for(LINGER_CYCLES);
    }
}
