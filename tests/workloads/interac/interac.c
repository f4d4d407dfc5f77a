/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Transactions between the accounts of a bank, all at once (docs/know/locks-programs.md, "interac";
 * papers/004 section 6.5.3): each takes the locks of two accounts, in order. Its kernels are
 * interac_kernel.c.
 *
 * Sums do not depend on the order of their terms, so that all balances have to be what plain C
 * gets. */
#include "workloads/interac/interac.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"
#include "workloads/common/locks.h"
#include "workloads/common/words.h"

#define N_DEFAULT        65536
#define N_MAX            4194304
#define ACCOUNTS_DEFAULT 65536
#define ACCOUNTS_MAX     16777216
#define AMOUNT_MAX       100
#define BALANCE          1000 /* of each account, in the beginning */
#define GROUP            256

struct arguments {
    uint32_t n; /* transactions */
    uint32_t account_count;
    uint32_t seed;
    enum locks_kind locks;
    struct account *accounts;
    struct transaction *transactions;
};

static const struct argp_option option_table[] = {
    LOCKS_OPTION,
    {"accounts", 'a', "NUMBER", 0, "Accounts, 2 to 16777216 (default 65536)", 0},
    {"seed", 's', "NUMBER", 0, "Of the transactions, which are random (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'l':
        arguments->locks = locks_kind(state, argument);
        if (arguments->locks == LOCKS_QUEUE) {
            argp_failure(state, SL_APP_USAGE, 0,
                         "--locks queue: transactions wait for a lock while they hold one, which "
                         "lock.queue=on does not allow; there are atomics, lock and try");
        }
        return 0;
    case 'a':
        arguments->account_count =
            (uint32_t)sl_app_number(state, "--accounts", argument, 2, ACCOUNTS_MAX);
        return 0;
    case 's':
        arguments->seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Make N transactions between accounts on the simulated accelerator, each under the "
           "locks of both, and check all balances.\vN is from 1 to 4194304, 65536 where it is not "
           "given. The result is a checksum of the balances.",
};

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

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    arguments->accounts = sl_alloc(soc, arguments->account_count * sizeof *arguments->accounts, 64);
    arguments->transactions = sl_alloc(soc, arguments->n * sizeof *arguments->transactions, 64);
    if (arguments->accounts == NULL || arguments->transactions == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < arguments->account_count; i++) {
        arguments->accounts[i] = (struct account){.lock = sl_lock_init(), .balance = BALANCE};
    }
    for (uint32_t i = 0; i < arguments->n; i++) {
        arguments->transactions[i] = transaction_at(arguments, i);
    }
    return true;
}

static uint32_t *copy_balances(const struct arguments *arguments)
{
    uint32_t *const balances = malloc(arguments->account_count * sizeof *balances);

    for (uint32_t i = 0; balances != NULL && i < arguments->account_count; i++) {
        balances[i] = (uint32_t)arguments->accounts[i].balance;
    }
    return balances;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    char kernel[32];

    enum sl_status status = sl_app_load(soc, "interac.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)arguments->accounts,
                                  (uintptr_t)arguments->transactions};
    status = launch_and_wait(soc, module,
                             locks_kernel("interac", arguments->locks, kernel, sizeof kernel),
                             arguments->n, GROUP, 0, constants, 2);
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
    uint32_t *const is = copy_balances(arguments);
    uint32_t *const wanted = malloc(accounts * sizeof *wanted);
    bool is_equal = false;

    if (is != NULL && wanted != NULL) {
        for (uint32_t i = 0; i < accounts; i++) {
            wanted[i] = BALANCE;
        }
        for (uint32_t i = 0; i < arguments->n; i++) {
            const struct transaction transaction = transaction_at(arguments, i);
            wanted[transaction.from] -= (uint32_t)transaction.amount;
            wanted[transaction.to] += (uint32_t)transaction.amount;
        }
        is_equal = words_are_equal("interac", "balance of account", is, wanted, accounts);
    } else {
        (void)fprintf(stderr, "interac: no memory for %" PRIu32 " balances\n", accounts);
    }
    free(is);
    free(wanted);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .n = N_DEFAULT, .account_count = ACCOUNTS_DEFAULT, .seed = 1, .locks = LOCKS_LOCK};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
