/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines of L1 caches that hold bytes. */
#include "mem/systems/noncoherent/l1_lines.h"

void noncoherent_l1_write_into(struct noncoherent_l1 *l1, const struct mem_request *request,
                               uint32_t index)
{
    struct noncoherent_line *line = &l1->lines[index];
    const uint64_t mask = request->mask[0];
    const uint64_t was_dirty = line->dirty;

    line->is_written = true;
    line->valid |= mask;
    line->dirty |= mask;
    line->carries_none = request->space == MEM_SAVE;
    line->is_private = request->space == MEM_PRIVATE;
    if (l1->writer != NULL) {
        uint32_t *writer = l1->writer + (size_t)index * LINE_BYTES;
        for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
            const unsigned byte = (unsigned)__builtin_ctzll(rest);
            const bool is_own =
                (was_dirty >> byte & 1) == 0 || writer[byte] == (uint32_t)request->wave;
            writer[byte] = is_own ? (uint32_t)request->wave : HELD_WRITERS;
        }
    }
}

void noncoherent_l1_release_way(struct noncoherent_l1 *l1, uint32_t index)
{
    cache_demote(&l1->tags, index);
    l1->tags.tag[index] = CACHE_NONE;
    l1->lines[index] = (struct noncoherent_line){0};
}

bool noncoherent_l1_has_room(struct noncoherent_l1 *l1)
{
    const uint64_t room_ps = write_queue_room_ps(&l1->writes);

    if (room_ps <= noncoherent_l1_now_ps(l1)) {
        return true;
    }
    if (room_ps != MEM_PENDING) {
        access_queue_schedule(&l1->accesses, room_ps);
    }
    return false;
}

uint64_t noncoherent_l1_leave(struct noncoherent_l1 *l1, uint64_t time_ps)
{
    l1->leaves_ps = later(l1->leaves_ps, time_ps);
    return l1->leaves_ps;
}

void noncoherent_l1_send_write(struct noncoherent_l1 *l1, struct transaction *transaction,
                               bool is_private, uint64_t time_ps)
{
    const uint64_t there_ps =
        noncoherent_send_write(l1, transaction, noncoherent_l1_leave(l1, time_ps));

    if (is_private) {
        l1->private_ps = later(l1->private_ps, there_ps);
    }
}

void noncoherent_l1_send_dirty(struct noncoherent_l1 *l1, uint32_t index, uint64_t mask,
                               uint64_t time_ps)
{
    struct noncoherent_line *line = &l1->lines[index];
    struct transaction *transaction = transaction_get(&l1->system->transactions);

    transaction->line = l1->tags.tag[index];
    transaction->mask = mask;
    transaction->timing_only = line->carries_none;
    line_bytes_merge(transaction->bytes, noncoherent_l1_bytes(l1, index), mask);
    line->dirty &= ~mask;
    noncoherent_l1_send_write(l1, transaction, line->is_private, time_ps);
}

uint32_t noncoherent_l1_make_way(struct noncoherent_l1 *l1, uint32_t line)
{
    const uint32_t index = cache_victim(&l1->tags, line);
    struct noncoherent_line *victim = &l1->lines[index];
    struct l1_counters *counters = &l1->system->base.counters.l1[L1D];

    if (victim->fill.is_in_flight || (victim->dirty != 0 && !noncoherent_l1_has_room(l1))) {
        return CACHE_NONE;
    }
    if (l1->tags.tag[index] != CACHE_NONE) {
        counters->evictions++;
        if (victim->dirty != 0) {
            counters->write_backs++;
            noncoherent_l1_send_dirty(l1, index, victim->dirty, noncoherent_l1_now_ps(l1));
        }
    }
    *victim = (struct noncoherent_line){0};
    l1->tags.tag[index] = line;
    return index;
}
