/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, flattened as
 * benchmark NQU of GPGPU-Sim does it: the host enumerates the placements of the first rows, and
 * each work-item counts the completions of one of them. Symmetry is not made use of: the kernel
 * counts all solutions, mirror images too. In style packed, a row's masks are one word, and nothing
 * but the end is a branch (nqueens_kernel.c); style nqu is the benchmark's own loop
 * (nqueens_nqu_kernel.c). */

#include "sluice/program.h"
#include "workloads/queens/board.h"

#define ROWS_DEFAULT 5  /* 13 queens: about 31,000 work-items */
#define NQU_LEFT     10 /* rows that NQU's host leaves at most, 2 being filled at least */
#define GROUP        64

struct arguments {
    uint32_t n;
    bool is_nqu;
    uint32_t rows;      /* that the host fills; 0: as many as suit N */
    uint64_t solutions; /* the result */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, NQUEENS_N_MIN, NQUEENS_N_MAX, SL_INTO(struct arguments, n)},
    {"style", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_nqu),
     "A word for each row, without branches (the default), or the loop of GPGPU-Sim's NQU",
     "packed|nqu"},
    {"rows", 'r', SL_NUMBER, 1, NQUEENS_N_MAX - 1, SL_INTO(struct arguments, rows),
     "Rows that the host fills, less than N (default 5, or N - 2 if less; for style nqu, as there, "
     "N - 10, or 2 if more)",
     "ROWS"},
    {0},
};

static uint32_t rows_default(const struct arguments *arguments)
{
    const uint32_t n = arguments->n;

    if (arguments->is_nqu) {
        return n > NQU_LEFT + 2 ? n - NQU_LEFT : 2;
    }
    return n - 2 < ROWS_DEFAULT ? n - 2 : ROWS_DEFAULT;
}

static void check(void *input)
{
    struct arguments *const arguments = input;

    if (arguments->rows >= arguments->n) {
        sl_argument_fail("--rows: %" PRIu32 " rows of %" PRIu32 " leave none to the machine",
                         arguments->rows, arguments->n);
    }
    if (arguments->rows == 0) {
        arguments->rows = rows_default(arguments);
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint64_t all = (1ull << arguments->n) - 1;
    const struct nqueens_board empty = {0, 0, 0};
    const uint32_t items = nqueens_enumerate(empty, all, arguments->rows, NULL);
    struct sl_module *module;

    enum sl_status status =
        sl_app_load(soc, arguments->is_nqu ? "nqueens_nqu.elf" : "nqueens.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct nqueens_board *const boards = sl_app_alloc(soc, items * sizeof *boards, 0);
    uint64_t *const sum = sl_app_alloc(soc, sizeof *sum, 0);
    (void)nqueens_enumerate(empty, all, arguments->rows, boards);
    const uint32_t rows_left = arguments->n - arguments->rows;
    const uint32_t row_bytes = (uint32_t)(arguments->is_nqu ? 4 * sizeof(uint32_t) : sizeof *sum);
    const struct sl_value values[] = {SL_VALUE(boards), SL_VALUE(all), SL_VALUE(sum),
                                      SL_VALUE(rows_left)};
    status = sl_app_launch(soc, "nqueens_kernel", items, GROUP, rows_left * GROUP * row_bytes,
                           values, arguments->is_nqu ? 4 : 3);
    if (status == SL_OK) {
        arguments->solutions = *sum;
        sl_app_result("nqueens(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->solutions);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct nqueens_board empty = {0, 0, 0};
    const uint32_t right = nqueens_enumerate(empty, (1ull << arguments->n) - 1, arguments->n, NULL);

    return sl_app_check(arguments->solutions == right, "there are %" PRIu32 " solutions", right);
}

static const struct sl_app app = {
    .doc = "Count the solutions of the N-queens puzzle on the simulated accelerator, and check the "
           "count.",
    .table = table,
    .arguments = &(struct arguments){.n = 13},
    .check = check,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
