/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory behind the directory: reads and writes of it, and whether bytes are the newest. */
#include "mem/systems/quickrelease/quickrelease.h"

#include "engine/clock.h"

uint64_t qr_read_memory(struct quickrelease *qr, uint32_t line, uint64_t time_ps)
{
    qr->base.counters.l2.dram_bytes_in += LINE_BYTES;
    return l3_read(&qr->l3, line, time_ps, event_queue_now_ps(qr->event_queue), NULL);
}

/* A write is a whole burst, whatever it has of the line. */
uint64_t qr_write_memory(struct quickrelease *qr, uint32_t line, uint64_t time_ps)
{
    const uint64_t end_ps = l3_write(&qr->l3, line, time_ps, event_queue_now_ps(qr->event_queue));

    qr->base.counters.l2.dram_bytes_out += LINE_BYTES;
    mshrs_take(&qr->buffer, end_ps);
    qr->written_ps = later(qr->written_ps, end_ps);
    return end_ps;
}

bool qr_is_current(const struct quickrelease *qr, uint32_t line, const uint8_t *bytes,
                   uint64_t mask)
{
    const uint32_t place = write_cache_find(&qr->wl3, line);
    uint64_t newer = 0;

    if (place != CACHE_NONE && !qr->wl3.lines[place].timing_only) {
        newer = qr->wl3.lines[place].mask & mask;
        if (!line_bytes_are_equal(bytes, write_cache_bytes(&qr->wl3, place), newer)) {
            return false;
        }
    }
    return line_bytes_are_equal(bytes, qr_memory(qr, line), mask & ~newer);
}
