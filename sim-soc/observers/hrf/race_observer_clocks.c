/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clocks of packets, records, barriers and restarts, which are used again: the engine visits all
 * that exist; and the list of packets. */
#include <stdlib.h>

#include "observers/hrf/race_observer.h"

struct race_clock *hrf_clock_take(struct hrf *hrf)
{
    struct hrf_clocks *clocks = &hrf->clocks;

    if (clocks->free_count > 0) {
        return clocks->free[--clocks->free_count];
    }
    struct race_clock **free_clocks =
        realloc(clocks->free, (clocks->capacity + 1) * sizeof(clocks->free[0]));
    if (free_clocks != NULL) {
        clocks->free = free_clocks;
    }
    struct race_clock *clock = free_clocks != NULL ? race_clock_create(hrf->engine) : NULL;
    if (clock == NULL) {
        hrf->has_failed = true;
        return NULL;
    }
    clocks->capacity++;
    return clock;
}

void hrf_clock_give(struct hrf *hrf, struct race_clock *clock)
{
    if (clock != NULL) {
        race_clock_clear(hrf->engine, clock);
        hrf->clocks.free[hrf->clocks.free_count++] = clock;
    }
}

void hrf_clocks_destroy(struct hrf *hrf)
{
    while (hrf->clocks.free_count > 0) {
        race_clock_destroy(hrf->engine, hrf->clocks.free[--hrf->clocks.free_count]);
    }
    free(hrf->clocks.free);
}

struct hrf_packet *hrf_packet_find(const struct hrf *hrf, uint32_t id)
{
    struct hrf_packet *packet = hrf->packet;

    while (packet != NULL && packet->id != id) {
        packet = packet->next;
    }
    return packet;
}
