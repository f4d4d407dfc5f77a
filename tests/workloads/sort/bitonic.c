/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bitonic sort of N keys of 32 bits, padded with the largest key to a power of two. Work-groups
 * sort blocks in LDS; then sequences twice as long are merged again and again, by a launch for each
 * stride that spans blocks, and one for all the smaller ones. All launches are one run, or one
 * each. The kernels are bitonic_kernel.c. */
#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"

#define N_MAX         16777216
#define GROUP_DEFAULT 256

struct arguments {
    struct keys keys;
    uint32_t group;
    bool is_separate; /* a run for each launch */
    uint32_t *sorted; /* the machine's keys */
};

enum { KEY_SEPARATE = 256 };

static const struct argp_option option_table[] = {
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, a power of two (default 256)", 0},
    {"input", 'i', "KIND", 0, "Keys: random (default), sorted, reversed or equal", 0},
    {"separate", KEY_SEPARATE, NULL, 0,
     "A run for each launch, with empty caches each; statistics are those of all together", 0},
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
static void check_launches(const struct argp_state *state, const struct arguments *arguments)
{
    uint32_t launches = 1;
    uint32_t next = 2;
    for (uint64_t block = 2ull * arguments->group; block < padded(arguments->keys.n); block *= 2) {
        launches += next++;
    }
    if (launches > SL_SEQUENCE_LAUNCHES) {
        argp_failure(state, SL_APP_USAGE, 0,
                     "%" PRIu32 " keys in work-groups of %" PRIu32 " take %" PRIu32
                     " launches, and a sequence has %d at most: make the work-groups larger",
                     arguments->keys.n, arguments->group, launches, SL_SEQUENCE_LAUNCHES);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_SEPARATE:
        arguments->is_separate = true;
        return 0;
    case ARGP_KEY_END:
        check_launches(state, arguments);
        return 0;
    case 'g':
        arguments->group = sl_app_power_of_two(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    case 'i':
        arguments->keys.pattern = keys_pattern(state, argument);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->keys.n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Sort N keys on the simulated accelerator, and check their order; the result is the key "
           "in the middle, number N / 2 from 0.\vN is from 1 to 16777216.",
};

static enum sl_status sort(struct sl_soc *soc, struct sl_module *module, uint32_t *keys,
                           uint32_t count, const struct arguments *arguments)
{
    const uint32_t group = arguments->group;
    const uint32_t pairs = count / 2;
    const uint32_t block = 2 * (pairs < group ? pairs : group);
    const uint32_t lds_bytes = block * (uint32_t)sizeof *keys;
    const uint64_t all[] = {(uintptr_t)keys};
    struct launches launches = {.soc = soc, .module = module};

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
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "bitonic.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    uint32_t *const keys = sl_alloc(soc, count * sizeof *keys, 0);
    if (keys == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = i < n ? keys_at(&arguments->keys, i) : UINT32_MAX;
    }
    status = sort(soc, module, keys, count, arguments);
    if (status == SL_OK) {
        arguments->sorted = keys;
        sl_app_result("bitonic(%" PRIu32 ") = %" PRIu32, n, keys[n / 2]);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return keys_are_right(&arguments->keys, arguments->sorted, "bitonic");
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.group = GROUP_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
