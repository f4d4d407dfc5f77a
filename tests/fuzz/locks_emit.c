/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machine code of kernels with locks. What plain C says of each statement is in locks_run.c. */
#include <stddef.h>

#include "fuzz/locks.h"

#define ARMS_MAX 32

/* Registers. */
#define STATE  S0
#define TRIED  S1
#define ERRORS S2
#define SELF   S3
#define RESULT S4
#define COUNT  S5 /* of places */
#define PLACES A2
#define TEMP   T0
#define TAKEN  T1

static const uint32_t index_register[LOCKS_NEST] = {A4, A5, A6, A7};
static const uint32_t place_register[LOCKS_NEST + 1] = {S8, S9, S10, S11, T2}; /* last: tried */
static const uint32_t loop_register[2][LOCKS_LOOPS] = {{S6, S7}, {T4, T5}};    /* by function */

#define TRIED_PLACE LOCKS_NEST

#define CODE_BYTES_MAX 4000 /* branches reach as far */

struct loop {
    uint32_t end; /* label */
    uint32_t depth;
};

/* Where a statement stands. */
struct context {
    uint32_t depth;
    uint32_t given; /* of the locks up to this depth: given back already, a bit each */
    uint32_t loop_count;
    struct loop loops[LOCKS_LOOPS];
};

/* A body that stands behind its function. */
struct arm {
    struct context context;
    uint16_t body;
    uint32_t label;
    uint32_t back;
};

struct emitter {
    const struct lock_kernel *kernel;
    struct asm_code *code;
    struct context at;
    struct arm arms[ARMS_MAX];
    uint32_t arm_count;
    uint32_t label_count;
    uint32_t function_label[LOCKS_FUNCTIONS];
    uint32_t function;
    bool is_too_long;
};

static void put(struct emitter *e, uint32_t word)
{
    asm_put(e->code, word);
}

static void to(struct emitter *e, uint32_t word, uint32_t label)
{
    asm_to(e->code, word, label);
}

static uint32_t new_label(struct emitter *e)
{
    if (e->label_count == ASM_LABELS) {
        e->is_too_long = true;
        return 0;
    }
    return e->label_count++;
}

static void here(struct emitter *e, uint32_t label)
{
    asm_label(e->code, label);
}

/* Where something that a lock protects is, from the lock on. */
static int32_t data(const struct emitter *e, size_t offset)
{
    return (int32_t)(e->kernel->data_offset + offset);
}

/* ---- parts ---- */

static void emit_mix(struct emitter *e, int16_t constant)
{
    put(e, asm_SLLI(TEMP, STATE, LOCKS_SHIFT_1));
    put(e, asm_XOR(STATE, STATE, TEMP));
    put(e, asm_SRLI(TEMP, STATE, LOCKS_SHIFT_2));
    put(e, asm_XOR(STATE, STATE, TEMP));
    put(e, asm_SLLI(TEMP, STATE, LOCKS_SHIFT_3));
    put(e, asm_XOR(STATE, STATE, TEMP));
    put(e, asm_ADDI(STATE, STATE, constant));
}

static void emit_bits(struct emitter *e, uint32_t rd, unsigned bit, unsigned mask)
{
    put(e, asm_SRLI(rd, STATE, (int32_t)bit));
    put(e, asm_ANDI(rd, rd, (int32_t)mask));
}

/* The place of a section at the present depth, into its registers; to `skip` where there is none.
 */
static void emit_choose(struct emitter *e, const struct lock_node *node, uint32_t place,
                        uint32_t skip)
{
    const uint32_t depth = e->at.depth;

    emit_bits(e, TEMP, node->bit, node->mask);
    if (e->kernel->is_ordered && depth > 0) {
        put(e, asm_ADD(TEMP, TEMP, index_register[depth - 1]));
        put(e, asm_ADDI(TEMP, TEMP, 1));
    }
    to(e, asm_BGEU(TEMP, COUNT, 0), skip);
    for (uint32_t i = 0; !e->kernel->is_ordered && i < depth; i++) {
        to(e, asm_BEQ(TEMP, index_register[i], 0), skip);
    }
    if (place != TRIED_PLACE) {
        put(e, asm_ADDI(index_register[place], TEMP, 0));
    }
    put(e, asm_SLLI(TEMP, TEMP, (int32_t)e->kernel->place_shift));
    put(e, asm_ADD(place_register[place], PLACES, TEMP));
}

static void emit_increment(struct emitter *e, uint32_t place, int32_t offset)
{
    put(e, asm_LD(TEMP, place_register[place], offset));
    put(e, asm_ADDI(TEMP, TEMP, 1));
    put(e, asm_SD(TEMP, place_register[place], offset));
}

static void emit_owner(struct emitter *e, uint32_t place)
{
    put(e, asm_LW(TEMP, place_register[place], data(e, offsetof(struct lock_slot, owner))));
    put(e, asm_OR(ERRORS, ERRORS, TEMP));
    put(e, asm_SW(SELF, place_register[place], data(e, offsetof(struct lock_slot, owner))));
}

static void emit_no_owner(struct emitter *e, uint32_t place)
{
    put(e, asm_LW(TEMP, place_register[place], data(e, offsetof(struct lock_slot, owner))));
    put(e, asm_XOR(TEMP, TEMP, SELF));
    put(e, asm_OR(ERRORS, ERRORS, TEMP));
    put(e, asm_SW(ZERO, place_register[place], data(e, offsetof(struct lock_slot, owner))));
}

static void emit_enter(struct emitter *e)
{
    const uint32_t place = e->at.depth++;

    e->at.given &= ~(1u << place);
    emit_owner(e, place);
    emit_increment(e, place, data(e, offsetof(struct lock_slot, count)));
}

static void emit_add(struct emitter *e)
{
    const uint32_t place = place_register[e->at.depth - 1];

    put(e, asm_LD(TEMP, place, data(e, offsetof(struct lock_slot, sum))));
    put(e, asm_ADD(TEMP, TEMP, STATE));
    put(e, asm_SD(TEMP, place, data(e, offsetof(struct lock_slot, sum))));
}

static void emit_give_back(struct emitter *e, uint32_t place)
{
    emit_no_owner(e, place);
    put(e, asm_SL_UNLOCK(place_register[place]));
}

/* ---- statements ---- */

static void emit_list(struct emitter *e, uint16_t first);

static void emit_lock(struct emitter *e, const struct lock_node *node)
{
    const uint32_t place = place_register[e->at.depth];

    if (node->form != SECTION_FORKED) {
        put(e, asm_SL_LOCK(place));
        return;
    }
    const uint32_t other = new_label(e);
    const uint32_t meet = new_label(e);
    emit_bits(e, TEMP, node->bit + 3u, 1);
    to(e, asm_BNE(TEMP, ZERO, 0), other);
    put(e, asm_SL_LOCK(place));
    to(e, asm_JAL(ZERO, 0), meet);
    here(e, other);
    emit_mix(e, node->constant);
    put(e, asm_SL_LOCK(place));
    here(e, meet);
}

/* With the first place held: the next one is taken, and then the first given back. */
static void emit_handed(struct emitter *e, const struct lock_node *node)
{
    const uint32_t first = e->at.depth - 1;
    const uint32_t none = new_label(e);
    const uint32_t end = new_label(e);

    emit_mix(e, node->constant);
    emit_choose(e, node, e->at.depth, none);
    put(e, asm_SL_LOCK(place_register[e->at.depth]));
    emit_enter(e);
    emit_give_back(e, first);
    e->at.given |= 1u << first;
    emit_list(e, node->body[1]);
    emit_add(e);
    emit_give_back(e, first + 1);
    e->at.depth = first;
    to(e, asm_JAL(ZERO, 0), end);
    here(e, none);
    emit_give_back(e, first);
    here(e, end);
}

static void emit_split(struct emitter *e, const struct lock_node *node)
{
    const uint32_t other = new_label(e);
    const uint32_t end = new_label(e);
    const uint32_t depth = e->at.depth - 1;

    emit_bits(e, TEMP, node->bit + 3u, 1);
    to(e, asm_BNE(TEMP, ZERO, 0), other);
    emit_give_back(e, depth);
    e->at.depth = depth;
    emit_list(e, node->body[1]);
    to(e, asm_JAL(ZERO, 0), end);
    here(e, other);
    emit_give_back(e, depth);
    emit_list(e, node->body[2]);
    here(e, end);
}

static void emit_section(struct emitter *e, const struct lock_node *node)
{
    const uint32_t skip = new_label(e);
    const uint32_t depth = e->at.depth;

    emit_choose(e, node, depth, skip);
    emit_lock(e, node);
    emit_enter(e);
    emit_list(e, node->body[0]);
    emit_add(e);
    if (node->form == SECTION_HANDED) {
        emit_handed(e, node);
    } else if (node->form == SECTION_SPLIT) {
        emit_split(e, node);
    } else {
        emit_give_back(e, depth);
    }
    e->at.depth = depth;
    here(e, skip);
}

static void emit_try(struct emitter *e, const struct lock_node *node)
{
    const uint32_t skip = new_label(e);

    emit_choose(e, node, TRIED_PLACE, skip);
    put(e, asm_ADDI(TAKEN, ZERO, 1 + (node->constant & 3)));
    put(e, asm_SL_TRYLOCK(TAKEN, place_register[TRIED_PLACE], TAKEN));
    to(e, asm_BEQ(TAKEN, ZERO, 0), skip);
    emit_owner(e, TRIED_PLACE);
    emit_increment(e, TRIED_PLACE, data(e, offsetof(struct lock_slot, tried)));
    put(e, asm_ADDI(TRIED, TRIED, 1));
    emit_no_owner(e, TRIED_PLACE);
    put(e, asm_SL_TRYUNLOCK(place_register[TRIED_PLACE]));
    here(e, skip);
}

static void emit_if(struct emitter *e, const struct lock_node *node)
{
    const uint32_t one = new_label(e);
    const uint32_t end = new_label(e);

    emit_bits(e, TEMP, node->bit, 1);
    if (node->is_out_of_line && e->arm_count < ARMS_MAX) {
        e->arms[e->arm_count++] =
            (struct arm){.context = e->at, .body = node->body[0], .label = one, .back = end};
        to(e, asm_BNE(TEMP, ZERO, 0), one);
        emit_list(e, node->body[1]);
        here(e, end);
        return;
    }
    to(e, asm_BEQ(TEMP, ZERO, 0), one);
    emit_list(e, node->body[0]);
    to(e, asm_JAL(ZERO, 0), end);
    here(e, one);
    emit_list(e, node->body[1]);
    here(e, end);
}

static void emit_loop(struct emitter *e, const struct lock_node *node)
{
    const uint32_t again = new_label(e);
    const uint32_t end = new_label(e);
    const uint32_t rounds = loop_register[e->function][e->at.loop_count];

    emit_bits(e, rounds, node->bit, node->mask);
    put(e, asm_ADDI(rounds, rounds, 1));
    here(e, again);
    e->at.loops[e->at.loop_count++] = (struct loop){.end = end, .depth = e->at.depth};
    emit_list(e, node->body[0]);
    e->at.loop_count--;
    put(e, asm_ADDI(rounds, rounds, -1));
    to(e, asm_BNE(rounds, ZERO, 0), again);
    here(e, end);
}

static void emit_break(struct emitter *e, const struct lock_node *node)
{
    const struct loop *loop = &e->at.loops[e->at.loop_count - 1];
    const uint32_t stay = new_label(e);

    emit_bits(e, TEMP, node->bit, 1);
    to(e, asm_BEQ(TEMP, ZERO, 0), stay);
    for (uint32_t place = e->at.depth; place-- > loop->depth;) {
        if ((e->at.given >> place & 1) == 0) {
            emit_give_back(e, place);
        }
    }
    to(e, asm_JAL(ZERO, 0), loop->end);
    here(e, stay);
}

static void emit_node(struct emitter *e, const struct lock_node *node)
{
    switch (node->kind) {
    case LOCK_IF:
        emit_if(e, node);
        break;
    case LOCK_LOOP:
        emit_loop(e, node);
        break;
    case LOCK_BREAK:
        emit_break(e, node);
        break;
    case LOCK_SECTION:
        emit_section(e, node);
        break;
    case LOCK_CALL:
        to(e, asm_JAL(RA, 0), e->function_label[node->function]);
        break;
    case LOCK_TRY:
        emit_try(e, node);
        break;
    default:
        emit_mix(e, node->constant);
        break;
    }
}

static void emit_list(struct emitter *e, uint16_t first)
{
    for (uint16_t at = first; at != LOCKS_NONE && !e->is_too_long; at = e->kernel->nodes[at].next) {
        e->is_too_long = asm_here(e->code) > CODE_BYTES_MAX - 400;
        emit_node(e, &e->kernel->nodes[at]);
    }
}

/* ---- functions ---- */

static void emit_begin(struct emitter *e)
{
    put(e, asm_ADDI(SP, SP, -16));
    put(e, asm_SD(RA, SP, 0));
    if (e->function > 0) {
        return;
    }
    asm_li(e->code, STATE, LOCKS_BEGIN(e->kernel));
    put(e, asm_SLLI(TEMP, A1, 20));
    put(e, asm_XOR(STATE, STATE, TEMP));
    put(e, asm_ADDI(STATE, STATE, 1));
    for (int i = 0; i < 3; i++) {
        emit_mix(e, 0);
    }
    put(e, asm_ADDI(TRIED, ZERO, 0));
    put(e, asm_ADDI(ERRORS, ZERO, 0));
    put(e, asm_ADDI(SELF, A1, 1));
    put(e, asm_ADDI(COUNT, ZERO, (int32_t)e->kernel->places));
    put(e, asm_SLLI(TEMP, A1, 3));
    put(e, asm_SLLI(RESULT, A1, 4));
    put(e, asm_ADD(RESULT, RESULT, TEMP));
    put(e, asm_ADD(RESULT, RESULT, A3));
}

static void emit_end(struct emitter *e)
{
    if (e->function == 0) {
        put(e, asm_SD(STATE, RESULT, offsetof(struct lock_result, state)));
        put(e, asm_SD(TRIED, RESULT, offsetof(struct lock_result, tried)));
        put(e, asm_SD(ERRORS, RESULT, offsetof(struct lock_result, errors)));
    }
    put(e, asm_LD(RA, SP, 0));
    put(e, asm_ADDI(SP, SP, 16));
    put(e, ASM_RET);
}

static void emit_function(struct emitter *e)
{
    if (e->function > 0) {
        asm_function(e->code);
    }
    here(e, e->function_label[e->function]);
    e->at = (struct context){.depth = 0};
    e->arm_count = 0;
    emit_begin(e);
    emit_list(e, e->kernel->function[e->function]);
    emit_end(e);
    for (uint32_t i = 0; i < e->arm_count && !e->is_too_long; i++) {
        const struct arm arm = e->arms[i];
        here(e, arm.label);
        e->at = arm.context;
        emit_list(e, arm.body);
        to(e, asm_JAL(ZERO, 0), arm.back);
    }
}

bool lock_kernel_emit(const struct lock_kernel *kernel, struct asm_code *code)
{
    struct emitter e = {.kernel = kernel, .code = code};

    asm_begin(code);
    for (uint32_t f = 0; f < LOCKS_FUNCTIONS; f++) {
        e.function_label[f] = new_label(&e);
    }
    for (e.function = 0; e.function < LOCKS_FUNCTIONS; e.function++) {
        emit_function(&e);
    }
    if (code->count % 2 != 0) { /* tables are of whole double words of code */
        put(&e, ASM_NOP);
    }
    asm_finish(code);
    return !e.is_too_long && asm_here(code) <= CODE_BYTES_MAX;
}
