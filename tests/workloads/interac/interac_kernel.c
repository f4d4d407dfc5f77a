/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of interac.c: a work-item for each transaction, which needs both of its accounts'
 * locks, that of the lower number first, so that no circle of them waits for each other. */
#include "sluice/wave/wave.h"
#include "workloads/common/lockstep.h"
#include "workloads/interac/interac.h"

/* A transaction's accounts. */
struct pair {
    struct account *first; /* of the lower number */
    struct account *second;
    int32_t to_second; /* what the second one gets and the first one gives; may be negative */
};

static inline struct pair load_pair(struct account *accounts, const struct transaction *transaction)
{
    const uint32_t from = transaction->from;
    const uint32_t to = transaction->to;
    const int32_t amount = transaction->amount;

    return from < to ? (struct pair){&accounts[from], &accounts[to], amount}
                     : (struct pair){&accounts[to], &accounts[from], -amount};
}

/* With both locks. */
static inline void transfer(const struct pair *pair)
{
    pair->first->balance -= pair->to_second;
    pair->second->balance += pair->to_second;
}

static inline bool take(sl_lock_t *lock)
{
    return sl_atomic_exchange_u32_device((uint32_t *)&lock->holder, ACCOUNT_TAKEN) != ACCOUNT_TAKEN;
}

static inline void give_back(sl_lock_t *lock)
{
    sl_store_relaxed_u32_device((uint32_t *)&lock->holder, (uint32_t)SL_LOCK_FREE);
}

/* papers/004 Example 19. Whoever gets both locks is done before the others of its wavefront try
 * again; a loop that waited for one would keep it from giving them back. Nothing is acquired before
 * the second lock is there, as nothing is loaded. */
SL_KERNEL void interac_atomics(struct account *accounts, const struct transaction *transactions)
{
    const struct pair pair = load_pair(accounts, &transactions[sl_global_id(0)]);
    bool has_first = false;
    bool is_done = false;

    do {
        has_first = has_first || take(&pair.first->lock);
        if (has_first && take(&pair.second->lock)) {
            sl_fence_acquire_device();
            transfer(&pair);
            sl_fence_release_device();
            give_back(&pair.second->lock);
            give_back(&pair.first->lock);
            is_done = true;
        }
    } while (lockstep_again(!is_done));
}

/* papers/004 Example 20. */
SL_KERNEL void interac_lock(struct account *accounts, const struct transaction *transactions)
{
    const struct pair pair = load_pair(accounts, &transactions[sl_global_id(0)]);

    sl_lock(&pair.first->lock);
    sl_lock(&pair.second->lock);
    transfer(&pair);
    sl_unlock(&pair.second->lock);
    sl_unlock(&pair.first->lock);
}

/* papers/004 section 9.2.2. Nobody waits with the first lock in hand, but the order matters all the
 * same: lanes in lock step that each have what another one wants would give back and take again
 * together, for ever. In order one of them gets its second. */
SL_KERNEL void interac_try(struct account *accounts, const struct transaction *transactions)
{
    const struct pair pair = load_pair(accounts, &transactions[sl_global_id(0)]);
    bool is_done = false;

    do {
        if (sl_trylock(&pair.first->lock, 1)) {
            if (sl_trylock(&pair.second->lock, 1)) {
                transfer(&pair);
                sl_tryunlock(&pair.second->lock);
                is_done = true;
            }
            sl_tryunlock(&pair.first->lock);
        }
    } while (lockstep_again(!is_done));
}
