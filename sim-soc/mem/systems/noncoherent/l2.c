/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2 of machines in which all meet there. */
#include "mem/systems/noncoherent/l2.h"

#include "engine/clock.h"
#include "mem/cache/line_bytes.h"
#include "sluice/config.h"

bool noncoherent_l2_create(struct noncoherent_l2 *l2, const struct sl_config *config,
                           struct mem_counters *counters)
{
    const struct l2_shape shape = l2_shape_of(config);

    l2->counters = counters;
    l2->clock = shape.clock;
    l2->hit_ps = shape.hit_ps;
    l2->tag_ps = shape.tag_ps;
    if (!banks_create(&l2->banks, (uint32_t)config->number[SL_CFG_L2_BANKS],
                      (uint32_t)config->number[SL_CFG_L2_MSHRS]) ||
        !cache_create(&l2->tags, shape.sets, shape.ways)) {
        return false;
    }
    l2->lines = calloc(cache_size(&l2->tags), sizeof(*l2->lines));
    return l2->lines != NULL && dram_timing_create(&l2->timing, config) &&
           l3_create(&l2->l3, config, &l2->timing, counters, false);
}

void noncoherent_l2_destroy(struct noncoherent_l2 *l2)
{
    banks_destroy(&l2->banks);
    free(l2->lines);
    cache_destroy(&l2->tags);
    l3_destroy(&l2->l3);
    dram_timing_destroy(&l2->timing);
}

void noncoherent_l2_reset(struct noncoherent_l2 *l2)
{
    banks_reset(&l2->banks, &l2->clock);
    cache_reset(&l2->tags);
    memset(l2->lines, 0, cache_size(&l2->tags) * sizeof(*l2->lines));
    l3_reset(&l2->l3);
    dram_timing_reset(&l2->timing);
}

uint64_t noncoherent_l2_turn(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps,
                             uint64_t now_ps)
{
    l2->now_ps = now_ps;
    return calendar_take(&banks_of(&l2->banks, line)->port, time_ps, now_ps);
}

/* ---- behind it ---- */

static uint64_t read_memory(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps)
{
    l2->counters->l2.dram_bytes_in += LINE_BYTES;
    l2->counters->directory.bytes_out += LINE_BYTES;
    return l3_read(&l2->l3, line, time_ps, l2->now_ps, NULL);
}

/* A write is a whole burst, whatever it has of the line. */
static uint64_t write_memory(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                             uint64_t time_ps)
{
    l2->counters->l2.dram_bytes_out += LINE_BYTES;
    l2->counters->directory.bytes_in += line_bytes_count(mask);
    return l3_write(&l2->l3, line, time_ps, l2->now_ps);
}

/* ---- lines ---- */

static void replace(struct noncoherent_l2 *l2, uint32_t index, uint64_t time_ps)
{
    struct noncoherent_l2_line *victim = &l2->lines[index];

    if (l2->tags.tag[index] == CACHE_NONE) {
        return;
    }
    l2->counters->l2.evictions++;
    if (victim->dirty != 0) {
        l2->counters->l2.write_backs++;
        (void)write_memory(l2, l2->tags.tag[index], victim->dirty,
                           later(time_ps, victim->ready_ps));
    }
}

static uint32_t allocate(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_victim(&l2->tags, line);

    replace(l2, index, time_ps);
    l2->lines[index] = (struct noncoherent_l2_line){0};
    l2->tags.tag[index] = line;
    return index;
}

static void take_out(struct noncoherent_l2 *l2, uint32_t index)
{
    cache_demote(&l2->tags, index);
    l2->tags.tag[index] = CACHE_NONE;
    l2->lines[index] = (struct noncoherent_l2_line){0};
}

/* A line comes from memory, or from the cache that owns it. Returns when it is there. */
static uint64_t fill(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps, uint64_t owned_ps)
{
    struct bank *bank = banks_of(&l2->banks, line);
    const uint64_t start_ps = later(time_ps + l2->tag_ps, mshrs_free_ps(&bank->mshrs));
    const uint64_t data_ps =
        owned_ps != 0 ? later(owned_ps, start_ps) : read_memory(l2, line, start_ps);
    const uint64_t ready_ps = calendar_take(&bank->port, data_ps, l2->now_ps);

    mshrs_take(&bank->mshrs, ready_ps);
    return ready_ps;
}

uint64_t noncoherent_l2_read(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                             uint64_t time_ps, uint64_t owned_ps, enum hit_level *served)
{
    uint32_t index = cache_find(&l2->tags, line);

    l2->counters->l2.accesses++;
    if (index != CACHE_NONE && (l2->lines[index].valid & mask) == mask) {
        l2->counters->l2.hits++;
        *served = HIT_L2;
        cache_touch(&l2->tags, index);
        return later(time_ps + l2->hit_ps, l2->lines[index].ready_ps);
    }
    l2->counters->l2.misses++;
    *served = owned_ps != 0 ? HIT_OTHER_L1 : HIT_DRAM;
    if (index == CACHE_NONE) {
        index = allocate(l2, line, time_ps + l2->tag_ps);
    }
    const uint64_t ready_ps = fill(l2, line, time_ps, owned_ps);
    l2->lines[index].valid = LINE_ALL_BYTES;
    l2->lines[index].ready_ps = ready_ps;
    cache_touch(&l2->tags, index);
    return ready_ps;
}

uint64_t noncoherent_l2_write_through(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                                      uint64_t time_ps)
{
    return write_memory(l2, line, mask, time_ps + l2->tag_ps);
}

uint64_t noncoherent_l2_combine(struct noncoherent_l2 *l2, uint32_t line, uint64_t mask,
                                uint64_t time_ps)
{
    uint32_t index = cache_find(&l2->tags, line);

    if (index == CACHE_NONE) {
        index = allocate(l2, line, time_ps + l2->tag_ps);
    }
    l2->lines[index].valid |= mask;
    l2->lines[index].dirty |= mask;
    cache_touch(&l2->tags, index);
    return time_ps + l2->tag_ps;
}

void noncoherent_l2_drop(struct noncoherent_l2 *l2, uint32_t line)
{
    const uint32_t index = cache_find(&l2->tags, line);

    if (index != CACHE_NONE) {
        take_out(l2, index);
    }
}

uint64_t noncoherent_l2_pass(struct noncoherent_l2 *l2, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_find(&l2->tags, line);
    uint64_t start_ps = time_ps + l2->tag_ps;

    l2->counters->l2.accesses++;
    l2->counters->l2.misses++;
    if (index != CACHE_NONE) {
        start_ps = later(start_ps, l2->lines[index].ready_ps);
        if (l2->lines[index].dirty != 0) {
            (void)write_memory(l2, line, l2->lines[index].dirty, start_ps);
        }
        take_out(l2, index);
    }
    return read_memory(l2, line, start_ps);
}

/* ---- synchronization of all caches ---- */

uint64_t noncoherent_l2_flush(struct noncoherent_l2 *l2, uint32_t walk, uint64_t time_ps,
                              uint64_t *lines)
{
    const uint32_t size = (l2->tags.set_mask + 1) * l2->tags.ways;
    uint64_t end_ps = time_ps + (size + walk - 1) / walk * l2->clock.ps;

    for (uint32_t index = 0; index < cache_size(&l2->tags); index++) {
        struct noncoherent_l2_line *line = &l2->lines[index];
        if (line->dirty != 0) {
            end_ps = later(end_ps, write_memory(l2, l2->tags.tag[index], line->dirty,
                                                time_ps + index / walk * l2->clock.ps));
            line->dirty = 0;
            (*lines)++;
        }
    }
    return end_ps;
}

uint64_t noncoherent_l2_drop_clean(struct noncoherent_l2 *l2)
{
    uint64_t lines = 0;

    for (uint32_t index = 0; index < cache_size(&l2->tags); index++) {
        struct noncoherent_l2_line *line = &l2->lines[index];
        lines += line->valid != line->dirty;
        line->valid = line->dirty;
        if (l2->tags.tag[index] != CACHE_NONE && line->valid == 0) {
            take_out(l2, index);
        }
    }
    return lines;
}
