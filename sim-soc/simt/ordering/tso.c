/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Total store order (papers/000 section 3.3.3): as sc_wb, but a load passes the stores in the
 * buffer. The buffer cannot be read: where a lane loads what it has stored, it waits. Loads are
 * done in order (section 3.3.4 lets rmo alone run past them). */
#include "simt/ordering/consistency_model.h"

static bool blocks(const struct simt_op *op)
{
    (void)op;
    return true;
}

/* Acquires come behind the releases before them, which makes both sequentially consistent; what
 * releases does so for all lanes. */
static const struct mem_instr *drains(const struct wave *wave, const struct simt_op *op,
                                      uint64_t lanes)
{
    const struct mem_instr *store = NULL;

    if (op->release || op->drain == DRAIN_ALL) {
        return wave->order.youngest;
    }
    if (op->acquire) {
        store = order_youngest_release(wave);
    }
    if (op->class != SL_CLASS_LOAD) {
        store = order_younger(store, order_youngest_of(wave, lanes));
    }
    return store;
}

const struct order_model order_tso = {.name = "tso",
                                      .holds_back = true,
                                      .keeps_stores = true,
                                      .has_buffer = true,
                                      .blocks = blocks,
                                      .drains = drains,
                                      .passes = true};
