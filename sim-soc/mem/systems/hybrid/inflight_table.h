/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Transactions by their line, from where their order is made (the tracker's bank; where there is
 * none, the L1 cache that they leave) until they are over: stores and coherent operations until
 * they take effect, misses until their line has come. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_INFLIGHT_TABLE_H
#define SLUICE_MEM_SYSTEMS_HYBRID_INFLIGHT_TABLE_H

#include "mem/systems/hybrid/hybrid_transaction.h"

#define UNDER_WAY_HASHES 4096u

struct under_way {
    struct hybrid_transaction *first[UNDER_WAY_HASHES];
};

static inline struct hybrid_transaction **under_way_of(struct under_way *under_way, uint32_t line)
{
    return &under_way->first[(line ^ line >> 12) % UNDER_WAY_HASHES];
}

static inline void under_way_add(struct under_way *under_way,
                                 struct hybrid_transaction *transaction)
{
    struct hybrid_transaction **first = under_way_of(under_way, transaction->line);

    transaction->beside = *first;
    *first = transaction;
}

static inline void under_way_remove(struct under_way *under_way,
                                    struct hybrid_transaction *transaction)
{
    struct hybrid_transaction **at = under_way_of(under_way, transaction->line);

    while (*at != transaction) {
        at = &(*at)->beside;
    }
    *at = transaction->beside;
}

/* Whether bytes of the line are on their way to the L2. */
static inline bool under_way_writes(struct under_way *under_way, uint32_t line)
{
    for (const struct hybrid_transaction *at = *under_way_of(under_way, line); at != NULL;
         at = at->beside) {
        if (at->line == line && at->kind != HYBRID_MISS) {
            return true;
        }
    }
    return false;
}

/* Lines that come must not be listed: what the L2 has of them may be newer by then. */
static inline void under_way_unlist(struct under_way *under_way, uint32_t line)
{
    for (struct hybrid_transaction *at = *under_way_of(under_way, line); at != NULL;
         at = at->beside) {
        at->is_unlisted |= at->line == line;
    }
}

/* When what the transaction's cache has sent ahead of it to write the line takes effect, or 0. */
static inline uint64_t under_way_perform_ps(struct under_way *under_way,
                                            const struct hybrid_transaction *transaction)
{
    uint64_t perform_ps = 0;

    for (const struct hybrid_transaction *at = *under_way_of(under_way, transaction->line);
         at != NULL; at = at->beside) {
        if (at->line == transaction->line && at->l1 == transaction->l1 && at->kind != HYBRID_MISS &&
            at->perform_ps > perform_ps) {
            perform_ps = at->perform_ps;
        }
    }
    return perform_ps;
}

#endif
