/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Heat on a square plate: an NDRange of overlapping tiles in LDS, launched once for every four
 * steps, and checked against the same steps in plain C. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "stencil.h"

#define SIDE_DEFAULT  512
#define SIDE_MAX      2048
#define STEPS_DEFAULT 16
#define STEPS_MAX     (STEPS_AT_ONCE * SL_SEQUENCE_LAUNCHES)
#define TOLERANCE     1e-5f /* of temperatures from 0 to 1 */

struct plate {
    int side;
    int steps;
    const float *result; /* the machine's */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plate *const plate = state->input;

    if (key == 't') {
        plate->steps = (int)sl_app_number(state, "--steps", argument, STEPS_AT_ONCE, STEPS_MAX);
        if (plate->steps % STEPS_AT_ONCE != 0) {
            argp_error(state, "--steps: %d is not a multiple of %d", plate->steps, STEPS_AT_ONCE);
        }
        return 0;
    }
    if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        plate->side = (int)sl_app_number(state, "SIDE", argument, 3, SIDE_MAX);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"steps", 't', "STEPS", 0, "Steps, a multiple of 4 (default: 16)", 0},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[SIDE]",
    .doc = "Spread heat on a plate of SIDE x SIDE cells (default: 512) in tiles in LDS, and check "
           "it.",
};

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
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "stencil.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    float *plates[2] = {sl_alloc(soc, bytes, 0), sl_alloc(soc, bytes, 0)};
    if (plates[0] == NULL || plates[1] == NULL) {
        return SL_ERROR_USAGE;
    }
    heat(plates[0], plate->side);
    status = launch(module, plates, plate->side, plate->steps);
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
    float *const memory = malloc(2 * (size_t)cells * sizeof *memory);
    int wrong = 0;

    if (memory == NULL) {
        (void)fprintf(stderr, "stencil: no memory to check the result in\n");
        return false;
    }
    const float *const right = in_plain_c(memory, &memory[cells], plate->side, plate->steps);
    while (wrong < cells && fabsf(plate->result[wrong] - right[wrong]) <= TOLERANCE) {
        wrong++;
    }
    if (wrong < cells) {
        (void)fprintf(stderr, "stencil: wrong: cell (%d, %d) is %f, not %f\n", wrong % plate->side,
                      wrong / plate->side, (double)plate->result[wrong], (double)right[wrong]);
    }
    free(memory);
    return wrong == cells;
}

int main(int argc, char **argv)
{
    struct plate plate = {.side = SIDE_DEFAULT, .steps = STEPS_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &plate, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
