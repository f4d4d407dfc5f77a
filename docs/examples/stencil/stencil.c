/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Heat on a square plate: an NDRange of overlapping tiles in LDS, launched once for every four
 * steps, and checked against the same steps in plain C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/program.h>

#include "stencil.h"

#define TOLERANCE 1e-5f /* of temperatures from 0 to 1 */

struct plate {
    int side;
    int steps;
    const float *result; /* the machine's */
};

static const struct sl_argument table[] = {
    {"[SIDE]", 0, SL_NUMBER, 3, 2048, SL_INTO(struct plate, side)},
    {"steps", 't', SL_NUMBER, STEPS_AT_ONCE, STEPS_AT_ONCE *SL_SEQUENCE_LAUNCHES,
     SL_INTO(struct plate, steps), "Steps, a multiple of 4", "STEPS"},
    {0},
};

static void check(void *arguments)
{
    const struct plate *const plate = arguments;

    if (plate->steps % STEPS_AT_ONCE != 0) {
        sl_argument_fail("--steps: %d is not a multiple of %d", plate->steps, STEPS_AT_ONCE);
    }
}

/* One edge is hot, and so is a spot in the middle. */
static void heat(float *plate, int side)
{
    memset(plate, 0, (size_t)side * side * sizeof *plate);
    for (int x = 0; x < side; x++) {
        plate[x] = 1.0f;
    }
    plate[side / 2 * side + side / 2] = 1.0f;
}

/* A launch for every four steps, each from one of two plates to the other. */
static enum sl_status launch(struct sl_module *module, float *plates[2], int side, int steps)
{
    static struct sl_launch_step launches[SL_SEQUENCE_LAUNCHES];
    const uint32_t tiles = (uint32_t)(side + RESULT - 1) / RESULT;
    const unsigned count = (unsigned)(steps / STEPS_AT_ONCE);

    for (unsigned i = 0; i < count; i++) {
        launches[i] = (struct sl_launch_step){
            .kernel = "stencil_kernel",
            .grid = {tiles * TILE, tiles * TILE, 1},
            .group = {TILE, TILE, 1},
            .argument_count = 3,
            .argument = {(uintptr_t)plates[i % 2], (uintptr_t)plates[1 - i % 2], (uint64_t)side},
        };
    }
    return sl_launch_sequence(module, launches, count, 0, 0, NULL);
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct plate *const plate = arguments;
    const size_t bytes = (size_t)plate->side * plate->side * sizeof(float);
    float *plates[2] = {sl_app_alloc(soc, bytes, 0), sl_app_alloc(soc, bytes, 0)};

    heat(plates[0], plate->side);
    enum sl_status status = launch(sl_app_kernels(soc), plates, plate->side, plate->steps);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        plate->result = plates[plate->steps / STEPS_AT_ONCE % 2];
        sl_app_result("stencil(%d, %d) = %.6f", plate->side, plate->steps,
                      (double)plate->result[plate->side / 2 * plate->side + plate->side / 2]);
    }
    return status;
}

/* The steps in plain C, from one plate to the other; returns the last one. */
static const float *in_plain_c(float *from, float *to, int side, int steps)
{
    heat(from, side);
    heat(to, side);
    for (int step = 0; step < steps; step++) {
        for (int y = 1; y < side - 1; y++) {
            const float *const row = &from[y * side];
            for (int x = 1; x < side - 1; x++) {
                to[y * side + x] =
                    next_step(row[x], row[x - 1], row[x + 1], row[x - side], row[x + side]);
            }
        }
        float *const last = from;
        from = to;
        to = last;
    }
    return from;
}

static bool is_right(const void *arguments)
{
    const struct plate *const plate = arguments;
    const int cells = plate->side * plate->side;
    float *const memory = sl_app_memory(2 * (size_t)cells, sizeof *memory);
    int wrong = 0;

    const float *const right = in_plain_c(memory, &memory[cells], plate->side, plate->steps);
    while (wrong < cells && fabsf(plate->result[wrong] - right[wrong]) <= TOLERANCE) {
        wrong++;
    }
    const bool is_right = wrong == cells;
    (void)sl_app_check(is_right, "cell (%d, %d) is %f, not %f", wrong % plate->side,
                       wrong / plate->side, is_right ? 0 : (double)plate->result[wrong],
                       is_right ? 0 : (double)right[wrong]);
    free(memory);
    return is_right;
}

static const struct sl_app app = {
    .doc = "Spread heat on a plate of SIDE x SIDE cells in tiles in LDS, and check it.",
    .table = table,
    .arguments = &(struct plate){.side = 512, .steps = 16},
    .kernels = "stencil.elf",
    .check = check,
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
