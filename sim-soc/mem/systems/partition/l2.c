/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Slices of the L2: hits, misses, lines that leave. */
#include "mem/systems/partition/l2.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

bool partition_l2_create(struct partition_l2 *l2, const struct sl_config *config,
                         struct mem_counters *counters)
{
    const struct l2_shape shape = l2_shape_of(config);

    l2->counters = counters;
    l2->clock = shape.clock;
    l2->hit_ps = shape.hit_ps;
    l2->tag_ps = shape.tag_ps;
    if (!banks_create(&l2->slices, (uint32_t)config->number[SL_CFG_DRAM_CHANNELS],
                      (uint32_t)config->number[SL_CFG_L2_MSHRS]) ||
        !cache_create(&l2->tags, shape.sets, shape.ways)) {
        return false;
    }
    l2->lines = calloc(cache_size(&l2->tags), sizeof(*l2->lines));
    return l2->lines != NULL && dram_banks_create(&l2->dram, config, counters);
}

void partition_l2_destroy(struct partition_l2 *l2)
{
    banks_destroy(&l2->slices);
    free(l2->lines);
    cache_destroy(&l2->tags);
    dram_banks_destroy(&l2->dram);
}

void partition_l2_reset(struct partition_l2 *l2)
{
    banks_reset(&l2->slices, &l2->clock);
    cache_reset(&l2->tags);
    memset(l2->lines, 0, cache_size(&l2->tags) * sizeof(*l2->lines));
    dram_banks_reset(&l2->dram);
}

uint64_t partition_l2_turn(struct partition_l2 *l2, uint32_t line, uint64_t time_ps,
                           uint64_t now_ps)
{
    return calendar_take(&banks_of(&l2->slices, line)->port, time_ps, now_ps);
}

static void write_back(struct partition_l2 *l2, uint32_t line, uint64_t time_ps)
{
    l2->counters->l2.write_backs++;
    l2->counters->l2.dram_bytes_out += SL_CACHE_LINE_BYTES;
    l2->counters->directory.bytes_in += SL_CACHE_LINE_BYTES;
    (void)dram_banks_access(&l2->dram, line, time_ps, true, false);
}

/* Makes room for a line at a time; returns its index. */
static uint32_t allocate(struct partition_l2 *l2, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_victim(&l2->tags, line);
    const struct partition_line victim = l2->lines[index];

    if (l2->tags.tag[index] != CACHE_NONE) {
        l2->counters->l2.evictions++;
        if (victim.is_dirty) {
            write_back(l2, l2->tags.tag[index], later(time_ps, victim.ready_ps));
        }
    }
    l2->lines[index] = (struct partition_line){0};
    l2->tags.tag[index] = line;
    return index;
}

/* A line comes from DRAM, or from the cache that owns it. Returns when it is there. */
static uint64_t fill(struct partition_l2 *l2, const struct partition_access *access,
                     uint64_t miss_ps)
{
    struct bank *slice = banks_of(&l2->slices, access->line);
    const uint64_t start_ps = later(miss_ps, mshrs_free_ps(&slice->mshrs));
    uint64_t data_ps = later(access->owned_ps, start_ps);

    if (access->owned_ps == 0) {
        l2->counters->l2.dram_bytes_in += SL_CACHE_LINE_BYTES;
        l2->counters->directory.bytes_out += SL_CACHE_LINE_BYTES;
        data_ps = dram_banks_access(&l2->dram, access->line, start_ps, false, access->goes_first);
    }
    const uint64_t ready_ps = calendar_take(&slice->port, data_ps, access->now_ps);
    mshrs_take(&slice->mshrs, ready_ps);
    return ready_ps;
}

uint64_t partition_l2_access(struct partition_l2 *l2, const struct partition_access *access,
                             enum hit_level *served)
{
    uint32_t index = cache_find(&l2->tags, access->line);
    uint64_t ready_ps;

    l2->counters->l2.accesses++;
    if (index != CACHE_NONE) {
        l2->counters->l2.hits++;
        *served = HIT_L2;
        ready_ps = later(access->time_ps + l2->hit_ps, l2->lines[index].ready_ps);
    } else {
        const uint64_t miss_ps = access->time_ps + l2->tag_ps;
        l2->counters->l2.misses++;
        *served = access->owned_ps != 0 ? HIT_OTHER_L1 : HIT_DRAM;
        index = allocate(l2, access->line, miss_ps);
        ready_ps = fill(l2, access, miss_ps);
        l2->lines[index].ready_ps = ready_ps;
        l2->lines[index].is_dirty = access->owned_ps != 0;
    }
    l2->lines[index].is_dirty |= access->writes;
    cache_touch(&l2->tags, index);
    return ready_ps;
}

void partition_l2_put(struct partition_l2 *l2, uint32_t line, uint64_t time_ps)
{
    uint32_t index = cache_find(&l2->tags, line);

    if (index == CACHE_NONE) {
        index = allocate(l2, line, time_ps + l2->tag_ps);
        l2->lines[index].ready_ps = time_ps + l2->tag_ps;
    }
    l2->lines[index].is_dirty = true;
    cache_touch(&l2->tags, index);
}

void partition_l2_drop(struct partition_l2 *l2, uint32_t line)
{
    const uint32_t index = cache_find(&l2->tags, line);

    if (index != CACHE_NONE) {
        cache_demote(&l2->tags, index);
        l2->tags.tag[index] = CACHE_NONE;
        l2->lines[index] = (struct partition_line){0};
    }
}
