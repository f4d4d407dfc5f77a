/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* All places that there are on a machine, closed and open. */
#include "attack/places.h"

#include "sluice/registers.h"

/* A word of 8 bytes of a range. */
static uint64_t word_of(uint64_t base, uint64_t bytes, struct rng *rng)
{
    return bytes < 8 ? 0 : base + 8 * rng_below(rng, bytes / 8);
}

static uint64_t dram(const struct session *session, struct rng *rng)
{
    const struct sl_layout *const layout = sl_soc_layout(session->soc);
    return word_of(SL_DRAM_BASE, layout->dram_bytes, rng);
}

static uint64_t heap(const struct session *session, struct rng *rng)
{
    const uint64_t used = UINT64_C(1) << 20; /* from the bottom up, and from the top down */
    const struct sl_layout *const layout = sl_soc_layout(session->soc);
    return rng_below(rng, 2) == 0 ? word_of(SL_HEAP_BASE, used, rng)
                                  : word_of(layout->heap_limit - used, used, rng);
}

static uint64_t low(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(0, SL_DRAM_BASE, rng);
}

static uint64_t high(const struct session *session, struct rng *rng)
{
    return word_of(sl_soc_layout(session->soc)->dram_limit,
                   UINT64_C(1) << (32 + rng_below(rng, 31)), rng);
}

/* The headers of saved wavefronts: blocks are taken from the first one on. */
static uint64_t pool_header(const struct session *session, struct rng *rng)
{
    const struct sl_layout *const layout = sl_soc_layout(session->soc);
    const uint64_t block = rng_below(rng, layout->pool_blocks < 16 ? layout->pool_blocks : 16);
    return word_of(layout->pool_base + block * layout->pool_block_bytes, 256, rng);
}

static uint64_t pool(const struct session *session, struct rng *rng)
{
    const struct sl_layout *const layout = sl_soc_layout(session->soc);
    return word_of(layout->pool_base, layout->pool_blocks * layout->pool_block_bytes, rng);
}

static uint64_t firmware(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(SL_FIRMWARE_BASE, rng_below(rng, 2) == 0 ? 0x40000 : SL_FIRMWARE_BYTES, rng);
}

static uint64_t mailbox(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(SL_MAILBOX_BASE, rng_below(rng, 2) == 0 ? 256 : sizeof(struct sl_mailbox), rng);
}

static uint64_t machine(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(SL_MACHINE_BASE, sizeof(struct sl_machine_record), rng);
}

static uint64_t top(const struct session *session, struct rng *rng)
{
    return word_of(sl_soc_layout(session->soc)->top_base, SL_TOP_BYTES, rng);
}

static uint64_t window(const struct session *session, struct rng *rng)
{
    return word_of(sl_soc_layout(session->soc)->window_base, 1024, rng);
}

/* The rings are where firmware has said that they are. */
static uint64_t rings(const struct session *session, struct rng *rng)
{
    static const uint32_t bases[] = {SL_REG_DISPATCH_BASE, SL_REG_COMPLETION_BASE,
                                     SL_REG_FAULT_BASE, SL_REG_YIELD_BASE};
    const uint64_t window_base = sl_soc_layout(session->soc)->window_base;
    const uint64_t offset = bases[rng_below(rng, sizeof bases / sizeof bases[0])];
    return word_of(*(const volatile uint64_t *)(uintptr_t)(window_base + offset), 4096, rng);
}

static uint64_t code(const struct session *session, struct rng *rng)
{
    const struct sl_program *const program = session_program(session);
    return word_of(program->code, program->code_bytes, rng);
}

static uint64_t kernel_data(const struct session *session, struct rng *rng)
{
    const struct sl_program *const program = session_program(session);
    return word_of((program->code + program->code_bytes + 7) & ~UINT64_C(7), 16384, rng);
}

static uint64_t tables(const struct session *session, struct rng *rng)
{
    const struct sl_program *const program = session_program(session);
    switch (rng_below(rng, 3)) {
    case 0:
        return word_of((uintptr_t)program, sizeof *program, rng);
    case 1:
        return word_of(program->reconvergence, 2 * program->code_bytes, rng);
    default:
        return word_of(program->liveness, program->liveness != 0 ? 4 * program->code_bytes : 0,
                       rng);
    }
}

/* ---- a graph's own memory, and another's ---- */

static uint64_t description(struct sl_graph_builder *builder, struct rng *rng)
{
    const struct sl_graph *const graph = sl_graph_shared(builder);
    switch (rng_below(rng, 6)) {
    case 0:
        return word_of((uintptr_t)graph, sizeof *graph, rng);
    case 1:
        return word_of(graph->kernels, graph->kernel_count * sizeof(struct sl_kernel), rng);
    case 2:
        return word_of(graph->edges, graph->edge_count * sizeof(struct sl_edge), rng);
    case 3:
        return word_of(((struct sl_kernel *)(uintptr_t)graph->kernels)->limits,
                       graph->channel_count * sizeof(struct sl_limit), rng);
    default:
        return word_of((uintptr_t)(graph + 1), graph->channel_count * sizeof(struct sl_channel),
                       rng);
    }
}

static const struct sl_channel *any_channel(struct sl_graph_builder *builder, struct rng *rng)
{
    const struct sl_graph *const graph = sl_graph_shared(builder);
    return sl_graph_shared_channel(builder, (int)rng_below(rng, graph->channel_count));
}

/* Shapes, counters. */
static uint64_t channel_word(const struct sl_channel *channel, struct rng *rng)
{
    static const uint32_t counters[] = {64, 128, 192, 256, 320};
    return rng_below(rng, 2) == 0 ? (uintptr_t)channel + counters[rng_below(rng, 5)]
                                  : word_of((uintptr_t)channel, 64, rng);
}

static uint64_t control_word(const struct sl_channel *channel, struct rng *rng)
{
    return word_of(channel->control, (uint64_t)channel->width * 8, rng);
}

static uint64_t done_word(const struct sl_channel *channel, struct rng *rng)
{
    const uint64_t bytes = (channel->width >> channel->done_shift) * sizeof(uint32_t);
    return channel->done + (bytes > 8 ? 8 * rng_below(rng, bytes / 8) : 0);
}

static uint64_t element_word(const struct sl_channel *channel, struct rng *rng)
{
    return word_of(channel->data, (uint64_t)channel->width * channel->stride, rng);
}

#define OF_GRAPH(name, expression)                                                                 \
    static uint64_t own_##name(const struct session *session, struct rng *rng)                     \
    {                                                                                              \
        struct sl_graph_builder *const graph = session->graph;                                     \
        return graph == NULL ? 0 : (expression);                                                   \
    }                                                                                              \
    static uint64_t other_##name(const struct session *session, struct rng *rng)                   \
    {                                                                                              \
        struct sl_graph_builder *const graph = session->good.graph;                                \
        return (expression);                                                                       \
    }

OF_GRAPH(description, description(graph, rng))
OF_GRAPH(channel, channel_word(any_channel(graph, rng), rng))
OF_GRAPH(control, control_word(any_channel(graph, rng), rng))
OF_GRAPH(done, done_word(any_channel(graph, rng), rng))
OF_GRAPH(element, element_word(any_channel(graph, rng), rng))

static uint64_t trees_word(const struct session *session, struct rng *rng)
{
    return session->trees == NULL
               ? 0
               : word_of((uintptr_t)sl_trees_shared(session->trees), sizeof(struct sl_trees), rng);
}

static uint64_t launch_word(const struct session *session, struct rng *rng)
{
    const struct sl_launch *const launch = sl_launch_shared(session->soc);
    const struct sl_sequence *const sequence = sl_sequence_shared(session->soc);
    if (sequence != NULL && rng_below(rng, 2) == 0) {
        return word_of((uintptr_t)sequence,
                       sizeof *sequence + sequence->count * sizeof(struct sl_launch), rng);
    }
    return launch == NULL ? 0 : word_of((uintptr_t)launch, sizeof *launch, rng);
}

/* The program's own memory, its buffer for texts of kernels somewhere in it. */
static uint64_t own_memory(const struct session *session, struct rng *rng)
{
    return word_of(SL_HEAP_BASE, session->open_limit - SL_HEAP_BASE, rng);
}

static uint64_t closed_memory(const struct session *session, struct rng *rng)
{
    return session->closed == NULL
               ? 0
               : word_of((uintptr_t)session->closed, CLOSED_WORDS * sizeof *session->closed, rng);
}

static uint64_t stack(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(SL_PRIVATE_BASE, 4096, rng);
}

static uint64_t lds(const struct session *session, struct rng *rng)
{
    (void)session;
    return word_of(SL_LDS_BASE, 4096, rng);
}

const struct place places[] = {
    {"all of DRAM", dram, false},
    {"heap", heap, false},
    {"below DRAM", low, false},
    {"behind DRAM", high, true},
    {"state pool: headers", pool_header, true},
    {"state pool", pool, true},
    {"firmware", firmware, true},
    {"mailbox", mailbox, true},
    {"machine record", machine, true},
    {"top of DRAM", top, true},
    {"device window", window, true},
    {"rings", rings, true},
    {"kernel code", code, false},
    {"kernel data", kernel_data, false},
    {"program's tables", tables, true},
    {"own graph: description", own_description, false},
    {"own graph: channels", own_channel, false},
    {"own graph: control arrays", own_control, false},
    {"own graph: done counts", own_done, false},
    {"own graph: elements", own_element, false},
    {"other graph: description", other_description, true},
    {"other graph: channels", other_channel, true},
    {"other graph: control arrays", other_control, true},
    {"other graph: done counts", other_done, true},
    {"other graph: elements", other_element, true},
    {"task vector", trees_word, false},
    {"launch, sequence", launch_word, false},
    {"open memory", own_memory, false},
    {"private memory", closed_memory, true},
    {"stack", stack, false},
    {"LDS", lds, false},
};
const unsigned place_count = sizeof places / sizeof places[0];
