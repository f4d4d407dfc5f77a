/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The launch check. Freestanding; no arithmetic on untrusted numbers can overflow. */
#include "check/launch/launch_check.h"

static int check_group(const uint32_t group[3], struct sl_graph_refusal *refusal)
{
    uint64_t items = 1;

    for (uint32_t d = 0; d < 3; d++) {
        if (group[d] == 0) {
            return sl_refuse(refusal, SL_REFUSE_LAUNCH_GROUP, d, 0, 1);
        }
        if (group[d] > SL_GROUP_ITEMS) {
            return sl_refuse(refusal, SL_REFUSE_LAUNCH_GROUP, d, group[d], SL_GROUP_ITEMS);
        }
        items *= group[d];
    }
    if (items > SL_GROUP_ITEMS) {
        return sl_refuse(refusal, SL_REFUSE_LAUNCH_GROUP, 0, items, SL_GROUP_ITEMS);
    }
    return 0;
}

static int check_grid(const uint32_t grid[3], const uint32_t group[3],
                      struct sl_graph_refusal *refusal)
{
    uint64_t groups = 1;

    for (uint32_t d = 0; d < 3; d++) {
        if (grid[d] == 0) {
            return sl_refuse(refusal, SL_REFUSE_LAUNCH_GRID, d, 0, 1);
        }
        groups *= sl_groups_of(grid[d], group[d]);
        if (groups > UINT32_MAX) {
            return sl_refuse(refusal, SL_REFUSE_LAUNCH_GRID, d, groups, UINT32_MAX);
        }
    }
    return 0;
}

int sl_launch_check_shape(const uint32_t grid[3], const uint32_t group[3], uint32_t registers,
                          uint32_t lds_bytes, const struct sl_cu_shape *cu,
                          struct sl_graph_refusal *refusal)
{
    if (check_group(group, refusal) != 0 || check_grid(grid, group, refusal) != 0) {
        return -1;
    }
    const uint32_t waves = sl_group_wavefronts(group, cu->lanes);
    if (waves > cu->contexts) {
        return sl_refuse(refusal, SL_REFUSE_LAUNCH_CONTEXTS, 0, waves, cu->contexts);
    }
    const uint32_t room = sl_cu_wavefronts(cu, registers);
    if (waves > room) {
        return sl_refuse(refusal, SL_REFUSE_LAUNCH_REGISTERS, registers, waves, room);
    }
    if (lds_bytes > cu->lds_bytes) {
        return sl_refuse(refusal, SL_REFUSE_LAUNCH_LDS, 0, lds_bytes, cu->lds_bytes);
    }
    return 0;
}

static int check_head(const struct sl_launch *launch, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    if (sl_refuse_place(refusal, SL_REFUSE_LAUNCH_ADDRESS, 0, limits, (uintptr_t)launch,
                        sizeof(*launch), 8) != 0) {
        return -1;
    }
    if (launch->magic != SL_LAUNCH_MAGIC) {
        return sl_refuse(refusal, SL_REFUSE_LAUNCH_MAGIC, 0, launch->magic, SL_LAUNCH_MAGIC);
    }
    if (launch->grid_word == 0) {
        return 0;
    }
    return sl_refuse_place(refusal, SL_REFUSE_LAUNCH_GRID_WORD, 0, limits, launch->grid_word,
                           sizeof(uint32_t), sizeof(uint32_t));
}

int sl_launch_check(const struct sl_launch *launch, const struct sl_graph_limits *limits,
                    const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                    struct sl_graph_scratch *scratch)
{
    if (check_head(launch, limits, refusal) != 0 ||
        sl_graph_check_kernel(launch->program, &launch->kernel, SL_LAUNCH_ARGUMENTS, limits,
                              refusal, scratch) != 0) {
        return -1;
    }
    return sl_launch_check_shape(launch->grid, launch->group, launch->kernel.registers,
                                 launch->lds_bytes, cu, refusal);
}
