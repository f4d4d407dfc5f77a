/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The K nearest of N records to a point (docs/know/consistency-programs.md, "mttop_nn"): as
 * qr_nn.c, with the search for the nearest on the accelerator, too, and all in one launch. Its
 * kernel is mttop_nn_kernel.c.
 *
 * Distances have to be those of plain C to the last bit, so that the nearest are the same. */
#include "workloads/nn/mttop_nn.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/matrix.h"
#include "workloads/common/nearest.h"
#include "workloads/common/resident.h"
#include "workloads/common/words.h"

#define N_DEFAULT       65536
#define N_MAX           4194304
#define NEAREST_DEFAULT 10

struct arguments {
    uint32_t n;
    uint32_t nearest;
    uint32_t groups;
    struct search *search; /* in the shared heap, as is what it points to */
};

static const struct argp_option option_table[] = {
    {"nearest", 'k', "NUMBER", 0, "Records to find, 1 to 64 (default 10, or N)", 0},
    RESIDENT_OPTION('g'),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'k':
        arguments->nearest = (uint32_t)sl_app_number(state, "--nearest", argument, 1, NEAREST_MAX);
        return 0;
    case 'g':
        arguments->groups = resident_groups(state, argument);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Find the nearest of N records to a point on the simulated accelerator, in one launch, "
           "and check them and all distances.\vN is from 1 to 4194304, 65536 where it is not "
           "given. The result is the number of the record that is nearest.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->n;
    uint64_t random = 1;
    struct search *const search = sl_alloc(soc, sizeof *search, 0);

    if (search == NULL) {
        return false;
    }
    search->n = arguments->n;
    search->count = arguments->nearest < arguments->n ? arguments->nearest : arguments->n;
    search->records = sl_alloc(soc, n * sizeof *search->records, 0);
    search->distances = sl_alloc(soc, n * sizeof *search->distances, 0);
    if (search->records == NULL || search->distances == NULL) {
        return false;
    }
    matrix_fill(&search->records->latitude, 2 * n, &random);
    matrix_fill(&search->point.latitude, 2, &random);
    for (uint32_t i = 0; i < NEAREST_MAX; i++) {
        search->nearest[i] = UINT64_MAX;
    }
    arguments->search = search;
    return true;
}

static uint32_t record_of(uint64_t key)
{
    return (uint32_t)key;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)arguments->search};
    const enum sl_status status = resident_run(soc, "mttop_nn.elf", "nn_search", arguments->groups,
                                               arguments->n, constants, 1);
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
    return nearest_distances_are_right("mttop_nn", search->records, search->n, search->point,
                                       search->distances) &&
           words_are_equal("mttop_nn", "neighbour", nearest, right, found);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .nearest = NEAREST_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
