/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Simple sequential consistency (papers/000 section 3.3.1): a lane has one access under way, and
 * lanes issue together, so a wavefront has one instruction. */
#include "simt/ordering/consistency_model.h"

static bool blocks(const struct simt_op *op)
{
    (void)op;
    return true;
}

const struct order_model order_sc = {
    .name = "sc", .holds_back = true, .keeps_stores = true, .blocks = blocks};
