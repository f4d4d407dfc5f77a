/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `flat`: fixed latencies, no contention, no caches.
 *
 * Every access finds its line at once and costs what the configuration says; any number may be
 * under way. All requesters see the bytes of DRAM, so nothing is ever stale. It leaves out all that
 * makes memory slow, and stays as the ideal machine that the others are compared with. */
#include <stdlib.h>

#include "mem/flat/flat.h"

struct flat {
    struct mem_system base;
    uint64_t cu_ps;
    uint64_t cu_request_ps;
    uint64_t cu_fetch_ps;
    uint64_t agg_ps;
    uint64_t agg_fetch_ps;
};

static struct mem_system *flat_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct flat *flat = malloc(sizeof(*flat));

    if (flat == NULL) {
        return NULL;
    }
    *flat = (struct flat){
        .base = {.ops = &mem_flat,
                 .origin = mem_dram_origin(parts->dram),
                 .line_bytes = SL_CACHE_LINE_BYTES},
        .cu_ps = (uint64_t)config->number[SL_CFG_FLAT_CU],
        .cu_request_ps = (uint64_t)config->number[SL_CFG_FLAT_CU_REQUEST],
        .cu_fetch_ps = (uint64_t)config->number[SL_CFG_FLAT_CU_FETCH],
        .agg_ps = (uint64_t)config->number[SL_CFG_FLAT_AGG],
        .agg_fetch_ps = (uint64_t)config->number[SL_CFG_FLAT_AGG_FETCH],
    };
    return &flat->base;
}

static void flat_destroy(struct mem_system *mem)
{
    free(mem);
}

/* It keeps nothing from access to access, and counts nothing. */
static void flat_begin(struct mem_system *mem)
{
    (void)mem;
}

static struct mem_answer flat_access(struct mem_system *mem, struct mem_request *request)
{
    const struct flat *flat = (const struct flat *)mem;
    const uint64_t time_ps = request->time_ps;

    switch ((enum mem_requester_kind)request->from.kind) {
    case MEM_CU:
    case MEM_FRONT:
        return (struct mem_answer){time_ps + flat->cu_request_ps, time_ps + flat->cu_ps};
    case MEM_CU_CODE:
        return (struct mem_answer){time_ps, time_ps + flat->cu_fetch_ps};
    case MEM_AGG_CODE:
        return (struct mem_answer){time_ps, time_ps + flat->agg_fetch_ps};
    default:
        return (struct mem_answer){time_ps, time_ps + flat->agg_ps};
    }
}

const struct mem_ops mem_flat = {
    .name = "flat",
    .create = flat_create,
    .destroy = flat_destroy,
    .begin = flat_begin,
    .access = flat_access,
};
