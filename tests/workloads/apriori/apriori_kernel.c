/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of apriori.c: candidates are made of frequent sets and inserted into the hash tree,
 * which all work-items grow together; then each record goes through the tree.
 *
 * Whether a node is a leaf is looked at on the way down, without its lock, and again with it, as it
 * may have become a node with children (papers/004 section 2.2.2). That never changes back, so what
 * was seen on the way may be old, but not wrong. Children are released before what leads to them,
 * and acquired by those who have come to a leaf.
 */
#include "sluice/wave/wave.h"
#include "workloads/apriori/tree.h"
#include "workloads/common/lockstep.h"

/* ---- candidates ---- */

/* The set whose pairs a number is among. */
static inline uint32_t find_first(const struct round *round, uint32_t pair)
{
    uint32_t below = 0, above = round->frequent;

    while (above - below > 1) {
        const uint32_t middle = (below + above) / 2;
        if (round->partner_begin[middle] <= pair) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return below;
}

/* Whether a candidate without its item number `without` comes before a frequent set, or is it. */
static inline bool is_at_most(const uint32_t *candidate, uint32_t without, const uint32_t *set,
                              uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t item = candidate[i < without ? i : i + 1];
        if (item != set[i]) {
            return item < set[i];
        }
    }
    return true;
}

static inline bool is_frequent(const struct round *round, const uint32_t *candidate,
                               uint32_t without)
{
    const uint32_t size = round->size - 1;
    uint32_t below = 0, above = round->frequent - 1;

    while (below < above) {
        const uint32_t middle = (below + above) / 2;
        if (is_at_most(candidate, without, &round->items[middle * size], size)) {
            above = middle;
        } else {
            below = middle + 1;
        }
    }
    const uint32_t *const set = &round->items[below * size];
    for (uint32_t i = 0; i < size; i++) {
        if (candidate[i < without ? i : i + 1] != set[i]) {
            return false;
        }
    }
    return true;
}

/* Two sets that differ in their last item give a candidate. It can only be frequent if it is so
 * without any of its items (section 2.1); those two are known. */
static inline bool make_candidate(const struct round *round, uint32_t pair, uint32_t *candidate)
{
    const uint32_t size = round->size - 1;
    const uint32_t first = find_first(round, pair);
    const uint32_t second = first + 1 + pair - round->partner_begin[first];
    bool is_possible = true;

    for (uint32_t i = 0; i < size; i++) {
        candidate[i] = round->items[first * size + i];
    }
    candidate[size] = round->items[second * size + size - 1];
    for (uint32_t without = 0; is_possible && without + 1 < size; without++) {
        is_possible = is_frequent(round, candidate, without);
    }
    return is_possible;
}

/* A candidate from the pool, for those of the lanes that have one together. Returns its number. */
static inline uint32_t take_candidate(struct round *round, const uint32_t *items)
{
    const uint32_t before = (uint32_t)sl_scan_add(1);
    const uint32_t count = (uint32_t)sl_reduce_add(1);
    uint32_t begin = 0;

    if (sl_elect()) {
        begin = sl_atomic_add_u32_device(&round->candidates, count);
    }
    const uint32_t candidate = (uint32_t)sl_first(begin) + before;
    if (candidate >= round->candidate_room) {
        sl_trap(SL_TRAP_USER, candidate, round->candidate_room);
    }
    for (uint32_t i = 0; i < round->size; i++) {
        round->candidate_items[candidate * round->size + i] = items[i];
    }
    return candidate;
}

/* ---- the hash tree ---- */

static inline void put(struct round *round, struct node *leaf, uint32_t candidate)
{
    round->next[candidate] = leaf->first;
    leaf->first = candidate;
    leaf->count++;
}

/* Makes a leaf a node, with its candidates in leaves below it, by their items number `depth`. */
static inline void rehash(struct round *round, struct node *leaf, uint32_t depth)
{
    const uint32_t children = sl_atomic_add_u32_device(&round->node_count, NODE_CHILDREN);

    if (children + NODE_CHILDREN > round->node_room) {
        sl_trap(SL_TRAP_USER + 1, children, round->node_room);
    }
    for (uint32_t candidate = leaf->first; candidate != NO_CANDIDATE;) {
        const uint32_t next = round->next[candidate];
        const uint32_t item = round->candidate_items[candidate * round->size + depth];
        put(round, &round->nodes[children + node_hash(item)], candidate);
        candidate = next;
    }
    sl_store_release_u32_device(&leaf->children, children);
}

/* With the lock of what was a leaf. Returns whether the candidate is in. */
static inline bool insert(struct round *round, struct node *leaf, uint32_t depth,
                          uint32_t candidate)
{
    if (leaf->children != 0) {
        return false;
    }
    put(round, leaf, candidate);
    if (leaf->count > LEAF_MAX && depth < round->size) {
        rehash(round, leaf, depth);
    }
    return true;
}

/* A candidate on its way down. */
struct walker {
    const uint32_t *items;
    struct node *node;
    uint32_t depth;
};

/* The fence acquires for all nodes on the way at once. */
static inline void find_leaf(const struct round *round, struct walker *walker)
{
    uint32_t children = sl_load_relaxed_u32_device(&walker->node->children);

    while (children != 0) {
        walker->node = &round->nodes[children + node_hash(walker->items[walker->depth])];
        walker->depth++;
        children = sl_load_relaxed_u32_device(&walker->node->children);
    }
    sl_fence_acquire_device();
}

/* The end of a kernel that inserts: sections that its lanes executed, and of these, which inserted
 * something. */
static inline void count_sections(struct round *round, uint32_t sections, uint32_t insertions)
{
    const uint64_t all = sl_reduce_add(sections);
    const uint64_t idle = all - sl_reduce_add(insertions);

    if (sl_elect()) {
        (void)sl_atomic_add_u32_device(&round->sections, (uint32_t)all);
        (void)sl_atomic_add_u32_device(&round->idle_sections, (uint32_t)idle);
    }
}

/* With an exchange, which takes the lock or finds it taken, where a look at it has found it free:
 * exchanges of all who wait would hold up who has it. Nobody waits for a lock where others of its
 * wavefront have one. */
static inline uint32_t insert_by_atomics(struct round *round, struct walker walker,
                                         uint32_t candidate)
{
    uint32_t sections = 0;
    bool is_in = false;

    do {
        find_leaf(round, &walker);
        uint32_t *const lock = (uint32_t *)&walker.node->lock.holder;
        if (sl_load_relaxed_u32_device(lock) != NODE_TAKEN &&
            sl_atomic_exchange_u32_device_acquire(lock, NODE_TAKEN) != NODE_TAKEN) {
            is_in = insert(round, walker.node, walker.depth, candidate);
            sl_store_release_u32_device(lock, (uint32_t)SL_LOCK_FREE);
            sections++;
        }
    } while (lockstep_again(!is_in));
    return sections;
}

static inline uint32_t insert_by_locks(struct round *round, struct walker walker,
                                       uint32_t candidate)
{
    uint32_t sections = 0;
    bool is_in;

    do {
        find_leaf(round, &walker);
        sl_lock(&walker.node->lock);
        is_in = insert(round, walker.node, walker.depth, candidate);
        sl_unlock(&walker.node->lock);
        sections++;
    } while (!is_in);
    return sections;
}

static inline uint32_t insert_by_attempts(struct round *round, struct walker walker,
                                          uint32_t candidate)
{
    uint32_t sections = 0;
    bool is_in = false;

    do {
        find_leaf(round, &walker);
        if (sl_trylock(&walker.node->lock, 1)) {
            is_in = insert(round, walker.node, walker.depth, candidate);
            sl_tryunlock(&walker.node->lock);
            sections++;
        }
    } while (lockstep_again(!is_in));
    return sections;
}

/* The work-item's pair, of sets that share all items but the last; for the last work-items there
 * may be none. */
static inline uint32_t own_pair(const struct round *round)
{
    const uint32_t i = sl_global_id(0);
    return i % ROW_ITEMS * row_count(round->partner_begin[round->frequent]) + i / ROW_ITEMS;
}

#define APRIORI_GENERATE(kernel, insert_it)                                                        \
    SL_KERNEL void kernel(struct round *round)                                                     \
    {                                                                                              \
        uint32_t items[SET_MAX];                                                                   \
        uint32_t sections = 0, insertions = 0;                                                     \
        const uint32_t pair = own_pair(round);                                                     \
                                                                                                   \
        if (pair < round->partner_begin[round->frequent] && make_candidate(round, pair, items)) {  \
            const uint32_t candidate = take_candidate(round, items);                               \
            sections = insert_it(round, (struct walker){.items = items, .node = round->nodes},     \
                                 candidate);                                                       \
            insertions = 1;                                                                        \
        }                                                                                          \
        count_sections(round, sections, insertions);                                               \
    }

APRIORI_GENERATE(apriori_atomics, insert_by_atomics)
APRIORI_GENERATE(apriori_lock, insert_by_locks)
APRIORI_GENERATE(apriori_try, insert_by_attempts)

/* ---- support ---- */

/* Where a record is in the tree: for each depth the node and which of the record's items led there.
 */
struct path {
    uint32_t node[SET_MAX + 1];
    uint32_t item[SET_MAX + 1];
};

/* Whether the record has a candidate, by the path that leads to it, so that each is counted once:
 * its first items are those of the path, the others come behind them. */
static inline bool has_candidate(const uint32_t *record, uint32_t end, const struct path *path,
                                 uint32_t depth, const uint32_t *candidate, uint32_t size)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < depth; i++) {
        at = path->item[i + 1];
        if (record[at] != candidate[i]) {
            return false;
        }
    }
    at = depth == 0 ? 0 : at + 1;
    for (uint32_t i = depth; i < size; i++, at++) {
        while (at < end && record[at] < candidate[i]) {
            at++;
        }
        if (at == end || record[at] != candidate[i]) {
            return false;
        }
    }
    return true;
}

static inline void count_leaf(const struct round *round, const uint32_t *record, uint32_t end,
                              const struct path *path, uint32_t depth)
{
    const uint32_t size = round->size;
    uint32_t candidate = round->nodes[path->node[depth]].first;

    while (candidate != NO_CANDIDATE) {
        if (has_candidate(record, end, path, depth, &round->candidate_items[candidate * size],
                          size)) {
            (void)sl_atomic_add_u32_device(&round->support[candidate], 1);
        }
        candidate = round->next[candidate];
    }
}

/* A work-item for each record, which goes to all nodes that its items lead to, depth first. */
SL_KERNEL void apriori_count(const struct round *round)
{
    const uint32_t begin = round->record_begin[sl_global_id(0)];
    const uint32_t end = round->record_begin[sl_global_id(0) + 1] - begin;
    const uint32_t *const record = &round->records[begin];
    struct path path;
    uint32_t depth = 0;
    uint32_t item = 0; /* the next one to go down by */

    path.node[0] = 0;
    path.item[0] = 0;
    for (;;) {
        const uint32_t children = round->nodes[path.node[depth]].children;
        if (children != 0 && item < end) {
            depth++;
            path.node[depth] = children + node_hash(record[item]);
            path.item[depth] = item++;
            continue;
        }
        if (children == 0) {
            count_leaf(round, record, end, &path, depth);
        }
        if (depth == 0) {
            return;
        }
        item = path.item[depth--] + 1;
    }
}
