/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Crossbar: every node has an input and an output, each crossbar.width bytes per cycle; between
 * them a message takes crossbar.cycles. Messages wait at the input they leave from and at the
 * output they go to, never for one that goes elsewhere. The core paper does not say what its
 * network is. */
#include <stdlib.h>

#include "engine/clock.h"
#include "mem/network/network.h"
#include "sluice/config.h"

struct crossbar {
    struct interconnect base;
    uint64_t cycles;
    uint64_t latency_ps;
    struct calendar *input; /* by node */
    struct calendar *output;
};

static void crossbar_reset(struct interconnect *net)
{
    struct crossbar *crossbar = (struct crossbar *)net;

    for (uint32_t node = 0; node < net->nodes; node++) {
        calendar_reset(&crossbar->input[node], &net->clock, 0);
        calendar_reset(&crossbar->output[node], &net->clock, 0);
    }
}

static void crossbar_destroy(struct interconnect *net)
{
    struct crossbar *crossbar = (struct crossbar *)net;

    free(crossbar->input);
    free(crossbar->output);
    free(crossbar);
}

static struct interconnect *crossbar_create(const struct sl_config *config, uint32_t nodes,
                                            const struct sim_clock *clock)
{
    struct crossbar *crossbar = calloc(1, sizeof(*crossbar));
    uint32_t width = (uint32_t)config->number[SL_CFG_CROSSBAR_WIDTH];

    if (crossbar == NULL) {
        return NULL;
    }
    crossbar->base = (struct interconnect){
        .ops = &interconnect_crossbar, .nodes = nodes, .clock = *clock, .width = width};
    crossbar->cycles = (uint64_t)config->number[SL_CFG_CROSSBAR_CYCLES];
    crossbar->latency_ps = crossbar->cycles * clock->ps;
    crossbar->input = calloc(nodes, sizeof(*crossbar->input));
    crossbar->output = calloc(nodes, sizeof(*crossbar->output));
    if (crossbar->input == NULL || crossbar->output == NULL) {
        crossbar_destroy(&crossbar->base);
        return NULL;
    }
    crossbar_reset(&crossbar->base);
    return &crossbar->base;
}

static uint64_t crossbar_send(struct interconnect *net, uint32_t from, uint32_t to, uint32_t parts,
                              uint64_t time_ps, uint64_t now_ps)
{
    struct crossbar *crossbar = (struct crossbar *)net;
    uint64_t head;
    uint64_t tail = calendar_take_parts(
        &crossbar->input[from], sim_clock_after(&net->clock, time_ps), now_ps, parts, &head);
    uint64_t arrival =
        calendar_take_parts(&crossbar->output[to], head + crossbar->cycles, now_ps, parts, &head);

    tail += crossbar->cycles;
    return later(arrival, tail) * net->clock.ps;
}

static uint64_t crossbar_latency(const struct interconnect *net, uint32_t from, uint32_t to)
{
    (void)from;
    (void)to;
    return ((const struct crossbar *)net)->latency_ps;
}

const struct interconnect_ops interconnect_crossbar = {
    .name = "crossbar",
    .create = crossbar_create,
    .destroy = crossbar_destroy,
    .reset = crossbar_reset,
    .send = crossbar_send,
    .latency = crossbar_latency,
};
