/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines of the L1 caches of memory system `hybrid`: which are there, and what the tracker hears of
 * that. */
#include "mem/hybrid/hybrid.h"

#include "sluice/config.h"
#include <stdlib.h>

void hybrid_l1_keep(struct hybrid_l1 *l1, const struct hybrid_packet *packet)
{
    struct l1_counters *counters = &l1->hybrid->base.counters.l1[L1D];
    const uint32_t index = cache_victim(&l1->tags, packet->line);

    if (l1->tags.tag[index] == CACHE_NONE) {
        l1->lines_held++;
    } else {
        counters->evictions++;
        hybrid_report(l1, l1->tags.tag[index]);
    }
    counters->fills++;
    l1->tags.tag[index] = packet->line;
    l1->is_written[index] = false;
    memcpy(hybrid_l1_bytes(l1, index), packet->bytes, l1->hybrid->line_bytes);
    cache_touch(&l1->tags, index);
    hybrid_mark(l1, packet);
}

void hybrid_l1_lose(struct hybrid_l1 *l1, uint32_t index)
{
    cache_demote(&l1->tags, index);
    l1->tags.tag[index] = CACHE_NONE;
    l1->lines_held--;
}

void hybrid_l1_empty(struct hybrid_l1 *l1)
{
    struct hybrid *hybrid = l1->hybrid;

    for (uint32_t i = 0; i < l1->misses.count; i++) {
        line_fill_grow_old(&l1->misses.packet[i]->fill);
    }
    if (l1->lines_held == 0) {
        return;
    }
    hybrid->base.counters.sync.invalidated_lines += l1->lines_held;
    if (hybrid->trackers.count != 0) {
        for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
            if (l1->tags.tag[index] != CACHE_NONE) {
                trackers_unmark(&hybrid->trackers, l1->node, l1->tags.tag[index]);
            }
        }
    }
    cache_reset(&l1->tags);
    l1->lines_held = 0;
}

void hybrid_l1_reside(struct hybrid_l1 *l1, int32_t waves)
{
    l1->waves += (uint32_t)waves;
    l1->bypass_lines = !l1->hybrid->bypasses ? UINT32_MAX
                       : l1->waves == 0      ? l1->hybrid->l1_lines
                                             : l1->hybrid->l1_lines / l1->waves;
}

/* ---- life ---- */

bool hybrid_l1_create(struct hybrid_l1 *l1, struct hybrid *hybrid, uint32_t node,
                      const struct sl_config *config)
{
    const uint32_t ways = (uint32_t)config->number[SL_CFG_L1D_WAYS];

    l1->hybrid = hybrid;
    l1->node = node;
    turns_init(&l1->turns, config, hybrid->wheel, &hybrid->clock, &hybrid->base.counters.l1[L1D],
               hybrid_l1_take_turn);
    if (!cache_create(&l1->tags, hybrid->l1_lines / ways, ways)) {
        return false;
    }
    l1->bytes = calloc(cache_size(&l1->tags), hybrid->line_bytes);
    l1->is_written = calloc(cache_size(&l1->tags), sizeof(*l1->is_written));
    l1->misses.line = calloc(hybrid->misses, sizeof(*l1->misses.line));
    l1->misses.packet = calloc(hybrid->misses, sizeof(*l1->misses.packet));
    return l1->bytes != NULL && l1->is_written != NULL && l1->misses.line != NULL &&
           l1->misses.packet != NULL;
}

void hybrid_l1_destroy(struct hybrid_l1 *l1)
{
    cache_destroy(&l1->tags);
    free(l1->bytes);
    free(l1->is_written);
    free(l1->misses.line);
    free(l1->misses.packet);
}

void hybrid_l1_reset(struct hybrid_l1 *l1)
{
    turns_reset(&l1->turns);
    cache_reset(&l1->tags);
    calendar_reset(&l1->other, &l1->hybrid->clock, 0);
    l1->lines_held = 0;
    l1->misses.count = 0;
    l1->stores = (struct hybrid_list){0};
    l1->misses_left = l1->hybrid->misses;
    l1->stores_left = l1->hybrid->stores;
    l1->waves = 0;
    hybrid_l1_reside(l1, 0);
}
