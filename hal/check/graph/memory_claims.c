/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "check/graph/memory_claims.h"

int sl_check_claim(struct sl_check *check, enum sl_refusal reason, uint32_t node, uint32_t channel,
                   uint64_t address, uint64_t bytes, uint64_t align)
{
    if (sl_refuse_place(check->refusal, reason, node, check->limits, address, bytes, align) != 0) {
        return -1;
    }
    if (bytes != 0) {
        check->scratch->range[check->range_count++] =
            (struct sl_graph_range){address, address + bytes, channel};
    }
    return 0;
}
