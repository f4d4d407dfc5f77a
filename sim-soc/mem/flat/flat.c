/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `flat`: fixed latencies, no contention, no caches.
 *
 * Every access finds its line at once and costs what the configuration says; any number may be
 * under way. All requesters see the bytes of DRAM, so nothing is ever stale. It leaves out all that
 * makes memory slow, and stays as the ideal machine that the others are compared with. */
#include <stdlib.h>

#include "mem/mem.h"

struct flat {
    struct mem_system base;
    struct dram dram;
    uint64_t cu_ps;
    uint64_t cu_request_ps;
    uint64_t cu_fetch_ps;
    uint64_t agg_ps;
    uint64_t agg_fetch_ps;
};

static struct mem_system *flat_create(const struct sl_config *config, const struct dram *dram)
{
    struct flat *flat = malloc(sizeof(*flat));

    if (flat == NULL) {
        return NULL;
    }
    *flat = (struct flat){
        .base = {.ops = &mem_flat, .cus = (uint32_t)config->number[SL_CFG_GPU_CUS]},
        .dram = *dram,
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

static struct mem_response flat_access(struct mem_system *mem, const struct mem_request *request)
{
    const struct flat *flat = (const struct flat *)mem;
    struct mem_response response = {.bytes = dram_at(&flat->dram, request->address)};

    if (request->requester == mem->cus) {
        response.perform_ps = request->time_ps;
        response.done_ps =
            request->time_ps + (request->kind == MEM_FETCH ? flat->agg_fetch_ps : flat->agg_ps);
    } else if (request->kind == MEM_FETCH) {
        response.perform_ps = request->time_ps;
        response.done_ps = request->time_ps + flat->cu_fetch_ps;
    } else {
        response.perform_ps = request->time_ps + flat->cu_request_ps;
        response.done_ps = request->time_ps + flat->cu_ps;
    }
    return response;
}

const struct mem_ops mem_flat = {
    .name = "flat",
    .create = flat_create,
    .destroy = flat_destroy,
    .begin = flat_begin,
    .access = flat_access,
};
