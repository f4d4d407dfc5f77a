/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Descriptions that are wrong: of graphs, launches, sequences and task vectors, good ones that are
 * damaged, given to the firmware without the library's check. What it accepts may mean another
 * program than the good one: its result is its own. */
#include <inttypes.h>
#include <string.h>

#include "attack/campaign.h"
#include "attack/damage.h"

#define FIB_N 5u /* fib(5) = 5: a second run finds the first one's result as its argument */

enum {
    OF_GRAPH,
    OF_CHANNELS,
    OF_KERNELS,
    OF_EDGES,
    OF_LIMITS,
    OF_PROGRAM,
    OF_LAUNCH,
    OF_SEQUENCE,
    OF_TREES,
    OF_NOTHING, /* an address of anything */
    ROWS
};

static const char *const rows[ROWS] = {
    "graph",   "channels", "kernels",  "edges",       "tables of limits",
    "program", "launch",   "sequence", "task vector", "an address of no description",
};

/* A description that is started by its address. */
struct description {
    enum sl_status (*start)(struct sl_soc *soc, uint64_t address);
    uint64_t address;
    void *damaged; /* the part of it that is damaged */
    size_t bytes;
    void *copy; /* to be freed, or NULL */
};

static enum sl_status make_graph(struct session *session, unsigned row, struct description *out)
{
    const uint64_t which = row % 2;
    const enum sl_status status = session_make(session, &victims[which == 0 ? 0 : 2]);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph *const graph = sl_graph_shared(session->graph);
    struct sl_kernel *const kernels = (struct sl_kernel *)(uintptr_t)graph->kernels;
    *out = (struct description){sl_soc_execute_unchecked, (uintptr_t)graph, graph, 64, NULL};
    switch (row) {
    case OF_CHANNELS:
        out->damaged = graph + 1;
        out->bytes = graph->channel_count * sizeof(struct sl_channel);
        break;
    case OF_KERNELS:
        out->damaged = kernels;
        out->bytes = graph->kernel_count * sizeof *kernels;
        break;
    case OF_EDGES:
        out->damaged = (void *)(uintptr_t)graph->edges;
        out->bytes = graph->edge_count * sizeof(struct sl_edge);
        break;
    case OF_LIMITS:
        out->damaged = (void *)(uintptr_t)kernels[0].limits;
        out->bytes = graph->channel_count * sizeof(struct sl_limit);
        break;
    case OF_PROGRAM:
        out->copy = sl_alloc(session->soc, sizeof(struct sl_program), 0);
        if (out->copy == NULL) {
            return SL_ERROR_USAGE;
        }
        memcpy(out->copy, (void *)(uintptr_t)graph->program, sizeof(struct sl_program));
        graph->program = (uintptr_t)out->copy;
        out->damaged = out->copy;
        out->bytes = sizeof(struct sl_program);
        break;
    default:
        break;
    }
    return SL_OK;
}

/* The library's own, from a run that was good. */
static enum sl_status make_launch(struct session *session, unsigned row, struct description *out)
{
    enum sl_status status = session_make(session, &victims[row == OF_LAUNCH ? 5 : 6]);
    if (status == SL_OK) {
        status = session_run(session);
    }
    if (status != SL_OK) {
        return status;
    }
    const struct sl_sequence *const sequence = sl_sequence_shared(session->soc);
    const void *const good =
        row == OF_LAUNCH ? (const void *)sl_launch_shared(session->soc) : (const void *)sequence;
    const size_t bytes = row == OF_LAUNCH
                             ? sizeof(struct sl_launch)
                             : sizeof *sequence + sequence->count * sizeof(struct sl_launch);
    out->copy = sl_alloc(session->soc, bytes, 64);
    if (out->copy == NULL) {
        return SL_ERROR_USAGE;
    }
    memcpy(out->copy, good, bytes);
    memset(session->out, 0, ATTACK_ITEMS * sizeof *session->out);
    out->start = row == OF_LAUNCH ? sl_soc_launch_unchecked : sl_soc_sequence_unchecked;
    out->address = (uintptr_t)out->copy;
    out->damaged = out->copy;
    out->bytes = bytes;
    return SL_OK;
}

static enum sl_status make_trees(struct session *session, struct description *out)
{
    const uint32_t n = FIB_N;
    enum sl_status status = session_make(session, &victims[4]);
    if (status == SL_OK) {
        status = sl_trees_execute(session->trees, 1, &n, 1);
    }
    if (status == SL_OK) {
        status = sl_soc_wait(session->soc, WAIT_LIMIT_MS);
    }
    if (status == SL_OK) {
        struct sl_trees *const trees = sl_trees_shared(session->trees);
        *out = (struct description){sl_soc_trees_unchecked, (uintptr_t)trees, trees, sizeof *trees,
                                    NULL};
    }
    return status;
}

static enum sl_status make(struct session *session, unsigned row, struct description *out)
{
    *out = (struct description){.start = NULL};
    switch (row) {
    case OF_LAUNCH:
    case OF_SEQUENCE:
        return make_launch(session, row, out);
    case OF_TREES:
        return make_trees(session, out);
    default:
        return make_graph(session, row, out);
    }
}

/* All kinds of runs, at an address of anything. */
static void aim_at_nothing(struct session *session, struct rng *rng, struct description *out)
{
    enum sl_status (*const starts[])(struct sl_soc *, uint64_t) = {
        sl_soc_execute_unchecked, sl_soc_launch_unchecked, sl_soc_sequence_unchecked,
        sl_soc_trees_unchecked};
    const struct sl_layout *const layout = sl_soc_layout(session->soc);
    out->start = starts[rng_below(rng, sizeof starts / sizeof starts[0])];
    out->address =
        rng_below(rng, 2) == 0
            ? rng_odd(rng)
            : SL_HEAP_BASE + 64 * rng_below(rng, (layout->heap_limit - SL_HEAP_BASE) / 64);
}

/* The good graph is one that is made anew: a description that the host has made may say that its
 * arrays are where another's are. */
static enum outcome judge(struct session *session, enum sl_status status)
{
    enum outcome outcome = OUTCOME_OWN;
    if (status != SL_OK) {
        outcome = session_told(session, status);
    } else if (session->trees != NULL ? sl_trees_result(session->trees) == FIB_N
                                      : session->victim->is_right(session)) {
        outcome = OUTCOME_RIGHT;
    }
    if (outcome < OUTCOME_WRONG) {
        sl_graph_destroy(session->good.graph);
        if (session_make_good(session) != SL_OK || !session_is_fit(session)) {
            return OUTCOME_UNFIT;
        }
    }
    return outcome;
}

static enum outcome attack_descriptor(struct session *session, struct rng *rng, struct tally *tally,
                                      uint64_t *tried)
{
    struct description description;
    const enum damage how = (enum damage)rng_below(rng, DAMAGES);
    tally->current = (unsigned)rng_below(rng, ROWS);
    session->is_stale = true;
    enum sl_status status = make(session, tally->current, &description);
    if (status != SL_OK) {
        return session_told(session, status) == OUTCOME_FIRMWARE ? OUTCOME_FIRMWARE : OUTCOME_UNFIT;
    }
    if (tally->current == OF_NOTHING) {
        aim_at_nothing(session, rng, &description);
    } else {
        damage(description.damaged, description.bytes, how, rng);
    }
    tally_note(tally, "damage %d, address 0x%" PRIx64, (int)how, description.address);
    *tried = 1;
    status = description.start(session->soc, description.address);
    if (status == SL_OK) {
        status = sl_soc_wait(session->soc, WAIT_LIMIT_MS);
    }
    const enum outcome outcome = judge(session, status);
    if (description.copy != NULL) {
        sl_free(session->soc, description.copy);
    }
    return outcome;
}

static const char *row_of(unsigned row)
{
    return row < ROWS ? rows[row] : NULL;
}

const struct campaign campaign_descriptors = {
    .name = "descriptors",
    .unit = "tried",
    .runs = 3000,
    .runs_per_machine = 100,
    .row = row_of,
    .attack = attack_descriptor,
};
