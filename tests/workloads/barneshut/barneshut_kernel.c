/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of barneshut.c: how far out the particles are, the octree over them, and centres of
 * mass from the leaves to the root.
 *
 * The tree is built by work-items that each insert particles, one after the other: they go down to
 * the slot where the particle belongs, without a lock, and change it with one. A slot that leads to
 * a cell never changes again, so that what they go by may be old, but never wrong; what they find
 * in the end is what holds under the lock. A cell's contents are released before the slot that
 * leads to it. */
#include "sluice/wave/wave.h"
#include "workloads/barneshut/tree.h"
#include "workloads/common/lockstep.h"

#define GROUP_ROUNDS 3

SL_KERNEL void barneshut_extent(struct tree *tree)
{
    const uint32_t i = sl_global_id(0);
    const float x = __builtin_fabsf(tree->x[i]);
    const float y = __builtin_fabsf(tree->y[i]);
    const float z = __builtin_fabsf(tree->z[i]);
    const float xy = x > y ? x : y;
    const float greatest = xy > z ? xy : z;
    uint32_t bits;

    __builtin_memcpy(&bits, &greatest, sizeof bits);
    const uint64_t extent = sl_reduce_maxu(bits);
    if (sl_elect()) {
        sl_atomic_max_u32_device(&tree->extent, (uint32_t)extent);
    }
}

/* ---- the tree ---- */

/* A particle on its way down. */
struct walker {
    uint32_t body;
    float x;
    float y;
    float z;
    uint32_t cell;
    uint32_t octant;
    struct cube cube; /* of the cell */
};

/* The word of a slot that says what it holds. */
static inline uint32_t *child_of(const struct tree *tree, uint32_t cell, uint32_t octant,
                                 bool has_locks)
{
    const uint32_t number = cell * OCTANTS + octant;
    return has_locks ? &((struct slot *)tree->slots)[number].child
                     : &((uint32_t *)tree->slots)[number];
}

static inline struct walker begin(const struct tree *tree, uint32_t body)
{
    struct walker walker = {.body = body};

    if (body < tree->n) {
        walker.x = tree->x[body];
        walker.y = tree->y[body];
        walker.z = tree->z[body];
        walker.cube = cube_root(tree->extent);
        walker.octant = cube_octant(&walker.cube, walker.x, walker.y, walker.z);
    }
    return walker;
}

/* One cell down. */
static inline void enter(struct walker *walker, uint32_t cell)
{
    cube_enter(&walker->cube, walker->octant);
    walker->cell = cell;
    walker->octant = cube_octant(&walker->cube, walker->x, walker->y, walker->z);
}

static inline uint32_t take_cell(struct tree *tree)
{
    const uint32_t cell = sl_atomic_add_u32_device(&tree->cells, 1);

    if (cell >= tree->capacity) {
        sl_trap(SL_TRAP_USER, cell, tree->capacity);
    }
    return cell;
}

/* Cells that part the walker's particle from the one in its slot, which nobody knows yet. Returns
 * what leads to the first. */
static inline uint32_t part(struct tree *tree, struct walker walker, uint32_t other, bool has_locks)
{
    const float x = tree->x[other];
    const float y = tree->y[other];
    const float z = tree->z[other];
    const uint32_t first = take_cell(tree);

    enter(&walker, first);
    for (;;) {
        const uint32_t octant = cube_octant(&walker.cube, x, y, z);
        if (octant != walker.octant) {
            *child_of(tree, walker.cell, octant, has_locks) = other;
            *child_of(tree, walker.cell, walker.octant, has_locks) = walker.body;
            return SLOT_CELL | first;
        }
        const uint32_t cell = take_cell(tree);
        *child_of(tree, walker.cell, octant, has_locks) = SLOT_CELL | cell;
        enter(&walker, cell);
    }
}

/* The work-item's next particle. */
static inline struct walker next(const struct tree *tree, const struct walker *walker)
{
    return begin(tree, walker->body + sl_grid_size(0));
}

static inline void count_sections(struct tree *tree, uint32_t sections, uint32_t idle_sections)
{
    const uint64_t all = sl_reduce_add(sections);
    const uint64_t idle = sl_reduce_add(idle_sections);

    if (sl_elect()) {
        (void)sl_atomic_add_u32_device(&tree->sections, (uint32_t)all);
        (void)sl_atomic_add_u32_device(&tree->idle_sections, (uint32_t)idle);
    }
}

/* ---- with atomics: papers/004 Example 17 ---- */

/* Work-items of a group that go on: of this round, and, for those ahead of others, of the next. */
static SL_LDS uint32_t is_unfinished[GROUP_ROUNDS];

/* Waits for the other wavefronts of the group, and returns whether any of them goes on. The barrier
 * is a throttle: who could only look whether a slot is free again keeps out of the way of those
 * that are at it. */
static inline bool group_goes_on(bool goes_on, uint32_t *round)
{
    const uint32_t now = *round;

    if (goes_on) {
        sl_store_relaxed_u32_workgroup(&is_unfinished[now], 1);
    }
    sl_barrier();
    *round = now == GROUP_ROUNDS - 1 ? 0 : now + 1;
    if (sl_local_id(0) == 0) {
        is_unfinished[now == 0 ? GROUP_ROUNDS - 1 : now - 1] = 0;
    }
    return is_unfinished[now] != 0;
}

/* Acquires what a cell held when it became known. */
static inline uint32_t load_child(const struct tree *tree, const struct walker *walker)
{
    return sl_load_acquire_u32_device(child_of(tree, walker->cell, walker->octant, false));
}

static inline uint32_t find_slot(const struct tree *tree, struct walker *walker)
{
    uint32_t child = load_child(tree, walker);

    while (slot_is_cell(child)) {
        enter(walker, child & ~SLOT_CELL);
        child = load_child(tree, walker);
    }
    return child;
}

/* Takes the slot, and returns what it held. An exchange is one access, where a compare-and-swap is
 * a loop of two; whatever was there is what to go on with. What is told to be locked may be old. */
static inline uint32_t take_slot(uint32_t *slot, uint32_t child)
{
    if (child == SLOT_LOCKED) {
        child = sl_load_relaxed_u32_device(slot);
    }
    return child == SLOT_LOCKED ? child : sl_atomic_exchange_u32_device(slot, SLOT_LOCKED);
}

SL_KERNEL void barneshut_atomics(struct tree *tree)
{
    struct walker walker = begin(tree, sl_global_id(0));
    uint32_t sections = 0, idle_sections = 0;
    uint32_t round = 0;

    if (sl_local_id(0) < GROUP_ROUNDS) {
        is_unfinished[sl_local_id(0)] = 0;
    }
    sl_barrier();
    do {
        if (walker.body < tree->n) {
            const uint32_t seen = find_slot(tree, &walker);
            uint32_t *const slot = child_of(tree, walker.cell, walker.octant, false);
            const uint32_t child = take_slot(slot, seen);
            if (slot_is_cell(child)) {
                sl_store_relaxed_u32_device(slot, child);
                sections++;
                idle_sections++;
            } else if (child != SLOT_LOCKED) {
                const uint32_t now =
                    child == SLOT_EMPTY ? walker.body : part(tree, walker, child, false);
                sl_store_release_u32_device(slot, now);
                sections++;
                walker = next(tree, &walker);
            }
        }
    } while (group_goes_on(walker.body < tree->n, &round));
    count_sections(tree, sections, idle_sections);
}

/* ---- with locks: papers/004 Example 18 ---- */

/* Acquires likewise. */
static inline struct slot load_slot(const struct tree *tree, const struct walker *walker)
{
    const uint64_t both = sl_load_acquire_u64_device(
        (const uint64_t *)child_of(tree, walker->cell, walker->octant, true));
    return (struct slot){.child = (uint32_t)both, .lock.holder = (int32_t)(both >> 32)};
}

static inline struct slot find_locked_slot(const struct tree *tree, struct walker *walker)
{
    struct slot slot = load_slot(tree, walker);

    while (slot_is_cell(slot.child)) {
        enter(walker, slot.child & ~SLOT_CELL);
        slot = load_slot(tree, walker);
    }
    return slot;
}

/* With the lock. Returns whether the particle is in: not where the slot leads to a cell by now. */
static inline bool insert(struct tree *tree, struct slot *slot, const struct walker *walker)
{
    const uint32_t child = slot->child;

    if (slot_is_cell(child)) {
        return false;
    }
    if (child == SLOT_EMPTY) {
        sl_store_relaxed_u32_device(&slot->child, walker->body);
    } else {
        sl_store_release_u32_device(&slot->child, part(tree, *walker, child, true));
    }
    return true;
}

/* Whether the lock was free when it was looked at. That it was not may be old. */
static inline bool is_free(const struct slot *slot, struct slot seen)
{
    return seen.lock.holder == SL_LOCK_FREE ||
           (int32_t)sl_load_relaxed_u32_device((uint32_t *)&slot->lock.holder) == SL_LOCK_FREE;
}

SL_KERNEL void barneshut_lock(struct tree *tree)
{
    struct walker walker = begin(tree, sl_global_id(0));
    uint32_t sections = 0, idle_sections = 0;

    while (walker.body < tree->n) {
        const struct slot seen = find_locked_slot(tree, &walker);
        struct slot *const slot = (struct slot *)child_of(tree, walker.cell, walker.octant, true);
        if (is_free(slot, seen)) {
            sl_lock(&slot->lock);
            const bool is_in = insert(tree, slot, &walker);
            sl_unlock(&slot->lock);
            sections++;
            if (is_in) {
                walker = next(tree, &walker);
            } else {
                idle_sections++;
            }
        }
    }
    count_sections(tree, sections, idle_sections);
}

/* One attempt, as in Example 17 (papers/004 section 9.2.2). */
SL_KERNEL void barneshut_try(struct tree *tree)
{
    struct walker walker = begin(tree, sl_global_id(0));
    uint32_t sections = 0, idle_sections = 0;

    while (walker.body < tree->n) {
        const struct slot seen = find_locked_slot(tree, &walker);
        struct slot *const slot = (struct slot *)child_of(tree, walker.cell, walker.octant, true);
        if (is_free(slot, seen) && sl_trylock(&slot->lock, 1)) {
            const bool is_in = insert(tree, slot, &walker);
            sl_tryunlock(&slot->lock);
            sections++;
            if (is_in) {
                walker = next(tree, &walker);
            } else {
                idle_sections++;
            }
        }
    }
    count_sections(tree, sections, idle_sections);
}

/* ---- centres of mass ---- */

static inline void add(struct centre *sum, float x, float y, float z, float mass)
{
    sum->x = __builtin_fmaf(x, mass, sum->x);
    sum->y = __builtin_fmaf(y, mass, sum->y);
    sum->z = __builtin_fmaf(z, mass, sum->z);
    sum->mass += mass;
}

/* Adds what a slot holds; false where that is a cell which is not summed up yet. */
static inline bool add_child(const struct tree *tree, uint32_t child, struct centre *sum)
{
    if (slot_is_cell(child)) {
        const struct centre *const centre = &tree->centres[child & ~SLOT_CELL];
        const uint32_t bits = sl_load_acquire_u32_device((uint32_t *)&centre->mass);
        float mass;
        if (bits == 0) {
            return false;
        }
        __builtin_memcpy(&mass, &bits, sizeof mass);
        add(sum, centre->x, centre->y, centre->z, mass);
    } else if (child != SLOT_EMPTY) {
        add(sum, tree->x[child], tree->y[child], tree->z[child], tree->mass);
    }
    return true;
}

/* A work-item for each cell, children before parents: the lanes of a wavefront wait for each
 * other's, and for those of wavefronts that were launched before. */
static inline void sum_up(struct tree *tree, bool has_locks)
{
    const uint32_t cells = tree->cells;
    const uint32_t i = sl_global_id(0);
    struct centre sum = {0};
    uint32_t octant = 0;
    bool is_done = i >= cells;

    while (lockstep_again(!is_done)) {
        const uint32_t cell = cells - 1 - i;
        while (octant < OCTANTS &&
               add_child(tree, *child_of(tree, cell, octant, has_locks), &sum)) {
            octant++;
        }
        if (octant == OCTANTS) {
            struct centre *const centre = &tree->centres[cell];
            uint32_t mass;
            __builtin_memcpy(&mass, &sum.mass, sizeof mass);
            centre->x = sum.x / sum.mass;
            centre->y = sum.y / sum.mass;
            centre->z = sum.z / sum.mass;
            sl_store_release_u32_device((uint32_t *)&centre->mass, mass);
            is_done = true;
        } else {
            sl_pause();
        }
    }
}

SL_KERNEL void barneshut_centres_atomics(struct tree *tree)
{
    sum_up(tree, false);
}

SL_KERNEL void barneshut_centres_lock(struct tree *tree)
{
    sum_up(tree, true);
}
