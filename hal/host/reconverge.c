/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From machine code to control-flow graphs, one function at a time, and from their post-dominators
 * to the table that the compute units read. */
#include "host/reconverge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/postdom.h"
#include "isa/isa.h"
#include "sluice/limits.h"

/* Places are counted in parcels of two bytes from the beginning of the code. */
struct code {
    const struct sl_insn *insns; /* per parcel; bytes is 0 where no instruction begins */
    size_t parcels;
    uint32_t *block_of; /* per parcel: number of its basic block in the function at hand */
    uint32_t *table;
    uint64_t base;
    const struct sl_read_only *constants;
    size_t constant_count;
    struct sl_jumps jumps; /* of the function at hand */
    uint32_t *more;        /* the blocks that they go to */
};

#define UNIT_BYTES 2u /* of a parcel */

struct range {
    size_t first;
    size_t end;
};

struct block {
    size_t first;
    size_t last;
};

/* The instruction behind the one at a place. */
static size_t behind(const struct code *code, size_t at)
{
    return at + code->insns[at].bytes / 2;
}

/* Where a direct jump or branch goes; SIZE_MAX where that is outside the range or no instruction.
 */
static size_t target_of(const struct code *code, struct range range, size_t at)
{
    int64_t target = (int64_t)at + code->insns[at].immediate / 2;
    if (target < (int64_t)range.first || target >= (int64_t)range.end ||
        code->insns[target].bytes == 0) {
        return SIZE_MAX;
    }
    return (size_t)target;
}

static bool is_direct_jump(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JAL && !sl_insn_is_call(insn);
}

static bool is_indirect_jump(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JALR && !sl_insn_is_call(insn);
}

static bool stops(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_TRAP || insn->class == SL_CLASS_ILLEGAL;
}

static bool ends_block(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_BRANCH || is_direct_jump(insn) || is_indirect_jump(insn) ||
           stops(insn);
}

/* Marks the first instruction of each block, then numbers blocks: block_of is set for the whole
 * range. Returns the number of blocks. */
static uint32_t find_blocks(const struct code *code, struct range range)
{
    for (size_t at = range.first; at < range.end; at++) {
        code->block_of[at] = at == range.first;
    }
    for (size_t at = range.first; at < range.end; at = behind(code, at)) {
        const struct sl_insn *insn = &code->insns[at];
        if (insn->class == SL_CLASS_BRANCH || is_direct_jump(insn)) {
            size_t target = target_of(code, range, at);
            if (target != SIZE_MAX) {
                code->block_of[target] = 1;
            }
        }
        if (ends_block(insn) && behind(code, at) < range.end) {
            code->block_of[behind(code, at)] = 1;
        }
    }
    for (size_t i = 0; i < code->jumps.count; i++) {
        const struct sl_jump *jump = &code->jumps.jumps[i];
        for (size_t t = 0; t < jump->target_count; t++) {
            code->block_of[code->jumps.targets[jump->target_first + t]] = 1;
        }
    }
    uint32_t count = 0;
    for (size_t at = range.first; at < range.end; at++) {
        count += code->block_of[at];
        code->block_of[at] = count - 1;
    }
    return count;
}

/* Adds the edge to an instruction; one that is outside the function is a way out. */
static void add_edge(const struct code *code, struct range range, struct sl_flow_node *node,
                     size_t target)
{
    if (target == SIZE_MAX || target >= range.end) {
        node->end = SL_FLOW_LEAVES;
    } else {
        node->next[node->next[0] == SL_FLOW_NONE ? 0 : 1] = code->block_of[target];
    }
}

/* A jump through a table goes to every entry's block. */
static void add_table(const struct code *code, const struct sl_jump *jump,
                      struct sl_flow_node *node)
{
    uint32_t *more = code->more + jump->target_first;

    for (size_t t = 0; t < jump->target_count; t++) {
        more[t] = code->block_of[code->jumps.targets[jump->target_first + t]];
    }
    node->more = more;
    node->more_count = (uint32_t)jump->target_count;
    if (jump->leaves) {
        node->end = SL_FLOW_LEAVES;
    }
}

static struct sl_flow_node node_of(const struct code *code, struct range range, size_t last)
{
    struct sl_flow_node node = {{SL_FLOW_NONE, SL_FLOW_NONE}, SL_FLOW_GOES_ON, NULL, 0};
    const struct sl_insn *insn = &code->insns[last];
    const struct sl_jump *jump = is_indirect_jump(insn) ? sl_jumps_at(&code->jumps, last) : NULL;

    if (stops(insn)) {
        node.end = SL_FLOW_STOPS;
    } else if (jump != NULL) {
        add_table(code, jump, &node);
    } else if (is_indirect_jump(insn)) {
        node.end = SL_FLOW_LEAVES;
    } else if (is_direct_jump(insn)) {
        add_edge(code, range, &node, target_of(code, range, last));
    } else if (insn->class == SL_CLASS_BRANCH) {
        add_edge(code, range, &node, target_of(code, range, last));
        add_edge(code, range, &node, behind(code, last));
    } else if (sl_insn_is_call(insn) && behind(code, last) >= range.end) {
        node.end = SL_FLOW_STOPS; /* nothing behind a call: it does not return */
    } else {
        add_edge(code, range, &node, behind(code, last));
    }
    return node;
}

static void fill_table(const struct code *code, struct range range, const struct block *blocks,
                       const uint32_t *ipdom)
{
    for (size_t at = range.first; at < range.end; at = behind(code, at)) {
        const struct sl_insn *insn = &code->insns[at];
        if (insn->class == SL_CLASS_BRANCH ||
            (is_indirect_jump(insn) && sl_jumps_at(&code->jumps, at) != NULL)) {
            uint32_t meet = ipdom[code->block_of[at]];
            if (meet != SL_FLOW_NONE) {
                code->table[at] = (uint32_t)(2 * blocks[meet].first);
            }
        } else if (insn->id == SL_INSN_JALR && sl_insn_is_call(insn) &&
                   behind(code, at) < range.end) {
            code->table[at] = (uint32_t)(2 * behind(code, at));
        }
    }
}

static int analyse_blocks(const struct code *code, struct range range)
{
    uint32_t count = find_blocks(code, range);
    struct sl_flow_node *nodes = calloc(count, sizeof *nodes);
    struct block *blocks = calloc(count, sizeof *blocks);
    uint32_t *ipdom = calloc(count, sizeof *ipdom);
    int status = -1;

    if (nodes != NULL && blocks != NULL && ipdom != NULL) {
        for (size_t at = range.end; at-- > range.first;) {
            blocks[code->block_of[at]].first = at;
        }
        for (size_t at = range.first; at < range.end; at = behind(code, at)) {
            blocks[code->block_of[at]].last = at;
        }
        for (uint32_t n = 0; n < count; n++) {
            nodes[n] = node_of(code, range, blocks[n].last);
        }
        status = sl_postdom(nodes, count, ipdom);
    }
    if (status == 0) {
        fill_table(code, range, blocks, ipdom);
    }
    free(nodes);
    free(blocks);
    free(ipdom);
    return status;
}

static int analyse_function(struct code *code, struct range range)
{
    const struct sl_jump_code function = {
        .insns = code->insns,
        .first = range.first,
        .end = range.end,
        .base = code->base,
        .unit_bytes = UNIT_BYTES,
        .constants = code->constants,
        .constant_count = code->constant_count,
    };
    size_t targets = 0;
    int status = sl_jumps_find(&function, &code->jumps);

    for (size_t i = 0; i < code->jumps.count; i++) {
        targets += code->jumps.jumps[i].target_count;
    }
    code->more = calloc(targets + 1, sizeof *code->more);
    if (status == 0) {
        status = code->more == NULL ? -1 : analyse_blocks(code, range);
    }
    free(code->more);
    sl_jumps_free(&code->jumps);
    return status;
}

/* By address; of those that begin together the longest first. */
static int compare_functions(const void *left, const void *right)
{
    const struct sl_function *x = left;
    const struct sl_function *y = right;
    if (x->address != y->address) {
        return x->address < y->address ? -1 : 1;
    }
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* The part of a function that is inside the code; empty where there is none. */
static struct range range_of(const struct sl_function *function, uint64_t base, size_t parcels)
{
    uint64_t limit = base + 2 * (uint64_t)parcels;
    if (function->address < base || function->address >= limit || function->address % 2 != 0) {
        return (struct range){0, 0};
    }
    uint64_t bytes = limit - function->address;
    if (function->bytes < bytes) {
        bytes = function->bytes;
    }
    size_t first = (size_t)((function->address - base) / 2);
    return (struct range){first, first + (size_t)(bytes / 2)};
}

/* Decodes the instructions of a function, one behind the other from its beginning. Returns where
 * the last whole one ends. */
static size_t decode(struct sl_insn *insns, const uint32_t *code, struct range range)
{
    size_t at = range.first;

    while (at < range.end) {
        uint32_t word = 0;
        memcpy(&word, (const char *)code + 2 * at, range.end - at > 1 ? 4 : 2);
        insns[at] = sl_insn_decode(word);
        if (insns[at].bytes > 2 * (range.end - at)) {
            insns[at] = (struct sl_insn){0};
            break;
        }
        at += insns[at].bytes / 2;
    }
    return at;
}

static int analyse_all(struct code *code, struct sl_insn *insns, const uint32_t *words,
                       uint64_t base, const struct sl_function *sorted, size_t count)
{
    size_t done = 0;
    for (size_t f = 0; f < count; f++) {
        struct range range = range_of(&sorted[f], base, code->parcels);
        if (range.first < done || range.first == range.end) {
            continue;
        }
        range.end = decode(insns, words, range);
        if (range.first == range.end) {
            continue;
        }
        if (analyse_function(code, range) != 0) {
            return -1;
        }
        done = range.end;
    }
    return 0;
}

int sl_reconverge(const uint32_t *code, size_t words, uint64_t base,
                  const struct sl_function *functions, size_t function_count, uint32_t *table)
{
    return sl_reconverge_program(code, words, base, functions, function_count, NULL, 0, table);
}

int sl_reconverge_program(const uint32_t *code, size_t words, uint64_t base,
                          const struct sl_function *functions, size_t function_count,
                          const struct sl_read_only *constants, size_t constant_count,
                          uint32_t *table)
{
    for (size_t i = 0; i < 2 * words; i++) {
        table[i] = SL_RECONVERGE_NONE;
    }
    if (words == 0 || function_count == 0) {
        return 0;
    }
    struct sl_insn *insns = calloc(2 * words, sizeof *insns);
    uint32_t *block_of = calloc(2 * words, sizeof *block_of);
    struct sl_function *sorted = calloc(function_count, sizeof *sorted);
    int status = -1;

    if (insns != NULL && block_of != NULL && sorted != NULL) {
        memcpy(sorted, functions, function_count * sizeof *sorted);
        qsort(sorted, function_count, sizeof *sorted, compare_functions);
        struct code view = {
            .insns = insns,
            .parcels = 2 * words,
            .block_of = block_of,
            .table = table,
            .base = base,
            .constants = constants,
            .constant_count = constant_count,
        };
        status = analyse_all(&view, insns, code, base, sorted, function_count);
    }
    free(insns);
    free(block_of);
    free(sorted);
    return status;
}
