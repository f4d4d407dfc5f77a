/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sequential consistency with a write buffer (papers/000 section 3.3.2): stores go on behind the
 * wavefront's back, one after the other, and a lane loads when it has none left there. */
#include "simt/ordering/consistency_model.h"

static bool blocks(const struct simt_op *op)
{
    (void)op;
    return true;
}

/* What acquires or releases does so for all lanes. */
static const struct mem_instr *drains(const struct wave *wave, const struct simt_op *op,
                                      uint64_t lanes)
{
    const bool is_of_all = op->acquire || op->release || op->drain == DRAIN_ALL;

    return is_of_all ? wave->order.youngest : order_youngest_of(wave, lanes);
}

const struct order_model order_sc_wb = {.name = "sc_wb",
                                        .holds_back = true,
                                        .keeps_stores = true,
                                        .has_buffer = true,
                                        .blocks = blocks,
                                        .drains = drains};
