/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Banks of a shared cache: each has a port, which one access after the other takes, and MSHRs. */
#ifndef SLUICE_MEM_BANKS_H
#define SLUICE_MEM_BANKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "mem/parts/calendar.h"
#include "mem/parts/mshr_slots.h"

struct bank {
    struct calendar port;
    struct mshrs mshrs;
};

struct banks {
    struct bank *bank;
    uint32_t count; /* a power of two */
};

/* Makes banks, zeroed before, with so many MSHRs each. Returns false when out of memory; what was
 * made is banks_destroy()'s. */
static inline bool banks_create(struct banks *banks, uint32_t count, uint32_t mshrs)
{
    banks->count = count;
    banks->bank = calloc(count, sizeof(*banks->bank));
    for (uint32_t i = 0; banks->bank != NULL && i < count; i++) {
        if (!mshrs_create(&banks->bank[i].mshrs, mshrs)) {
            return false;
        }
    }
    return banks->bank != NULL;
}

static inline void banks_destroy(struct banks *banks)
{
    for (uint32_t i = 0; banks->bank != NULL && i < banks->count; i++) {
        free(banks->bank[i].mshrs.until_ps);
    }
    free(banks->bank);
}

/* Nothing is under way; ports take an access in each cycle of a clock. */
static inline void banks_reset(struct banks *banks, const struct sim_clock *clock)
{
    for (uint32_t i = 0; i < banks->count; i++) {
        calendar_reset(&banks->bank[i].port, clock, 0);
        mshrs_reset(&banks->bank[i].mshrs);
    }
}

/* The number of a line's bank, and the bank. */
static inline uint32_t banks_number(const struct banks *banks, uint32_t line)
{
    return line & (banks->count - 1);
}

static inline struct bank *banks_of(const struct banks *banks, uint32_t line)
{
    return &banks->bank[banks_number(banks, line)];
}

#endif
