/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `partition`: the GPU of papers/004 (sections 1.3.1 and 6.1), as GPGPU-Sim models
 * it.
 *
 * Compute units have no L1 data caches. A network takes their accesses, stacks and save areas among
 * them, to the memory partition of the line: a slice of the L2, where atomics are done, and a
 * channel of DRAM with banks (l2.h, dram/dram_banks.h). Lines are interleaved over partitions. So
 * nothing is ever stale, DRAM's bytes are the value, and an access is resolved when it is handed
 * in: it gets times. Only locks, where they queue (dram/lock_queue.h), are events: when one comes
 * to its partition, and when it comes to its word.
 *
 * The aggregator, instruction caches and the front end have caches above the L2, kept coherent
 * (mem/cache/coherent_caches.h), which the thesis does not have: its host is not part of the
 * machine. A message with a store's or an atomic's operands is a line long, as is one with what
 * loads and atomics get; all others, those of locks among them, are a header. Left out: constant
 * and texture caches; L1 caches, which Fermi has; a limit to what is under way but for MSHRs and
 * DRAM's queues.
 */
#include "mem/systems/partition/partition.h"

#include <stdlib.h>

#include "mem/cache/coherent_caches.h"
#include "mem/dram/lock_queue.h"
#include "mem/network/network.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/partition/l2.h"
#include "sluice/config.h"

struct partition {
    struct mem_system base;
    struct event_queue *event_queue;
    const struct stream *stream;
    struct sim_clock clock; /* of the compute units and the L2 */
    struct sim_clock network_clock;
    uint32_t cus; /* the first nodes of the network; then the coherent caches, then partitions */
    struct partition_l2 l2;
    struct coherent_caches coherent;
    struct interconnect *net;
    struct lock_queue locks;
};

static uint32_t line_of(const struct mem_request *request)
{
    return (uint32_t)(request->address / SL_CACHE_LINE_BYTES);
}

static uint32_t node_of(const struct partition *partition, uint32_t line)
{
    return partition->cus + partition->coherent.count + partition_l2_slice(&partition->l2, line);
}

/* ---- accesses of compute units ---- */

static uint64_t send_up(struct partition *partition, const struct mem_request *request,
                        uint64_t now_ps)
{
    const bool has_line = request->kind == MEM_STORE || request->kind == MEM_ATOMIC;

    if (has_line) {
        partition->base.counters.l1[L1D].bytes_out += SL_CACHE_LINE_BYTES;
        partition->base.counters.l2.l1_bytes_in += SL_CACHE_LINE_BYTES;
    }
    return interconnect_send(partition->net, request->from.index,
                             node_of(partition, line_of(request)), has_line, request->time_ps,
                             now_ps);
}

/* The reply leaves at a time. Returns when the requester has it. */
static uint64_t send_back(struct partition *partition, const struct mem_request *request,
                          uint64_t time_ps, uint64_t now_ps)
{
    const bool has_line = request->kind == MEM_LOAD || request->kind == MEM_ATOMIC;

    if (has_line) {
        partition->base.counters.l1[L1D].bytes_in += SL_CACHE_LINE_BYTES;
        partition->base.counters.l1[L1D].bytes_in_data += SL_CACHE_LINE_BYTES;
        partition->base.counters.l2.l1_bytes_out += SL_CACHE_LINE_BYTES;
    }
    return interconnect_send(partition->net, node_of(partition, line_of(request)),
                             request->from.index, has_line, time_ps, now_ps);
}

/* In the partition, where it arrives at a time. Returns when it takes effect. */
static uint64_t serve(struct partition *partition, const struct mem_request *request,
                      bool goes_first, uint64_t time_ps, uint64_t now_ps, enum hit_level *served)
{
    const uint32_t line = line_of(request);
    struct partition_access access = {
        .line = line,
        .writes = request->kind != MEM_LOAD,
        .goes_first = goes_first,
        .time_ps = partition_l2_turn(&partition->l2, line, time_ps, now_ps),
        .now_ps = now_ps,
    };

    access.owned_ps = coherent_caches_flush_owner(&partition->coherent, line, access.time_ps);
    if (access.writes) {
        coherent_caches_invalidate(&partition->coherent, line);
    }
    return partition_l2_access(&partition->l2, &access, served);
}

static void note(struct partition *partition, struct mem_request *request, enum hit_level served,
                 uint64_t done_ps)
{
    struct mem_counters *counters = &partition->base.counters;

    if (request->from.kind == MEM_CU) {
        counters->l1[L1D].accesses++;
        counters->l1[L1D].served[served]++;
    }
    mem_record(&counters->served, partition->stream, &partition->clock, request, served, done_ps);
}

static struct mem_answer access_data(struct partition *partition, struct mem_request *request)
{
    const uint64_t now_ps = request->time_ps;
    const uint64_t there_ps = send_up(partition, request, now_ps);
    enum hit_level served;
    const uint64_t perform_ps = serve(partition, request, false, there_ps, now_ps, &served);
    const uint64_t done_ps = send_back(partition, request, perform_ps, now_ps);

    note(partition, request, served, done_ps);
    return (struct mem_answer){perform_ps, done_ps};
}

/* ---- locks that queue ---- */

static uint64_t lock_go(void *owner, struct mem_request *request, bool is_grant)
{
    struct partition *partition = owner;
    const uint64_t now_ps = event_queue_now_ps(partition->event_queue);
    enum hit_level served;
    const uint64_t perform_ps = serve(partition, request, is_grant, now_ps, now_ps, &served);

    note(partition, request, served, perform_ps);
    return perform_ps;
}

static uint64_t lock_reply(void *owner, struct mem_request *request, bool is_refused)
{
    struct partition *partition = owner;
    const uint64_t now_ps = event_queue_now_ps(partition->event_queue);

    if (is_refused) { /* the partition has served it */
        note(partition, request, HIT_L2, now_ps);
    }
    return send_back(partition, request, now_ps, now_ps);
}

static const struct lock_path lock_path = {lock_go, lock_reply};

static void partition_cancel(struct mem_system *mem, struct mem_request *request)
{
    lock_queue_cancel(&((struct partition *)mem)->locks, request);
}

/* ---- the coherent caches' home ---- */

static uint64_t point_read(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                           enum hit_level *served)
{
    struct partition *partition = owner;
    const uint64_t now_ps = partition->coherent.now_ps;
    const struct partition_access access = {
        .line = line,
        .time_ps = partition_l2_turn(&partition->l2, line, time_ps, now_ps),
        .now_ps = now_ps,
    };
    const uint64_t ready_ps = partition_l2_access(&partition->l2, &access, served);

    if (use == COHERENT_EXCLUSIVE) {
        partition_l2_drop(&partition->l2, line);
    }
    return ready_ps;
}

static void point_write(void *owner, uint32_t line, uint64_t time_ps)
{
    struct partition *partition = owner;

    partition_l2_put(&partition->l2, line,
                     partition_l2_turn(&partition->l2, line, time_ps, partition->coherent.now_ps));
}

static void point_claim(void *owner, uint32_t line, uint64_t time_ps)
{
    struct partition *partition = owner;

    (void)partition_l2_turn(&partition->l2, line, time_ps, partition->coherent.now_ps);
    partition_l2_drop(&partition->l2, line);
}

static uint32_t point_node(void *owner, uint32_t line, enum coherent_use use)
{
    (void)use;
    return node_of(owner, line);
}

static const struct coherence_point home = {point_read, point_write, point_claim, point_node};

/* ---- the contract ---- */

static struct mem_answer partition_access(struct mem_system *mem, struct mem_request *request)
{
    struct partition *partition = (struct partition *)mem;

    if (request->from.kind != MEM_CU) {
        enum hit_level served;
        const struct mem_answer answer =
            coherent_caches_access(&partition->coherent, request, &served);
        request->hit_level = (uint8_t)(1 + served);
        if (request->from.kind == MEM_AGG) {
            note(partition, request, served, answer.done_ps);
        }
        return answer;
    }
    if (mem->queues_locks && mem_kind_is_lock(request->kind)) {
        const uint64_t there_ps = send_up(partition, request, request->time_ps);
        lock_queue_send(&partition->locks, request,
                        partition_l2_slice(&partition->l2, line_of(request)), there_ps);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    return access_data(partition, request);
}

static void partition_settle(struct mem_system *mem)
{
    lock_queue_reset(&((struct partition *)mem)->locks);
}

static void partition_begin(struct mem_system *mem)
{
    struct partition *partition = (struct partition *)mem;

    partition_settle(mem);
    partition_l2_reset(&partition->l2);
    coherent_caches_reset(&partition->coherent);
    partition->net->ops->reset(partition->net);
    mem->counters = (struct mem_counters){.dram_channels = partition->l2.slices.count,
                                          .dram_line_bytes = SL_CACHE_LINE_BYTES};
}

static void partition_destroy(struct mem_system *mem)
{
    struct partition *partition = (struct partition *)mem;

    partition_l2_destroy(&partition->l2);
    coherent_caches_destroy(&partition->coherent);
    lock_queue_destroy(&partition->locks);
    if (partition->net != NULL) {
        partition->net->ops->destroy(partition->net);
    }
    free(partition);
}

static bool create_parts(struct partition *partition, const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;

    partition->coherent.point = &home;
    partition->coherent.owner = partition;
    if (!partition_l2_create(&partition->l2, config, &partition->base.counters) ||
        !coherent_caches_create(&partition->coherent, config, partition->cus,
                                &partition->base.counters) ||
        !lock_queue_create(&partition->locks, parts, &partition->base, &lock_path, partition)) {
        return false;
    }
    partition->net = interconnect_create(
        config, partition->cus + partition->coherent.count + partition->l2.slices.count,
        &partition->network_clock);
    partition->coherent.net = partition->net;
    return partition->net != NULL;
}

static struct mem_system *partition_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct partition *partition = calloc(1, sizeof(*partition));

    if (partition == NULL) {
        return NULL;
    }
    partition->base = (struct mem_system){
        .ops = &mem_partition,
        .backdoor = mem_dram_backdoor(parts->dram),
        .line_bytes = SL_CACHE_LINE_BYTES,
    };
    partition->event_queue = parts->event_queue;
    partition->stream = parts->stream;
    partition->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    partition->network_clock =
        sim_clock_of(sl_config_period_ps(config, SL_CFG_PARTITION_NETWORK_CLOCK));
    partition->cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    if (!create_parts(partition, parts)) {
        partition_destroy(&partition->base);
        return NULL;
    }
    partition_begin(&partition->base);
    return &partition->base;
}

const struct mem_ops mem_partition = {
    .name = "partition",
    .create = partition_create,
    .destroy = partition_destroy,
    .reset = partition_begin,
    .drain = partition_settle,
    .access = partition_access,
    .cancel = partition_cancel,
};
