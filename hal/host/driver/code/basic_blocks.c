/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From a function's instructions to its control-flow graph. */
#include "host/driver/code/basic_blocks.h"

#include <stdbool.h>
#include <stdlib.h>

static bool ends_block(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn) ||
           sl_insn_is_indirect_jump(insn) || sl_insn_is_end(insn) || sl_insn_lock_change(insn) != 0;
}

static void begin_block(const struct sl_blocks *blocks, size_t at)
{
    if (at < blocks->range.end) {
        blocks->block_of[at - blocks->range.first] = 1;
    }
}

/* Marks the first instruction of each block, then numbers blocks: block_of is set for the whole
 * range. Returns the number of blocks. */
static uint32_t number_blocks(const struct sl_blocks *blocks)
{
    const struct sl_decoded *const decoded = blocks->decoded;
    const struct sl_code_range range = blocks->range;

    begin_block(blocks, range.first);
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        const struct sl_insn *insn = &decoded->insns[at];
        if (insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn)) {
            begin_block(blocks, sl_decoded_target(decoded, range, at));
        }
        if (ends_block(insn)) {
            begin_block(blocks, sl_decoded_behind(decoded, at));
        }
    }
    uint32_t count = 0;
    for (size_t parcel = 0; parcel < range.end - range.first; parcel++) {
        count += blocks->block_of[parcel];
        blocks->block_of[parcel] = count - 1;
    }
    return count;
}

/* Adds the edge to an instruction; one that is outside the function is a way out. */
static void add_edge(const struct sl_blocks *blocks, struct sl_flow_node *node, size_t target)
{
    if (target == SIZE_MAX || target >= blocks->range.end) {
        node->end = SL_FLOW_LEAVES;
    } else {
        node->next[node->next[0] == SL_FLOW_NONE ? 0 : 1] = sl_blocks_at(blocks, target);
    }
}

static struct sl_flow_node node_of(const struct sl_blocks *blocks, size_t last)
{
    struct sl_flow_node node = {{SL_FLOW_NONE, SL_FLOW_NONE}, SL_FLOW_GOES_ON};
    const struct sl_insn *insn = &blocks->decoded->insns[last];
    const size_t behind = sl_decoded_behind(blocks->decoded, last);

    if (sl_insn_is_end(insn)) {
        node.end = SL_FLOW_STOPS;
    } else if (sl_insn_is_indirect_jump(insn)) {
        node.end = SL_FLOW_LEAVES;
    } else if (sl_insn_is_direct_jump(insn)) {
        add_edge(blocks, &node, sl_decoded_target(blocks->decoded, blocks->range, last));
    } else if (insn->class == SL_CLASS_BRANCH) {
        add_edge(blocks, &node, sl_decoded_target(blocks->decoded, blocks->range, last));
        add_edge(blocks, &node, behind);
    } else if (sl_insn_is_call(insn) && behind >= blocks->range.end) {
        node.end = SL_FLOW_STOPS; /* nothing behind a call: it does not return */
    } else {
        add_edge(blocks, &node, behind);
    }
    return node;
}

static int make_blocks(struct sl_blocks *blocks)
{
    const struct sl_code_range range = blocks->range;

    blocks->count = number_blocks(blocks);
    blocks->blocks = calloc(blocks->count, sizeof *blocks->blocks);
    blocks->nodes = calloc(blocks->count, sizeof *blocks->nodes);
    if (blocks->blocks == NULL || blocks->nodes == NULL) {
        return -1;
    }
    for (size_t at = range.end; at-- > range.first;) {
        blocks->blocks[sl_blocks_at(blocks, at)].first = at;
    }
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(blocks->decoded, at)) {
        blocks->blocks[sl_blocks_at(blocks, at)].last = at;
    }
    for (uint32_t n = 0; n < blocks->count; n++) {
        blocks->nodes[n] = node_of(blocks, blocks->blocks[n].last);
    }
    return 0;
}

int sl_blocks_open(const struct sl_decoded *decoded, struct sl_code_range range,
                   struct sl_blocks *blocks)
{
    *blocks = (struct sl_blocks){.decoded = decoded, .range = range};
    blocks->block_of = calloc(range.end - range.first, sizeof *blocks->block_of);
    return blocks->block_of == NULL ? -1 : make_blocks(blocks);
}

void sl_blocks_close(struct sl_blocks *blocks)
{
    free(blocks->blocks);
    free(blocks->nodes);
    free(blocks->block_of);
}
