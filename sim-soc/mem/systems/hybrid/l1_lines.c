/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lines of the L1 caches of memory system `hybrid`: which are there, and what the tracker hears of
 * that. */
#include "mem/systems/hybrid/hybrid.h"

void hybrid_l1_keep(struct hybrid_l1 *l1, const struct hybrid_transaction *transaction)
{
    struct l1_counters *counters = &l1->hybrid->base.counters.l1[L1D];
    const uint32_t index = cache_victim(&l1->tags, transaction->line);

    if (l1->tags.tag[index] == CACHE_NONE) {
        l1->valid_lines++;
    } else {
        counters->evictions++;
        hybrid_report(l1, l1->tags.tag[index]);
    }
    counters->fills++;
    l1->tags.tag[index] = transaction->line;
    l1->is_written[index] = false;
    memcpy(hybrid_l1_bytes(l1, index), transaction->bytes, l1->hybrid->line_bytes);
    cache_touch(&l1->tags, index);
    hybrid_mark(l1, transaction);
}

void hybrid_l1_lose(struct hybrid_l1 *l1, uint32_t index)
{
    cache_demote(&l1->tags, index);
    l1->tags.tag[index] = CACHE_NONE;
    l1->valid_lines--;
}

void hybrid_l1_empty(struct hybrid_l1 *l1)
{
    struct hybrid *hybrid = l1->hybrid;

    for (uint32_t i = 0; i < l1->misses.count; i++) {
        mshr_entry_invalidate(&l1->misses.transaction[i]->fill);
    }
    if (l1->valid_lines == 0) {
        return;
    }
    hybrid->base.counters.sync.invalidated_lines += l1->valid_lines;
    if (hybrid->trackers.count != 0) {
        for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
            if (l1->tags.tag[index] != CACHE_NONE) {
                tracker_remove_sharer(&hybrid->trackers, l1->node, l1->tags.tag[index]);
            }
        }
    }
    cache_reset(&l1->tags);
    l1->valid_lines = 0;
}

void hybrid_l1_reside(struct hybrid_l1 *l1, int32_t waves)
{
    l1->waves += (uint32_t)waves;
    l1->bypass_threshold = !l1->hybrid->bypasses ? UINT32_MAX
                           : l1->waves == 0      ? l1->hybrid->l1_lines
                                                 : l1->hybrid->l1_lines / l1->waves;
}
