/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of interac.c share: accounts, and what is to be done to them. */
#ifndef SLUICE_WORKLOADS_INTERAC_H
#define SLUICE_WORKLOADS_INTERAC_H

#include <stdint.h>

#include "sluice/lock.h"

/* Its balance is touched only by who has the lock. Under --locks atomics the word of the lock is
 * ACCOUNT_TAKEN where somebody has it. */
struct account {
    sl_lock_t lock;
    int32_t balance;
};

#define ACCOUNT_TAKEN 1

/* An amount goes from one account to another one. */
struct transaction {
    uint32_t from;
    uint32_t to;
    int32_t amount;
};

#endif
