/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Follows register values along the paths of a function until nothing changes. A jump whose table
 * is found adds paths, which may take away what was known elsewhere: what counts is what is still
 * known of each jump in the end. */
#include "host/analysis/jump_table.h"

#include <stdlib.h>
#include <string.h>

#include "host/analysis/jump_values.h"

#define ENTRIES_MAX 4096 /* of a table; more would be no table that a compiler made */

struct place {
    bool is_leader;
    bool is_reached; /* a leader that has a state */
    bool is_pending;
};

struct analysis {
    const struct sl_decoded *decoded;
    struct sl_code_range range; /* of the function */
    struct place *places;       /* of the function, per parcel */
    struct jump_state *states;  /* likewise: what holds in front of the instruction; those of others
                                   than leaders are never touched */
    size_t *pending;            /* a stack */
    size_t pending_count;
    size_t *targets; /* of the jump at hand: ENTRIES_MAX */
};

static struct place *place_of(const struct analysis *a, size_t at)
{
    return &a->places[at - a->range.first];
}

static struct jump_state *state_of(const struct analysis *a, size_t at)
{
    return &a->states[at - a->range.first];
}

static bool is_jump(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JALR && insn->rd == 0 && !sl_insn_is_return(insn);
}

static bool ends_path(const struct sl_insn *insn)
{
    return sl_insn_is_end(insn) || sl_insn_is_indirect_jump(insn);
}

static bool read_entry(const struct sl_code *code, const struct jump_value *value, uint64_t address,
                       uint64_t *entry)
{
    for (size_t i = 0; i < code->constant_count; i++) {
        const struct sl_read_only *from = &code->constants[i];
        uint64_t offset = address - from->address;
        if (offset >= from->bytes || from->bytes - offset < value->bytes) {
            continue;
        }
        *entry = 0;
        memcpy(entry, (const char *)from->data + offset, value->bytes);
        if (value->bytes == 4 && value->is_signed) {
            *entry = (uint64_t)(int64_t)(int32_t)*entry;
        }
        return true;
    }
    return false;
}

static int compare_places(const void *left, const void *right)
{
    const size_t x = *(const size_t *)left;
    const size_t y = *(const size_t *)right;
    return (x > y) - (x < y);
}

static size_t sort_unique(size_t *places, size_t count)
{
    size_t unique = 0;
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++) {
        if (unique == 0 || places[unique - 1] != places[i]) {
            places[unique++] = places[i];
        }
    }
    return unique;
}

/* The targets of a jump to `value`, into a->targets. Returns whether they are known. */
static bool find_targets(struct analysis *a, struct jump_value value, uint64_t offset,
                         size_t *count, bool *leaves)
{
    *count = 0;
    *leaves = false;
    if (value.kind != JUMP_ENTRY || (value.symbol != 0 && !value.is_bounded) ||
        value.high < value.low || value.high - value.low >= ENTRIES_MAX) {
        return false;
    }
    for (int64_t i = value.low; i <= value.high; i++) {
        uint64_t entry;
        if (!read_entry(a->decoded->code, &value, value.base + value.stride * (uint64_t)i,
                        &entry)) {
            return false;
        }
        size_t place = sl_decoded_place(a->decoded, (entry + value.addend + offset) & ~1ull);
        if (place < a->range.first || place >= a->range.end) {
            *leaves = true;
        } else {
            a->targets[(*count)++] = place;
        }
    }
    *count = sort_unique(a->targets, *count);
    return *count > 0;
}

static void add_pending(struct analysis *a, size_t at)
{
    if (!place_of(a, at)->is_pending) {
        place_of(a, at)->is_pending = true;
        a->pending[a->pending_count++] = at;
    }
}

/* A path arrives at an instruction. */
static void arrive(struct analysis *a, size_t at, const struct jump_state *state)
{
    struct place *const place = place_of(a, at);

    if (!place->is_leader) {
        place->is_leader = true;
        for (size_t before = at; before-- > a->range.first;) {
            if (place_of(a, before)->is_reached) {
                add_pending(a, before); /* the path that ran through it stops here now */
                break;
            }
        }
    }
    if (!place->is_reached) {
        place->is_reached = true;
        *state_of(a, at) = *state;
        add_pending(a, at);
    } else if (jump_state_join(state_of(a, at), state, at)) {
        add_pending(a, at);
    }
}

static void follow_branch(struct analysis *a, size_t at, const struct jump_state *state)
{
    const struct sl_insn *insn = &a->decoded->insns[at];
    size_t target = sl_decoded_target(a->decoded, a->range, at);
    size_t next = sl_decoded_behind(a->decoded, at);

    for (int taken = 0; taken < 2; taken++) {
        struct jump_state refined = *state;
        size_t to = taken ? target : next;
        jump_state_refine(&refined, insn, taken);
        if (to < a->range.end) {
            arrive(a, to, &refined);
        }
    }
}

static void follow_table(struct analysis *a, size_t at, const struct jump_state *state)
{
    const struct sl_insn *insn = &a->decoded->insns[at];
    size_t count;
    bool leaves;

    if (is_jump(insn) &&
        find_targets(a, state->x[insn->rs1], (uint64_t)(int64_t)insn->immediate, &count, &leaves)) {
        for (size_t i = 0; i < count; i++) {
            arrive(a, a->targets[i], state);
        }
    }
}

/* Walks from a leader to where its block ends. Returns that instruction, with the state in front of
 * it; or the next leader. */
static size_t walk(const struct analysis *a, size_t at, struct jump_state *state)
{
    while (at < a->range.end) {
        const struct sl_insn *insn = &a->decoded->insns[at];
        if (insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn) || ends_path(insn)) {
            return at;
        }
        jump_state_apply(state, insn, at, sl_decoded_address(a->decoded, at));
        at = sl_decoded_behind(a->decoded, at);
        if (at < a->range.end && place_of(a, at)->is_leader) {
            return at;
        }
    }
    return a->range.end;
}

static void follow_block(struct analysis *a, size_t leader)
{
    struct jump_state state = *state_of(a, leader);
    size_t at = walk(a, leader, &state);

    if (at == a->range.end) {
        return;
    }
    const struct sl_insn *insn = &a->decoded->insns[at];
    if (at != leader && place_of(a, at)->is_leader) {
        arrive(a, at, &state);
    } else if (insn->class == SL_CLASS_BRANCH) {
        follow_branch(a, at, &state);
    } else if (sl_insn_is_direct_jump(insn)) {
        size_t target = sl_decoded_target(a->decoded, a->range, at);
        if (target != SIZE_MAX) {
            arrive(a, target, &state);
        }
    } else {
        follow_table(a, at, &state);
    }
}

/* From the function's beginning, then from what no known path has reached: a jump whose targets are
 * not known may go there. */
static void follow_all(struct analysis *a)
{
    for (size_t at = a->range.first; at < a->range.end; at++) {
        if (place_of(a, at)->is_leader && !place_of(a, at)->is_reached) {
            struct jump_state begin;
            jump_state_begin(&begin, at);
            arrive(a, at, &begin);
        }
        while (a->pending_count > 0) {
            size_t leader = a->pending[--a->pending_count];
            place_of(a, leader)->is_pending = false;
            follow_block(a, leader);
        }
    }
}

static int add_jump(struct analysis *a, struct sl_jumps *jumps, size_t at,
                    const struct jump_state *state)
{
    const struct sl_insn *insn = &a->decoded->insns[at];
    struct sl_jump jump = {.at = at, .target_first = jumps->target_count};

    if (!find_targets(a, state->x[insn->rs1], (uint64_t)(int64_t)insn->immediate,
                      &jump.target_count, &jump.leaves)) {
        return 0;
    }
    const size_t total = jumps->target_count + jump.target_count;
    size_t *more = realloc(jumps->targets, total * sizeof *more);
    if (more == NULL) {
        return -1;
    }
    memcpy(more + jumps->target_count, a->targets, jump.target_count * sizeof *more);
    jumps->targets = more;
    jumps->target_count = total;
    jumps->jumps[jumps->count++] = jump;
    return 0;
}

static int collect(struct analysis *a, struct sl_jumps *jumps)
{
    for (size_t at = a->range.first; at < a->range.end; at++) {
        if (!place_of(a, at)->is_reached) {
            continue;
        }
        struct jump_state state = *state_of(a, at);
        size_t last = walk(a, at, &state);
        bool is_end = last < a->range.end && (last == at || !place_of(a, last)->is_leader);
        if (is_end && is_jump(&a->decoded->insns[last]) && add_jump(a, jumps, last, &state) != 0) {
            return -1;
        }
    }
    return 0;
}

static size_t count_jumps(const struct sl_decoded *decoded, struct sl_code_range range)
{
    size_t count = 0;
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        count += is_jump(&decoded->insns[at]);
    }
    return count;
}

/* Where paths begin that do not come through a table. */
static void find_leaders(struct analysis *a)
{
    const struct sl_decoded *decoded = a->decoded;
    const struct sl_code_range range = a->range;

    place_of(a, range.first)->is_leader = true;
    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(decoded, at)) {
        const struct sl_insn *insn = &decoded->insns[at];
        size_t next = sl_decoded_behind(decoded, at);
        bool is_direct = insn->class == SL_CLASS_BRANCH || sl_insn_is_direct_jump(insn);
        size_t target = is_direct ? sl_decoded_target(decoded, range, at) : SIZE_MAX;
        if (!is_direct && !ends_path(insn)) {
            continue;
        }
        if (target != SIZE_MAX) {
            place_of(a, target)->is_leader = true;
        }
        if (next < range.end) {
            place_of(a, next)->is_leader = true;
        }
    }
}

int sl_jumps_find(const struct sl_decoded *decoded, struct sl_code_range range,
                  struct sl_jumps *jumps)
{
    size_t most = count_jumps(decoded, range);
    size_t units = range.end - range.first;
    struct analysis a = {.decoded = decoded, .range = range};
    int status = -1;

    *jumps = (struct sl_jumps){0};
    if (most == 0) {
        return 0;
    }
    a.places = calloc(units, sizeof *a.places);
    a.states = calloc(units, sizeof *a.states);
    a.pending = calloc(units, sizeof *a.pending);
    a.targets = calloc(ENTRIES_MAX, sizeof *a.targets);
    jumps->jumps = calloc(most, sizeof *jumps->jumps);
    if (a.places != NULL && a.states != NULL && a.pending != NULL && a.targets != NULL &&
        jumps->jumps != NULL) {
        find_leaders(&a);
        follow_all(&a);
        status = collect(&a, jumps);
    }
    free(a.places);
    free(a.states);
    free(a.pending);
    free(a.targets);
    return status;
}

void sl_jumps_free(struct sl_jumps *jumps)
{
    free(jumps->jumps);
    free(jumps->targets);
    *jumps = (struct sl_jumps){0};
}

const struct sl_jump *sl_jumps_at(const struct sl_jumps *jumps, size_t at)
{
    for (size_t i = 0; i < jumps->count; i++) {
        if (jumps->jumps[i].at == at) {
            return &jumps->jumps[i];
        }
    }
    return NULL;
}
