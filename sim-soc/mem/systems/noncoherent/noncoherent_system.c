/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines in which all meet at the L2: making one, and the contract of memory systems. */
#include "mem/systems/noncoherent/l1.h"
#include "mem/systems/noncoherent/l1_sync.h"

#include <stdlib.h>

#include "sluice/config.h"

/* ---- the contract ---- */

struct mem_answer held_access(struct mem_system *mem, struct mem_request *request)
{
    struct held *held = held_of(mem);

    if (request->from.kind == MEM_CU) {
        access_queue_push(&held->l1s[request->from.index].accesses, request);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    enum hit_level served;
    const struct mem_answer answer = coherent_caches_access(&held->coherent, request, &served);
    if (request->from.kind == MEM_AGG) {
        held_note(held, request, served, answer.done_ps);
    }
    return answer;
}

void held_settle(struct mem_system *mem)
{
    struct held *held = held_of(mem);

    for (uint32_t cu = 0; cu < held->cus; cu++) {
        held_l1_settle(&held->l1s[cu]);
        held_l1_reset(&held->l1s[cu]);
    }
    transactions_reset(&held->transactions, held->wheel);
}

void held_peek(const struct mem_system *mem, struct mem_requester from, uint64_t address,
               void *bytes, size_t count)
{
    const struct held *held = (const struct held *)mem;

    for (size_t i = 0; i < count; i++) {
        const uint32_t line = (uint32_t)((address + i) / LINE_BYTES);
        const uint32_t at = (address + i) % LINE_BYTES;
        const uint8_t *seen = held_memory(held, line);
        const uint8_t *own;
        if (from.kind == MEM_CU && (held_l1_peek(&held->l1s[from.index], line, &own) >> at & 1)) {
            seen = own;
        }
        ((uint8_t *)bytes)[i] = seen[at];
    }
}

void held_begin(struct mem_system *mem)
{
    struct held *held = held_of(mem);

    for (uint32_t cu = 0; cu < held->cus; cu++) {
        held_l1_reset(&held->l1s[cu]);
    }
    transactions_reset(&held->transactions, held->wheel);
    held_l2_reset(&held->l2);
    coherent_caches_reset(&held->coherent);
    held->net->ops->reset(held->net);
    mem->counters = (struct mem_counters){.dram_channels = held->l2.timing.channels,
                                          .dram_line_bytes = SL_CACHE_LINE_BYTES};
}

void held_destroy(struct mem_system *mem)
{
    struct held *held = held_of(mem);

    for (uint32_t cu = 0; held->l1s != NULL && cu < held->cus; cu++) {
        held_l1_destroy(&held->l1s[cu]);
    }
    free(held->l1s);
    held_l2_destroy(&held->l2);
    coherent_caches_destroy(&held->coherent);
    transactions_destroy(&held->transactions);
    if (held->net != NULL) {
        held->net->ops->destroy(held->net);
    }
    free(held);
}

static bool create_parts(struct held *held, const struct sl_config *config)
{
    /* A flush sends what is dirty whether there is room or not. */
    const int64_t flushed = config->number[SL_CFG_L1D_SIZE] / LINE_BYTES;
    const uint32_t under_way =
        (uint32_t)(config->number[SL_CFG_L1D_MSHRS] + config->number[SL_CFG_L1D_WRITES] + flushed);

    held->l1s = calloc(held->cus, sizeof(*held->l1s));
    if (held->l1s == NULL || !transactions_create(&held->transactions, held->cus * under_way)) {
        return false;
    }
    for (uint32_t cu = 0; cu < held->cus; cu++) {
        if (!held_l1_create(&held->l1s[cu], held, cu, config)) {
            return false;
        }
    }
    held->coherent.point = &held_coherence_point;
    held->coherent.owner = held;
    if (!held_l2_create(&held->l2, config, &held->base.counters) ||
        !coherent_caches_create(&held->coherent, config, held->cus, &held->base.counters)) {
        return false;
    }
    held->net = interconnect_create(config, held->cus + held->coherent.count + held->l2.banks.count,
                                    &held->clock);
    held->coherent.net = held->net;
    return held->net != NULL;
}

struct mem_system *held_create(const struct mem_parts *parts, const struct held_policy *policy)
{
    const struct sl_config *config = parts->config;
    struct held *held = calloc(1, sizeof(*held));

    if (held == NULL) {
        return NULL;
    }
    held->base =
        (struct mem_system){.ops = policy->ops, .line_bytes = LINE_BYTES, .needs_byte_masks = true};
    held->policy = policy;
    held->dram = *parts->dram;
    held->wheel = parts->wheel;
    held->stream = parts->stream;
    held->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    held->cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    held->walk = (uint32_t)config->number[SL_CFG_SCOPED_WALK];
    held->by_wavefront =
        policy->combines && config->number[SL_CFG_SCOPED_FLUSH] == SL_SCOPED_FLUSH_WAVEFRONT;
    if (!create_parts(held, config)) {
        held_destroy(&held->base);
        return NULL;
    }
    held_begin(&held->base);
    return &held->base;
}
