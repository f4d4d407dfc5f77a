/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The octree of the algorithm of Barnes and Hut over N particles (docs/know/locks-programs.md,
 * "barneshut"), and the centres of mass of its cells (papers/004 section 6.5.1): work-items put
 * particles into one tree all at once, each under the lock of its slot. What the algorithm makes of
 * the tree, forces and motion, needs no locks, and is left out. Its kernels are barneshut_kernel.c.
 *
 * Particles are those of a Plummer model, in no order; papers/004 does not say which. A compute
 * unit has 1,024 work-items (Table 6.1), each of which inserts one after the other. */
#include "workloads/barneshut/tree.h"

#include <stdio.h>

#include "sluice/program.h"
#include "workloads/barneshut/particles.h"
#include "workloads/barneshut/reference.h"
#include "workloads/common/launches.h"
#include "workloads/common/locks.h"

#define GROUP    256
#define CU_ITEMS 1024 /* work-items of a compute unit (papers/004 Table 6.1) */

struct arguments {
    uint32_t n;
    uint32_t seed;
    enum locks_kind locks;
    struct tree *tree;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1048576, SL_INTO(struct arguments, n)},
    LOCKS_ROW(struct arguments, locks),
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Of the particles' places, which are random"},
    {0},
};

static void configure(struct sl_config *config, const void *input)
{
    const struct arguments *const arguments = input;
    locks_configure(config, arguments->locks);
}

static bool has_locks(const struct arguments *arguments)
{
    return arguments->locks != LOCKS_ATOMICS;
}

/* Cells come empty and with locks that are free. */
static void *make_slots(struct sl_soc *soc, size_t count, bool with_locks)
{
    if (with_locks) {
        struct slot *const slots = sl_app_alloc(soc, count * sizeof *slots, 64);
        for (size_t i = 0; i < count; i++) {
            slots[i] = (struct slot){.child = SLOT_EMPTY, .lock = sl_lock_init()};
        }
        return slots;
    }
    uint32_t *const words = sl_app_alloc(soc, count * sizeof *words, 64);
    for (size_t i = 0; i < count; i++) {
        words[i] = SLOT_EMPTY;
    }
    return words;
}

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const uint32_t capacity = 2 * n + 64; /* two particles that are close need a chain of cells */
    struct tree *const tree = sl_app_alloc(soc, sizeof *tree, 64);
    float *const x = sl_app_alloc(soc, 3 * n * sizeof *x, 64);
    struct centre *const centres = sl_app_alloc(soc, capacity * sizeof *centres, 64);
    void *const slots = make_slots(soc, (size_t)capacity * OCTANTS, has_locks(arguments));

    *tree = (struct tree){.x = x,
                          .y = x + n,
                          .z = x + 2 * (size_t)n,
                          .slots = slots,
                          .centres = centres,
                          .mass = 1.0f / (float)n,
                          .n = n,
                          .capacity = capacity,
                          .cells = 1}; /* the root */
    particles_make(n, arguments->seed, x, x + n, x + 2 * (size_t)n);
    arguments->tree = tree;
}

/* The last one has a work-item for each cell that there is then. */
static void note_launches(struct launches *launches, const struct arguments *arguments,
                          const char *kernel)
{
    const uint32_t cus = (uint32_t)sl_soc_config(launches->soc)->number[SL_CFG_GPU_CUS];
    const uint32_t most = cus * CU_ITEMS;
    const uint64_t tree = (uintptr_t)arguments->tree;

    launches_add(launches, "barneshut_extent", arguments->n, GROUP, 0, &tree, 1);
    launches_add(launches, kernel, arguments->n < most ? arguments->n : most, GROUP, 0, &tree, 1);
    launches_add(launches,
                 has_locks(arguments) ? "barneshut_centres_lock" : "barneshut_centres_atomics",
                 arguments->tree->capacity, GROUP, 0, &tree, 1);
    launches->steps[launches->count - 1].grid_word = &arguments->tree->cells;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};
    char kernel[32];

    make(soc, arguments);
    note_launches(&launches, arguments,
                  locks_kernel("barneshut", arguments->locks, kernel, sizeof kernel));
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("barneshut(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->tree->cells);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    const struct tree *const tree = arguments->tree;

    (void)printf("# %-22s %" PRIu32 ", of which %" PRIu32 " inserted nothing\n",
                 "critical sections", tree->sections, tree->idle_sections);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct tree *const tree = arguments->tree;

    const uint32_t inserting = tree->sections - tree->idle_sections;

    return sl_app_check(inserting == tree->n,
                        "%" PRIu32 " critical sections inserted something, of %" PRIu32
                        " particles",
                        inserting, tree->n) &&
           reference_is_tree(tree, has_locks(arguments));
}

static const struct sl_app app = {
    .doc = "Build the octree over N particles on the simulated accelerator, sum up its cells, and "
           "check both.\vThe result is the number of cells.",
    .table = table,
    .arguments = &(struct arguments){.n = 10000, .seed = 1, .locks = LOCKS_LOCK},
    .kernels = "barneshut.elf",
    .configure = configure,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
