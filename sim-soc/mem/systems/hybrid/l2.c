/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L2 of memory system `hybrid`. */
#include "mem/systems/hybrid/l2.h"

#include "engine/clock.h"
#include "sluice/config.h"

bool hybrid_l2_create(struct hybrid_l2 *l2, const struct sl_config *config,
                      struct mem_counters *counters)
{
    const uint32_t line_bytes = (uint32_t)config->number[SL_CFG_L2_LINE];
    const struct l2_shape shape = l2_shape_of(config);

    l2->counters = counters;
    l2->clock = shape.clock;
    l2->hit_ps = shape.hit_ps;
    l2->tag_ps = shape.tag_ps;
    l2->fetches = config->number[SL_CFG_L2_WRITE_FETCH] == SL_L2_WRITE_FETCH_ON;
    l2->all_bytes[0] = mem_bits_below(line_bytes);
    l2->all_bytes[1] = line_bytes > 64 ? UINT64_MAX : 0;
    if (!banks_create(&l2->banks, (uint32_t)config->number[SL_CFG_L2_BANKS],
                      (uint32_t)config->number[SL_CFG_L2_MSHRS]) ||
        !cache_create(&l2->tags, shape.sets, shape.ways)) {
        return false;
    }
    l2->buffers = calloc(l2->banks.count, sizeof(*l2->buffers));
    l2->lines = calloc(cache_size(&l2->tags), sizeof(*l2->lines));
    l2->valid = calloc(cache_size(&l2->tags), sizeof(*l2->valid));
    return l2->buffers != NULL && l2->lines != NULL && l2->valid != NULL &&
           dram_timing_create(&l2->timing, config);
}

void hybrid_l2_destroy(struct hybrid_l2 *l2)
{
    banks_destroy(&l2->banks);
    free(l2->buffers);
    free(l2->lines);
    free(l2->valid);
    cache_destroy(&l2->tags);
    dram_timing_destroy(&l2->timing);
}

void hybrid_l2_reset(struct hybrid_l2 *l2)
{
    banks_reset(&l2->banks, &l2->clock);
    cache_reset(&l2->tags);
    memset(l2->lines, 0, cache_size(&l2->tags) * sizeof(*l2->lines));
    for (uint32_t bank = 0; bank < l2->banks.count; bank++) {
        l2->buffers[bank] = (struct atomic_buffer){.line = CACHE_NONE};
    }
    dram_timing_reset(&l2->timing);
}

uint64_t hybrid_l2_turn(struct hybrid_l2 *l2, uint32_t line, uint64_t time_ps, uint64_t now_ps)
{
    l2->now_ps = now_ps;
    return calendar_take(&banks_of(&l2->banks, line)->port, time_ps, now_ps);
}

/* ---- behind it ---- */

static uint64_t access_dram(struct hybrid_l2 *l2, uint32_t line, uint64_t time_ps, bool is_write)
{
    struct mem_counters *counters = l2->counters;
    const uint32_t bytes = counters->dram_line_bytes;

    *(is_write ? &counters->dram_writes : &counters->dram_reads) += 1;
    *(is_write ? &counters->l2.dram_bytes_out : &counters->l2.dram_bytes_in) += bytes;
    counters->dram_busy_ps += l2->timing.line_ps;
    return dram_timing_access(&l2->timing, line, time_ps, is_write);
}

/* ---- lines ---- */

/* Whether the line of an index, if that is one, has all bytes. */
static bool is_whole(const struct hybrid_l2 *l2, uint32_t index)
{
    return index != CACHE_NONE && l2->lines[index].is_whole;
}

/* Gives a line that has none a way. Returns its index. */
static uint32_t allocate(struct hybrid_l2 *l2, uint32_t line, uint64_t time_ps)
{
    const uint32_t index = cache_victim(&l2->tags, line);
    struct hybrid_l2_line *victim = &l2->lines[index];

    if (l2->tags.tag[index] != CACHE_NONE) {
        l2->counters->l2.evictions++;
        if (victim->is_dirty) {
            l2->counters->l2.write_backs++;
            l2->counters->l2.line_reads++;
            (void)access_dram(l2, l2->tags.tag[index], later(time_ps, victim->ready_ps), true);
        }
    }
    *victim = (struct hybrid_l2_line){0};
    l2->tags.tag[index] = line;
    return index;
}

static void take_out(struct hybrid_l2 *l2, uint32_t index)
{
    cache_demote(&l2->tags, index);
    l2->tags.tag[index] = CACHE_NONE;
    l2->lines[index] = (struct hybrid_l2_line){0};
}

void hybrid_l2_put(struct hybrid_l2 *l2, uint32_t line, bool is_dirty, uint64_t time_ps)
{
    uint32_t index = cache_find(&l2->tags, line);

    if (index == CACHE_NONE) {
        index = allocate(l2, line, time_ps);
    }
    l2->lines[index].is_whole = true;
    l2->lines[index].is_dirty |= is_dirty;
    l2->lines[index].ready_ps = later(l2->lines[index].ready_ps, time_ps);
    l2->counters->l2.line_writes++;
    cache_touch(&l2->tags, index);
}

/* ---- atomic buffers ---- */

static struct atomic_buffer *buffer_of(const struct hybrid_l2 *l2, uint32_t line)
{
    return &l2->buffers[hybrid_l2_bank(l2, line)];
}

/* The buffer's line goes back into the L2, for which it takes the bank at or after a time. */
static void put_back(struct hybrid_l2 *l2, struct atomic_buffer *buffer, uint64_t time_ps)
{
    const uint64_t idle_ps = later(time_ps, later(buffer->ready_ps, buffer->free_ps));

    hybrid_l2_put(l2, buffer->line, buffer->is_dirty,
                  calendar_take(&banks_of(&l2->banks, buffer->line)->port, idle_ps, l2->now_ps));
    buffer->line = CACHE_NONE;
}

/* An access that is no operation has its line in the L2, if anywhere. */
static void settle_buffer(struct hybrid_l2 *l2, const struct hybrid_l2_access *access)
{
    struct atomic_buffer *buffer = buffer_of(l2, access->line);

    if (buffer->line == access->line) {
        put_back(l2, buffer, access->turn_ps);
    }
}

/* ---- accesses ---- */

/* A line comes from DRAM, or from the cache that owns it. Returns when it is there. */
static uint64_t fetch(struct hybrid_l2 *l2, const struct hybrid_l2_access *access)
{
    struct bank *bank = banks_of(&l2->banks, access->line);
    const uint64_t start_ps = later(access->turn_ps + l2->tag_ps, mshrs_free_ps(&bank->mshrs));
    const uint64_t data_ps = access->owned_ps != 0 ? later(access->owned_ps, start_ps)
                                                   : access_dram(l2, access->line, start_ps, false);
    const uint64_t ready_ps = calendar_take(&bank->port, data_ps, l2->now_ps);

    mshrs_take(&bank->mshrs, ready_ps);
    return ready_ps;
}

static void count(struct hybrid_l2 *l2, bool is_hit)
{
    l2->counters->l2.accesses++;
    l2->counters->l2.hits += is_hit;
    l2->counters->l2.misses += !is_hit;
}

static enum hit_level fetched_from(const struct hybrid_l2_access *access)
{
    return access->owned_ps != 0 ? HIT_OTHER_L1 : HIT_DRAM;
}

uint64_t hybrid_l2_read(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                        enum hit_level *served)
{
    settle_buffer(l2, access);
    uint32_t index = cache_find(&l2->tags, access->line);
    const bool is_hit = is_whole(l2, index);

    count(l2, is_hit);
    if (is_hit) {
        *served = HIT_L2;
        l2->counters->l2.line_reads++;
        cache_touch(&l2->tags, index);
        return later(access->turn_ps + l2->hit_ps, l2->lines[index].ready_ps);
    }
    *served = fetched_from(access);
    if (index == CACHE_NONE && (access->allocates || access->owned_ps != 0)) {
        index = allocate(l2, access->line, access->turn_ps + l2->tag_ps);
    }
    const uint64_t ready_ps = fetch(l2, access);
    if (index != CACHE_NONE) {
        l2->lines[index].is_whole = true;
        l2->lines[index].is_dirty |= access->owned_ps != 0; /* memory has never had it */
        l2->lines[index].ready_ps = ready_ps;
        l2->counters->l2.line_writes++;
        cache_touch(&l2->tags, index);
    }
    return ready_ps;
}

/* Bytes of a line are valid, perhaps the last that were not. */
static void add_bytes(struct hybrid_l2 *l2, uint32_t index, const uint64_t mask[HYBRID_L2_WORDS])
{
    uint64_t *valid = l2->valid[index];

    valid[0] |= mask[0];
    valid[1] |= mask[1];
    l2->lines[index].is_whole = valid[0] == l2->all_bytes[0] && valid[1] == l2->all_bytes[1];
}

uint64_t hybrid_l2_write(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                         const uint64_t mask[HYBRID_L2_WORDS])
{
    settle_buffer(l2, access);
    uint32_t index = cache_find(&l2->tags, access->line);

    count(l2, index != CACHE_NONE);
    if (index == CACHE_NONE) {
        index = allocate(l2, access->line, access->turn_ps + l2->tag_ps);
        if (l2->fetches) {
            l2->lines[index].ready_ps = fetch(l2, access);
            l2->lines[index].is_whole = true;
            l2->counters->l2.line_writes++;
        } else {
            memset(l2->valid[index], 0, sizeof(l2->valid[index]));
        }
    }
    if (!l2->lines[index].is_whole) {
        add_bytes(l2, index, mask);
    }
    l2->lines[index].is_dirty = true;
    l2->counters->l2.line_writes++;
    cache_touch(&l2->tags, index);
    return access->turn_ps + l2->tag_ps;
}

/* The line comes into its bank's buffer, from the L2 or past it. */
static void take_into_buffer(struct hybrid_l2 *l2, struct atomic_buffer *buffer,
                             const struct hybrid_l2_access *access, enum hit_level *served)
{
    if (buffer->line != CACHE_NONE) {
        put_back(l2, buffer, access->turn_ps);
    }
    const uint32_t index = cache_find(&l2->tags, access->line);
    const bool is_hit = is_whole(l2, index);

    count(l2, is_hit);
    buffer->line = access->line;
    buffer->is_dirty = access->owned_ps != 0 || (index != CACHE_NONE && l2->lines[index].is_dirty);
    if (is_hit) {
        l2->counters->l2.line_reads++;
        buffer->ready_ps = later(access->turn_ps + l2->hit_ps, l2->lines[index].ready_ps);
    } else {
        *served = fetched_from(access);
        buffer->ready_ps = fetch(l2, access);
    }
    if (index != CACHE_NONE) {
        take_out(l2, index);
    }
}

uint64_t hybrid_l2_operate(struct hybrid_l2 *l2, const struct hybrid_l2_access *access,
                           uint32_t operations, bool changes, enum hit_level *served)
{
    struct atomic_buffer *buffer = buffer_of(l2, access->line);
    const bool is_hit = buffer->line == access->line;

    *served = HIT_L2;
    if (is_hit) {
        count(l2, true);
    } else {
        take_into_buffer(l2, buffer, access, served);
    }
    l2->counters->l2.atomic_buffer_misses += !is_hit;
    l2->counters->l2.atomic_buffer_hits += operations - !is_hit;
    const uint64_t first_ps =
        later(later(access->turn_ps + l2->hit_ps, buffer->ready_ps), buffer->free_ps);
    buffer->is_dirty |= changes;
    buffer->free_ps = first_ps + operations * l2->clock.ps;
    return buffer->free_ps - l2->clock.ps;
}

void hybrid_l2_drop(struct hybrid_l2 *l2, uint32_t line)
{
    struct atomic_buffer *buffer = buffer_of(l2, line);
    const uint32_t index = cache_find(&l2->tags, line);

    if (buffer->line == line) {
        buffer->line = CACHE_NONE;
    }
    if (index != CACHE_NONE) {
        take_out(l2, index);
    }
}
