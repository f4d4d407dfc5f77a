/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's most expensive functions, from the reports that runs leave (docs/do/profile.md,
 * "The report of a run"): by function, so that inlined code counts for the function that contains
 * it. Functions of one name are together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/figures.h"
#include "profile/points.h"

#define CYCLES "agg.cycles"

/* None without a report. */
static json_t *shares_of(const json_t *report)
{
    const json_t *const statistics = json_object_get(report, "statistics");
    const double cycles = profile_value(statistics, CYCLES);
    json_t *const shares = json_object();
    size_t i;
    const json_t *function;

    json_array_foreach(json_object_get(report, "functions"), i, function)
    {
        const char *const name = json_string_value(json_object_get(function, "name"));
        const double share = 100 * profile_value(function, "cycles") / cycles;
        json_object_set_new(shares, name, json_real(profile_value(shares, name) + share));
    }
    return shares;
}

json_t *profile_functions(const struct profile_points *points, size_t program, size_t row)
{
    const size_t first = profile_first_run(points, program, row);
    json_t *const runs = profile_runs(points, program, row); /* empty where one failed */
    json_t *const made = json_array();

    for (size_t seed = 0; seed < json_array_size(runs); seed++) {
        json_t *const report = sweep_report_data(points->sweep, first + seed);
        json_array_append_new(made, shares_of(report));
        json_decref(report);
    }
    json_decref(runs);
    return made;
}

struct mean {
    const char *name;
    double share;
};

static int compare(const void *left, const void *right)
{
    const struct mean *const x = left;
    const struct mean *const y = right;
    if (x->share != y->share) {
        return x->share > y->share ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static size_t count_all(const json_t *runs)
{
    size_t count = 0;
    size_t i;
    const json_t *shares;

    json_array_foreach(runs, i, shares)
    {
        count += json_object_size(shares);
    }
    return count;
}

/* Each function of any run once; names are the runs'. */
static size_t means_of(const json_t *runs, struct mean *means)
{
    json_t *const seen = json_object();
    size_t count = 0;
    size_t i;
    json_t *shares;
    const char *name;
    json_t *share;

    json_array_foreach(runs, i, shares)
    {
        json_object_foreach(shares, name, share)
        {
            if (json_object_get(seen, name) == NULL) {
                json_object_set_new(seen, name, json_true());
                means[count++] =
                    (struct mean){name, profile_interval(runs, profile_value, name).mean};
            }
        }
    }
    json_decref(seen);
    return count;
}

size_t profile_top_functions(const json_t *runs, const char *names[PROFILE_FUNCTIONS])
{
    struct mean *const means = calloc(count_all(runs) + 1, sizeof *means);

    if (means == NULL) {
        return 0;
    }
    const size_t all = means_of(runs, means);
    const size_t count = all < PROFILE_FUNCTIONS ? all : PROFILE_FUNCTIONS;
    qsort(means, all, sizeof *means, compare);
    for (size_t i = 0; i < count; i++) {
        names[i] = means[i].name;
    }
    free(means);
    return count;
}

/* "levels_poll 24.8 ±0.3; yield_poll 17.9 ±0.2". */
static void print_functions_of(const json_t *runs)
{
    const char *names[PROFILE_FUNCTIONS];
    const size_t count = profile_top_functions(runs, names);
    char text[64];

    for (size_t i = 0; i < count; i++) {
        (void)profile_text(runs, profile_value, names[i], text, sizeof text);
        printf("%s%s %s", i == 0 ? "  " : "; ", names[i], text);
    }
    if (count == 0) {
        printf("  %s", json_array_size(runs) == 0 ? "failed" : "no ELF file beside the image");
    }
}

void profile_print_functions(const struct profile_points *points)
{
    profile_print_rows(points,
                       "% of the core's cycles, by function of the firmware: inlined code counts "
                       "for the function that contains it",
                       "  most expensive functions", profile_functions, print_functions_of);
}
