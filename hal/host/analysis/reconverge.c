/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From machine code to control-flow graphs, one function at a time, and from their post-dominators
 * to the table that the compute units read. */
#include "host/analysis/analysis.h"

#include <stdbool.h>
#include <stdlib.h>

#include "host/analysis/jump_table.h"
#include "host/analysis/postdom.h"
#include "sluice/limits.h"

struct flow {
    const struct sl_decoded *decoded;
    uint32_t *block_of; /* per parcel: number of its basic block in the function at hand */
    uint32_t *table;
    struct sl_jumps jumps; /* of the function at hand */
    uint32_t *more;        /* the blocks that they go to */
};

struct block {
    size_t first;
    size_t last;
};

static bool ends_block(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn) ||
           sl_insn_is_indirect_jump(insn) || sl_insn_is_end(insn);
}

/* Marks the first instruction of each block, then numbers blocks: block_of is set for the whole
 * range. Returns the number of blocks. */
static uint32_t find_blocks(const struct flow *flow, struct sl_code_range range)
{
    for (size_t at = range.first; at < range.end; at++) {
        flow->block_of[at] = at == range.first;
    }
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(flow->decoded, at)) {
        const struct sl_insn *insn = &flow->decoded->insns[at];
        if (insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn)) {
            size_t target = sl_decoded_target(flow->decoded, range, at);
            if (target != SIZE_MAX) {
                flow->block_of[target] = 1;
            }
        }
        if (ends_block(insn) && sl_decoded_behind(flow->decoded, at) < range.end) {
            flow->block_of[sl_decoded_behind(flow->decoded, at)] = 1;
        }
    }
    for (size_t t = 0; t < flow->jumps.target_count; t++) {
        flow->block_of[flow->jumps.targets[t]] = 1;
    }
    uint32_t count = 0;
    for (size_t at = range.first; at < range.end; at++) {
        count += flow->block_of[at];
        flow->block_of[at] = count - 1;
    }
    return count;
}

/* Adds the edge to an instruction; one that is outside the function is a way out. */
static void add_edge(const struct flow *flow, struct sl_code_range range, struct sl_flow_node *node,
                     size_t target)
{
    if (target == SIZE_MAX || target >= range.end) {
        node->end = SL_FLOW_LEAVES;
    } else {
        node->next[node->next[0] == SL_FLOW_NONE ? 0 : 1] = flow->block_of[target];
    }
}

/* A jump through a table goes to every entry's block. */
static void add_table(const struct flow *flow, const struct sl_jump *jump,
                      struct sl_flow_node *node)
{
    uint32_t *more = flow->more + jump->target_first;

    for (size_t t = 0; t < jump->target_count; t++) {
        more[t] = flow->block_of[flow->jumps.targets[jump->target_first + t]];
    }
    node->more = more;
    node->more_count = (uint32_t)jump->target_count;
    if (jump->leaves) {
        node->end = SL_FLOW_LEAVES;
    }
}

static struct sl_flow_node node_of(const struct flow *flow, struct sl_code_range range, size_t last)
{
    struct sl_flow_node node = {{SL_FLOW_NONE, SL_FLOW_NONE}, SL_FLOW_GOES_ON, NULL, 0};
    const struct sl_insn *insn = &flow->decoded->insns[last];
    const struct sl_jump *jump =
        sl_insn_is_indirect_jump(insn) ? sl_jumps_at(&flow->jumps, last) : NULL;

    if (sl_insn_is_end(insn)) {
        node.end = SL_FLOW_STOPS;
    } else if (jump != NULL) {
        add_table(flow, jump, &node);
    } else if (sl_insn_is_indirect_jump(insn)) {
        node.end = SL_FLOW_LEAVES;
    } else if (sl_insn_is_direct_jump(insn)) {
        add_edge(flow, range, &node, sl_decoded_target(flow->decoded, range, last));
    } else if (insn->class == SL_CLASS_BRANCH) {
        add_edge(flow, range, &node, sl_decoded_target(flow->decoded, range, last));
        add_edge(flow, range, &node, sl_decoded_behind(flow->decoded, last));
    } else if (sl_insn_is_call(insn) && sl_decoded_behind(flow->decoded, last) >= range.end) {
        node.end = SL_FLOW_STOPS; /* nothing behind a call: it does not return */
    } else {
        add_edge(flow, range, &node, sl_decoded_behind(flow->decoded, last));
    }
    return node;
}

static void fill_table(const struct flow *flow, struct sl_code_range range,
                       const struct block *blocks, const uint32_t *ipdom)
{
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(flow->decoded, at)) {
        const struct sl_insn *insn = &flow->decoded->insns[at];
        if (insn->class == SL_CLASS_BRANCH ||
            (sl_insn_is_indirect_jump(insn) && sl_jumps_at(&flow->jumps, at) != NULL)) {
            uint32_t meet = ipdom[flow->block_of[at]];
            if (meet != SL_FLOW_NONE) {
                flow->table[at] = (uint32_t)(2 * blocks[meet].first);
            }
        } else if (insn->id == SL_INSN_JALR && sl_insn_is_call(insn) &&
                   sl_decoded_behind(flow->decoded, at) < range.end) {
            flow->table[at] = (uint32_t)(2 * sl_decoded_behind(flow->decoded, at));
        }
    }
}

static int analyse_blocks(const struct flow *flow, struct sl_code_range range)
{
    uint32_t count = find_blocks(flow, range);
    struct sl_flow_node *nodes = calloc(count, sizeof *nodes);
    struct block *blocks = calloc(count, sizeof *blocks);
    uint32_t *ipdom = calloc(count, sizeof *ipdom);
    int status = -1;

    if (nodes != NULL && blocks != NULL && ipdom != NULL) {
        for (size_t at = range.end; at-- > range.first;) {
            blocks[flow->block_of[at]].first = at;
        }
        for (size_t at = range.first; at < range.end; at = sl_decoded_behind(flow->decoded, at)) {
            blocks[flow->block_of[at]].last = at;
        }
        for (uint32_t n = 0; n < count; n++) {
            nodes[n] = node_of(flow, range, blocks[n].last);
        }
        status = sl_postdom(nodes, count, ipdom);
    }
    if (status == 0) {
        fill_table(flow, range, blocks, ipdom);
    }
    free(nodes);
    free(blocks);
    free(ipdom);
    return status;
}

static int analyse_function(struct flow *flow, struct sl_code_range range)
{
    int status = sl_jumps_find(flow->decoded, range, &flow->jumps);
    flow->more = calloc(flow->jumps.target_count + 1, sizeof *flow->more);
    if (status == 0) {
        status = flow->more == NULL ? -1 : analyse_blocks(flow, range);
    }
    free(flow->more);
    sl_jumps_free(&flow->jumps);
    return status;
}

int sl_reconverge(const struct sl_code *code, uint32_t *table)
{
    for (size_t i = 0; i < 2 * code->word_count; i++) {
        table[i] = SL_RECONVERGE_NONE;
    }
    if (code->word_count == 0 || code->function_count == 0) {
        return 0;
    }
    struct sl_decoded decoded;
    int status = sl_decoded_open(code, &decoded);
    struct flow flow = {
        .decoded = &decoded,
        .block_of = calloc(decoded.parcels, sizeof *flow.block_of),
        .table = table,
    };

    if (flow.block_of == NULL) {
        status = -1;
    }
    for (size_t f = 0; f < decoded.range_count && status == 0; f++) {
        status = analyse_function(&flow, decoded.ranges[f]);
    }
    free(flow.block_of);
    sl_decoded_close(&decoded);
    return status;
}
