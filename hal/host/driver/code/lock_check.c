/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks that depths are what lock_regions.c takes them for: follows each edge and each call once
 * more. First it finds the functions that may take locks, over the graph of calls. */
#include <stdlib.h>

#include "host/driver/code/analysis.h"
#include "host/driver/code/inner_jump.h"
#include "host/driver/code/lock_regions.h"

struct check {
    struct sl_decoded decoded;
    bool may_nest;
    bool *may_lock; /* per function: range of `decoded` */
    struct sl_lock_finding *findings;
    size_t count;
    size_t capacity;
    bool has_failed; /* out of memory */
};

static void add(struct check *check, struct sl_lock_finding finding)
{
    if (check->count == check->capacity) {
        const size_t capacity = 2 * check->capacity + 4;
        struct sl_lock_finding *findings =
            realloc(check->findings, capacity * sizeof *check->findings);
        if (findings == NULL) {
            check->has_failed = true;
            return;
        }
        check->findings = findings;
        check->capacity = capacity;
    }
    check->findings[check->count++] = finding;
}

/* ---- calls ---- */

enum target_kind { TARGET_NONE, TARGET_KNOWN, TARGET_ANY };

struct target {
    enum target_kind kind;
    uint64_t address;
};

/* The function that an instruction calls, or jumps to out of its own. */
static struct target target_of(const struct sl_decoded *decoded, struct sl_code_range range,
                               size_t at)
{
    const struct sl_insn *insn = &decoded->insns[at];
    const uint64_t address = sl_decoded_address(decoded, at) + (uint64_t)(int64_t)insn->immediate;

    if (insn->id == SL_INSN_JALR && sl_decoded_is_far_jump(decoded, range, at)) {
        return (struct target){TARGET_KNOWN, sl_decoded_far_address(decoded, at)};
    }
    if (insn->id == SL_INSN_JALR && !sl_insn_is_return(insn)) {
        return (struct target){TARGET_ANY, 0};
    }
    const bool is_call = insn->id == SL_INSN_JAL && sl_insn_is_call(insn);
    const bool is_jump = insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn);
    if (is_call || (is_jump && sl_decoded_target(decoded, range, at) == SIZE_MAX)) {
        return (struct target){TARGET_KNOWN, address};
    }
    return (struct target){TARGET_NONE, 0};
}

/* Functions are few, and asked for few times: no search. */
static bool target_may_lock(const struct check *check, struct target target)
{
    if (target.kind != TARGET_KNOWN) {
        return target.kind == TARGET_ANY;
    }
    const size_t place = sl_decoded_place(&check->decoded, target.address);
    for (size_t r = 0; r < check->decoded.range_count; r++) {
        const struct sl_code_range range = check->decoded.ranges[r];
        if (place >= range.first && place < range.end) {
            return check->may_lock[r];
        }
    }
    return false; /* no code: it faults */
}

/* Whether a function may, before it is known of those that it calls. */
static bool locks_itself(const struct sl_decoded *decoded, struct sl_code_range range)
{
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        const struct sl_insn *insn = &decoded->insns[at];
        if (sl_insn_lock_change(insn) > 0 ||
            (target_of(decoded, range, at).kind == TARGET_ANY &&
             sl_inner_jump_at(decoded, range, at) == SL_INNER_JUMP_NONE)) {
            return true;
        }
    }
    return false;
}

static bool calls_what_locks(const struct check *check, struct sl_code_range range)
{
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(&check->decoded, at)) {
        const struct target target = target_of(&check->decoded, range, at);
        if (target.kind == TARGET_KNOWN && target_may_lock(check, target)) {
            return true;
        }
    }
    return false;
}

static void find_what_may_lock(struct check *check)
{
    const struct sl_decoded *const decoded = &check->decoded;
    bool has_changed = true;

    for (size_t r = 0; r < decoded->range_count; r++) {
        check->may_lock[r] = locks_itself(decoded, decoded->ranges[r]);
    }
    while (has_changed) {
        has_changed = false;
        for (size_t r = 0; r < decoded->range_count; r++) {
            if (!check->may_lock[r] && calls_what_locks(check, decoded->ranges[r])) {
                check->may_lock[r] = true;
                has_changed = true;
            }
        }
    }
}

/* ---- depths ---- */

static uint64_t address_of(const struct check *check, size_t at)
{
    return sl_decoded_address(&check->decoded, at);
}

/* The ways behind a block. What they lead to is told of once, in `told`. */
static void check_edges(struct check *check, const struct sl_lock_regions *regions, uint32_t block,
                        bool *told)
{
    const struct sl_block *const blocks = regions->blocks.blocks;
    const struct sl_flow_node *const node = &regions->blocks.nodes[block];
    const uint32_t depth = sl_lock_regions_behind(regions, block);

    for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
        const uint32_t next = node->next[i];
        if (next != SL_FLOW_NONE && regions->depth[next] != depth && !told[next]) {
            told[next] = true;
            add(check, (struct sl_lock_finding){.problem = SL_LOCK_DIFFERS,
                                                .depth = regions->depth[next],
                                                .address = address_of(check, blocks[next].first),
                                                .other = depth,
                                                .from = address_of(check, blocks[block].last)});
        }
    }
    if (node->end == SL_FLOW_LEAVES && depth > 0) {
        add(check, (struct sl_lock_finding){.problem = SL_LOCK_KEPT,
                                            .depth = depth,
                                            .address = address_of(check, blocks[block].last)});
    }
}

/* A block's own lock or unlock, which is its last instruction. */
static void check_lock(struct check *check, const struct sl_lock_regions *regions, uint32_t block)
{
    const size_t last = regions->blocks.blocks[block].last;
    const uint32_t depth = regions->depth[block];
    const int change = sl_insn_lock_change(&check->decoded.insns[last]);

    if (change < 0 && depth == 0) {
        add(check, (struct sl_lock_finding){.problem = SL_LOCK_MISSING,
                                            .address = address_of(check, last)});
    } else if (change > 0 && depth > 0 && !check->may_nest) {
        add(check, (struct sl_lock_finding){.problem = SL_LOCK_NESTED,
                                            .depth = depth,
                                            .address = address_of(check, last)});
    }
}

/* The calls of a block in which locks are held. */
static void check_calls(struct check *check, const struct sl_lock_regions *regions, uint32_t block)
{
    const struct sl_block *const within = &regions->blocks.blocks[block];
    const struct sl_decoded *const decoded = &check->decoded;

    for (size_t at = within->first; at <= within->last; at = sl_decoded_behind(decoded, at)) {
        const struct target target = target_of(decoded, regions->blocks.range, at);
        if (sl_insn_is_call(&decoded->insns[at]) && target_may_lock(check, target)) {
            add(check, (struct sl_lock_finding){.problem = SL_LOCK_CALLS,
                                                .depth = regions->depth[block],
                                                .address = address_of(check, at),
                                                .callee = target.address});
        }
    }
}

static void check_function(struct check *check, struct sl_code_range range)
{
    struct sl_lock_regions regions;
    const int status = sl_lock_regions_open(&check->decoded, range, &regions);
    bool *told = calloc(regions.blocks.count + 1, sizeof *told);

    if (status != 0 || told == NULL) {
        check->has_failed = true;
    }
    for (uint32_t n = 0; !check->has_failed && n < regions.blocks.count; n++) {
        if (regions.depth[n] == SL_DEPTH_NONE) {
            continue;
        }
        check_lock(check, &regions, n);
        check_edges(check, &regions, n, told);
        if (regions.depth[n] > 0) {
            check_calls(check, &regions, n);
        }
    }
    free(told);
    sl_lock_regions_close(&regions);
}

static int compare_findings(const void *left, const void *right)
{
    const struct sl_lock_finding *x = left;
    const struct sl_lock_finding *y = right;
    return (x->address > y->address) - (x->address < y->address);
}

/* All functions that take locks; where there is none, nothing is looked at further. */
static void check_all(struct check *check)
{
    const struct sl_decoded *const decoded = &check->decoded;
    bool knows_calls = false;

    for (size_t r = 0; r < decoded->range_count && !check->has_failed; r++) {
        if (!sl_lock_regions_any(decoded, decoded->ranges[r])) {
            continue;
        }
        if (!knows_calls) {
            find_what_may_lock(check);
            knows_calls = true;
        }
        check_function(check, decoded->ranges[r]);
    }
    if (check->count > 0) {
        qsort(check->findings, check->count, sizeof *check->findings, compare_findings);
    }
}

int sl_lock_check(const struct sl_code *code, bool may_nest, struct sl_lock_finding **findings,
                  size_t *count)
{
    struct check check = {.may_nest = may_nest};

    check.has_failed = sl_decoded_open(code, &check.decoded) != 0;
    check.may_lock = calloc(check.decoded.range_count + 1, sizeof *check.may_lock);
    check.has_failed |= check.may_lock == NULL;
    check_all(&check);
    free(check.may_lock);
    sl_decoded_close(&check.decoded);
    if (check.has_failed) {
        free(check.findings);
        return -1;
    }
    *findings = check.findings;
    *count = check.count;
    return 0;
}
