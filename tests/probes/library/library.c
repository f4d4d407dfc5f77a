/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The C library in kernels: N work-items call functions of newlib on numbers and strings of their
 * own, on the stack that lanes have by default. Every fourth has numbers with which functions fail
 * and write errno, a variable that all lanes share: neither its results nor its neighbours' may
 * suffer. Its kernel is library_kernel.c, the calls are in library.h.
 *
 * The same calls on the host have to give the same: to the last bit where C defines the result, and
 * within four units in the last place for the other mathematical functions, whose implementations
 * differ. That lanes compute what newlib computes to the last bit is for tests/fuzz. */
#include "probes/library/library.h"

#include <stdio.h>

#include "sluice/program.h"

#define GROUP    256
#define ULPS_MAX 4 /* where implementations differ */

struct arguments {
    uint32_t n;
    uint64_t wrong; /* results */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 100000, SL_INTO(struct arguments, n)},
    {0},
};

/* Numbers with which at least one function fails. */
static const double failing[][2] = {
    {-1.0, 0.5}, {0.0, -1.0},          {1000.0, 2000.0}, {-1000.0, 0.0},
    {1.0, 0.0},  {INFINITY, INFINITY}, {NAN, 1.0},       {-0.0, -3.0},
};

#define FAILING (sizeof failing / sizeof failing[0])

static void make_input(struct library_input *input, uint32_t i)
{
    const uint32_t random = (i + 1) * 2654435761u;
    if (i % 4 == 3) {
        input->x = failing[i / 4 % FAILING][0];
        input->y = failing[i / 4 % FAILING][1];
    } else {
        input->x = (double)(float)((i % 4 == 0 ? 1.0 : 30.0) * (random >> 8) * 0x1p-24 + 0x1p-20);
        input->y = (double)((int32_t)(random << 7) >> 16) * 0x1p-13;
    }
    const uint32_t letters = random >> 5 & 31;
    for (uint32_t k = 0; k < letters; k++) {
        input->text[k] = (char)('a' + (random >> k % 24) % 26);
    }
    (void)snprintf(input->text + letters, LIBRARY_TEXT - letters, ",%" PRIu32, random & 255);
}

/* Equal, the sign of zero too, where `epsilon` is 0; else relative to what it should be within
 * `epsilon`, a multiple of what is between 1 and the next number. All NaNs are alike. */
static int is_near(double is, double should, double epsilon)
{
    if (isnan(is) || isnan(should)) {
        return isnan(is) && isnan(should);
    }
    if (is == should) {
        return epsilon != 0 || signbit(is) == signbit(should);
    }
    return isfinite(is) && isfinite(should) && fabs(is - should) <= epsilon * fabs(should);
}

/* Returns how many are wrong, and names the first of all. */
static uint64_t wrong_number(const struct library_input *input, const char *what, unsigned number,
                             double is, double should, double epsilon, uint64_t wrong)
{
    if (is_near(is, should, epsilon)) {
        return wrong;
    }
    (void)sl_app_check(wrong > 0, "%s[%u] of %a and %a is %a, should be %a", what, number, input->x,
                       input->y, is, should);
    return wrong + 1;
}

static uint64_t count_wrong(const struct library_input *input, const struct library_result *is,
                            uint64_t wrong)
{
    struct library_result should;
    memset(&should, 0, sizeof should);
    library_mathematics(&should, input->x, input->y);
    library_strings(&should, input->text);
    for (unsigned i = 0; i < LIBRARY_EXACT; i++) {
        wrong = wrong_number(input, "exact", i, is->exact[i], should.exact[i], 0, wrong);
    }
    for (unsigned i = 0; i < LIBRARY_DOUBLES; i++) {
        wrong = wrong_number(input, "doubles", i, is->doubles[i], should.doubles[i],
                             ULPS_MAX * 0x1p-52, wrong);
    }
    for (unsigned i = 0; i < LIBRARY_FLOATS; i++) {
        wrong = wrong_number(input, "floats", i, (double)is->floats[i], (double)should.floats[i],
                             ULPS_MAX * 0x1p-23, wrong);
    }
    if (is->lengths != should.lengths || memcmp(is->text, should.text, sizeof is->text) != 0) {
        (void)sl_app_check(wrong++ > 0,
                           "strings of '%s' are 0x%08" PRIx32 " '%.*s', should be 0x%08" PRIx32
                           " '%.*s'",
                           input->text, is->lengths, (int)sizeof is->text, is->text, should.lengths,
                           (int)sizeof should.text, should.text);
    }
    return wrong;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    const uint32_t grid[3] = {n, 1, 1};
    const uint32_t group[3] = {GROUP, 1, 1};
    struct library_input *const inputs = sl_app_alloc(soc, n * sizeof *inputs, 0);
    struct library_result *const results = sl_app_alloc(soc, n * sizeof *results, 0);

    for (uint32_t i = 0; i < n; i++) {
        make_input(&inputs[i], i);
    }
    const uint64_t constants[] = {(uintptr_t)inputs, (uintptr_t)results};
    enum sl_status status =
        sl_launch(sl_app_kernels(soc), "library_kernel", grid, group, 0, constants, 2);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < n; i++) {
        arguments->wrong = count_wrong(&inputs[i], &results[i], arguments->wrong);
    }
    sl_app_result("library(%" PRIu32 ") = %" PRIu64, n,
                  sl_app_checksum(results, n * sizeof *results));
    return SL_OK;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return sl_app_check(arguments->wrong == 0, "%" PRIu64 " results in all", arguments->wrong);
}

static const struct sl_app app = {
    .doc = "Call the C library's functions in N work-items on the simulated accelerator, and check "
           "their results.\vThe result is a checksum of all results.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "library.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
