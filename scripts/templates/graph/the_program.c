/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How many primes are there up to N? A channel-flow graph of two kernels:
 *
 *     host --> [ blocks ] --> (sift_kernel) --> [ candidates ] --> (test_kernel) --> primes
 *                                            up to SIFTED_MAX
 *
 *     [ ] channel   ( ) kernel
 *
 * The kernels are in the_program_kernel.c. The run ends when all channels are empty. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "the_program.h"

#define N_MAX            1000000
#define CANDIDATES_WIDTH 16384 /* elements; less is less memory, and more waiting */
#define WIDTH_MIN        64

/* What the command line says, and what the machine finds. */
struct arguments {
    uint32_t n;
    uint64_t primes;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

/* Options of your own: docs/learn/programming.md, "The host program". */
static const struct argp argp = {
    .parser = parse,
    .args_doc = "N",
    .doc = "Count the primes up to N on the simulated accelerator, and check the number.\v"
           "N is from 1 to 1000000.",
};

/* A channel's width is a power of two. All that the host puts in before the run has to fit. */
static uint32_t width_for(uint32_t elements)
{
    uint32_t width = WIDTH_MIN;

    while (width < elements) {
        width *= 2;
    }
    return width;
}

/* Declares channels, kernels and what connects them; returns the channel "blocks". A mistake in it
 * is told by the first call that returns a status. */
static int build(struct sl_graph_builder *graph, uint32_t n, uint64_t *primes)
{
    const struct sl_channel_options blocks_options = {.name = "blocks"};
    const struct sl_channel_options candidates_options = {.name = "candidates"};
    const int blocks =
        sl_graph_channel(graph, sizeof(struct block), width_for(n / BLOCK + 1), &blocks_options);
    const int candidates =
        sl_graph_channel(graph, sizeof(struct candidate), CANDIDATES_WIDTH, &candidates_options);
    const int sift = sl_graph_kernel(graph, "sift_kernel");
    const int test = sl_graph_kernel(graph, "test_kernel");

    /* By position, as in the kernel's prototype; 0 and 1 are channel and index. */
    sl_graph_argument(graph, sift, 2, (uint64_t)candidates);
    sl_graph_argument(graph, sift, 3, n);
    sl_graph_argument(graph, test, 2, (uintptr_t)primes);

    sl_graph_connect(graph, blocks, sift); /* who takes elements out of it */
    sl_graph_connect(graph, candidates, test);
    sl_graph_output(graph, sift, candidates, SIFTED_MAX); /* who puts some in: so many at once */
    /* Blocks go to lanes only as candidates have space for SIFTED_MAX of each. */
    sl_graph_guard(graph, blocks, SL_GUARD_SPACE, candidates, SIFTED_MAX);
    return blocks;
}

/* All at once: the host may put in as many elements as the channel is wide. */
static enum sl_status put_blocks(struct sl_graph_builder *graph, int blocks, uint32_t n)
{
    const uint32_t count = n / BLOCK + 1;
    struct block *const all = sl_graph_talloc(graph, blocks, count);

    if (all == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        all[i].first = i * BLOCK;
    }
    return sl_graph_enq(graph, blocks, all, count);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    struct sl_graph_builder *graph;

    enum sl_status status = sl_app_load(soc, "the_program.elf", &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, &graph);
    }
    if (status != SL_OK) {
        return status; /* sl_app_main() prints the message that goes with it */
    }
    /* Kernels reach what sl_alloc() gives, and nothing of the host's own heap or stack. */
    uint64_t *const primes = sl_alloc(soc, sizeof *primes, 0);
    if (primes == NULL) {
        return SL_ERROR_USAGE;
    }
    status = put_blocks(graph, build(graph, arguments->n, primes), arguments->n);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        arguments->primes = *primes;
        sl_app_result("the_program(%" PRIu32 ") = %" PRIu64, arguments->n, *primes);
    }
    return status;
}

/* The same in plain C, another way: the sieve of Eratosthenes. */
static uint64_t primes_in_plain_c(uint32_t n)
{
    static bool is_composite[N_MAX + 1];
    uint64_t primes = 0;

    for (uint32_t number = 2; number <= n; number++) {
        if (!is_composite[number]) {
            primes++;
            for (uint32_t multiple = 2 * number; multiple <= n; multiple += number) {
                is_composite[multiple] = true;
            }
        }
    }
    return primes;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t right = primes_in_plain_c(arguments->n);

    if (arguments->primes != right) {
        (void)fprintf(stderr, "the_program: wrong: there are %" PRIu64 " primes\n", right);
    }
    return arguments->primes == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
