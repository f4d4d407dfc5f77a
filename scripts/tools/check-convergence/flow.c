/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Walks over machine code, one function at a time, instruction by instruction. A jump through
 * a register counts as a way out. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "host/analysis/inner_jump.h"

#define UNIT_BYTES 2u
#define NOWHERE    SIZE_MAX

int flow_open(struct flow *flow, const struct sl_elf *elf)
{
    *flow = (struct flow){.code = &elf->segments[elf->code]};
    flow->units = flow->code->bytes / UNIT_BYTES;
    flow->insns = calloc(flow->units + 1, sizeof *flow->insns);
    if (flow->insns == NULL) {
        return -1;
    }
    for (size_t i = 0; i < flow->units;) {
        flow->insns[i] = sl_insn_decode(flow_word(flow, flow->code->address + i * UNIT_BYTES));
        size_t units = flow->insns[i].bytes / UNIT_BYTES;
        i += units == 0 ? 1 : units;
    }
    return 0;
}

void flow_close(struct flow *flow)
{
    free(flow->insns);
}

uint32_t flow_word(const struct flow *flow, uint64_t address)
{
    uint64_t offset = address - flow->code->address;
    uint32_t word = 0;
    uint64_t left = flow->code->bytes - offset;
    memcpy(&word, (const char *)flow->code->data + offset, left < 4 ? left : 4);
    return word;
}

const struct sl_insn *flow_insn(const struct flow *flow, uint64_t address)
{
    uint64_t offset = address - flow->code->address;
    if (offset >= flow->code->bytes || offset % UNIT_BYTES != 0 ||
        flow->insns[offset / UNIT_BYTES].bytes == 0) {
        return NULL;
    }
    return &flow->insns[offset / UNIT_BYTES];
}

uint64_t flow_callee(const struct flow *flow, uint64_t address)
{
    const struct sl_insn *insn = flow_insn(flow, address);
    if (insn == NULL) {
        return 0;
    }
    if (insn->id == SL_INSN_JAL) {
        return address + (uint64_t)(int64_t)insn->immediate;
    }
    const struct sl_insn *before = flow_insn(flow, address - 4);
    if (before == NULL || !sl_insn_is_far_jump(before, insn)) {
        return 0;
    }
    return address - 4 + (uint64_t)(int64_t)before->immediate + (uint64_t)(int64_t)insn->immediate;
}

bool flow_is_table_jump(const struct flow *flow, const struct sl_elf_function *function,
                        uint64_t address)
{
    const uint64_t base = flow->code->address;
    const struct sl_code code = {.base = base};
    const struct sl_decoded decoded = {&code, flow->insns, flow->units, NULL, 0};
    const size_t first = (size_t)((function->address - base) / UNIT_BYTES);
    const struct sl_code_range range = {first, first + (size_t)(function->bytes / UNIT_BYTES)};

    return sl_inner_jump_at(&decoded, range, (size_t)((address - base) / UNIT_BYTES)) ==
           SL_INNER_JUMP_TABLE;
}

/* A walk over the units of one function. */
struct walk {
    const struct flow *flow;
    size_t first;
    size_t end;
    size_t avoid;
    bool *seen;
    size_t *pending;
    size_t pending_count;
    bool leaves;
};

static void add(struct walk *walk, size_t at)
{
    if (at < walk->first || at >= walk->end) {
        walk->leaves = true;
    } else if (at != walk->avoid && !walk->seen[at - walk->first]) {
        walk->seen[at - walk->first] = true;
        walk->pending[walk->pending_count++] = at;
    }
}

static void add_successors(struct walk *walk, size_t at)
{
    const struct sl_insn *insn = &walk->flow->insns[at];
    size_t next = at + (insn->bytes == 0 ? 1 : insn->bytes / UNIT_BYTES);
    size_t target = at + (size_t)(insn->immediate / (int32_t)UNIT_BYTES);

    if (sl_insn_is_end(insn)) {
        return; /* the wavefront ends */
    }
    if (insn->class == SL_CLASS_BRANCH) {
        add(walk, target);
        add(walk, next);
    } else if (sl_insn_is_direct_jump(insn)) {
        add(walk, target);
    } else if (sl_insn_is_indirect_jump(insn)) {
        walk->leaves = true;
    } else if (next < walk->end || !sl_insn_is_call(insn)) {
        add(walk, next);
    }
}

static void walk_from(struct walk *walk, size_t avoid)
{
    walk->avoid = avoid;
    walk->leaves = false;
    memset(walk->seen, 0, (walk->end - walk->first) * sizeof *walk->seen);
}

static void walk_all(struct walk *walk)
{
    while (walk->pending_count > 0) {
        add_successors(walk, walk->pending[--walk->pending_count]);
    }
}

static bool check(struct walk *walk, size_t place, size_t operation)
{
    walk_from(walk, place);
    add(walk, walk->first);
    if (operation != place) {
        add_successors(walk, operation);
    }
    walk_all(walk);
    if (walk->seen[operation - walk->first]) {
        return false;
    }
    walk_from(walk, operation);
    if (operation != place) {
        add_successors(walk, place);
    }
    walk_all(walk);
    return !walk->leaves && !walk->seen[place - walk->first];
}

int flow_is_once(const struct flow *flow, const struct sl_elf_function *function, uint64_t place,
                 uint64_t operation)
{
    uint64_t base = flow->code->address;
    struct walk walk = {
        .flow = flow,
        .first = (size_t)((function->address - base) / UNIT_BYTES),
        .end = (size_t)((function->address + function->bytes - base) / UNIT_BYTES),
    };
    int result = -1;

    if (place - function->address >= function->bytes ||
        operation - function->address >= function->bytes) {
        return 0;
    }
    walk.seen = calloc(walk.end - walk.first, sizeof *walk.seen);
    walk.pending = calloc(walk.end - walk.first, sizeof *walk.pending);
    if (walk.seen != NULL && walk.pending != NULL) {
        result = check(&walk, (size_t)((place - base) / UNIT_BYTES),
                       (size_t)((operation - base) / UNIT_BYTES));
    }
    free(walk.seen);
    free(walk.pending);
    return result;
}
