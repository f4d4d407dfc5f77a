/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Merge sort on a task vector (papers/000 section 5.6.5; docs/know/trees-programs.md, "Sort"), in
 * three ways: naive, as for one processor (trees_sort_kernel.c); with maps, which do what bitonic.c
 * does in launches (trees_sort_map_kernel.c); and as cilksort.c does it on channels
 * (trees_sort_cilk_kernel.c). */
#include "workloads/sort/trees_sort.h"

#include <inttypes.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/keys.h"
#include "workloads/common/trees.h"
#include "workloads/sort/cilksort.h"

#define N_MAX        16777216
#define MAPS_DEFAULT 4

struct arguments {
    struct keys keys;
    const struct way *way;
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

static const struct way naive = {
    .program = {.name = "trees_sort", .arguments = 5, .functions = 2},
    .count = naive_count,
    .slots = naive_slots,
    .first = naive_first,
};
static const struct way with_maps = {
    .program = {.name = "trees_sort_map",
                .map_kernel = "trees_sort_maps",
                .arguments = 6,
                .functions = 3,
                .maps = 2},
    .count = map_count,
    .slots = map_slots,
    .first = map_first,
};
static const struct way as_cilksort = {
    .program = {.name = "trees_sort_cilk", .arguments = 8, .functions = 4},
    .count = sort_whole_lines,
    .slots = cilk_slots,
    .first = cilk_first,
};

/* ---- the program ---- */

enum { KEY_NAIVE = 256, KEY_MAP, KEY_CILK, KEY_MAPS, KEY_SEED };

static const struct argp_option option_table[] = {
    {"cilk", KEY_CILK, NULL, 0, "Sort as cilksort does: in four parts, with merges that fork", 0},
    {"input", 'i', "KIND", 0, "Keys: random (default), sorted, reversed or equal", 0},
    {"map", KEY_MAP, NULL, 0, "Sort as bitonic does, by maps", 0},
    {"maps", KEY_MAPS, "NUMBER", 0,
     "Maps at most that share a step of a merge, a power of two (default 4)", 0},
    {"naive", KEY_NAIVE, NULL, 0, "Sort as for one processor, which is the default", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of random keys (default 0)", 0},
    TREES_SKIP_OPTION,
    TREES_OPTIONS,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'i':
        arguments->keys.pattern = keys_pattern(state, argument);
        return 0;
    case KEY_NAIVE:
        arguments->way = &naive;
        return 0;
    case KEY_CILK:
        arguments->way = &as_cilksort;
        return 0;
    case KEY_MAP:
        arguments->way = &with_maps;
        return 0;
    case KEY_MAPS:
        arguments->maps = sl_app_power_of_two(state, "--maps", argument, 1, N_MAX);
        return 0;
    case KEY_SEED:
        arguments->keys.seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    default:
        return trees_parse_n(key, argument, state, &arguments->trees, 1, N_MAX, &arguments->keys.n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Sort N keys of 32 bits by fork and join on a task vector, and check them against "
           "qsort(); the result is a checksum of the sorted keys.\vN is from 1 to 16777216. Of "
           "--naive, --map and --cilk the last one counts.",
};

/* Merges of cilksort.c read a key too many. */
static bool make(struct sl_soc *soc, const struct arguments *arguments, struct arrays *arrays)
{
    const uint32_t n = arguments->keys.n;
    const uint32_t count = arguments->way->count(n);
    const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t);

    arrays->count = count;
    arrays->keys = sl_alloc(soc, bytes, 0);
    arrays->temporary = arrays->keys != NULL ? sl_alloc(soc, bytes, 0) : NULL;
    if (arrays->temporary == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = i < n ? keys_at(&arguments->keys, i) : UINT32_MAX;
        arrays->keys[i] = key;
        arrays->temporary[i] = key;
    }
    return true;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct way *const way = arguments->way;
    struct trees_program program = way->program;
    struct trees_arguments first = {0};
    struct arrays arrays;

    if (!make(soc, arguments, &arrays)) {
        return SL_ERROR_USAGE;
    }
    program.capacity = way->slots(arrays.count, arguments->maps);
    const uint32_t function = way->first(&first, &arrays, arguments->maps);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, function, &first, NULL);
    if (status == SL_OK) {
        const uint32_t n = arguments->keys.n;
        arguments->sorted = arrays.keys;
        sl_app_result("trees_sort(%" PRIu32 ") = %" PRIu64, n,
                      sl_app_checksum(arrays.keys, n * sizeof *arrays.keys));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return keys_are_right(&arguments->keys, arguments->sorted, "trees_sort");
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .way = &naive, .maps = MAPS_DEFAULT, .trees.map_group = SORT_MAP_ITEMS};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
