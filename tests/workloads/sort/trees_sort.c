/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Merge sort on a task vector (papers/000 section 5.6.5; docs/know/trees-programs.md, "Sort"), in
 * three ways: naive, as for one processor (trees_sort_kernel.c); with maps, which do what bitonic.c
 * does in launches (trees_sort_map_kernel.c); and as cilksort.c does it on channels
 * (trees_sort_cilk_kernel.c). */
#include "workloads/sort/trees_sort.h"

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/trees.h"
#include "workloads/sort/cilksort.h"

#define N_MAX 16777216

/* The last of --naive, --map and --cilk counts. */
enum { NAIVE = 1, WITH_MAPS, AS_CILKSORT, WAYS };

struct arguments {
    struct keys keys;
    uint32_t way;
    uint32_t maps; /* of a step of a merge, at most */
    struct trees_options trees;
    uint32_t *sorted; /* the machine's keys */
};

/* The two arrays of a sort, which begin with the same keys, the result's first. */
struct arrays {
    uint32_t *keys;
    uint32_t *temporary;
    uint32_t count; /* with those that fill them up, which are the greatest ones */
};

/* A way to sort. */
struct way {
    struct trees_program program;

    /* Keys that it sorts for `n` of them. */
    uint32_t (*count)(uint32_t n);

    /* Slots for so many: as many as it ever takes, of which it gives some back. */
    uint32_t (*slots)(uint32_t count, uint32_t maps);

    /* Sets the first task's arguments and returns its function, as SL_TASKS() numbers it. */
    uint32_t (*first)(struct trees_arguments *first, const struct arrays *arrays, uint32_t maps);
};

/* ---- naive ---- */

static uint32_t naive_count(uint32_t n)
{
    return n;
}

static uint32_t naive_slots(uint32_t count, uint32_t maps)
{
    (void)maps;
    return 2 * count - 1;
}

static uint32_t naive_first(struct trees_arguments *first, const struct arrays *arrays,
                            uint32_t maps)
{
    (void)maps;
    trees_put_pointer(first, arrays->temporary);
    trees_put_pointer(first, arrays->keys);
    trees_put_u32(first, arrays->count);
    return 1;
}

/* ---- with maps ---- */

static uint32_t map_count(uint32_t n)
{
    uint32_t count = SORT_MAP_KEYS;
    while (count < n) {
        count *= 2;
    }
    return count;
}

static uint32_t map_slots(uint32_t count, uint32_t maps)
{
    uint32_t slots = 2;  /* of a block: its task and its map */
    uint32_t merges = 2; /* of a merge: the same at first, of its last step */

    for (uint32_t size = 2 * SORT_MAP_KEYS; size <= count; size *= 2) {
        const uint32_t all = size / 2 / SORT_MAP_ITEMS;
        merges = 1 + (all < maps ? all : maps) + 2 * merges;
        slots = 1 + 2 * slots + merges - 1; /* the sort's own slot is its merge's */
    }
    return slots;
}

static uint32_t map_first(struct trees_arguments *first, const struct arrays *arrays, uint32_t maps)
{
    trees_put_pointer(first, arrays->keys);
    trees_put_u32(first, 0);
    if (arrays->count == SORT_MAP_KEYS) {
        trees_put_u32(first, 2);
        trees_put_u32(first, SORT_MAP_KEYS);
        return 2;
    }
    trees_put_u32(first, arrays->count);
    trees_put_u32(first, maps);
    return 1;
}

/* ---- as cilksort.c ---- */

static uint32_t merge_slots(uint32_t count)
{
    const uint32_t half = sort_half(count);
    return count <= MERGE_BASE ? 1 : 1 + merge_slots(half) + merge_slots(count - half);
}

static uint32_t cilk_slots(uint32_t count, uint32_t maps)
{
    if (count <= SORT_BASE) {
        return 1;
    }
    const uint32_t quarter = sort_quarter(count);
    const uint32_t last = count - 3 * quarter;
    return 1 + 3 * cilk_slots(quarter, maps) + cilk_slots(last, maps) + merge_slots(2 * quarter) +
           merge_slots(quarter + last) + merge_slots(count);
}

static uint32_t cilk_first(struct trees_arguments *first, const struct arrays *arrays,
                           uint32_t maps)
{
    (void)maps;
    trees_put_pointer(first, arrays->keys);
    trees_put_pointer(first, arrays->temporary);
    trees_put_u32(first, arrays->count);
    return 1;
}

static const struct way ways[WAYS] = {
    [NAIVE] = {.program = {.name = "trees_sort", .arguments = 5, .functions = 2},
               .count = naive_count,
               .slots = naive_slots,
               .first = naive_first},
    [WITH_MAPS] = {.program = {.name = "trees_sort_map",
                               .map_kernel = "trees_sort_maps",
                               .arguments = 6,
                               .functions = 3,
                               .maps = 2},
                   .count = map_count,
                   .slots = map_slots,
                   .first = map_first},
    [AS_CILKSORT] = {.program = {.name = "trees_sort_cilk", .arguments = 8, .functions = 4},
                     .count = sort_whole_lines,
                     .slots = cilk_slots,
                     .first = cilk_first},
};

/* ---- the program ---- */

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, N_MAX, SL_INTO(struct arguments, keys.n)},
    {"cilk", 0, SL_FLAG, 0, AS_CILKSORT, SL_INTO(struct arguments, way),
     "Sort as cilksort does: in four parts, with merges that fork"},
    KEYS_INPUT_ROW(struct arguments, keys),
    {"map", 0, SL_FLAG, 0, WITH_MAPS, SL_INTO(struct arguments, way),
     "Sort as bitonic does, by maps"},
    {"maps", 0, SL_POWER_OF_TWO, 1, N_MAX, SL_INTO(struct arguments, maps),
     "Maps at most that share a step of a merge"},
    {"naive", 0, SL_FLAG, 0, NAIVE, SL_INTO(struct arguments, way),
     "Sort as for one processor, which is the default"},
    {"seed", 0, SL_SEED, 0, 0, SL_INTO(struct arguments, keys.seed), "Of random keys"},
    SL_ROWS(struct arguments, trees, trees_map_rows),
    {0},
};

/* Merges of cilksort.c read a key too many. */
static struct arrays make(struct sl_soc *soc, const struct keys *keys, uint32_t count)
{
    const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t);
    uint32_t *const result = sl_app_alloc(soc, bytes, 0);
    uint32_t *const temporary = sl_app_alloc(soc, bytes, 0);

    for (uint32_t i = 0; i < count; i++) {
        result[i] = temporary[i] = i < keys->n ? keys_at(keys, i) : UINT32_MAX;
    }
    return (struct arrays){.keys = result, .temporary = temporary, .count = count};
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct way *const way = &ways[arguments->way];
    const uint32_t n = arguments->keys.n;
    const struct arrays arrays = make(soc, &arguments->keys, way->count(n));
    struct trees_program program = way->program;
    struct trees_arguments first = {0};

    program.capacity = way->slots(arrays.count, arguments->maps);
    const uint32_t function = way->first(&first, &arrays, arguments->maps);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, function, &first, NULL);
    if (status == SL_OK) {
        arguments->sorted = arrays.keys;
        sl_app_result("trees_sort(%" PRIu32 ") = %" PRIu64, n,
                      sl_app_checksum(arrays.keys, n * sizeof *arrays.keys));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return keys_are_right(&arguments->keys, arguments->sorted);
}

static const struct sl_app app = {
    .doc = "Sort N keys of 32 bits by fork and join on a task vector, and check them against "
           "qsort(); the result is a checksum of the sorted keys.\vOf --naive, --map and --cilk "
           "the last one counts.",
    .table = table,
    .arguments = &(struct arguments){.way = NAIVE, .maps = 4, .trees.map_group = SORT_MAP_ITEMS},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
