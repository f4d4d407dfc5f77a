/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bases in which all lanes work, between barriers: of the work-group, and of the device. */
#ifndef SLUICE_PROBES_RACES_GROUPS_H
#define SLUICE_PROBES_RACES_GROUPS_H

#include "probes/races/ops.h"
#include "sluice/wave/device_barrier.h"

static SL_LDS uint32_t lds_cells[RACES_ITEMS];
_Static_assert(sizeof lds_cells == RACES_LDS_BYTES, "LDS of the kernels");

/* The item of the same lane in the next wavefront of the work-group. */
static inline __attribute__((always_inline)) uint32_t races_beside(void)
{
    const uint32_t lanes = sl_group_size(0) / sl_group_wavefront_count();
    const uint32_t beside = sl_local_id(0) + lanes;
    return beside < sl_group_size(0) ? beside : beside - sl_group_size(0);
}

enum races_cells { GLOBAL, LDS };

struct races_form_exchange {
    enum races_cells cells;
    bool is_met;    /* the barrier in front of the loads */
    bool is_parted; /* the barrier behind them */
};

/* Each stores its cell, loads its neighbour's and stores its own again. */
RACES_BASE races_base_exchange(struct races_data *data, const struct races_form_exchange form)
{
    const uint32_t first = form.cells == LDS ? 0 : sl_group_id(0) * sl_group_size(0);
    uint32_t *const cells = form.cells == LDS ? lds_cells : data->cells;
    uint32_t *const own = &cells[first + sl_local_id(0)];

    ORDINARY(*own) = sl_local_id(0); /* race: exchange.store */
    if (form.is_met) {
        sl_barrier();
    }
    const uint32_t seen = ORDINARY(cells[first + races_beside()]); /* race: exchange.load */
    if (form.is_parted) {
        sl_barrier();
    }
    ORDINARY(*own) = 0; /* race: exchange.again */
    if (sl_lane_id() == 0 && sl_group_id(0) == 0) {
        data->seen[sl_group_wavefront_id()] = seen == races_beside() ? 1 : 2;
    }
}

enum races_meeting { LIBRARY, OWN, NONE };

/* papers/002 Figure 3: in each time step work-items see those of their work-group behind its
 * barrier, and those of others behind the device's. */
struct races_form_stencil {
    bool is_met;                /* the barrier of the work-group */
    enum races_meeting meeting; /* that of the device, in front of loads from other groups */
    /* Of OWN: */
    struct races_op arrive;
    struct races_op last; /* fence of who comes last */
    struct races_op pass;
    struct races_op leave; /* fence of all */
};

/* sl_device_barrier(), with each of its operations as the form says. */
RACES_BASE races_meet(struct races_data *data, const struct races_form_stencil form)
{
    struct sl_device_barrier *const barrier = &data->barrier;
    const uint32_t lanes = (uint32_t)sl_reduce_add(1);

    if (sl_elect()) {
        const uint32_t passed = sl_load_relaxed_u32_device(&barrier->passed);
        const uint32_t before = ADD(form.arrive, barrier->arrived, lanes);
        if (before + lanes == sl_grid_size(0)) {
            FENCE(form.last);
            sl_store_relaxed_u32_device(&barrier->arrived, 0);
            (void)PUT(form.pass, barrier->passed, passed + 1);
        } else {
            sl_device_barrier_wait(barrier, passed);
        }
    }
    FENCE(form.leave);
}

RACES_BASE races_base_stencil(struct races_data *data, const struct races_form_stencil form)
{
    const uint32_t other = sl_grid_size(0) - 1 - sl_global_id(0);
    const uint32_t first = sl_group_id(0) * sl_group_size(0);
    uint32_t sum = 0;

    for (uint32_t step = 1; step <= 2; step++) {
        ORDINARY(data->cells[sl_global_id(0)]) = step; /* race: stencil.store */
        if (form.is_met) {
            sl_barrier();
        }
        sum += ORDINARY(data->cells[first + races_beside()]); /* race: stencil.inner */
        if (form.meeting == OWN) {
            races_meet(data, form);
        } else if (form.meeting == LIBRARY) {
            sl_device_barrier(&data->barrier);
        }
        sum += ORDINARY(data->cells[other]); /* race: stencil.outer */
        sl_device_barrier(&data->barrier);
    }
    if (sl_lane_id() == 0) {
        data->seen[races_role()] = sum;
    }
}

#endif
