/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Linear values of registers. Arithmetic is exact where the unknown is small and not negative,
 * which is what a bounded index is: only then is a value used. */
#include "host/analysis/jump_values.h"

#define WIDENED_MAX 8 /* times that bounds may grow */

static struct jump_value constant(uint64_t value)
{
    return (struct jump_value){.base = value};
}

static struct jump_value unknown(uint64_t symbol)
{
    return (struct jump_value){.symbol = symbol, .stride = 1};
}

static struct jump_value bounded(uint64_t symbol, int64_t high)
{
    return (struct jump_value){
        .symbol = symbol, .stride = 1, .low = 0, .high = high, .is_bounded = true};
}

static bool is_constant(const struct jump_value *value)
{
    return value->kind == JUMP_LINEAR && value->symbol == 0;
}

void jump_state_begin(struct jump_state *state, uint64_t at)
{
    state->x[0] = constant(0);
    for (unsigned r = 1; r < JUMP_VALUES; r++) {
        state->x[r] = unknown(jump_symbol(at, r));
    }
    state->cell_base = 0;
}

static struct jump_value plus(struct jump_value value, uint64_t constant)
{
    if (value.kind == JUMP_ENTRY) {
        value.addend += constant;
    } else {
        value.base += constant;
    }
    return value;
}

/* Sums, where one operand is a constant. */
static struct jump_value sum(const struct jump_value *a, const struct jump_value *b,
                             uint64_t symbol)
{
    if (is_constant(b)) {
        return plus(*a, b->base);
    }
    return is_constant(a) ? plus(*b, a->base) : unknown(symbol);
}

static struct jump_value shift_left(struct jump_value value, unsigned by, uint64_t symbol)
{
    if (value.kind != JUMP_LINEAR) {
        return unknown(symbol);
    }
    value.base <<= by;
    value.stride <<= by;
    return value;
}

/* Exact where nothing is shifted out. Arithmetic, because a base below zero stands for an index
 * that begins above it. */
static struct jump_value shift_right(struct jump_value value, unsigned by, uint64_t symbol)
{
    uint64_t lost = (1ull << by) - 1;

    if (is_constant(&value)) {
        return constant(value.base >> by);
    }
    if (value.kind != JUMP_LINEAR || ((value.base | value.stride) & lost) != 0) {
        return by >= 52 ? bounded(symbol, (int64_t)(UINT64_MAX >> by)) : unknown(symbol);
    }
    value.base = (uint64_t)((int64_t)value.base >> by);
    value.stride >>= by;
    return value;
}

static struct jump_value load(const struct jump_value *address, const struct sl_insn *insn,
                              uint64_t symbol)
{
    struct jump_value value = plus(*address, (uint64_t)(int64_t)insn->immediate);

    if (value.kind == JUMP_LINEAR && insn->access_bytes >= 4 &&
        (value.symbol == 0 || value.is_bounded)) {
        value.kind = JUMP_ENTRY;
        value.addend = 0;
        value.bytes = insn->access_bytes;
        value.is_signed = insn->is_signed;
        return value;
    }
    return insn->id == SL_INSN_LBU ? bounded(symbol, UINT8_MAX) : unknown(symbol);
}

static struct jump_value result_of(const struct jump_state *state, const struct sl_insn *insn,
                                   uint64_t symbol, uint64_t pc)
{
    const struct jump_value *a = &state->x[insn->rs1 % JUMP_REGISTERS];
    const struct jump_value *b = &state->x[insn->rs2 % JUMP_REGISTERS];
    uint64_t immediate = (uint64_t)(int64_t)insn->immediate;

    switch (insn->id) {
    case SL_INSN_LUI:
        return constant(immediate);
    case SL_INSN_AUIPC:
        return constant(pc + immediate);
    case SL_INSN_ADDI:
        return plus(*a, immediate);
    case SL_INSN_ADDIW:
        return a->kind == JUMP_LINEAR ? plus(*a, immediate) : unknown(symbol);
    case SL_INSN_ADD:
        return sum(a, b, symbol);
    case SL_INSN_SLLI:
        return shift_left(*a, (unsigned)insn->immediate, symbol);
    case SL_INSN_SRLI:
        return shift_right(*a, (unsigned)insn->immediate, symbol);
    case SL_INSN_SRLIW:
        return insn->immediate >= 20 ? bounded(symbol, UINT32_MAX >> insn->immediate)
                                     : unknown(symbol);
    case SL_INSN_ANDI:
        return insn->immediate >= 0 ? bounded(symbol, insn->immediate) : unknown(symbol);
    case SL_INSN_REMU:
    case SL_INSN_REMUW:
        return is_constant(b) && b->base - 1 < INT32_MAX ? bounded(symbol, (int64_t)b->base - 1)
                                                         : unknown(symbol);
    case SL_INSN_LW:
    case SL_INSN_LWU:
    case SL_INSN_LD:
    case SL_INSN_LBU:
        return load(a, insn, symbol);
    default:
        return unknown(symbol);
    }
}

/* A result replaces the one that the same instruction gave before; registers that still hold that
 * one keep it under another name. */
static void retire_symbol(struct jump_state *state, uint64_t at)
{
    for (unsigned r = 1; r < JUMP_VALUES; r++) {
        if (state->x[r].symbol == jump_symbol(at, 0)) {
            state->x[r] = unknown(jump_symbol(at, 64 + r));
        }
    }
}

/* Smallest and largest value, where that is known. */
static bool range_of(const struct jump_value *value, int64_t *low, int64_t *high)
{
    if (value->kind != JUMP_LINEAR ||
        (value->symbol != 0 && (!value->is_bounded || value->stride != 1))) {
        return false;
    }
    *low = (int64_t)value->base + (value->symbol == 0 ? 0 : value->low);
    *high = (int64_t)value->base + (value->symbol == 0 ? 0 : value->high);
    return *low <= *high && *low >= -INT32_MAX && *high <= INT32_MAX;
}

static bool is_plain_load(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_LOAD && !insn->atomic && insn->rd < JUMP_REGISTERS;
}

/* Whether an instruction loads the cell's value, however it extends it: that is bounded, as by a
 * comparison, so that its sign bit is clear. */
static bool loads_cell(const struct jump_state *state, const struct sl_insn *insn)
{
    int64_t low;
    int64_t high;

    return is_plain_load(insn) && state->cell_base != 0 && insn->rs1 == state->cell_base &&
           insn->immediate == state->cell_offset && insn->access_bytes == state->cell_bytes &&
           range_of(&state->x[JUMP_CELL], &low, &high) && low >= 0 &&
           high >> (8 * insn->access_bytes - 1) == 0;
}

/* After an instruction: whether the cell is still what it was, or another one is known. A value
 * from a table is none. */
static void follow_cell(struct jump_state *state, const struct sl_insn *insn)
{
    const bool is_load = is_plain_load(insn);

    if (is_load && insn->rd != 0 && insn->rd != insn->rs1 &&
        state->x[insn->rd].kind == JUMP_LINEAR) {
        state->x[JUMP_CELL] = state->x[insn->rd];
        state->cell_base = insn->rs1;
        state->cell_offset = insn->immediate;
        state->cell_bytes = insn->access_bytes;
    } else if ((insn->rd != 0 && insn->rd == state->cell_base) ||
               (!is_load && insn->class > SL_CLASS_JUMP) || sl_insn_is_call(insn)) {
        state->cell_base = 0;
    }
}

/* The registers that a call does not preserve (RISC-V calling convention). */
static bool is_lost_in_calls(unsigned r)
{
    return r == 1 || (r >= 5 && r <= 7) || (r >= 10 && r <= 17) || r >= 28;
}

void jump_state_apply(struct jump_state *state, const struct sl_insn *insn, uint64_t at,
                      uint64_t pc)
{
    if (sl_insn_is_call(insn)) {
        for (unsigned r = 1; r < JUMP_REGISTERS; r++) {
            if (is_lost_in_calls(r)) {
                state->x[r] = unknown(jump_symbol(at, r));
            }
        }
    } else if (insn->rd != 0 && insn->rd < JUMP_REGISTERS) {
        struct jump_value value = loads_cell(state, insn)
                                      ? state->x[JUMP_CELL]
                                      : result_of(state, insn, jump_symbol(at, 0), pc);
        state->x[insn->rd] = constant(0);
        retire_symbol(state, at);
        state->x[insn->rd] = value;
    }
    follow_cell(state, insn);
}

/* The register is between 0 and `high`, and so is everything made of the same symbol. */
static void bound(struct jump_state *state, unsigned r, uint64_t high)
{
    const struct jump_value value = state->x[r];

    if (value.kind != JUMP_LINEAR || value.symbol == 0 || value.stride != 1 || high > INT32_MAX) {
        return;
    }
    int64_t low = -(int64_t)value.base;
    int64_t most = (int64_t)high - (int64_t)value.base;
    for (unsigned i = 1; i < JUMP_VALUES; i++) {
        struct jump_value *x = &state->x[i];
        if (x->symbol == value.symbol) {
            x->low = x->is_bounded && x->low > low ? x->low : low;
            x->high = x->is_bounded && x->high < most ? x->high : most;
            x->is_bounded = true;
        }
    }
}

void jump_state_refine(struct jump_state *state, const struct sl_insn *branch, bool taken)
{
    const struct jump_value *a = &state->x[branch->rs1 % JUMP_REGISTERS];
    const struct jump_value *b = &state->x[branch->rs2 % JUMP_REGISTERS];

    if (branch->id != SL_INSN_BLTU && branch->id != SL_INSN_BGEU) {
        return;
    }
    if ((branch->id == SL_INSN_BLTU) == taken) { /* the first is below the second */
        if (is_constant(b) && b->base > 0) {
            bound(state, branch->rs1, b->base - 1);
        }
    } else if (is_constant(a)) {
        bound(state, branch->rs2, a->base);
    }
}

static bool is_same(const struct jump_value *a, const struct jump_value *b)
{
    return a->symbol == b->symbol && a->kind == b->kind && a->base == b->base &&
           a->stride == b->stride && a->addend == b->addend && a->bytes == b->bytes &&
           a->is_signed == b->is_signed;
}

static bool is_same_cell(const struct jump_state *a, const struct jump_state *b)
{
    return a->cell_base == b->cell_base && a->cell_offset == b->cell_offset &&
           a->cell_bytes == b->cell_bytes;
}

/* Makes bounds cover another range. Those that keep growing, as a loop's counter would, are given
 * up. Returns whether they changed. */
static bool widen(struct jump_value *into, int64_t low, int64_t high)
{
    if (!into->is_bounded || (low >= into->low && high <= into->high)) {
        return false;
    }
    into->low = low < into->low ? low : into->low;
    into->high = high > into->high ? high : into->high;
    into->is_bounded = into->widened++ < WIDENED_MAX;
    return true;
}

static bool join_bounds(struct jump_value *into, const struct jump_value *other)
{
    if (other->is_bounded || !into->is_bounded) {
        return widen(into, other->low, other->high);
    }
    into->is_bounded = false;
    return true;
}

/* Different values meet: one new unknown, which lies in both their ranges. */
static bool join_values(struct jump_value *into, const struct jump_value *other, uint64_t symbol)
{
    bool is_joined =
        into->symbol == symbol && into->kind == JUMP_LINEAR && into->base == 0 && into->stride == 1;
    int64_t low[2];
    int64_t high[2];

    if (is_joined && !into->is_bounded) {
        return false;
    }
    if (!range_of(into, &low[0], &high[0]) || !range_of(other, &low[1], &high[1])) {
        *into = unknown(symbol);
        return true;
    }
    if (!is_joined) {
        *into = bounded(symbol, high[0]);
        into->low = low[0];
        (void)widen(into, low[1], high[1]);
        return true;
    }
    return widen(into, low[1], high[1]);
}

bool jump_state_join(struct jump_state *state, const struct jump_state *other, uint64_t at)
{
    bool changed = false;

    if (state->cell_base != 0 && !is_same_cell(state, other)) {
        state->cell_base = 0;
        changed = true;
    }
    for (unsigned r = 1; r < JUMP_VALUES; r++) {
        struct jump_value *into = &state->x[r];
        if (is_same(into, &other->x[r])) {
            changed |= join_bounds(into, &other->x[r]);
        } else {
            changed |= join_values(into, &other->x[r], jump_symbol(at, r));
        }
    }
    return changed;
}
