/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of tests/soc/dispatcher/test_groups.c: identities, LDS variables, atomics and
 * reservations in LDS.
 */
#include "sluice/wave/wave.h"
#include "soc/dispatcher/group_items.h"

static SL_LDS uint32_t counter;
static SL_LDS uint32_t items[SL_GROUP_ITEMS];

SL_KERNEL void groups_identify(struct groups_item *log)
{
    const uint32_t x = sl_global_id(0);
    const uint32_t y = sl_global_id(1);
    const uint32_t z = sl_global_id(2);
    struct groups_item *const item = &log[(z * sl_grid_size(1) + y) * sl_grid_size(0) + x];
    for (int i = 0; i < 3; i++) {
        item->seen++;
    }
    item->global[0] = x;
    item->global[1] = y;
    item->global[2] = z;
    item->local[0] = sl_local_id(0);
    item->local[1] = sl_local_id(1);
    item->local[2] = sl_local_id(2);
    item->group[0] = sl_group_id(0);
    item->group[1] = sl_group_id(1);
    item->group[2] = sl_group_id(2);
    item->size[0] = sl_group_size(0);
    item->size[1] = sl_group_size(1);
    item->size[2] = sl_group_size(2);
    item->count[0] = sl_group_count(0);
    item->count[1] = sl_group_count(1);
    item->count[2] = sl_group_count(2);
    item->items[0] = sl_group_items(0);
    item->items[1] = sl_group_items(1);
    item->items[2] = sl_group_items(2);
    item->wavefront = sl_group_wavefront_id();
    item->wavefronts = sl_group_wavefront_count();
    item->cu = sl_cu_id();
    item->lds_bytes = sl_lds_bytes();
    item->number = sl_wavefront_id();
}

/* Each work-item takes a ticket, with an AMO or with LR and SC, and notes itself under it. */
SL_KERNEL void groups_tickets(uint32_t *out, uint32_t uses_lr)
{
    const uint32_t item = sl_local_id(0);
    uint32_t ticket;
    if (item == 0) {
        counter = 0;
    }
    sl_barrier();
    if (uses_lr) {
        uint32_t failed;
        do {
            __asm__ volatile("lr.w %0, (%2)\n\taddi t0, %0, 1\n\tsc.w %1, t0, (%2)"
                             : "=&r"(ticket), "=&r"(failed)
                             : "r"(&counter)
                             : "t0", "memory");
        } while (failed != 0);
    } else {
        ticket = sl_atomic_add_u32_workgroup(&counter, 1);
    }
    items[ticket] = item;
    sl_barrier();
    out[sl_global_id(0)] = items[item] + (item == 0 ? counter << 16 : 0);
}

/* Lanes of one instruction in LDS, on their stacks and in shared memory at once. */
SL_KERNEL void groups_mixed(uint32_t *shared)
{
    volatile uint32_t mine[2] = {0, 0};
    const uint32_t item = sl_local_id(0);
    volatile uint32_t *const where = item % 3 == 0   ? &items[item]
                                     : item % 3 == 1 ? &mine[1]
                                                     : &shared[item];
    *where = item + 1;
    *where += 10;
    shared[item] = *where;
}

/* What must not be done with barriers and LDS (tests/probes/launches/launch.c). */
SL_KERNEL void groups_divergent(uint32_t *out)
{
    if (sl_local_id(0) % 2 == 0) {
        sl_barrier();
    }
    out[sl_global_id(0)] = 1;
}

SL_KERNEL void groups_mismatched(uint32_t *out)
{
    if (sl_group_wavefront_id() == 1) {
        sl_barrier();
        out[0] = 1;
    }
    sl_barrier();
}

SL_KERNEL void groups_beyond(uint32_t *out)
{
    const uint32_t *const words = sl_lds_dynamic();
    out[sl_global_id(0)] = words[sl_local_id(0)];
}

SL_KERNEL void groups_good(uint32_t *out)
{
    items[sl_local_id(0)] = sl_global_id(0);
    sl_barrier();
    out[sl_global_id(0)] = items[sl_local_id(0) ^ 1];
}
