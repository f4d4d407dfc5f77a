/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task vectors (docs/know/trees.md): what papers/000 leaves open, limits, and what library and
 * firmware say of bad ones; after each, the machine runs a good graph. Its kernels are
 * trees_cases_kernel.c.
 */
#include "probes/trees/trees_cases.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "workloads/common/cases.h"

#define WAIT_LIMIT_MS 20000
#define MAP_GROUP     96

struct trees_case {
    const char *name;
    enum root_kind kind;
    uint32_t count;
    uint32_t function;                      /* the first task; 0 is ROOT */
    bool has_no_maps;                       /* no kernel for them */
    struct sl_trees_options options;        /* what is 0 is as build() says */
    void (*damage)(struct sl_trees *trees); /* after it was made, or NULL */
    bool has_value;                         /* a field is changed then */
    size_t field;                           /* where it is */
    uint32_t value;
    enum sl_status status;
    const char *message; /* part of it; NULL where it is complete */
    bool is_wrong;       /* the result is not `result`, as damaged as it is */
    uint32_t result;
    struct notes notes; /* at the end */
    uint32_t epochs;    /* that ran */
    uint32_t empty;     /* of them, empty ones */
};

static void forget_forks_again(struct sl_trees *trees)
{
    trees->flags &= ~(uint32_t)SL_TREES_FORKS_AGAIN;
}

static void set_vector(struct sl_trees *trees)
{
    trees->vector = 64;
}

static void set_epochs(struct sl_trees *trees)
{
    trees->stack += 4;
}

/* A description of the same program at another place, which the vector has room for. */
static void set_program(struct sl_trees *trees)
{
    struct sl_program *const other = (struct sl_program *)(uintptr_t)trees->vector;
    *other = *(const struct sl_program *)(uintptr_t)trees->launch[0].program;
    trees->launch[1].program = (uintptr_t)other;
}

static void set_overlap(struct sl_trees *trees)
{
    /* It ends in the vector's first line. */
    trees->stack =
        trees->vector + 64 - (uint64_t)trees->stack_entries * sizeof(struct sl_trees_epoch);
}

#define REFUSED(function, text)                                                                    \
    {                                                                                              \
        .name = #function, .damage = (function), .status = SL_ERROR_USAGE, .message = (text)       \
    }

/* With this value in a field of 32 bits. */
#define REFUSED_WITH(case_name, place, number, text)                                               \
    {                                                                                              \
        .name = #case_name, .has_value = true, .field = offsetof(struct sl_trees, place),          \
        .value = (number), .status = SL_ERROR_USAGE, .message = (text)                             \
    }

static const struct trees_case cases[] = {
    {.name = "returns", .kind = RETURNS, .notes = {.visits = 1}, .epochs = 3},
    /* Each child i leaves 3i and its sibling 3: 3 x (0 + ... + 63) + 3 x 64. */
    {.name = "forks_again", .kind = FORKS_AGAIN, .count = 64, .result = 6240, .epochs = 6},
    {.name = "without_the_flag",
     .kind = FORKS_AGAIN,
     .count = 64,
     .damage = forget_forks_again,
     .is_wrong = true,
     .result = 6240,
     .epochs = 6},
    {.name = "maps",
     .kind = MAPS_ONLY,
     .count = 5,
     .notes = {1, 5 * MAP_GROUP, 5 * MAP_GROUP},
     .epochs = 3,
     .empty = 1},
    {.name = "skip_empty",
     .kind = MAPS_ONLY,
     .count = 5,
     .options = {.flags = SL_TREES_SKIP_EMPTY},
     .notes = {1, 5 * MAP_GROUP, 5 * MAP_GROUP},
     .epochs = 2},
    {.name = "maps_and_forks",
     .kind = MAPS_AND_FORKS,
     .count = 5,
     .options = {.flags = SL_TREES_SKIP_EMPTY},
     .notes = {1, 5 * MAP_GROUP, 5 * MAP_GROUP},
     .epochs = 2},
    /* Slot 0, 64 parents, 128 of their children, and 32 that continuations fork. */
    {.name = "exactly_full",
     .kind = FORKS_AGAIN,
     .count = 64,
     .options = {.capacity = 225},
     .result = 6240,
     .epochs = 6},
    {.name = "full",
     .kind = FORKS_AGAIN,
     .count = 64,
     .options = {.capacity = 224},
     .status = SL_ERROR_MACHINE,
     .message = "the task vector is full: 225 slots are wanted, it has 224; make its capacity "
                "larger"},
    {.name = "full_at_once",
     .kind = FORKS_AGAIN,
     .count = UINT32_MAX,
     .status = SL_ERROR_MACHINE,
     .message = "4294967295 slots are wanted, it has 1024"},
    /* Slot 0, and one for each map. */
    {.name = "exactly_full_of_maps",
     .kind = MAPS_ONLY,
     .count = 5,
     .options = {.capacity = 6},
     .notes = {1, 5 * MAP_GROUP, 5 * MAP_GROUP},
     .epochs = 3,
     .empty = 1},
    {.name = "full_of_maps",
     .kind = MAPS_ONLY,
     .count = 5,
     .options = {.capacity = 5},
     .status = SL_ERROR_MACHINE,
     .message = "the task vector is full: 6 slots are wanted, it has 5; make its capacity larger"},
    {.name = "no_map_kernel",
     .kind = MAPS_ONLY,
     .count = 5,
     .has_no_maps = true,
     .status = SL_ERROR_MACHINE,
     .message = "5 maps were scheduled, and the task vector has no kernel for them: give one to "
                "sl_trees_create(); epoch 0, after 0 others"},
    {.name = "stack_full",
     .kind = FORKS_AGAIN,
     .count = 64,
     .options = {.stack = 2},
     .status = SL_ERROR_MACHINE,
     .message = "the stack of epochs has 2 entries, and epoch 2 needs one more; make it larger; "
                "epoch 1, after 1 others"},
    {.name = "function",
     .function = FUNCTIONS + 1,
     .status = SL_ERROR_USAGE,
     .message = "the first task is of function 8; they are numbered from 1 to 7"},
    REFUSED_WITH(set_magic, magic, 7, "the task vector's magic number is wrong"),
    REFUSED_WITH(set_flags, flags, 0x10, "flags 0x10 have bits that mean nothing; 0x0 would do"),
    REFUSED_WITH(set_capacity, capacity, 0, "0 slots; from 1 to 67108864 are possible"),
    REFUSED_WITH(set_arguments, arguments, SL_TREES_ARGUMENTS + 1,
                 "17 arguments of 4 bytes; from 1 to 16 are possible"),
    REFUSED_WITH(set_functions, functions, 0, "0 functions of tasks; from 1 to 64 are possible"),
    REFUSED_WITH(set_maps, maps, FUNCTIONS, "7 functions of maps; at most 6 are possible"),
    REFUSED_WITH(set_stack, stack_entries, SL_TREES_EPOCHS + 1,
                 "a stack of 1048577 epochs; from 1 to 1048576 are possible"),
    REFUSED_WITH(set_group, launch[0].group[0], 0,
                 "the kernel of epochs: a work-group of 0 work-items"),
    REFUSED_WITH(set_group_of_maps, launch[1].group[0], SL_GROUP_ITEMS + 1,
                 "the kernel of maps: a work-group of 1025 work-items"),
    REFUSED(set_vector, "the task vector is not inside the shared heap"),
    REFUSED(set_epochs, "the stack of epochs is not inside the shared heap, or not aligned"),
    REFUSED_WITH(set_log, log_entries, SL_TREES_LOG + 1,
                 "the log of epochs has too many entries, is not inside the shared heap"),
    REFUSED(set_program, "the map kernel is of another program than the kernel of epochs"),
    REFUSED(set_overlap, "two of the task vector, its stack of epochs and its description overlap"),
};
static enum sl_status build(struct sl_module *module, const struct trees_case *wanted,
                            struct sl_task_vector **trees)
{
    struct sl_trees_options options = wanted->options;
    options.capacity = options.capacity > 0 ? options.capacity : 1024;
    options.arguments = 4;
    options.functions = FUNCTIONS;
    options.maps = wanted->has_no_maps ? 0 : MAPS;
    options.map_group = MAP_GROUP;
    return sl_trees_create(module, "trees_cases", wanted->has_no_maps ? NULL : "trees_cases_maps",
                           &options, trees);
}

static enum sl_status start(struct sl_soc *soc, struct sl_task_vector *trees,
                            const struct trees_case *wanted, const struct notes *notes)
{
    const uint64_t address = (uintptr_t)notes;
    const uint32_t arguments[] = {wanted->kind, wanted->count, (uint32_t)address,
                                  (uint32_t)(address >> 32)};
    const uint32_t function = wanted->function > 0 ? wanted->function : ROOT;
    const enum sl_status status = sl_trees_execute(trees, function, arguments, 4);
    return status == SL_OK ? sl_soc_wait(soc, WAIT_LIMIT_MS) : status;
}

static bool is_told(const struct sl_soc *soc, const struct trees_case *wanted,
                    enum sl_status status, const char *begin)
{
    const char *const message = status == SL_OK ? "complete" : sl_soc_error(soc);
    const bool is_right = sl_app_check(
        status == wanted->status &&
            (wanted->message == NULL || (strstr(message, wanted->message) != NULL &&
                                         strncmp(message, begin, strlen(begin)) == 0)),
        "%s: status %d, %s; should be %d, '%s...%s...'", wanted->name, (int)status, message,
        (int)wanted->status, begin, wanted->message != NULL ? wanted->message : "");

    if (is_right && status != SL_OK) {
        (void)printf("# %s: %s\n", wanted->name, message);
    }
    return is_right;
}

static bool has_run(const struct sl_soc *soc, const struct sl_task_vector *trees,
                    const struct trees_case *wanted, const struct notes *notes)
{
    const uint32_t result = (uint32_t)sl_trees_result(trees);
    const uint64_t epochs = sl_statistic_count(soc, SL_STAT_TREES_EPOCHS);
    const uint64_t empty = sl_statistic_count(soc, SL_STAT_TREES_EMPTY_EPOCHS);
    const bool has_result = wanted->result == 0 || (result == wanted->result) == !wanted->is_wrong;
    return sl_app_check(
        has_result && memcmp(notes, &wanted->notes, sizeof *notes) == 0 &&
            epochs == wanted->epochs && empty == wanted->empty,
        "%s: result %" PRIu32 ", %" PRIu32 " visits, %" PRIu32 " work-items of maps, %" PRIu32
        " seen, %" PRIu64 " epochs, %" PRIu64 " empty",
        wanted->name, result, notes->visits, notes->items, notes->seen, epochs, empty);
}

/* The library's check refuses it; without that, the firmware's does. */
static bool is_refused_twice(struct sl_soc *soc, const struct sl_task_vector *trees,
                             const struct trees_case *wanted, enum sl_status status)
{
    bool is_right = is_told(soc, wanted, status, "task vector: ");
    status = sl_soc_trees_unchecked(soc, (uintptr_t)sl_trees_shared(trees));
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    is_right &= is_told(soc, wanted, status, "the firmware refused the task vector: ");
    return is_right;
}

static enum sl_status run_case(struct sl_soc *soc, size_t number, struct relay *good,
                               bool *is_right)
{
    const struct trees_case *const wanted = &cases[number];
    struct sl_task_vector *trees = NULL;
    struct notes *const notes = sl_app_alloc(soc, sizeof *notes, 0);

    (void)good;
    enum sl_status status = build(sl_app_kernels(soc), wanted, &trees);
    if (status != SL_OK) {
        return status;
    }
    struct sl_trees *const shared = sl_trees_shared(trees);
    const struct sl_trees undamaged = *shared;
    if (wanted->damage != NULL) {
        wanted->damage(shared);
    }
    if (wanted->has_value) {
        *(uint32_t *)((char *)shared + wanted->field) = wanted->value;
    }
    status = start(soc, trees, wanted, notes);
    if (wanted->status == SL_ERROR_USAGE) {
        *is_right = is_refused_twice(soc, trees, wanted, status);
    } else {
        *is_right = is_told(soc, wanted, status, "") &&
                    (status != SL_OK || has_run(soc, trees, wanted, notes));
    }
    *shared = undamaged; /* addresses are needed to free it */
    sl_trees_destroy(trees);
    sl_free(soc, notes);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "trees_cases",
        .doc = "Run task vectors, good ones and bad ones, and after each a good graph on the same "
               "machine. The value is the number of those that were as they should be.",
        .kernels = "trees_cases.elf",
        CASES(cases),
        .run = run_case,
    };
    return cases_main(&program, argc, argv);
}
