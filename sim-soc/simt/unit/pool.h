/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The wavefront state pool: blocks of memory, each a save area and private segments, and what the
 * device keeps of wavefronts that have yielded with one. A block belongs to its wavefront from
 * launch to end, through any yield. */
#ifndef SLUICE_SIMT_UNIT_POOL_H
#define SLUICE_SIMT_UNIT_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "simt/unit/wave.h"

struct sl_layout;

#define POOL_NONE UINT32_MAX /* no block */

/* What is kept of a yielded wavefront besides its save area. Its reconvergence stack is here as
 * that of a resident one is in its context: memory has a copy, which nothing reads. */
struct yielded {
    struct wave_launch launch;
    uint64_t number;
    uint32_t cu;
    uint32_t stack_depth;
    uint32_t stack_spilled;
    uint16_t unlocks[LANES]; /* its lanes' unlock counters; none of them holds a lock */
    uint32_t next;           /* the front end's: block of the next one to be restarted */
    uint64_t ready_cycle;    /* the front end's: not restarted before */
    bool is_used;            /* a wavefront has yielded with this block */
    bool is_restarting;      /* and firmware wants it back */
};

struct pool {
    uint64_t base;
    uint64_t block_bytes;
    uint64_t save_area_bytes; /* of each block */
    uint64_t blocks;
    uint32_t *free; /* a stack of block numbers */
    uint32_t free_count;
    uint64_t used_max;
    uint64_t wave_count;        /* wavefronts launched since the run's begin */
    struct yielded *yielded;    /* by block */
    struct stack_entry *stacks; /* likewise, stack_capacity entries each */
    uint32_t stack_capacity;
};

/* Returns false when out of memory; pool_destroy() in any case. */
bool pool_create(struct pool *pool, const struct sl_layout *layout, uint32_t stack_capacity);
void pool_destroy(struct pool *pool);

/* All blocks are free, taken in ascending order. */
void pool_reset(struct pool *pool);

/* The next wavefront is number 0. */
void pool_begin(struct pool *pool);

/* Takes a block, of which there is one, for a wavefront. */
void pool_take(struct pool *pool, struct wave *wave);

static inline void pool_give(struct pool *pool, uint32_t block)
{
    pool->free[pool->free_count++] = block;
}

/* Where a block begins: its save area. */
static inline uint64_t pool_address(const struct pool *pool, uint32_t block)
{
    return pool->base + block * pool->block_bytes;
}

/* Makes block number `block` the wavefront's. */
void pool_assign(const struct pool *pool, struct wave *wave, uint32_t block);

/* The number of the block at an address, if a wavefront has yielded with it and is not being
 * restarted; else POOL_NONE. */
uint32_t pool_find_yielded(const struct pool *pool, uint64_t address);

/* The entries of a yielded wavefront's reconvergence stack. */
static inline struct stack_entry *pool_stack(const struct pool *pool, uint32_t block)
{
    return &pool->stacks[(size_t)block * pool->stack_capacity];
}

#endif
