/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A depth-first search. States that were visited are kept as bytes: equal states have equal bytes,
 * since what cannot differ is left out. */
#include "litmus/explore.h"

#include <stdint.h>
#include <string.h>

#include "litmus/visited.h"

/* ---- a state as bytes ---- */

/* Of a state's bytes: places, registers, variables, and what is pending, with its values. */
#define VALUES_MAX                                                                                 \
    (LITMUS_THREADS_MAX * LITMUS_REGISTERS + LITMUS_VARIABLES_MAX + 2 * LITMUS_PENDING_MAX)
#define KEY_BYTES_MAX (LITMUS_THREADS_MAX + 1 + LITMUS_PENDING_MAX + VALUES_MAX * sizeof(int64_t))

struct key {
    uint16_t bytes;
    uint8_t byte[KEY_BYTES_MAX];
};

static void add_byte(struct key *key, unsigned value)
{
    key->byte[key->bytes++] = (uint8_t)value;
}

static void add_value(struct key *key, int64_t value)
{
    memcpy(&key->byte[key->bytes], &value, sizeof value);
    key->bytes += sizeof value;
}

static void make_key(const struct litmus_state *state, struct key *key)
{
    const struct litmus_test *const test = state->test;

    key->bytes = 0;
    for (unsigned i = 0; i < test->thread_count; i++) {
        add_byte(key, state->next[i]);
        for (unsigned r = 0; r < LITMUS_REGISTERS; r++) {
            if (test->thread[i].registers >> r & 1) {
                add_value(key, state->now.reg[i][r]);
            }
        }
    }
    for (unsigned i = 0; i < test->variable_count; i++) {
        add_value(key, state->now.memory[i]);
    }
    for (unsigned i = 0; i < state->pending_count; i++) {
        const struct litmus_pending *const pending = &state->pending[i];
        const ptrdiff_t op = pending->op - test->thread[pending->thread].op;
        add_byte(key, (unsigned)op * LITMUS_THREADS_MAX + pending->thread);
        add_value(key, pending->operand);
        add_value(key, pending->expected);
    }
}

/* ---- the search ---- */

struct search {
    const struct litmus_order *order;
    size_t limit;
    bool (*end)(void *user, const struct litmus_outcome *outcome);
    void *user;
    struct litmus_visited visited;
    enum litmus_explored result;
};

/* Whether the state is new; it is kept. */
static bool visit(struct search *search, const struct litmus_state *state)
{
    struct key key;

    make_key(state, &key);
    switch (litmus_visited_add(&search->visited, key.byte, key.bytes)) {
    case LITMUS_VISITED_NEW:
        search->result =
            search->visited.count > search->limit ? LITMUS_EXPLORE_LIMIT : LITMUS_EXPLORED;
        return search->result == LITMUS_EXPLORED;
    case LITMUS_VISITED_MEMORY:
        search->result = LITMUS_EXPLORE_MEMORY;
        return false;
    default:
        return false;
    }
}

static bool is_loading(const struct litmus_state *state, unsigned thread, unsigned reg)
{
    for (unsigned i = 0; i < state->pending_count; i++) {
        const struct litmus_pending *const pending = &state->pending[i];
        if (pending->thread == thread && litmus_reads(pending->op) && pending->op->reg == reg) {
            return true;
        }
    }
    return false;
}

static bool is_known(const struct litmus_state *state, unsigned thread,
                     struct litmus_operand operand)
{
    return !operand.is_register || !is_loading(state, thread, (unsigned)operand.value);
}

/* Whether all registers of an operation are there: those it uses, and the one it loads. */
static bool has_registers(const struct litmus_state *state, unsigned thread,
                          const struct litmus_op *op)
{
    const bool names_one = litmus_reads(op) || op->kind == LITMUS_BRANCH;

    return is_known(state, thread, op->operand) && is_known(state, thread, op->expected) &&
           is_known(state, thread, op->index) && !(names_one && is_loading(state, thread, op->reg));
}

static int64_t value_of(const struct litmus_state *state, unsigned thread,
                        struct litmus_operand operand)
{
    return operand.is_register ? state->now.reg[thread][operand.value] : operand.value;
}

/* The first thread of a thread's wavefront. */
static unsigned wave_of(const struct litmus_test *test, unsigned thread)
{
    unsigned first = 0;

    while (!litmus_same_wave(test, first, thread)) {
        first++;
    }
    return first;
}

/* Behind what its wavefront has issued. */
static void add_pending(struct litmus_state *state, unsigned thread, const struct litmus_op *op)
{
    const unsigned wave = wave_of(state->test, thread);
    unsigned at = state->pending_count;

    while (at > 0 && wave_of(state->test, state->pending[at - 1].thread) > wave) {
        at--;
    }
    memmove(&state->pending[at + 1], &state->pending[at],
            (state->pending_count - at) * sizeof state->pending[0]);
    state->pending[at] = (struct litmus_pending){
        .thread = thread,
        .op = op,
        .operand = value_of(state, thread, op->operand),
        .expected = value_of(state, thread, op->expected),
    };
    state->pending_count++;
}

static void take_branch(struct litmus_state *state, unsigned thread, const struct litmus_op *op)
{
    const bool is_zero = state->now.reg[thread][op->reg] == 0;

    state->next[thread] = is_zero == op->if_zero ? op->target : state->next[thread] + 1;
}

/* A thread's next operation issues; false where it may not. */
static bool issue(const struct search *search, struct litmus_state *state, unsigned thread)
{
    const struct litmus_thread *const code = &state->test->thread[thread];

    if (state->next[thread] == code->op_count) {
        return false;
    }
    const struct litmus_op *const op = &code->op[state->next[thread]];
    if (!has_registers(state, thread, op)) {
        return false;
    }
    if (op->kind == LITMUS_BRANCH) {
        take_branch(state, thread, op);
        return true;
    }
    if (!search->order->may_issue(state, thread, op)) {
        return false;
    }
    if (op->kind != LITMUS_FENCE) { /* which has waited, and that is all */
        add_pending(state, thread, op);
    }
    state->next[thread]++;
    return true;
}

/* What is pending takes effect. */
static void perform(struct litmus_state *state, unsigned number)
{
    const struct litmus_pending pending = state->pending[number];
    const struct litmus_op *const op = pending.op;
    int64_t *const memory = &state->now.memory[op->variable];
    const int64_t before = *memory;

    if (litmus_reads(op)) {
        state->now.reg[pending.thread][op->reg] = before;
    }
    if (op->kind == LITMUS_ADD) {
        *memory = (int64_t)((uint64_t)before + (uint64_t)pending.operand);
    } else if (litmus_writes(op) && (op->kind != LITMUS_CAS || before == pending.expected)) {
        *memory = pending.operand;
    }
    state->pending_count--;
    memmove(&state->pending[number], &state->pending[number + 1],
            (state->pending_count - number) * sizeof state->pending[0]);
}

static bool has_ended(const struct litmus_state *state)
{
    for (unsigned i = 0; i < state->test->thread_count; i++) {
        if (state->next[i] != state->test->thread[i].op_count) {
            return false;
        }
    }
    return state->pending_count == 0;
}

static void explore(struct search *search, const struct litmus_state *state)
{
    struct litmus_state after;

    if (search->result != LITMUS_EXPLORED || !visit(search, state)) {
        return;
    }
    if (has_ended(state) && !search->end(search->user, &state->now)) {
        search->result = LITMUS_EXPLORE_MEMORY;
    }
    for (unsigned thread = 0; thread < state->test->thread_count; thread++) {
        after = *state;
        if (issue(search, &after, thread)) {
            explore(search, &after);
        }
    }
    for (unsigned i = 0; i < state->pending_count; i++) {
        if (search->order->may_perform(state, i)) {
            after = *state;
            perform(&after, i);
            explore(search, &after);
        }
    }
}

enum litmus_explored litmus_explore(const struct litmus_test *test,
                                    const struct litmus_order *order, size_t limit,
                                    bool (*end)(void *user, const struct litmus_outcome *outcome),
                                    void *user)
{
    struct search search = {.order = order, .limit = limit, .end = end, .user = user};
    struct litmus_state state = {.test = test};

    for (unsigned i = 0; i < test->variable_count; i++) {
        state.now.memory[i] = test->variable[i].initial;
    }
    explore(&search, &state);
    litmus_visited_free(&search.visited);
    return search.result;
}
