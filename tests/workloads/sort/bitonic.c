/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bitonic sort of N keys of 32 bits, padded with the largest key to a power of two. Work-groups
 * sort blocks in LDS; then sequences twice as long are merged again and again, by a launch for each
 * stride that spans blocks, and one for all the smaller ones. All launches are one run, or one
 * each. The kernels are bitonic_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"

struct arguments {
    struct keys keys;
    uint32_t group;
    bool is_separate; /* a run for each launch */
    uint32_t *sorted; /* the machine's keys */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 16777216, SL_INTO(struct arguments, keys.n)},
    {"group", 'g', SL_POWER_OF_TWO, 1, SL_GROUP_ITEMS, SL_INTO(struct arguments, group),
     "Work-items of a work-group", "ITEMS"},
    KEYS_INPUT_ROW(struct arguments, keys),
    {"separate", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, is_separate),
     "A run for each launch, with empty caches each; statistics are those of all together"},
    {0},
};

/* The least power of two that is at least n, and 2. */
static uint32_t padded(uint32_t n)
{
    uint32_t count = 2;
    while (count < n) {
        count *= 2;
    }
    return count;
}

/* One launch sorts blocks of two keys for each work-item; sequences 2^i times as long take i + 1.
 */
static void check(void *input)
{
    const struct arguments *const arguments = input;
    uint32_t launches = 1;
    uint32_t next = 2;
    for (uint64_t block = 2ull * arguments->group; block < padded(arguments->keys.n); block *= 2) {
        launches += next++;
    }
    if (launches > SL_SEQUENCE_LAUNCHES) {
        sl_argument_fail("%" PRIu32 " keys in work-groups of %" PRIu32 " take %" PRIu32
                         " launches, and a sequence has %d at most: make the work-groups larger",
                         arguments->keys.n, arguments->group, launches, SL_SEQUENCE_LAUNCHES);
    }
}

static enum sl_status sort(struct sl_soc *soc, uint32_t *keys, uint32_t count,
                           const struct arguments *arguments)
{
    const uint32_t group = arguments->group;
    const uint32_t pairs = count / 2;
    const uint32_t block = 2 * (pairs < group ? pairs : group);
    const uint32_t lds_bytes = block * (uint32_t)sizeof *keys;
    const uint64_t all[] = {(uintptr_t)keys};
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    launches_add(&launches, "bitonic_sort_blocks", pairs, group, lds_bytes, all, 1);
    for (uint32_t size = 2 * block; size <= count; size *= 2) {
        const uint64_t merge[] = {(uintptr_t)keys, size};
        for (uint32_t stride = size / 2; stride >= block; stride /= 2) {
            const uint64_t step[] = {(uintptr_t)keys, size, stride};
            launches_add(&launches, "bitonic_step", pairs, group, 0, step, 3);
        }
        launches_add(&launches, "bitonic_merge_blocks", pairs, group, lds_bytes, merge, 2);
    }
    return arguments->is_separate ? launches_run_each(&launches) : launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->keys.n;
    const uint32_t count = padded(n);
    uint32_t *const keys = sl_app_alloc(soc, count * sizeof *keys, 0);

    for (uint32_t i = 0; i < count; i++) {
        keys[i] = i < n ? keys_at(&arguments->keys, i) : UINT32_MAX;
    }
    const enum sl_status status = sort(soc, keys, count, arguments);
    if (status == SL_OK) {
        arguments->sorted = keys;
        sl_app_result("bitonic(%" PRIu32 ") = %" PRIu32, n, keys[n / 2]);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return keys_are_right(&arguments->keys, arguments->sorted);
}

static const struct sl_app app = {
    .doc = "Sort N keys on the simulated accelerator, and check their order; the result is the key "
           "in the middle, number N / 2 from 0.",
    .table = table,
    .arguments = &(struct arguments){.group = 256},
    .check = check,
    .kernels = "bitonic.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
