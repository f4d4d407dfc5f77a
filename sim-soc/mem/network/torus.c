/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* 2-D torus (papers/000 Table 3.1: 12 GB/s per link).
 *
 * Nodes fill a grid that is as square as they allow, row by row; places left over only pass
 * messages on. A message goes along the row first, then along the column, each the shorter way
 * round; a link passes torus.width bytes per cycle, a hop takes torus.cycles, and a message's parts
 * follow each other through links like a worm. Left out: buffers that are full, and so the waiting
 * of those behind. */
#include <stdlib.h>

#include "engine/clock.h"
#include "mem/network/network.h"
#include "sluice/config.h"

enum torus_way { TORUS_EAST, TORUS_WEST, TORUS_SOUTH, TORUS_NORTH, TORUS_WAYS };

struct torus {
    struct interconnect base;
    uint32_t columns;
    uint32_t rows;
    uint64_t cycles;       /* of a hop */
    struct calendar *link; /* TORUS_WAYS of each place, those that leave it */
};

static void torus_reset(struct interconnect *net)
{
    struct torus *torus = (struct torus *)net;

    for (uint32_t i = 0; i < torus->columns * torus->rows * TORUS_WAYS; i++) {
        calendar_reset(&torus->link[i], &net->clock, 0);
    }
}

static void torus_destroy(struct interconnect *net)
{
    free(((struct torus *)net)->link);
    free(net);
}

static struct interconnect *torus_create(const struct sl_config *config, uint32_t nodes,
                                         const struct sim_clock *clock)
{
    struct torus *torus = calloc(1, sizeof(*torus));
    uint32_t width = (uint32_t)config->number[SL_CFG_TORUS_WIDTH];

    if (torus == NULL) {
        return NULL;
    }
    torus->base = (struct interconnect){
        .ops = &interconnect_torus, .nodes = nodes, .clock = *clock, .width = width};
    torus->cycles = (uint64_t)config->number[SL_CFG_TORUS_CYCLES];
    torus->columns = 1;
    while (torus->columns * torus->columns < nodes) {
        torus->columns++;
    }
    torus->rows = (nodes + torus->columns - 1) / torus->columns;
    torus->link = calloc((size_t)torus->columns * torus->rows * TORUS_WAYS, sizeof(*torus->link));
    if (torus->link == NULL) {
        torus_destroy(&torus->base);
        return NULL;
    }
    torus_reset(&torus->base);
    return &torus->base;
}

/* Hops from one place on a ring to another, and which way: forward if true. */
static uint32_t ring_hops(uint32_t from, uint32_t to, uint32_t size, bool *forward)
{
    uint32_t ahead = to >= from ? to - from : to + size - from;

    *forward = ahead <= size - ahead;
    return *forward ? ahead : size - ahead;
}

static uint32_t ring_next(uint32_t at, uint32_t size, bool forward)
{
    if (forward) {
        return at + 1 == size ? 0 : at + 1;
    }
    return at == 0 ? size - 1 : at - 1;
}

/* A message on its way; head and tail in cycles. */
struct worm {
    uint32_t column;
    uint32_t row;
    uint32_t parts;
    uint64_t head;
    uint64_t tail;
    uint64_t now_ps;
};

static void hop(struct torus *torus, struct worm *worm, enum torus_way way)
{
    uint32_t place = worm->row * torus->columns + worm->column;
    uint64_t first;
    uint64_t last = calendar_take_parts(&torus->link[place * TORUS_WAYS + way], worm->head,
                                        worm->now_ps, worm->parts, &first);

    worm->head = first + torus->cycles;
    worm->tail = later(last, worm->tail) + torus->cycles;
}

static uint64_t torus_send(struct interconnect *net, uint32_t from, uint32_t to, uint32_t parts,
                           uint64_t time_ps, uint64_t now_ps)
{
    struct torus *torus = (struct torus *)net;
    uint64_t start = sim_clock_after(&net->clock, time_ps);
    struct worm worm = {from % torus->columns, from / torus->columns, parts, start, start, now_ps};
    bool forward;
    uint32_t hops = ring_hops(worm.column, to % torus->columns, torus->columns, &forward);

    for (; hops > 0; hops--) {
        hop(torus, &worm, forward ? TORUS_EAST : TORUS_WEST);
        worm.column = ring_next(worm.column, torus->columns, forward);
    }
    hops = ring_hops(worm.row, to / torus->columns, torus->rows, &forward);
    for (; hops > 0; hops--) {
        hop(torus, &worm, forward ? TORUS_SOUTH : TORUS_NORTH);
        worm.row = ring_next(worm.row, torus->rows, forward);
    }
    return worm.tail * net->clock.ps;
}

static uint64_t torus_latency(const struct interconnect *net, uint32_t from, uint32_t to)
{
    const struct torus *torus = (const struct torus *)net;
    bool forward;
    uint32_t hops =
        ring_hops(from % torus->columns, to % torus->columns, torus->columns, &forward) +
        ring_hops(from / torus->columns, to / torus->columns, torus->rows, &forward);

    return hops * torus->cycles * net->clock.ps;
}

const struct interconnect_ops interconnect_torus = {
    .name = "torus",
    .create = torus_create,
    .destroy = torus_destroy,
    .reset = torus_reset,
    .send = torus_send,
    .latency = torus_latency,
};
