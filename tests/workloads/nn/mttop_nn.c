/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The K nearest of N records to a point (docs/know/consistency-programs.md, "mttop_nn"): as
 * qr_nn.c, with the search for the nearest on the accelerator, too, and all in one launch. Its
 * kernel is mttop_nn_kernel.c.
 *
 * Distances have to be those of plain C to the last bit, so that the nearest are the same. */
#include "workloads/nn/mttop_nn.h"

#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/matrix.h"
#include "workloads/common/nearest.h"
#include "workloads/common/resident.h"
#include "workloads/common/words.h"

struct arguments {
    uint32_t n;
    uint32_t nearest;
    uint32_t groups;
    struct search *search; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, n)},
    {"nearest", 'k', SL_NUMBER, 1, NEAREST_MAX, SL_INTO(struct arguments, nearest),
     "Records to find (default 10, or N)"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static struct search *make(struct sl_soc *soc, const struct arguments *arguments)
{
    const size_t n = arguments->n;
    uint64_t random = 1;
    struct search *const search = sl_app_alloc(soc, sizeof *search, 0);

    search->n = arguments->n;
    search->count = arguments->nearest < arguments->n ? arguments->nearest : arguments->n;
    search->records = sl_app_alloc(soc, n * sizeof *search->records, 0);
    search->distances = sl_app_alloc(soc, n * sizeof *search->distances, 0);
    matrix_fill(&search->records->latitude, 2 * n, &random);
    matrix_fill(&search->point.latitude, 2, &random);
    for (uint32_t i = 0; i < NEAREST_MAX; i++) {
        search->nearest[i] = UINT64_MAX;
    }
    return search;
}

static uint32_t record_of(uint64_t key)
{
    return (uint32_t)key;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    arguments->search = make(soc, arguments);
    const enum sl_status status = resident_run(soc, "nn_search", arguments->groups, arguments->n,
                                               SL_VALUES(arguments->search));
    if (status == SL_OK) {
        sl_app_result("mttop_nn(%" PRIu32 ") = %" PRIu32, arguments->n,
                      record_of(arguments->search->nearest[0]));
    }
    return status;
}

static void print(const void *input)
{
    const struct search *const search = ((const struct arguments *)input)->search;

    for (uint32_t i = 0; i < search->count; i++) {
        const uint32_t record = record_of(search->nearest[i]);
        (void)printf("# neighbour %-12" PRIu32 " record %" PRIu32 " at a distance of %.6f\n", i + 1,
                     record, (double)search->distances[record]);
    }
}

static bool is_right(const void *input)
{
    const struct search *const search = ((const struct arguments *)input)->search;
    uint32_t nearest[NEAREST_MAX], right[NEAREST_MAX];

    for (uint32_t i = 0; i < search->count; i++) {
        nearest[i] = record_of(search->nearest[i]);
    }
    const uint32_t found = nearest_find(search->distances, search->n, search->count, right);
    return nearest_distances_are_right(search->records, search->n, search->point,
                                       search->distances) &&
           words_are_equal("neighbour", nearest, right, found);
}

static const struct sl_app app = {
    .doc = "Find the nearest of N records to a point on the simulated accelerator, in one launch, "
           "and check them and all distances.\vThe result is the number of the record that is "
           "nearest.",
    .table = table,
    .arguments = &(struct arguments){.n = 65536, .nearest = 10},
    .kernels = "mttop_nn.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
