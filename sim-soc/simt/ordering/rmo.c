/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Relaxed memory ordering (papers/000 section 3.3.4): what ordering.h keeps, and nothing else. With
 * gpu.rmo_loads = block, what loads is done before anything else issues, so that of rmo only its
 * stores are left, under way in any number and in no order. */
#include "simt/ordering/consistency_model.h"

static bool blocks(const struct simt_op *op)
{
    return op->class != SL_CLASS_STORE;
}

const struct order_model order_rmo = {.name = "rmo"};

const struct order_model order_rmo_block = {.name = "rmo", .holds_back = true, .blocks = blocks};
