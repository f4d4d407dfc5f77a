/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What apriori.c finds, and what it has to find. */
#ifndef SLUICE_WORKLOADS_APRIORI_REFERENCE_H
#define SLUICE_WORKLOADS_APRIORI_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/apriori/tree.h"

/* Sets of one size, in the order of their items. */
struct sets {
    uint32_t size;
    uint32_t candidates; /* of that size, of which these are frequent */
    uint32_t count;
    uint32_t *items;   /* `size` of each */
    uint32_t *support; /* of each: records that have it */
};

/* Of each size from 2 on. */
struct findings {
    uint32_t sizes;
    struct sets sets[SET_MAX + 1];
};

/* No sets of this size, with room for so many. */
struct sets sets_make(uint32_t size, size_t room);
void sets_free(struct sets *sets);

/* The items that so many records have at least, as sets of one. */
struct sets reference_items(uint32_t seed, uint32_t records, uint32_t least);

/* Whether the findings in a database are right; says on standard error what is wrong first. */
bool reference_is_right(uint32_t seed, uint32_t records, uint32_t least,
                        const struct findings *findings);

#endif
