/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The pool of transactions. */
#include "mem/cache/transaction.h"

#include <stdlib.h>

bool transactions_create(struct transactions *transactions, uint32_t count)
{
    transactions->count = count;
    transactions->all =
        aligned_alloc(alignof(struct transaction), count * sizeof(*transactions->all));
    if (transactions->all == NULL) {
        return false;
    }
    memset(transactions->all, 0, count * sizeof(*transactions->all));
    return true;
}

void transactions_destroy(struct transactions *transactions)
{
    free(transactions->all);
    *transactions = (struct transactions){0};
}

void transactions_reset(struct transactions *transactions, struct event_queue *event_queue)
{
    transactions->free = NULL;
    for (uint32_t i = transactions->count; i > 0; i--) {
        event_queue_remove(event_queue, &transactions->all[i - 1].event);
        transaction_put(transactions, &transactions->all[i - 1]);
    }
}
