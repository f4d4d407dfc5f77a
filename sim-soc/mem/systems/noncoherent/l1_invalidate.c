/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Old lines, flushes, stacks that are nobody's, what is seen from outside. */
#include "mem/systems/noncoherent/l1_invalidate.h"

void noncoherent_l1_drop_clean(struct noncoherent_l1 *l1)
{
    for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
        struct noncoherent_line *line = &l1->lines[index];
        if (l1->tags.tag[index] == CACHE_NONE) {
            continue;
        }
        if (line->fill.is_in_flight) {
            mshr_entry_invalidate(&line->fill);
            continue;
        }
        l1->system->base.counters.sync.invalidated_lines += line->valid != line->dirty;
        line->valid = line->dirty;
        if (line->valid == 0) {
            noncoherent_l1_release_way(l1, index);
        }
    }
}

/* Those of a line's dirty bytes that a wavefront has written. */
static uint64_t bytes_of(const struct noncoherent_l1 *l1, uint32_t index, uint64_t wave)
{
    const uint32_t *writer = l1->writer + (size_t)index * LINE_BYTES;
    uint64_t mask = 0;

    for (uint64_t rest = l1->lines[index].dirty; rest != 0; rest &= rest - 1) {
        const unsigned byte = (unsigned)__builtin_ctzll(rest);
        const bool is_own = writer[byte] == (uint32_t)wave || writer[byte] == HELD_WRITERS;
        mask |= (uint64_t)is_own << byte;
    }
    return mask;
}

void noncoherent_l1_flush(struct noncoherent_l1 *l1, const uint64_t *wave, uint64_t *time_ps)
{
    const uint64_t begin_ps = later(*time_ps, l1->accesses.free_ps);
    const uint64_t lines = (uint64_t)(l1->tags.set_mask + 1) * l1->tags.ways;
    uint32_t sent = 0;
    uint32_t seen = 0;

    for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
        const uint64_t dirty = l1->lines[index].dirty;
        const uint64_t mask = dirty == 0 || wave == NULL ? dirty : bytes_of(l1, index, *wave);
        if (mask != 0) {
            noncoherent_l1_send_dirty(l1, index, mask,
                                      begin_ps + seen / l1->system->walk * l1->accesses.cycle_ps);
            sent++;
        }
        seen++;
    }
    const uint64_t end_ps =
        begin_ps + (lines + l1->system->walk - 1) / l1->system->walk * l1->accesses.cycle_ps;
    l1->accesses.free_ps = later(l1->accesses.free_ps, end_ps);
    l1->system->base.counters.sync.flushed_lines += sent;
    *time_ps = end_ps;
}

void noncoherent_l1_forget(struct noncoherent_l1 *l1, uint64_t address, uint64_t bytes)
{
    const uint64_t first = address / LINE_BYTES;
    const uint64_t count = bytes / LINE_BYTES;

    for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
        struct noncoherent_line *line = &l1->lines[index];
        if (l1->tags.tag[index] - first >= count || l1->tags.tag[index] == CACHE_NONE) {
            continue;
        }
        line->dirty = 0;
        if (!line->fill.is_in_flight) {
            noncoherent_l1_release_way(l1, index);
        } else {
            mshr_entry_invalidate(&line->fill);
        }
    }
}

void noncoherent_l1_settle(struct noncoherent_l1 *l1)
{
    for (struct transaction *transaction = l1->writes.first; transaction != NULL;
         transaction = transaction->next) {
        noncoherent_write_memory(l1->system, transaction);
    }
    for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
        const struct noncoherent_line *line = &l1->lines[index];
        if (line->dirty != 0 && !line->carries_none) {
            line_bytes_merge(noncoherent_memory(l1->system, l1->tags.tag[index]),
                             noncoherent_l1_bytes(l1, index), line->dirty);
        }
    }
}

uint64_t noncoherent_l1_peek(const struct noncoherent_l1 *l1, uint32_t line, const uint8_t **bytes)
{
    const uint32_t index = cache_find(&l1->tags, line);

    if (index == CACHE_NONE) {
        return 0;
    }
    *bytes = noncoherent_l1_bytes(l1, index);
    return l1->lines[index].valid;
}
