/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups go out in order, x first, each as a whole to the next compute unit in turn that has
 * room for it. A partial group at the grid's edge is counted as a whole one. */
#include "dispatcher/ndrange.h"

#include <string.h>

#include "check/launch/launch_check.h"

enum sl_refusal ndrange_prepare(const struct gpu *gpu, struct dispatcher_packet *slot)
{
    const struct sl_dispatch *packet = &slot->packet;
    const struct sl_cu_shape cu = gpu_cu_shape(gpu);
    struct sl_graph_refusal refusal;

    if (sl_launch_check_shape(packet->grid, packet->group, slot->kernel.registers,
                              packet->lds_bytes, &cu, &refusal) != 0) {
        return refusal.reason;
    }
    slot->units = 1;
    for (unsigned d = 0; d < 3; d++) {
        slot->range.grid[d] = packet->grid[d];
        slot->range.size[d] = packet->group[d];
        slot->range.number[d] = sl_groups_of(packet->grid[d], packet->group[d]);
        slot->units *= slot->range.number[d];
    }
    slot->demand = (struct cu_demand){
        .waves = sl_group_wavefronts(packet->group, cu.lanes),
        .registers = slot->kernel.registers,
        .lds_bytes = packet->lds_bytes,
        .is_group = true,
    };
    return 0;
}

static void advance(struct dispatcher_packet *slot)
{
    for (unsigned d = 0; d < 3; d++) {
        if (++slot->next_group[d] < slot->range.number[d]) {
            return;
        }
        slot->next_group[d] = 0;
    }
}

uint32_t ndrange_place(struct dispatcher *dispatcher, struct dispatcher_packet *slot, uint32_t cu,
                       const struct wave_launch *launch)
{
    const uint32_t waves =
        cu_launch_group(&dispatcher->gpu->cus[cu], &slot->range, slot->next_group,
                        slot->packet.lds_bytes, launch, dispatcher->launch_cycles);

    advance(slot);
    slot->units_launched++;
    return waves;
}
