/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Store queue (store_queue.h). */
#include "aggregator/store_queue.h"

#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"

#define WORD_BYTES 8u

void store_queue_init(struct store_queue *queue, const struct sl_config *config)
{
    memset(queue, 0, sizeof(*queue));
    queue->entries = (uint32_t)config->number[SL_CFG_CORE_STORE_QUEUE];
    queue->ports = (uint32_t)config->number[SL_CFG_CORE_DRAIN_PORTS];
    queue->drain_cycles = (uint32_t)config->number[SL_CFG_CORE_DRAIN_CYCLES];
    queue->under_way = (uint32_t)config->number[SL_CFG_CORE_DRAIN_STORES];
    if (queue->under_way > queue->entries) {
        queue->under_way = queue->entries;
    }
    queue->address_cycles = (uint32_t)config->number[SL_CFG_CORE_MEMORY_CYCLES];
    queue->forward_cycles = (uint32_t)config->number[SL_CFG_CORE_FORWARD_CYCLES];
}

void store_queue_reset(struct store_queue *queue)
{
    queue->next = 0;
    queue->empty = 0;
    queue->drain = (struct slots){.cycle = 0};
    memset(queue->freed, 0, sizeof(queue->freed));
    memset(queue->stored, 0, sizeof(queue->stored));
}

/* Bits of the bytes of an aligned doubleword that an access touches. */
static uint8_t byte_mask(uint64_t address, uint32_t bytes)
{
    return (uint8_t)(((1u << bytes) - 1) << (address % WORD_BYTES));
}

static void take_entry(struct store_queue *queue, uint64_t freed)
{
    queue->freed[queue->next] = freed;
    queue->next = queue->next + 1 == queue->entries ? 0 : queue->next + 1;
}

void store_queue_skip(struct store_queue *queue, uint64_t commit)
{
    take_entry(queue, later(commit, queue->empty));
}

/* The first cycle in which a store that commits in `commit` goes to the cache: the one so many
 * before it has left. */
static uint64_t drain(struct store_queue *queue, uint64_t commit)
{
    uint32_t before = (queue->next + queue->entries - queue->under_way) % queue->entries;

    return slots_take(&queue->drain, later(commit + queue->drain_cycles, queue->freed[before]),
                      queue->ports);
}

void store_queue_store(struct store_queue *queue, struct data_cache *cache, uint64_t address,
                       uint32_t bytes, uint64_t ready, uint64_t commit)
{
    uint64_t word = address / WORD_BYTES;
    struct stored *stored = &queue->stored[word % STORE_QUEUE_BUCKETS];
    uint8_t mask = byte_mask(address, bytes);
    uint64_t cycle = drain(queue, commit);
    uint64_t done = data_cache_access(cache, cycle, address, MEM_STORE);

    queue->empty = later(queue->empty, done);
    uint8_t older = 0;
    if (stored->word == word && stored->freed > commit) {
        older = (uint8_t)((stored->older | stored->bytes) & ~mask);
    }
    *stored = (struct stored){
        .word = word, .ready = ready, .freed = queue->empty, .bytes = mask, .older = older};
    take_entry(queue, queue->empty);
}

enum store_queue_answer store_queue_load(const struct store_queue *queue, uint64_t address,
                                         uint32_t bytes, uint64_t *cycle)
{
    uint64_t word = address / WORD_BYTES;
    const struct stored *stored = &queue->stored[word % STORE_QUEUE_BUCKETS];
    uint8_t mask = byte_mask(address, bytes);

    if (stored->word != word || stored->freed <= *cycle ||
        ((stored->bytes | stored->older) & mask) == 0) {
        return STORE_QUEUE_NONE;
    }
    if ((stored->bytes & mask) == mask) {
        *cycle = later(stored->ready + queue->address_cycles, *cycle) + queue->forward_cycles;
        return STORE_QUEUE_FORWARDED;
    }
    *cycle = stored->freed;
    return STORE_QUEUE_WAIT;
}
