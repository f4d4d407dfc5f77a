/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The pool of packets. */
#include "mem/cache/transaction.h"

#include <stdlib.h>

bool packets_create(struct packets *packets, uint32_t count)
{
    packets->count = count;
    packets->all = aligned_alloc(alignof(struct packet), count * sizeof(*packets->all));
    if (packets->all == NULL) {
        return false;
    }
    memset(packets->all, 0, count * sizeof(*packets->all));
    return true;
}

void packets_destroy(struct packets *packets)
{
    free(packets->all);
    *packets = (struct packets){0};
}

void packets_reset(struct packets *packets, struct wheel *wheel)
{
    packets->free = NULL;
    for (uint32_t i = packets->count; i > 0; i--) {
        wheel_remove(wheel, &packets->all[i - 1].event);
        packets_give(packets, &packets->all[i - 1]);
    }
}
