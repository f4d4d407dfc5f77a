/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Blocks of the wavefront state pool. */
#include "simt/unit/pool.h"

#include <stdlib.h>

#include "simt/unit/pages.h"
#include "sluice/config.h"

static size_t yielded_bytes(const struct pool *pool)
{
    return pool->blocks * sizeof(struct yielded);
}

static size_t stacks_bytes(const struct pool *pool)
{
    return pool->blocks * pool->stack_capacity * sizeof(struct stack_entry);
}

bool pool_create(struct pool *pool, const struct sl_layout *layout, uint32_t stack_capacity)
{
    *pool = (struct pool){
        .base = layout->pool_base,
        .block_bytes = layout->pool_block_bytes,
        .save_area_bytes = layout->save_area_bytes,
        .blocks = layout->pool_blocks,
        .stack_capacity = stack_capacity,
    };
    pool->free = calloc(pool->blocks, sizeof(*pool->free));
    pool->yielded = pages_allocate(yielded_bytes(pool));
    pool->stacks = pages_allocate(stacks_bytes(pool));
    return pool->free != NULL && pool->yielded != NULL && pool->stacks != NULL;
}

void pool_destroy(struct pool *pool)
{
    free(pool->free);
    pages_free(pool->yielded, yielded_bytes(pool));
    pages_free(pool->stacks, stacks_bytes(pool));
}

void pool_reset(struct pool *pool)
{
    /* Block 0 on top, so that launches take blocks in ascending order. */
    pool->free_count = (uint32_t)pool->blocks;
    for (uint32_t i = 0; i < pool->free_count; i++) {
        struct yielded *yielded = &pool->yielded[i];
        pool->free[i] = pool->free_count - 1 - i;
        if (yielded->is_used) { /* else its page stays untouched */
            yielded->is_used = false;
            if (yielded->launch.group != NULL) {
                yielded->launch.group->waves = 0;
            }
        }
    }
}

void pool_begin(struct pool *pool)
{
    pool->wave_count = 0;
    pool->used_max = 0;
}

void pool_assign(const struct pool *pool, struct wave *wave, uint32_t block)
{
    wave->block = block;
    wave->private_base = pool_address(pool, block) + pool->save_area_bytes;
}

void pool_take(struct pool *pool, struct wave *wave)
{
    pool_assign(pool, wave, pool->free[--pool->free_count]);
    wave->number = pool->wave_count++;
    const uint64_t used = pool->blocks - pool->free_count;
    if (used > pool->used_max) {
        pool->used_max = used;
    }
}

uint32_t pool_find_yielded(const struct pool *pool, uint64_t address)
{
    uint64_t offset = address - pool->base;
    uint64_t block = offset / pool->block_bytes;

    if (address < pool->base || offset % pool->block_bytes != 0 || block >= pool->blocks ||
        !pool->yielded[block].is_used || pool->yielded[block].is_restarting) {
        return POOL_NONE;
    }
    return (uint32_t)block;
}
