/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Global alignment of two sequences of N letters by Needleman and Wunsch
 * (docs/know/quickrelease-programs.md, "qr_nw"): the scores of all pairs of beginnings, in blocks.
 * Those of a diagonal are a launch, all diagonals one run. Its kernel is qr_nw_kernel.c. */
#include "workloads/nw/qr_nw.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"

#define N_MAX   2048 /* 128 blocks: 255 diagonals */
#define LETTERS 20
#define MATCH   11 /* a letter with itself; others are less, down to -4 */
#define ALIGNED 64 /* a line */

_Static_assert(2 * (N_MAX / BLOCK) - 1 <= SL_SEQUENCE_LAUNCHES, "a launch for each diagonal");

struct arguments {
    uint32_t n;
    uint32_t penalty;
    uint32_t blocks; /* in a row, and in a column */
    /* In the shared heap. */
    int32_t *score;     /* (blocks x BLOCK + 1) x (blocks + 1) x BLOCK */
    int32_t *reference; /* how well letters go together, (blocks x BLOCK)^2 */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, N_MAX, SL_INTO(struct arguments, n)},
    {"penalty", 'p', SL_NUMBER, 0, 100, SL_INTO(struct arguments, penalty),
     "For a letter that is left out"},
    {0},
};

/* How well two letters go together, in either order. */
static int32_t similarity(uint32_t a, uint32_t b)
{
    static const struct keys random = {LETTERS * LETTERS, KEYS_RANDOM, 3};
    const uint32_t pair = a < b ? a * LETTERS + b : b * LETTERS + a;

    return a == b ? MATCH : (int32_t)((keys_at(&random, pair) >> 8) % 10) - 4;
}

static void fill_reference(int32_t *reference, uint32_t n)
{
    const struct keys across = {n, KEYS_RANDOM, 1}, down = {n, KEYS_RANDOM, 2};

    for (uint32_t row = 0; row < n; row++) {
        const uint32_t letter = (keys_at(&down, row) >> 8) % LETTERS;
        for (uint32_t column = 0; column < n; column++) {
            reference[(size_t)row * n + column] =
                similarity(letter, (keys_at(&across, column) >> 8) % LETTERS);
        }
    }
}

static int32_t *score_at(const struct arguments *arguments, uint32_t row, uint32_t column)
{
    return arguments->score + score_place(arguments->blocks, row, column);
}

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t blocks = (arguments->n - 1) / BLOCK + 1;
    const uint32_t n = blocks * BLOCK;
    const size_t scores = (n + 1) * (size_t)score_pitch(blocks);

    arguments->blocks = blocks;
    arguments->score = sl_app_alloc(soc, scores * sizeof(int32_t), ALIGNED);
    arguments->reference = sl_app_alloc(soc, n * (size_t)n * sizeof(int32_t), ALIGNED);
    fill_reference(arguments->reference, n);
    for (uint32_t i = 0; i <= n; i++) {
        *score_at(arguments, 0, i) = -(int32_t)(i * arguments->penalty);
        *score_at(arguments, i, 0) = -(int32_t)(i * arguments->penalty);
    }
}

static enum sl_status align(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t blocks = arguments->blocks;

    for (uint32_t diagonal = 0; diagonal < 2 * blocks - 1; diagonal++) {
        const uint32_t count = diagonal < blocks ? diagonal + 1 : 2 * blocks - 1 - diagonal;
        const uint64_t constants[] = {(uintptr_t)arguments->score, (uintptr_t)arguments->reference,
                                      blocks, diagonal, arguments->penalty};
        launches_add(launches, "nw_diagonal", count * BLOCK, BLOCK, 0, constants, 5);
    }
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
    const enum sl_status status = align(&launches, arguments);
    if (status == SL_OK) {
        sl_app_result("qr_nw(%" PRIu32 ") = %" PRId32, n, *score_at(arguments, n, n));
    }
    return status;
}

/* The row after `before`, whose scores begin with that of column 0. */
static void row_in_plain_c(const struct arguments *arguments, uint32_t row, const int32_t *before,
                           int32_t *scores)
{
    const uint32_t n = arguments->blocks * BLOCK;
    const int32_t *const reference = arguments->reference + (size_t)(row - 1) * n;
    const int32_t penalty = (int32_t)arguments->penalty;

    scores[0] = -(int32_t)row * penalty;
    for (uint32_t i = 1; i <= n; i++) {
        const int32_t both = before[i - 1] + reference[i - 1];
        const int32_t one = (before[i] > scores[i - 1] ? before[i] : scores[i - 1]) - penalty;
        scores[i] = both > one ? both : one;
    }
}

static bool row_is_right(const struct arguments *arguments, uint32_t row, const int32_t *right)
{
    for (uint32_t i = 0; i <= arguments->blocks * BLOCK; i++) {
        const int32_t is = *score_at(arguments, row, i);
        if (!sl_app_check(is == right[i],
                          "the score of %" PRIu32 " letters and %" PRIu32 " is %" PRId32
                          ", should be %" PRId32,
                          row, i, is, right[i])) {
            return false;
        }
    }
    return true;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t n = arguments->blocks * BLOCK;
    int32_t *const rows = sl_app_memory(2 * (size_t)(n + 1), sizeof *rows);
    int32_t *before = rows, *scores = rows + n + 1;
    bool is_equal = true;

    for (uint32_t i = 0; i <= n; i++) {
        before[i] = -(int32_t)(i * arguments->penalty);
    }
    for (uint32_t row = 1; is_equal && row <= n; row++) {
        row_in_plain_c(arguments, row, before, scores);
        is_equal = row_is_right(arguments, row, scores);
        int32_t *const other = before;
        before = scores;
        scores = other;
    }
    free(rows);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Align two random sequences of N letters on the simulated accelerator, and check all "
           "scores.\vThe accelerator computes the next multiple of 16. The result is the score of "
           "the whole sequences.",
    .table = table,
    .arguments = &(struct arguments){.n = 512, .penalty = 10},
    .kernels = "qr_nw.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
