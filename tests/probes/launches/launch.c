/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches that fault and launches that are refused, by the library or by the firmware, N rounds of
 * them on one machine: each says what was wrong, and a good launch after each is right. Its kernels
 * are probes/routines/groups_kernel.c. */
#include <string.h>

#include "sluice/program.h"

#define ITEMS 1000
#define GROUP 128

struct arguments {
    uint32_t rounds;
    uint32_t right; /* launches that were as they should be: the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000, SL_INTO(struct arguments, rounds)},
    {0},
};

/* A launch that has to fail, and a part of what is said then. */
struct bad_launch {
    const char *kernel;
    uint32_t group;
    uint32_t lds_bytes;
    enum sl_status status;
    const char *part;
};

static const struct bad_launch bad_launches[] = {
    {"groups_divergent", GROUP, 0, SL_ERROR_MACHINE,
     "kernel groups_divergent faulted: work-group barrier in divergent code: wavefront "},
    {"groups_mismatched", GROUP, 0, SL_ERROR_MACHINE,
     "kernel groups_mismatched faulted: work-group barrier that another wavefront of the group "
     "does not come to: wavefront "},
    {"groups_mismatched", GROUP, 0, SL_ERROR_MACHINE, ", inlined at groups_kernel.c:"},
    {"groups_beyond", GROUP, 256, SL_ERROR_MACHINE,
     "where the work-group has 4368 bytes of LDS, in groups_beyond "},
    {"groups_good", 1025, 0, SL_ERROR_USAGE, "the work-group has 1025 work-items; at most 1024"},
    {"groups_good", GROUP, 1u << 20, SL_ERROR_USAGE, "bytes of LDS, a compute unit has"},
};

#define BAD_LAUNCHES (sizeof bad_launches / sizeof bad_launches[0])

static enum sl_status launch(struct sl_soc *soc, const struct bad_launch *what, uint32_t *out)
{
    const uint32_t grid[3] = {ITEMS, 1, 1};
    const uint32_t group[3] = {what->group, 1, 1};
    const uint64_t arguments[] = {(uintptr_t)out};
    const enum sl_status status =
        sl_launch(sl_app_kernels(soc), what->kernel, grid, group, what->lds_bytes, arguments, 1);
    return status == SL_OK ? sl_soc_wait(soc, -1) : status;
}

static bool is_as_expected(struct sl_soc *soc, const struct bad_launch *bad, enum sl_status status)
{
    return sl_app_check(status == bad->status && strstr(sl_soc_error(soc), bad->part) != NULL,
                        "status %d, '%s'; should be %d, '...%s...'", (int)status, sl_soc_error(soc),
                        (int)bad->status, bad->part);
}

/* Descriptions that the library would not make; the firmware's own check decides. */
static void damage(struct sl_launch *bad, unsigned how)
{
    const uint32_t unit[3] = {1, 1, 1};
    memcpy(bad->grid, unit, sizeof unit);
    memcpy(bad->group, unit, sizeof unit);
    bad->magic = how == 0 ? 0 : SL_LAUNCH_MAGIC;
    bad->program += how == 1 ? 4 : 0;
    bad->kernel.entry = how == 2 ? 64 : bad->kernel.entry;
    bad->kernel.argument_count = how == 3 ? 9 : 1;
    bad->grid[2] = how == 4 ? 0 : 1;
    bad->group[0] = how == 5 ? 1025 : 1;
    bad->kernel.registers = how == 6 ? 100000 : 8;
    bad->lds_bytes = how == 7 ? UINT32_MAX : 0;
}

static const char *const damage_says[] = {
    "the launch's magic number is wrong",
    "the program's code or one of its tables is misplaced",
    "the kernel's entry is not in the program's code",
    "the kernel has too many arguments",
    "the grid has no work-items in z; a dimension that is not used is 1",
    "the work-group has 1025 work-items; at most 1024 are possible",
    ("a work-group has 1 wavefronts of 100000 registers each, and a compute unit has registers for "
     "0 such wavefronts"),
    "a work-group needs 4294967295 bytes of LDS, a compute unit has",
};

#define DAMAGES (sizeof damage_says / sizeof damage_says[0])

static bool is_refused(struct sl_soc *soc, unsigned how)
{
    const struct bad_launch bad = {.status = SL_ERROR_USAGE, .part = damage_says[how]};
    struct sl_launch *const copy = sl_app_alloc(soc, sizeof *copy, 0);
    *copy = *sl_launch_shared(soc);
    damage(copy, how);
    enum sl_status status = sl_soc_launch_unchecked(soc, (uintptr_t)copy);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, -1);
    }
    const bool is_right = is_as_expected(soc, &bad, status) &&
                          strstr(sl_soc_error(soc), "the firmware refused the launch: ") != NULL;
    sl_free(soc, copy);
    return is_right;
}

/* A good launch. Returns false where the machine or the result is not as it should be. */
static bool is_usable(struct sl_soc *soc, uint32_t *out)
{
    static const struct bad_launch good = {.kernel = "groups_good", .group = GROUP};
    memset(out, 0xff, ITEMS * sizeof *out);
    const enum sl_status status = launch(soc, &good, out);
    bool is_right = sl_app_check(status == SL_OK, "a good launch fails: %s", sl_soc_error(soc));
    for (uint32_t i = 0; i < ITEMS && is_right; i++) {
        is_right = sl_app_check(out[i] == (i ^ 1), "item %" PRIu32 " has %" PRIu32, i, out[i]);
    }
    return is_right;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    uint32_t *const out = sl_app_alloc(soc, ITEMS * sizeof *out, 0);
    uint32_t right = 0;

    for (uint32_t round = 0; round < arguments->rounds; round++) {
        for (size_t i = 0; i < BAD_LAUNCHES; i++) {
            right += is_as_expected(soc, &bad_launches[i], launch(soc, &bad_launches[i], out));
            right += is_usable(soc, out);
        }
        for (unsigned how = 0; how < DAMAGES; how++) {
            right += is_refused(soc, how);
            right += is_usable(soc, out);
        }
    }
    arguments->right = right;
    sl_app_result("launch(%" PRIu32 ") = %" PRIu32, arguments->rounds, right);
    return SL_OK;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return arguments->right == arguments->rounds * 2 * (BAD_LAUNCHES + DAMAGES);
}

static const struct sl_app app = {
    .doc = "Launch kernels that fault, and good ones after each, in N rounds.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "groups.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
