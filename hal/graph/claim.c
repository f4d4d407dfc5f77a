/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "graph/claim.h"

int sl_check_claim(struct sl_check *check, enum sl_refusal reason, uint32_t node, uint32_t channel,
                   uint64_t address, uint64_t bytes, uint64_t align)
{
    const struct sl_graph_limits *limits = check->limits;
    if (address < limits->heap_base) {
        return sl_check_refuse(check, reason, node, address, limits->heap_base);
    }
    if (address > limits->heap_limit || bytes > limits->heap_limit - address) {
        return sl_check_refuse(check, reason, node, address, limits->heap_limit);
    }
    if ((address & (align - 1)) != 0) {
        return sl_check_refuse(check, reason, node, address, address & ~(align - 1));
    }
    if (bytes != 0) {
        check->scratch->range[check->range_count++] =
            (struct sl_graph_range){address, address + bytes, channel};
    }
    return 0;
}
