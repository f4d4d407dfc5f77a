/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counts the ways to put N queens on a board of N x N so that none attacks another, flattened as
 * benchmark NQU of GPGPU-Sim does it: the host enumerates the placements of the first rows, and
 * each work-item counts the completions of one of them. Symmetry is not made use of: the kernel
 * counts all solutions, mirror images too. In style packed, a row's masks are one word, and nothing
 * but the end is a branch (nqueens_kernel.c); style nqu is the benchmark's own loop
 * (nqueens_nqu_kernel.c). */
#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/launches.h"
#include "workloads/queens/board.h"

#define N_DEFAULT    13
#define ROWS_DEFAULT 5  /* 13 queens: about 31,000 work-items */
#define NQU_LEFT     10 /* rows that NQU's host leaves at most, 2 being filled at least */
#define GROUP        64

enum { KEY_STYLE = 256 };

struct arguments {
    uint32_t n;
    bool is_nqu;
    uint32_t rows;      /* that the host fills; 0: as many as suit N */
    uint64_t solutions; /* the result */
};

static const struct argp_option option_table[] = {
    {"style", KEY_STYLE, "packed|nqu", 0,
     "A word for each row, without branches (the default), or the loop of GPGPU-Sim's NQU", 0},
    {"rows", 'r', "ROWS", 0,
     "Rows that the host fills, 1 to N - 1 (default 5, or N - 2 if less; for style nqu, as there, "
     "N - 10, or 2 if more)",
     0},
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_STYLE:
        arguments->is_nqu = sl_app_choice(state, "--style", argument, "packed", "nqu");
        return 0;
    case 'r':
        arguments->rows = (uint32_t)sl_app_number(state, "--rows", argument, 1, NQUEENS_N_MAX - 1);
        return 0;
    case ARGP_KEY_END:
        if (arguments->rows >= arguments->n) {
            argp_error(state, "--rows: %" PRIu32 " rows of %" PRIu32 " leave none to the machine",
                       arguments->rows, arguments->n);
        }
        if (arguments->rows == 0) {
            arguments->rows = rows_default(arguments);
        }
        return 0;
    default:
        return sl_app_n(key, argument, state, NQUEENS_N_MIN, NQUEENS_N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Count the solutions of the N-queens puzzle on the simulated accelerator, and check the "
           "count.\vN is from 4 to 15; the default is 13.",
};

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
    struct nqueens_board *const boards = sl_alloc(soc, items * sizeof *boards, 0);
    uint64_t *const sum = boards != NULL ? sl_alloc(soc, sizeof *sum, 0) : NULL;
    if (sum == NULL) {
        return SL_ERROR_USAGE;
    }
    (void)nqueens_enumerate(empty, all, arguments->rows, boards);
    const uint32_t rows_left = arguments->n - arguments->rows;
    const uint32_t row_bytes = (uint32_t)(arguments->is_nqu ? 4 * sizeof(uint32_t) : sizeof *sum);
    const uint64_t constants[] = {(uintptr_t)boards, all, (uintptr_t)sum, rows_left};
    status = launch_and_wait(soc, module, "nqueens_kernel", items, GROUP,
                             rows_left * GROUP * row_bytes, constants, arguments->is_nqu ? 4 : 3);
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

    if (arguments->solutions != right) {
        (void)fprintf(stderr, "nqueens: wrong: there are %" PRIu32 " solutions\n", right);
    }
    return arguments->solutions == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
