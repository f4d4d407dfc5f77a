/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L3 cache on the side of memory. */
#include "mem/dram/l3.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

bool l3_create(struct l3 *l3, const struct sl_config *config, struct dram_timing *timing,
               struct mem_counters *counters, bool is_writable)
{
    const int64_t *number = config->number;
    const int64_t cycles = number[SL_CFG_L3_CYCLES];
    const uint64_t tag_cycles = cache_tag_cycles(number[SL_CFG_L3_TAG_CYCLES], cycles);
    const uint32_t ways = (uint32_t)number[SL_CFG_L3_WAYS];
    const uint32_t sets = (uint32_t)number[SL_CFG_L3_SIZE] / (ways * SL_CACHE_LINE_BYTES);

    *l3 = (struct l3){.timing = timing, .counters = counters, .is_writable = is_writable};
    if (sets == 0) {
        return true;
    }
    l3->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    l3->latency_ps = (uint64_t)cycles * l3->clock.ps;
    l3->tag_ps = tag_cycles * l3->clock.ps;
    l3->bank_count = (uint32_t)number[SL_CFG_L3_BANKS];
    l3->banks = calloc(l3->bank_count, sizeof(*l3->banks));
    if (l3->banks == NULL || !cache_create(&l3->tags, sets, ways)) {
        return false;
    }
    l3->lines = calloc(cache_size(&l3->tags), sizeof(*l3->lines));
    if (l3->lines == NULL) {
        return false;
    }
    l3_reset(l3);
    return true;
}

void l3_destroy(struct l3 *l3)
{
    free(l3->banks);
    free(l3->lines);
    cache_destroy(&l3->tags);
}

void l3_reset(struct l3 *l3)
{
    if (l3->bank_count == 0) {
        return;
    }
    cache_reset(&l3->tags);
    memset(l3->lines, 0, cache_size(&l3->tags) * sizeof(*l3->lines));
    for (uint32_t bank = 0; bank < l3->bank_count; bank++) {
        calendar_reset(&l3->banks[bank], &l3->clock, 0);
    }
}

static uint64_t read_dram(struct l3 *l3, uint32_t line, uint64_t time_ps)
{
    l3->counters->dram_reads++;
    l3->counters->dram_busy_ps += l3->timing->line_ps;
    return dram_timing_access(l3->timing, line, time_ps, false);
}

static uint64_t write_dram(struct l3 *l3, uint32_t line, uint64_t time_ps)
{
    l3->counters->dram_writes++;
    l3->counters->dram_busy_ps += l3->timing->line_ps;
    return dram_timing_access(l3->timing, line, time_ps, true);
}

static uint64_t take_slot(struct l3 *l3, uint32_t line, uint64_t time_ps, uint64_t now_ps)
{
    return calendar_take(&l3->banks[line & (l3->bank_count - 1)], time_ps, now_ps);
}

/* Gives a line a way, its miss being known at a time. Returns its index. */
static uint32_t allocate(struct l3 *l3, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_victim(&l3->tags, line);
    const uint32_t victim = l3->tags.tag[index];

    if (victim != CACHE_NONE) {
        l3->counters->l3.evictions++;
        if (l3->lines[index].is_dirty) {
            l3->counters->l3.write_backs++;
            write_dram(l3, victim, later(time_ps, l3->lines[index].ready_ps));
        }
    }
    l3->tags.tag[index] = line;
    return index;
}

uint64_t l3_read(struct l3 *l3, uint32_t line, uint64_t time_ps, uint64_t now_ps, bool *is_hit)
{
    if (is_hit != NULL) {
        *is_hit = false;
    }
    if (l3->bank_count == 0) {
        return read_dram(l3, line, time_ps);
    }
    const uint64_t slot_ps = take_slot(l3, line, time_ps, now_ps);
    uint32_t index = cache_find(&l3->tags, line);

    l3->counters->l3.accesses++;
    l3->counters->l3.bytes_out += SL_CACHE_LINE_BYTES;
    if (index != CACHE_NONE) {
        l3->counters->l3.hits++;
        if (is_hit != NULL) {
            *is_hit = true;
        }
        cache_touch(&l3->tags, index);
        return later(slot_ps + l3->latency_ps, l3->lines[index].ready_ps);
    }
    const uint64_t known_ps = slot_ps + l3->tag_ps;

    l3->counters->l3.misses++;
    index = allocate(l3, line, known_ps);
    const uint64_t ready_ps = take_slot(l3, line, read_dram(l3, line, known_ps), now_ps);
    l3->lines[index] = (struct l3_line){.ready_ps = ready_ps};
    cache_touch(&l3->tags, index);
    return ready_ps;
}

uint64_t l3_write(struct l3 *l3, uint32_t line, uint64_t time_ps, uint64_t now_ps)
{
    if (l3->bank_count == 0) {
        return write_dram(l3, line, time_ps);
    }
    const uint64_t slot_ps = take_slot(l3, line, time_ps, now_ps);
    uint32_t index = cache_find(&l3->tags, line);

    l3->counters->l3.bytes_in += SL_CACHE_LINE_BYTES;
    if (!l3->is_writable) {
        if (index != CACHE_NONE) {
            l3->tags.tag[index] = CACHE_NONE;
            cache_demote(&l3->tags, index);
        }
        return write_dram(l3, line, time_ps);
    }
    if (index == CACHE_NONE) {
        index = allocate(l3, line, slot_ps + l3->tag_ps);
    }
    l3->lines[index] = (struct l3_line){.ready_ps = slot_ps + l3->latency_ps, .is_dirty = true};
    cache_touch(&l3->tags, index);
    return slot_ps + l3->latency_ps;
}
