/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines in which all meet at the L2: making one, and the contract of memory systems. */
#include "mem/systems/noncoherent/l1.h"
#include "mem/systems/noncoherent/l1_invalidate.h"

#include <stdlib.h>

#include "sluice/config.h"

/* ---- the contract ---- */

struct mem_answer noncoherent_access(struct mem_system *mem, struct mem_request *request)
{
    struct noncoherent *system = noncoherent_of(mem);

    if (request->from.kind == MEM_CU) {
        access_queue_push(&system->l1s[request->from.index].accesses, request);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    enum hit_level served;
    const struct mem_answer answer = coherent_caches_access(&system->coherent, request, &served);
    request->hit_level = (uint8_t)(1 + served);
    if (request->from.kind == MEM_AGG) {
        noncoherent_record(system, request, served, answer.done_ps);
    }
    return answer;
}

void noncoherent_settle(struct mem_system *mem)
{
    struct noncoherent *system = noncoherent_of(mem);

    for (uint32_t cu = 0; cu < system->cus; cu++) {
        noncoherent_l1_settle(&system->l1s[cu]);
        noncoherent_l1_reset(&system->l1s[cu]);
    }
    transactions_reset(&system->transactions, system->event_queue);
}

void noncoherent_peek(const struct mem_system *mem, struct mem_requester from, uint64_t address,
                      void *bytes, size_t count)
{
    const struct noncoherent *system = (const struct noncoherent *)mem;

    for (size_t i = 0; i < count; i++) {
        const uint32_t line = (uint32_t)((address + i) / LINE_BYTES);
        const uint32_t at = (address + i) % LINE_BYTES;
        const uint8_t *seen = noncoherent_memory(system, line);
        const uint8_t *own;
        if (from.kind == MEM_CU &&
            (noncoherent_l1_peek(&system->l1s[from.index], line, &own) >> at & 1)) {
            seen = own;
        }
        ((uint8_t *)bytes)[i] = seen[at];
    }
}

void noncoherent_begin(struct mem_system *mem)
{
    struct noncoherent *system = noncoherent_of(mem);

    for (uint32_t cu = 0; cu < system->cus; cu++) {
        noncoherent_l1_reset(&system->l1s[cu]);
    }
    transactions_reset(&system->transactions, system->event_queue);
    noncoherent_l2_reset(&system->l2);
    coherent_caches_reset(&system->coherent);
    system->net->ops->reset(system->net);
    mem->counters = (struct mem_counters){.dram_channels = system->l2.timing.channels,
                                          .dram_line_bytes = SL_CACHE_LINE_BYTES};
}

void noncoherent_destroy(struct mem_system *mem)
{
    struct noncoherent *system = noncoherent_of(mem);

    for (uint32_t cu = 0; system->l1s != NULL && cu < system->cus; cu++) {
        noncoherent_l1_destroy(&system->l1s[cu]);
    }
    free(system->l1s);
    noncoherent_l2_destroy(&system->l2);
    coherent_caches_destroy(&system->coherent);
    transactions_destroy(&system->transactions);
    if (system->net != NULL) {
        system->net->ops->destroy(system->net);
    }
    free(system);
}

static bool create_parts(struct noncoherent *system, const struct sl_config *config)
{
    /* A flush sends what is dirty whether there is room or not. */
    const int64_t flushed = config->number[SL_CFG_L1D_SIZE] / LINE_BYTES;
    const uint32_t under_way =
        (uint32_t)(config->number[SL_CFG_L1D_MSHRS] + config->number[SL_CFG_L1D_WRITES] + flushed);

    system->l1s = calloc(system->cus, sizeof(*system->l1s));
    if (system->l1s == NULL ||
        !transactions_create(&system->transactions, system->cus * under_way)) {
        return false;
    }
    for (uint32_t cu = 0; cu < system->cus; cu++) {
        if (!noncoherent_l1_create(&system->l1s[cu], system, cu, config)) {
            return false;
        }
    }
    system->coherent.point = &noncoherent_coherence_point;
    system->coherent.owner = system;
    if (!noncoherent_l2_create(&system->l2, config, &system->base.counters) ||
        !coherent_caches_create(&system->coherent, config, system->cus, &system->base.counters)) {
        return false;
    }
    system->net = interconnect_create(
        config, system->cus + system->coherent.count + system->l2.banks.count, &system->clock);
    system->coherent.net = system->net;
    return system->net != NULL;
}

struct mem_system *noncoherent_create(const struct mem_parts *parts,
                                      const struct noncoherent_policy *policy)
{
    const struct sl_config *config = parts->config;
    struct noncoherent *system = calloc(1, sizeof(*system));

    if (system == NULL) {
        return NULL;
    }
    system->base =
        (struct mem_system){.ops = policy->ops, .line_bytes = LINE_BYTES, .needs_byte_masks = true};
    system->policy = policy;
    system->dram = *parts->dram;
    system->event_queue = parts->event_queue;
    system->stream = parts->stream;
    system->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    system->cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    system->walk = (uint32_t)config->number[SL_CFG_SCOPED_WALK];
    system->by_wavefront =
        policy->combines && config->number[SL_CFG_SCOPED_FLUSH] == SL_SCOPED_FLUSH_WAVEFRONT;
    if (!create_parts(system, config)) {
        noncoherent_destroy(&system->base);
        return NULL;
    }
    noncoherent_begin(&system->base);
    return &system->base;
}
