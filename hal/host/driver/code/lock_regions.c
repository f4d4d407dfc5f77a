/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Depths by a walk over each function's blocks, and the points that follow from them. */
#include "host/driver/code/lock_regions.h"

#include <stdlib.h>

#include "host/driver/code/analysis.h"
#include "sluice/limits.h"

/* ---- depths ---- */

bool sl_lock_regions_any(const struct sl_decoded *decoded, struct sl_code_range range)
{
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        if (sl_insn_lock_change(&decoded->insns[at]) != 0) {
            return true;
        }
    }
    return false;
}

static int change_of(const struct sl_blocks *blocks, uint32_t block)
{
    return sl_insn_lock_change(&blocks->decoded->insns[blocks->blocks[block].last]);
}

uint32_t sl_lock_regions_behind(const struct sl_lock_regions *regions, uint32_t block)
{
    const uint32_t depth = regions->depth[block];
    const int change = change_of(&regions->blocks, block);

    return change < 0 && depth == 0 ? 0 : (uint32_t)((int64_t)depth + change);
}

struct walk {
    struct sl_lock_regions *regions;
    uint32_t *pending;
    uint32_t pending_count;
};

static void arrive(struct walk *walk, uint32_t block, uint32_t depth)
{
    if (block != SL_FLOW_NONE && walk->regions->depth[block] == SL_DEPTH_NONE) {
        walk->regions->depth[block] = depth;
        walk->pending[walk->pending_count++] = block;
    }
}

/* Follows all ways from a block at which lanes hold nothing. */
static void walk_from(struct walk *walk, uint32_t block)
{
    arrive(walk, block, 0);
    while (walk->pending_count > 0) {
        const uint32_t n = walk->pending[--walk->pending_count];
        const struct sl_flow_node *node = &walk->regions->blocks.nodes[n];
        const uint32_t depth = sl_lock_regions_behind(walk->regions, n);
        for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
            arrive(walk, node->next[i], depth);
        }
    }
}

/* Functions that begin inside others are entries, too. */
static void walk_entries(struct walk *walk)
{
    const struct sl_blocks *const blocks = &walk->regions->blocks;
    const struct sl_code *const code = blocks->decoded->code;

    walk_from(walk, 0);
    for (size_t f = 0; f < code->function_count; f++) {
        const size_t at = sl_decoded_place(blocks->decoded, code->functions[f].address);
        if (at >= blocks->range.first && at < blocks->range.end &&
            blocks->blocks[sl_blocks_at(blocks, at)].first == at) {
            walk_from(walk, sl_blocks_at(blocks, at));
        }
    }
}

/* Whether a block that has a depth ends in a jump that may lead anywhere: through a register that
 * no auipc sets right in front of it. */
static bool jumps_anywhere(const struct sl_lock_regions *regions, uint32_t block)
{
    const struct sl_blocks *const blocks = &regions->blocks;
    const size_t last = blocks->blocks[block].last;
    const struct sl_insn *insn = &blocks->decoded->insns[last];

    return regions->depth[block] != SL_DEPTH_NONE && sl_insn_is_indirect_jump(insn) &&
           !sl_insn_is_return(insn) &&
           !sl_decoded_is_far_jump(blocks->decoded, blocks->range, last);
}

static void mark_successors(const struct sl_blocks *blocks, bool *is_successor)
{
    for (uint32_t n = 0; n < blocks->count; n++) {
        for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
            const uint32_t next = blocks->nodes[n].next[i];
            if (next != SL_FLOW_NONE) {
                is_successor[next] = true;
            }
        }
    }
}

/* The targets of a jump that may lead anywhere: what nothing else leads to. Of what is left then,
 * which are loops, the first block. */
static int walk_targets(struct walk *walk)
{
    const struct sl_blocks *const blocks = &walk->regions->blocks;
    uint32_t jump = 0;

    while (jump < blocks->count && !jumps_anywhere(walk->regions, jump)) {
        jump++;
    }
    if (jump == blocks->count) {
        return 0;
    }
    bool *is_successor = calloc(blocks->count, sizeof *is_successor);
    if (is_successor == NULL) {
        return -1;
    }
    mark_successors(blocks, is_successor);
    for (uint32_t n = 0; n < blocks->count; n++) {
        if (!is_successor[n]) {
            walk_from(walk, n);
        }
    }
    for (uint32_t n = 0; n < blocks->count; n++) {
        walk_from(walk, n);
    }
    free(is_successor);
    return 0;
}

int sl_lock_regions_open(const struct sl_decoded *decoded, struct sl_code_range range,
                         struct sl_lock_regions *regions)
{
    *regions = (struct sl_lock_regions){.depth = NULL};
    if (sl_blocks_open(decoded, range, &regions->blocks) != 0) {
        return -1;
    }
    const uint32_t count = regions->blocks.count;
    struct walk walk = {.regions = regions, .pending = calloc(count, sizeof *walk.pending)};
    regions->depth = calloc(count, sizeof *regions->depth);
    if (regions->depth == NULL || walk.pending == NULL) {
        free(walk.pending);
        return -1;
    }
    for (uint32_t n = 0; n < count; n++) {
        regions->depth[n] = SL_DEPTH_NONE;
    }
    walk_entries(&walk);
    const int status = walk_targets(&walk);
    free(walk.pending);
    return status;
}

void sl_lock_regions_close(struct sl_lock_regions *regions)
{
    sl_blocks_close(&regions->blocks);
    free(regions->depth);
}

/* ---- joins ---- */

struct joins {
    const struct sl_lock_regions *regions;
    uint32_t *ipdom;
    uint32_t *seen; /* per block: number of the search that found it */
    uint32_t *pending;
    uint32_t searches;
    uint32_t *table;
};

/* The nearest post-dominator of a block's end that is of this depth at most. */
static uint32_t nearest(const struct joins *joins, uint32_t block, uint32_t depth)
{
    do {
        block = joins->ipdom[block];
    } while (block != SL_FLOW_NONE && joins->regions->depth[block] > depth);
    return block;
}

/* Whether a lock may execute between the end of a block and the beginning of another. */
static bool locks_before(struct joins *joins, uint32_t block, uint32_t end)
{
    const struct sl_blocks *const blocks = &joins->regions->blocks;
    uint32_t count = 0;

    joins->seen[end] = ++joins->searches;
    joins->pending[count++] = block;
    while (count > 0) {
        const struct sl_flow_node *node = &blocks->nodes[joins->pending[--count]];
        for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
            const uint32_t next = node->next[i];
            if (next == SL_FLOW_NONE || joins->seen[next] == joins->searches) {
                continue;
            }
            if (change_of(blocks, next) > 0) {
                return true;
            }
            joins->seen[next] = joins->searches;
            joins->pending[count++] = next;
        }
    }
    return false;
}

/* The block at which lanes that part at the end of a block come together again. */
static uint32_t meeting_of(struct joins *joins, uint32_t block)
{
    const uint32_t depth = joins->regions->depth[block];

    if (change_of(&joins->regions->blocks, block) > 0) {
        return nearest(joins, block, 0);
    }
    const uint32_t meet = nearest(joins, block, depth);
    return depth > 0 && meet != SL_FLOW_NONE && locks_before(joins, block, meet)
               ? nearest(joins, block, 0)
               : meet;
}

static void fill_table(struct joins *joins)
{
    const struct sl_blocks *const blocks = &joins->regions->blocks;

    for (uint32_t n = 0; n < blocks->count; n++) {
        const size_t last = blocks->blocks[n].last;
        if (joins->regions->depth[n] == SL_DEPTH_NONE ||
            (change_of(blocks, n) <= 0 && blocks->decoded->insns[last].class != SL_CLASS_BRANCH)) {
            continue;
        }
        const uint32_t meet = meeting_of(joins, n);
        joins->table[last] = meet == SL_FLOW_NONE
                                 ? SL_RECONVERGE_NONE
                                 : (uint32_t)(SL_PARCEL_BYTES * blocks->blocks[meet].first);
    }
}

static int join_function(const struct sl_decoded *decoded, struct sl_code_range range,
                         uint32_t *table)
{
    struct sl_lock_regions regions;
    int status = sl_lock_regions_open(decoded, range, &regions);
    const uint32_t count = regions.blocks.count;
    struct joins joins = {
        .regions = &regions,
        .ipdom = calloc(count + 1, sizeof *joins.ipdom),
        .seen = calloc(count + 1, sizeof *joins.seen),
        .pending = calloc(count + 1, sizeof *joins.pending),
        .table = table,
    };

    if (joins.ipdom == NULL || joins.seen == NULL || joins.pending == NULL) {
        status = -1;
    }
    if (status == 0) {
        status = sl_postdom(regions.blocks.nodes, count, joins.ipdom);
    }
    if (status == 0) {
        fill_table(&joins);
    }
    free(joins.ipdom);
    free(joins.seen);
    free(joins.pending);
    sl_lock_regions_close(&regions);
    return status;
}

int sl_lock_joins(const struct sl_code *code, uint32_t *table)
{
    struct sl_decoded decoded;
    int status = sl_decoded_open(code, &decoded);

    for (size_t f = 0; f < decoded.range_count && status == 0; f++) {
        if (sl_lock_regions_any(&decoded, decoded.ranges[f])) {
            status = join_function(&decoded, decoded.ranges[f], table);
        }
    }
    sl_decoded_close(&decoded);
    return status;
}
