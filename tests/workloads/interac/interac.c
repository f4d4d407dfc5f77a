/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Transactions between the accounts of a bank, all at once (docs/know/locks-programs.md, "interac";
 * papers/004 section 6.5.3): each takes the locks of two accounts, in order. Its kernels are
 * interac_kernel.c.
 *
 * Sums do not depend on the order of their terms, so that all balances have to be what plain C
 * gets. */
#include "workloads/interac/interac.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/locks.h"
#include "workloads/common/words.h"

#define AMOUNT_MAX 100
#define BALANCE    1000 /* of each account, in the beginning */
#define GROUP      256

struct arguments {
    uint32_t n; /* transactions */
    uint32_t account_count;
    uint32_t seed;
    enum locks_kind locks;
    struct account *accounts;
    struct transaction *transactions;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, n)},
    LOCKS_ROW(struct arguments, locks),
    {"accounts", 'a', SL_NUMBER, 2, 16777216, SL_INTO(struct arguments, account_count), "Accounts"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Of the transactions, which are random"},
    {0},
};

static void check(void *input)
{
    const struct arguments *const arguments = input;

    if (arguments->locks == LOCKS_QUEUE) {
        sl_argument_fail("--locks queue: transactions wait for a lock while they hold one, which "
                         "lock.queue=on does not allow; there are atomics, lock and try");
    }
}

/* The number of a stream, below `bound`. */
static uint32_t random_below(const struct keys *random, uint32_t number, uint32_t bound)
{
    return (uint32_t)((uint64_t)keys_at(random, number) * bound >> 32);
}

/* Between two accounts at random. */
static struct transaction transaction_at(const struct arguments *arguments, uint32_t i)
{
    const struct keys random = {arguments->n, KEYS_RANDOM, arguments->seed};
    const uint32_t accounts = arguments->account_count;
    const uint32_t from = random_below(&random, 3 * i, accounts);
    const uint32_t step = 1 + random_below(&random, 3 * i + 1, accounts - 1);

    return (struct transaction){.from = from,
                                .to = (from + step) % accounts,
                                .amount =
                                    1 + (int32_t)random_below(&random, 3 * i + 2, AMOUNT_MAX)};
}

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    arguments->accounts =
        sl_app_alloc(soc, arguments->account_count * sizeof *arguments->accounts, 64);
    arguments->transactions = sl_app_alloc(soc, arguments->n * sizeof *arguments->transactions, 64);
    for (uint32_t i = 0; i < arguments->account_count; i++) {
        arguments->accounts[i] = (struct account){.lock = sl_lock_init(), .balance = BALANCE};
    }
    for (uint32_t i = 0; i < arguments->n; i++) {
        arguments->transactions[i] = transaction_at(arguments, i);
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    char kernel[32];

    make(soc, arguments);
    const enum sl_status status = sl_app_launch(
        soc, locks_kernel("interac", arguments->locks, kernel, sizeof kernel), arguments->n, GROUP,
        0, SL_VALUES(arguments->accounts, arguments->transactions));
    if (status == SL_OK) {
        sl_app_result("interac(%" PRIu32 ") = %016" PRIx64, arguments->n,
                      sl_app_checksum(arguments->accounts,
                                      arguments->account_count * sizeof *arguments->accounts));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t accounts = arguments->account_count;
    uint32_t *const is = sl_app_memory(accounts, sizeof *is);
    uint32_t *const wanted = sl_app_memory(accounts, sizeof *wanted);

    for (uint32_t i = 0; i < accounts; i++) {
        is[i] = (uint32_t)arguments->accounts[i].balance;
        wanted[i] = BALANCE;
    }
    for (uint32_t i = 0; i < arguments->n; i++) {
        const struct transaction transaction = transaction_at(arguments, i);
        wanted[transaction.from] -= (uint32_t)transaction.amount;
        wanted[transaction.to] += (uint32_t)transaction.amount;
    }
    const bool is_equal = words_are_equal("balance of account", is, wanted, accounts);
    free(is);
    free(wanted);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Make N transactions between accounts on the simulated accelerator, each under the "
           "locks of both, and check all balances.\vThe result is a checksum of the balances.",
    .table = table,
    .arguments =
        &(struct arguments){.n = 65536, .account_count = 65536, .seed = 1, .locks = LOCKS_LOCK},
    .kernels = "interac.elf",
    .check = check,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
