/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Frequent sets of items in a database of N records, by the Apriori algorithm
 * (docs/know/locks-programs.md, "apriori"; papers/004 chapter 2): in rounds, sets that are frequent
 * give candidates with an item more, which all go into a hash tree at once, each under the lock of
 * its leaf; then all records go through the tree and are counted. What is frequent begins the next
 * round, while there is a pair to begin with. Its kernels are apriori_kernel.c.
 *
 * The host finds single items, drops what is not frequent, sorts, and clears the pools, which all
 * rounds use. Candidates before and after a count do not depend on any order (section 2.2.2), and
 * have to be those of plain C. */
#include "workloads/apriori/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/apriori/database.h"
#include "workloads/apriori/reference.h"
#include "workloads/common/locks.h"

#define CANDIDATE_ROOM 16384 /* and pairs that a round may begin with */
#define NODE_ROOM      (CANDIDATE_ROOM * NODE_CHILDREN / 2)
#define GROUP          256

struct arguments {
    uint32_t n; /* records */
    uint32_t seed;
    uint32_t support; /* % of the records that have what is frequent */
    enum locks_kind locks;
    struct round *round;
    struct findings findings;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 262144, SL_INTO(struct arguments, n)},
    LOCKS_ROW(struct arguments, locks),
    {"support", 'm', SL_NUMBER, 1, 100, SL_INTO(struct arguments, support),
     "Of the records, that what is frequent has at least", "PERCENT"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Of the records, which are random"},
    {0},
};

static void configure(struct sl_config *config, const void *input)
{
    const struct arguments *const arguments = input;
    locks_configure(config, arguments->locks);
}

/* Records that have what is frequent, at least. */
static uint32_t least_support(const struct arguments *arguments)
{
    const uint32_t least = (uint32_t)((uint64_t)arguments->n * arguments->support / 100);
    return least > 0 ? least : 1;
}

static void make_records(struct sl_soc *soc, const struct arguments *arguments, struct round *round)
{
    const size_t n = arguments->n;
    uint32_t *const begin = sl_app_alloc(soc, (n + 1) * sizeof *begin, 64);
    uint32_t *const records = sl_app_alloc(soc, n * RECORD_MAX * sizeof *records, 64);

    for (uint32_t i = 0; i < n; i++) {
        const struct record record = database_record(arguments->seed, i);
        memcpy(records + begin[i], record.items, record.count * sizeof *records);
        begin[i + 1] = begin[i] + record.count;
    }
    round->record_begin = begin;
    round->records = records;
}

/* What all rounds use. */
static void make(struct sl_soc *soc, struct arguments *arguments)
{
    struct round *const round = sl_app_alloc(soc, sizeof *round, 64);

    *round = (struct round){.candidate_room = CANDIDATE_ROOM, .node_room = NODE_ROOM};
    round->items = sl_app_alloc(soc, CANDIDATE_ROOM * SET_MAX * sizeof *round->items, 64);
    round->partner_begin =
        sl_app_alloc(soc, (CANDIDATE_ROOM + 1) * sizeof *round->partner_begin, 64);
    round->candidate_items =
        sl_app_alloc(soc, CANDIDATE_ROOM * SET_MAX * sizeof *round->candidate_items, 64);
    round->next = sl_app_alloc(soc, CANDIDATE_ROOM * sizeof *round->next, 64);
    round->support = sl_app_alloc(soc, CANDIDATE_ROOM * sizeof *round->support, 64);
    round->nodes = sl_app_alloc(soc, NODE_ROOM * sizeof *round->nodes, 64);
    arguments->round = round;
    make_records(soc, arguments, round);
}

/* Empties the pools and gives the round its sets. Returns how many pairs share all items but the
 * last. */
static uint32_t begin_round(struct round *round, const struct sets *sets)
{
    uint32_t *const partner_begin = (uint32_t *)round->partner_begin;
    const size_t shared = (sets->size - 1) * sizeof *sets->items;
    uint32_t pairs = 0;

    round->size = sets->size + 1;
    round->frequent = sets->count;
    memcpy((uint32_t *)round->items, sets->items,
           (size_t)sets->count * sets->size * sizeof *sets->items);
    for (uint32_t i = 0; i < sets->count; i++) {
        const uint32_t *const set = &sets->items[(size_t)i * sets->size];
        partner_begin[i] = pairs;
        for (uint32_t other = i + 1;
             other < sets->count &&
             memcmp(set, &sets->items[(size_t)other * sets->size], shared) == 0;
             other++) {
            pairs++;
        }
    }
    partner_begin[sets->count] = pairs;
    memset(round->support, 0, CANDIDATE_ROOM * sizeof *round->support);
    for (uint32_t i = 0; i < NODE_ROOM; i++) {
        round->nodes[i] = (struct node){.first = NO_CANDIDATE, .lock = sl_lock_init()};
    }
    round->nodes[0].children = 1;
    round->candidates = 0;
    round->node_count = 1 + NODE_CHILDREN;
    return pairs;
}

/* One behind the other; size first, as all sets that are sorted together have the same. */
struct sorted {
    uint32_t size;
    uint32_t items[SET_MAX];
    uint32_t support;
};

static int compare(const void *a, const void *b)
{
    const struct sorted *const x = a;
    const struct sorted *const y = b;
    uint32_t i = 0;

    while (i + 1 < x->size && x->items[i] == y->items[i]) {
        i++;
    }
    return (x->items[i] > y->items[i]) - (x->items[i] < y->items[i]);
}

/* What is frequent of the round's candidates, sorted. */
static void end_round(const struct round *round, uint32_t least, struct sets *sets)
{
    const uint32_t size = round->size;
    struct sorted *const sorted = sl_app_memory(round->candidates, sizeof *sorted);
    uint32_t count = 0;

    for (uint32_t i = 0; i < round->candidates; i++) {
        if (round->support[i] >= least) {
            struct sorted *const set = &sorted[count++];
            set->size = size;
            set->support = round->support[i];
            memcpy(set->items, &round->candidate_items[(size_t)i * size],
                   size * sizeof *set->items);
        }
    }
    qsort(sorted, count, sizeof *sorted, compare);
    *sets = sets_make(size, count);
    sets->candidates = round->candidates;
    sets->count = count;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&sets->items[(size_t)i * size], sorted[i].items, size * sizeof *sets->items);
        sets->support[i] = sorted[i].support;
    }
    free(sorted);
}

static enum sl_status too_many(uint32_t pairs, uint32_t size)
{
    (void)fprintf(stderr,
                  "apriori: %" PRIu32 " pairs of frequent sets with %" PRIu32
                  " items, and room for %d; with more --support, less is frequent\n",
                  pairs, size, CANDIDATE_ROOM);
    return SL_ERROR_USAGE;
}

static enum sl_status run_rounds(struct sl_soc *soc, struct arguments *arguments,
                                 const struct sets *items)
{
    struct findings *const findings = &arguments->findings;
    const struct sets *sets = items;
    enum sl_status status = SL_OK;
    char kernel[32];

    (void)locks_kernel("apriori", arguments->locks, kernel, sizeof kernel);
    sl_statistics_accumulate(soc);
    while (status == SL_OK && sets->size < SET_MAX) {
        const uint32_t pairs = begin_round(arguments->round, sets);
        if (pairs == 0) {
            break;
        }
        if (pairs > CANDIDATE_ROOM) {
            return too_many(pairs, sets->size);
        }
        status = sl_app_launch(soc, kernel, row_count(pairs) * ROW_ITEMS, GROUP, 0,
                               SL_VALUES(arguments->round));
        if (status != SL_OK || arguments->round->candidates == 0) {
            break;
        }
        status = sl_app_launch(soc, "apriori_count", arguments->n, GROUP, 0,
                               SL_VALUES(arguments->round));
        struct sets *const larger = &findings->sets[findings->sizes++];
        if (status == SL_OK) {
            end_round(arguments->round, least_support(arguments), larger);
        }
        sets = larger;
    }
    return status;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    uint32_t count = 0;

    make(soc, arguments);
    struct sets items = reference_items(arguments->seed, arguments->n, least_support(arguments));
    const enum sl_status status = run_rounds(soc, arguments, &items);
    sets_free(&items);
    if (status == SL_OK) {
        for (uint32_t i = 0; i < arguments->findings.sizes; i++) {
            count += arguments->findings.sets[i].count;
        }
        sl_app_result("apriori(%" PRIu32 ") = %" PRIu32, arguments->n, count);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    const struct findings *const findings = &arguments->findings;

    for (uint32_t i = 0; i < findings->sizes; i++) {
        const struct sets *const sets = &findings->sets[i];
        (void)printf("# sets of %" PRIu32 "              %" PRIu32 " candidates, %" PRIu32
                     " of them frequent\n",
                     sets->size, sets->candidates, sets->count);
    }
    (void)printf("# %-22s %" PRIu32 ", of which %" PRIu32 " inserted nothing\n",
                 "critical sections", arguments->round->sections, arguments->round->idle_sections);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return reference_is_right(arguments->seed, arguments->n, least_support(arguments),
                              &arguments->findings);
}

static const struct sl_app app = {
    .doc = "Find the sets of items that many of N records have on the simulated accelerator, and "
           "check all rounds.\vThe result is the number of frequent sets with two items or more.",
    .table = table,
    .arguments = &(struct arguments){.n = 2048, .seed = 1, .support = 3, .locks = LOCKS_LOCK},
    .kernels = "apriori.elf",
    .configure = configure,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
