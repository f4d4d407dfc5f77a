/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The oracle. Each lane runs alone, on an interpreter of the few instructions that graphs_make.c
 * emits, and leaves the path that it took. Post-dominators are found from the generator's own
 * record of the flow, by their definition (sets of instructions that every way out passes). From
 * both, by recursion and without a stack of entries: lanes go on together until they part at an
 * instruction; each part goes on by itself to that instruction's immediate post-dominator at the
 * same depth of calls, or until it returns; then they go on together. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/graphs.h"

#define NOWHERE UINT32_MAX

struct path {
    uint32_t *words; /* word numbers, ended by NOWHERE */
    uint32_t at;
};

struct oracle {
    const struct graph *graph;
    struct path paths[GRAPH_LANES];
    uint32_t ipdom[GRAPH_WORDS];
    struct graph_outcome *outcome;
};

/* ---- one lane ---- */

struct lane {
    const struct graph *graph;
    uint64_t x[32];
    uint32_t pc; /* word number */
    uint8_t stack[GRAPH_STACK];
    uint64_t result[2];
    uint64_t result_base;
};

static void *memory_at(struct lane *lane, uint64_t address)
{
    uint64_t offset = address - SL_PRIVATE_BASE;
    if (offset < GRAPH_STACK) {
        return lane->stack + offset;
    }
    if (address - lane->result_base < sizeof lane->result) {
        return (char *)lane->result + (address - lane->result_base);
    }
    assert(address - GRAPH_TABLE_BASE < sizeof lane->graph->tables);
    return (char *)lane->graph->tables + (address - GRAPH_TABLE_BASE);
}

static int64_t bits_signed(uint32_t word, unsigned low, unsigned count)
{
    return (int64_t)((uint64_t)word << (64 - low - count)) >> (64 - count);
}

static bool is_taken(unsigned funct3, uint64_t a, uint64_t b)
{
    switch (funct3) {
    case 0:
        return a == b;
    case 1:
        return a != b;
    case 5:
        return (int64_t)a >= (int64_t)b;
    default:
        assert(funct3 == 6);
        return a < b;
    }
}

static uint64_t compute(unsigned funct3, bool alternative, uint64_t a, uint64_t b)
{
    switch (funct3) {
    case 0:
        return alternative ? a - b : a + b;
    case 1:
        return a << (b & 63);
    case 2:
        return (int64_t)a < (int64_t)b;
    case 3:
        return a < b;
    case 4:
        return a ^ b;
    case 5:
        return a >> (b & 63);
    default:
        assert(funct3 == 7);
        return a & b;
    }
}

static uint64_t load(struct lane *lane, uint32_t word, uint64_t base)
{
    uint64_t value = 0;
    bool is_double = (word >> 12 & 7) == 3;
    memcpy(&value, memory_at(lane, base + (uint64_t)bits_signed(word, 20, 12)), is_double ? 8 : 4);
    return is_double ? value : (uint64_t)(int64_t)(int32_t)value;
}

/* Executes one instruction. The lane has ended when its pc is outside the code. */
static void step(struct lane *lane)
{
    uint32_t word = lane->graph->code[lane->pc];
    uint64_t pc = GRAPH_CODE_BASE + 4ull * lane->pc;
    unsigned funct3 = word >> 12 & 7;
    unsigned rd = word >> 7 & 31;
    uint64_t a = lane->x[word >> 15 & 31];
    uint64_t b = lane->x[word >> 20 & 31];
    uint64_t next = pc + 4;
    uint64_t offset;

    switch (word & 0x7f) {
    case 0x13:
        lane->x[rd] = compute(funct3, false, a, (uint64_t)bits_signed(word, 20, 12));
        break;
    case 0x33:
        lane->x[rd] = compute(funct3, word >> 30 & 1, a, b);
        break;
    case 0x17:
        lane->x[rd] = pc + (uint64_t)(int64_t)(int32_t)(word & 0xfffff000u);
        break;
    case 0x03:
        lane->x[rd] = load(lane, word, a);
        break;
    case 0x23:
        offset = (uint64_t)bits_signed((word & 0xfe000000u) | (word & 0xf80) << 13, 20, 12);
        memcpy(memory_at(lane, a + offset), &b, 8);
        break;
    case 0x63:
        offset = (uint64_t)(bits_signed(word, 31, 1) * 4096) | (word >> 7 & 1) << 11 |
                 (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1;
        next = is_taken(funct3, a, b) ? pc + offset : next;
        break;
    case 0x6f:
        offset = (uint64_t)(bits_signed(word, 31, 1) * 1048576) | (word & 0xff000) |
                 (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1;
        lane->x[rd] = next;
        next = pc + offset;
        break;
    default:
        assert((word & 0x7f) == 0x67);
        lane->x[rd] = next;
        next = a + (uint64_t)bits_signed(word, 20, 12);
        break;
    }
    lane->x[0] = 0;
    lane->pc = (uint32_t)((next - GRAPH_CODE_BASE) / 4);
}

static bool run_lane(struct oracle *o, unsigned number, uint64_t input)
{
    struct lane lane = {.graph = o->graph, .result_base = GRAPH_RESULT_BASE + 16ull * number};
    uint32_t *words = o->paths[number].words;
    uint32_t steps = 0;

    lane.x[1] = SL_LANE_EXIT_PC;
    lane.x[2] = SL_PRIVATE_BASE + GRAPH_STACK;
    lane.x[11] = number;
    lane.x[12] = input;
    lane.x[13] = GRAPH_RESULT_BASE;
    while (lane.pc < o->graph->count) {
        if (steps == GRAPH_STEPS - 1) {
            return false;
        }
        words[steps++] = lane.pc;
        step(&lane);
    }
    words[steps] = NOWHERE;
    memcpy(o->outcome->result[number], lane.result, sizeof lane.result);
    return true;
}

/* ---- post-dominators by definition ---- */

#define SET_WORDS (GRAPH_WORDS / 64)

typedef uint64_t word_set[SET_WORDS];

static bool has(const uint64_t *set, uint32_t member)
{
    return set[member / 64] >> (member % 64) & 1;
}

/* Intersects `set` with what is behind an edge to a word. Outside the function: with nothing. */
static void meet(uint64_t *set, word_set *sets, uint32_t first, uint32_t end, uint32_t to)
{
    for (unsigned i = 0; i < SET_WORDS; i++) {
        set[i] &= to >= first && to < end ? sets[to - first][i] : 0;
    }
}

static void meet_successors(const struct graph *graph, uint64_t *set, word_set *sets,
                            uint32_t first, uint32_t end, uint32_t at)
{
    const struct graph_word *word = &graph->words[at];

    switch (word->flow) {
    case GRAPH_BRANCH:
        meet(set, sets, first, end, word->target);
        meet(set, sets, first, end, at + 1);
        break;
    case GRAPH_JUMP:
        meet(set, sets, first, end, word->target);
        break;
    case GRAPH_AWAY:
    case GRAPH_RETURN:
        meet(set, sets, first, end, NOWHERE);
        break;
    case GRAPH_NEXT:
    case GRAPH_CALL:
        meet(set, sets, first, end, at + 1);
        break;
    }
}

static uint32_t size_of(const uint64_t *set)
{
    uint32_t size = 0;
    for (unsigned i = 0; i < SET_WORDS; i++) {
        size += (uint32_t)__builtin_popcountll(set[i]);
    }
    return size;
}

/* The nearest is the one that has one post-dominator less. */
static void find_ipdoms(struct oracle *o, uint32_t first, uint32_t end)
{
    word_set *sets = malloc((size_t)(end - first) * sizeof *sets);
    bool changed = true;

    assert(sets != NULL);
    memset(sets, 0xff, (size_t)(end - first) * sizeof *sets);
    while (changed) {
        changed = false;
        for (uint32_t at = end; at-- > first;) {
            word_set set;
            memset(set, 0xff, sizeof set);
            meet_successors(o->graph, set, sets, first, end, at);
            set[at / 64] |= 1ull << (at % 64);
            if (memcmp(set, sets[at - first], sizeof set) != 0) {
                memcpy(sets[at - first], set, sizeof set);
                changed = true;
            }
        }
    }
    for (uint32_t at = first; at < end; at++) {
        uint32_t size = size_of(sets[at - first]);
        o->ipdom[at] = NOWHERE;
        for (uint32_t other = first; other < end; other++) {
            if (other != at && has(sets[at - first], other) &&
                size_of(sets[other - first]) == size - 1) {
                o->ipdom[at] = other;
            }
        }
    }
    free(sets);
}

/* ---- all lanes ---- */

static uint32_t at_word(const struct oracle *o, unsigned lane)
{
    return o->paths[lane].words[o->paths[lane].at];
}

static void issue(struct oracle *o, uint64_t lanes)
{
    o->outcome->wave_instructions++;
    o->outcome->lane_instructions += (uint64_t)__builtin_popcountll(lanes);
}

static void advance(struct oracle *o, uint64_t lanes, int by)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        o->paths[__builtin_ctzll(lanes)].at += (uint32_t)by;
    }
}

/* Those of the lanes that are where the first one is. */
static uint64_t together(const struct oracle *o, uint64_t lanes)
{
    uint32_t word = at_word(o, (unsigned)__builtin_ctzll(lanes));
    uint64_t same = 0;
    for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        same |= (uint64_t)(at_word(o, lane) == word) << lane;
    }
    return same;
}

static uint64_t run_region(struct oracle *o, uint64_t lanes, uint32_t stop);

/* Lanes that part at a call issue it together, and then once for each function. */
static void run_call(struct oracle *o, uint64_t lanes)
{
    bool is_split = together(o, lanes) != lanes;
    for (uint64_t rest = lanes; rest != 0;) {
        uint64_t part = together(o, rest);
        rest &= ~part;
        if (is_split) {
            issue(o, part);
        }
        uint64_t left = run_region(o, part, NOWHERE);
        assert(left == 0);
        (void)left;
    }
}

/* Runs lanes of one function call that are at one word until they are at word `stop`, which the
 * result has, or have returned. */
static uint64_t run_region(struct oracle *o, uint64_t lanes, uint32_t stop)
{
    while (lanes != 0) {
        uint32_t at = at_word(o, (unsigned)__builtin_ctzll(lanes));
        if (at == stop) {
            break;
        }
        issue(o, lanes);
        advance(o, lanes, 1);
        if (o->graph->words[at].flow == GRAPH_RETURN) {
            return 0;
        }
        if (o->graph->words[at].flow == GRAPH_CALL) {
            run_call(o, lanes);
            continue;
        }
        if (together(o, lanes) == lanes) {
            continue;
        }
        uint32_t meeting = o->ipdom[at] == NOWHERE ? stop : o->ipdom[at];
        uint64_t met = 0;
        for (uint64_t rest = lanes; rest != 0;) {
            uint64_t part = together(o, rest);
            rest &= ~part;
            met |= run_region(o, part, meeting);
        }
        lanes = met;
    }
    return lanes;
}

bool graph_run(const struct graph *graph, uint64_t input, struct graph_outcome *outcome)
{
    struct oracle *o = calloc(1, sizeof *o);
    uint32_t *words = malloc(sizeof *words * GRAPH_LANES * GRAPH_STEPS);
    bool is_short = true;

    assert(o != NULL && words != NULL);
    o->graph = graph;
    o->outcome = outcome;
    *outcome = (struct graph_outcome){.wave_instructions = 0};
    for (unsigned lane = 0; lane < GRAPH_LANES && is_short; lane++) {
        o->paths[lane].words = words + (size_t)lane * GRAPH_STEPS;
        is_short = run_lane(o, lane, input);
    }
    if (is_short) {
        for (uint32_t f = 0; f < graph->function_count; f++) {
            find_ipdoms(o, graph->function_first[f], graph->function_first[f + 1]);
        }
        uint64_t left = run_region(o, ~0ull, NOWHERE);
        assert(left == 0);
        (void)left;
    }
    free(words);
    free(o);
    return is_short;
}
