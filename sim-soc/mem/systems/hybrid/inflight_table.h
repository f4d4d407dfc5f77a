/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Transactions by their line, from where their order is made (the tracker's bank; where there is
 * none, the L1 cache that they leave) until they are over: stores and coherent operations until
 * they take effect, misses until their line has come. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_INFLIGHT_TABLE_H
#define SLUICE_MEM_SYSTEMS_HYBRID_INFLIGHT_TABLE_H

#include "mem/systems/hybrid/hybrid_transaction.h"

#define INFLIGHT_HASHES 4096u

struct inflight_table {
    struct hybrid_transaction *first[INFLIGHT_HASHES];
};

static inline struct hybrid_transaction **inflight_table_of(struct inflight_table *inflight,
                                                            uint32_t line)
{
    return &inflight->first[(line ^ line >> 12) % INFLIGHT_HASHES];
}

static inline void inflight_table_add(struct inflight_table *inflight,
                                      struct hybrid_transaction *transaction)
{
    struct hybrid_transaction **first = inflight_table_of(inflight, transaction->line);

    transaction->beside = *first;
    *first = transaction;
}

static inline void inflight_table_remove(struct inflight_table *inflight,
                                         struct hybrid_transaction *transaction)
{
    struct hybrid_transaction **at = inflight_table_of(inflight, transaction->line);

    while (*at != transaction) {
        at = &(*at)->beside;
    }
    *at = transaction->beside;
}

/* Whether bytes of the line are on their way to the L2. */
static inline bool inflight_table_writes(struct inflight_table *inflight, uint32_t line)
{
    for (const struct hybrid_transaction *at = *inflight_table_of(inflight, line); at != NULL;
         at = at->beside) {
        if (at->line == line && at->kind != HYBRID_MISS) {
            return true;
        }
    }
    return false;
}

/* Lines that come must not be listed: what the L2 has of them may be newer by then. */
static inline void inflight_table_unlist(struct inflight_table *inflight, uint32_t line)
{
    for (struct hybrid_transaction *at = *inflight_table_of(inflight, line); at != NULL;
         at = at->beside) {
        at->no_tracker |= at->line == line;
    }
}

/* When what the transaction's cache has sent ahead of it to write the line takes effect, or 0. */
static inline uint64_t inflight_table_perform_ps(struct inflight_table *inflight,
                                                 const struct hybrid_transaction *transaction)
{
    uint64_t perform_ps = 0;

    for (const struct hybrid_transaction *at = *inflight_table_of(inflight, transaction->line);
         at != NULL; at = at->beside) {
        if (at->line == transaction->line && at->l1 == transaction->l1 && at->kind != HYBRID_MISS &&
            at->perform_ps > perform_ps) {
            perform_ps = at->perform_ps;
        }
    }
    return perform_ps;
}

#endif
