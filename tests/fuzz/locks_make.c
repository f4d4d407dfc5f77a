/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Makes kernels with locks from a seed. */
#include <string.h>

#include "fuzz/locks.h"

#define ROUNDS_MAX 8 /* of a statement, in the loops around it */

#define DATA_APART (LOCKS_PLACES << 7) /* behind all locks, in lines of its own */

struct maker {
    struct lock_kernel *kernel;
    uint64_t random;
    uint32_t function;
    uint32_t depth;  /* locks held */
    uint32_t loops;  /* around this statement */
    uint32_t rounds; /* of them, at most */
    uint32_t level;  /* bodies around it */
    uint32_t enough; /* nodes: no more bodies are begun */
};

static uint32_t below(struct maker *m, uint32_t limit)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (uint32_t)(m->random >> 33) % limit;
}

static struct lock_node *new_node(struct maker *m, enum lock_node_kind kind)
{
    struct lock_node *node = &m->kernel->nodes[m->kernel->node_count++];

    assert(m->kernel->node_count <= LOCKS_NODES);
    *node = (struct lock_node){
        .kind = (uint8_t)kind,
        .bit = (uint8_t)below(m, 48),
        .constant = (int16_t)(below(m, 2000) - 1000),
        .body = {LOCKS_NONE, LOCKS_NONE, LOCKS_NONE},
        .next = LOCKS_NONE,
    };
    return node;
}

static uint16_t make_body(struct maker *m, uint32_t statements);

static void make_inner(struct maker *m, struct lock_node *node, unsigned body, uint32_t statements)
{
    m->level++;
    node->body[body] = make_body(m, statements);
    m->level--;
}

static void make_if(struct maker *m)
{
    struct lock_node *node = new_node(m, LOCK_IF);

    node->is_out_of_line = below(m, 3) == 0;
    make_inner(m, node, 0, 1 + below(m, 2));
    if (below(m, 2) == 0) {
        make_inner(m, node, 1, 1 + below(m, 2));
    }
}

static void make_loop(struct maker *m)
{
    struct lock_node *node = new_node(m, LOCK_LOOP);
    const uint32_t rounds = m->rounds;

    node->mask = below(m, 2) == 0 ? 1 : 3;
    m->rounds *= node->mask + 1u;
    m->loops++;
    make_inner(m, node, 0, 1 + below(m, 3));
    m->loops--;
    m->rounds = rounds;
}

/* Places of kernels whose locks are ordered lie above those that are held. */
static uint8_t choose_mask(struct maker *m)
{
    if (m->depth == 0 || !m->kernel->is_ordered) {
        return m->kernel->places <= 2 ? 1 : (m->kernel->places <= 4 ? 3 : 7);
    }
    return below(m, 2) == 0 ? 1 : 3;
}

static void make_section(struct maker *m)
{
    struct lock_node *node = new_node(m, LOCK_SECTION);

    node->form = (uint8_t)below(m, m->depth + 1 < m->kernel->nest ? 4 : 3);
    node->mask = choose_mask(m);
    m->depth++;
    make_inner(m, node, 0, 1 + below(m, 2));
    if (node->form == SECTION_HANDED) {
        m->depth++;
        make_inner(m, node, 1, 1 + below(m, 2));
        m->depth--;
    }
    m->depth--;
    if (node->form == SECTION_SPLIT) {
        make_inner(m, node, 1, 1 + below(m, 2));
        make_inner(m, node, 2, 1 + below(m, 2));
    }
}

/* A function that takes locks is called with none held. */
static void make_call(struct maker *m)
{
    const bool may_lock = m->function == 0 && m->depth == 0 && below(m, 3) != 0;

    new_node(m, LOCK_CALL)->function = may_lock ? 1 : 2;
}

static void make_statement(struct maker *m)
{
    const bool may_nest = m->level < 5 && m->kernel->node_count < m->enough;
    const uint32_t roll = below(m, 100);

    if (m->function == 2) { /* takes no lock, and calls nobody */
        if (roll < 50 && may_nest) {
            make_if(m);
        } else {
            (void)new_node(m, LOCK_MIX);
        }
    } else if (roll < 15 && may_nest) {
        make_if(m);
    } else if (roll < 27 && may_nest && m->loops < LOCKS_LOOPS && m->rounds < ROUNDS_MAX) {
        make_loop(m);
    } else if (roll < 37 && m->loops > 0) {
        (void)new_node(m, LOCK_BREAK);
    } else if (roll < 75 && may_nest && m->depth < m->kernel->nest) {
        make_section(m);
    } else if (roll < 85) {
        make_call(m);
    } else if (roll < 92 && (m->depth == 0 || m->kernel->nest > 1)) {
        new_node(m, LOCK_TRY)->mask = choose_mask(m);
    } else {
        (void)new_node(m, LOCK_MIX);
    }
}

static uint16_t make_body(struct maker *m, uint32_t statements)
{
    const uint16_t first = (uint16_t)m->kernel->node_count;
    uint32_t last = first;

    for (uint32_t i = 0; i < statements; i++) {
        const uint32_t at = m->kernel->node_count;
        make_statement(m);
        m->kernel->nodes[at].next = (uint16_t)m->kernel->node_count;
        last = at;
        if (below(m, 3) == 0) {
            last = m->kernel->node_count;
            struct lock_node *mix = new_node(m, LOCK_MIX);
            mix->next = (uint16_t)m->kernel->node_count;
        }
    }
    m->kernel->nodes[last].next = LOCKS_NONE;
    return first;
}

void lock_kernel_make(struct lock_kernel *kernel, uint64_t seed, bool is_ordered, uint32_t nest)
{
    struct maker m = {.kernel = kernel, .random = seed * 0x9e3779b97f4a7c15u + 1, .rounds = 1};

    memset(kernel, 0, sizeof *kernel);
    kernel->seed = seed;
    kernel->is_ordered = is_ordered;
    kernel->nest = nest;
    for (int i = 0; i < 4; i++) {
        (void)below(&m, 2);
    }
    kernel->places = 1 + below(&m, LOCKS_PLACES);
    kernel->place_shift = 5 + below(&m, 4);
    kernel->data_offset = kernel->place_shift < 8 && below(&m, 2) == 0 ? DATA_APART : 0;
    m.enough = 4 + below(&m, 50);
    for (m.function = 0; m.function < LOCKS_FUNCTIONS; m.function++) {
        const uint32_t first = kernel->node_count;
        if (m.function == 0) {
            make_section(&m);
            kernel->nodes[first].next = (uint16_t)kernel->node_count;
            kernel->function[0] = (uint16_t)first;
            (void)make_body(&m, 1 + below(&m, 3));
        } else {
            kernel->function[m.function] = make_body(&m, 1 + below(&m, 2));
        }
    }
}
