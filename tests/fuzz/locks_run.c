/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels with locks, in plain C: one lane after the other, for which no lock is ever taken. */
#include <assert.h>

#include "fuzz/locks.h"

#define STEPS_MAX 300

struct lane {
    const struct lock_kernel *kernel;
    struct lock_slot *places;
    uint64_t state;
    uint32_t held[LOCKS_NEST]; /* places */
    uint32_t depth;
    uint32_t steps;
};

static void mix(struct lane *lane, int16_t constant)
{
    lane->state ^= lane->state << LOCKS_SHIFT_1;
    lane->state ^= lane->state >> LOCKS_SHIFT_2;
    lane->state ^= lane->state << LOCKS_SHIFT_3;
    lane->state += (uint64_t)(int64_t)constant;
}

static uint32_t bits(const struct lane *lane, const struct lock_node *node)
{
    return (uint32_t)(lane->state >> node->bit) & node->mask;
}

static bool is_held(const struct lane *lane, uint32_t place)
{
    for (uint32_t i = 0; i < lane->depth; i++) {
        if (lane->held[i] == place) {
            return true;
        }
    }
    return false;
}

/* The place of a section; one that is not there or held already: the section is left out. */
static bool choose(struct lane *lane, const struct lock_node *node, uint32_t *place)
{
    *place = bits(lane, node);
    if (lane->kernel->is_ordered && lane->depth > 0) {
        *place += lane->held[lane->depth - 1] + 1;
    }
    return *place < lane->kernel->places && !is_held(lane, *place);
}

static void enter(struct lane *lane, uint32_t place)
{
    assert(lane->depth < LOCKS_NEST);
    lane->held[lane->depth++] = place;
    lane->places[place].count++;
}

static bool run_list(struct lane *lane, uint16_t first);

static void add(struct lane *lane)
{
    lane->places[lane->held[lane->depth - 1]].sum += lane->state;
}

/* Returns whether the lane breaks out of a loop. */
static bool run_section(struct lane *lane, const struct lock_node *node)
{
    const uint32_t depth = lane->depth;
    uint32_t place;

    if (!choose(lane, node, &place)) {
        return false;
    }
    if (node->form == SECTION_FORKED && (lane->state >> (node->bit + 3) & 1) != 0) {
        mix(lane, node->constant);
    }
    enter(lane, place);
    if (run_list(lane, node->body[0])) {
        lane->depth = depth;
        return true;
    }
    add(lane);
    if (node->form == SECTION_HANDED) {
        mix(lane, node->constant);
        if (choose(lane, node, &place)) {
            enter(lane, place);
            if (run_list(lane, node->body[1])) {
                lane->depth = depth;
                return true;
            }
            add(lane);
        }
    }
    lane->depth = depth;
    if (node->form == SECTION_SPLIT) {
        return run_list(lane, node->body[1 + (lane->state >> (node->bit + 3) & 1)]);
    }
    return false;
}

static bool run_loop(struct lane *lane, const struct lock_node *node)
{
    for (uint32_t rounds = 1 + bits(lane, node); rounds > 0; rounds--) {
        if (run_list(lane, node->body[0])) {
            break;
        }
    }
    return false;
}

static bool run_node(struct lane *lane, const struct lock_node *node)
{
    const bool is_set = lane->state >> node->bit & 1;

    switch (node->kind) {
    case LOCK_IF:
        return run_list(lane, node->body[is_set ? 0 : 1]);
    case LOCK_LOOP:
        return run_loop(lane, node);
    case LOCK_BREAK:
        return is_set;
    case LOCK_SECTION:
        return run_section(lane, node);
    case LOCK_CALL:
        return run_list(lane, lane->kernel->function[node->function]);
    case LOCK_TRY:
        return false; /* whether the lock is free is not known here: see lock_result.tried */
    default:
        assert(node->kind == LOCK_MIX);
        mix(lane, node->constant);
        return false;
    }
}

static bool run_list(struct lane *lane, uint16_t first)
{
    for (uint16_t at = first; at != LOCKS_NONE; at = lane->kernel->nodes[at].next) {
        lane->steps++;
        if (lane->steps > STEPS_MAX || run_node(lane, &lane->kernel->nodes[at])) {
            return true;
        }
    }
    return false;
}

bool lock_kernel_run(const struct lock_kernel *kernel, uint32_t number, struct lock_slot *places,
                     uint64_t *state)
{
    struct lane lane = {.kernel = kernel, .places = places};

    lane.state = ((uint64_t)number << 20 ^ (uint64_t)LOCKS_BEGIN(kernel)) + 1;
    for (int i = 0; i < 3; i++) {
        mix(&lane, 0);
    }
    (void)run_list(&lane, kernel->function[0]);
    *state = lane.state;
    return lane.steps <= STEPS_MAX;
}
