/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-items of an NDRange: each runs once and knows who it is, in one to three dimensions, with
 * grids that work-groups do not divide; atomics and reservations in LDS; lanes of one instruction
 * in different memories. The kernels are tests/probes/routines/groups_kernel.c. */
#include <stdlib.h>
#include <string.h>

#include "check/launch/group_occupancy.h"
#include "common/check.h"
#include "soc/common/ndrange_machine.h"
#include "soc/dispatcher/group_items.h"

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void check_item(const struct groups_item *item, const uint32_t at[3], const uint32_t grid[3],
                       const uint32_t group[3], uint32_t lanes)
{
    for (unsigned d = 0; d < 3; d++) {
        assert_int_equal(item->global[d], at[d]);
        assert_int_equal(item->local[d], at[d] % group[d]);
        assert_int_equal(item->group[d], at[d] / group[d]);
        assert_int_equal(item->size[d], group[d]);
        assert_int_equal(item->count[d], (grid[d] + group[d] - 1) / group[d]);
        assert_int_equal(item->items[d], least(group[d], grid[d] - at[d] / group[d] * group[d]));
    }
    const uint32_t flat = item->local[0] + group[0] * (item->local[1] + group[1] * item->local[2]);
    assert_int_equal(item->wavefront, flat / lanes);
    assert_true(item->wavefronts <= sl_group_wavefronts(group, lanes));
    assert_true(item->wavefronts >= 1);
    assert_int_equal(item->lds_bytes, 5000);
    assert_int_equal(item->seen, 3);
}

/* Wavefronts are numbered as they are launched, groups in order with x first; all of a group are on
 * one compute unit. */
static void check_order(const struct groups_item *log, const uint32_t grid[3])
{
    const uint64_t items = (uint64_t)grid[0] * grid[1] * grid[2];
    for (uint64_t i = 1; i < items; i++) {
        const struct groups_item *a = &log[i - 1];
        const struct groups_item *b = &log[i];
        const bool is_same = memcmp(a->group, b->group, sizeof a->group) == 0;
        if (is_same) {
            assert_int_equal(a->cu, b->cu);
        } else if (a->group[1] == b->group[1] && a->group[2] == b->group[2]) {
            assert_true((a->group[0] < b->group[0]) == (a->number < b->number));
        }
    }
}

static void identify(const char *const *settings, const uint32_t grid[3], const uint32_t group[3])
{
    struct ndrange_machine *m = ndrange_create(settings);
    ndrange_load(m, "groups.elf");
    const uint64_t items = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint64_t out = ndrange_take(m, items * sizeof(struct groups_item));
    const struct ndrange_kernel kernel = {.entry = ndrange_function(m, "groups_identify"),
                                          .registers = 20,
                                          .argument_count = 1,
                                          .argument = {out}};
    ndrange_dispatch(m, &kernel, grid, group, 5000);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    const struct groups_item *const log = ndrange_at(m, out);
    const uint32_t lanes = m->gpu->cus[0].shape.lanes;
    uint64_t i = 0;
    for (uint32_t z = 0; z < grid[2]; z++) {
        for (uint32_t y = 0; y < grid[1]; y++) {
            for (uint32_t x = 0; x < grid[0]; x++, i++) {
                check_item(&log[i], (const uint32_t[3]){x, y, z}, grid, group, lanes);
            }
        }
    }
    check_order(log, grid);
    ndrange_destroy(m);
}

static const char *const default_machine[] = {NULL};

TEST(test_identity)
{
    static const char *const narrow[] = {"gpu.lanes=32", "gpu.cus=3", NULL};
    static const struct {
        uint32_t grid[3];
        uint32_t group[3];
    } cases[] = {
        {{1, 1, 1}, {1, 1, 1}},     {{1000, 1, 1}, {256, 1, 1}}, {{64, 1, 1}, {1024, 1, 1}},
        {{40, 30, 1}, {16, 16, 1}}, {{7, 9, 11}, {4, 4, 4}},     {{5, 5, 5}, {1, 1, 64}},
        {{33, 3, 2}, {8, 128, 1}},  {{130, 2, 2}, {65, 1, 2}},   {{3, 3, 3}, {10, 10, 10}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        identify(default_machine, cases[i].grid, cases[i].group);
        identify(narrow, cases[i].grid, cases[i].group);
    }
}

TEST(test_random_ranges)
{
    const unsigned count = getenv("SLUICE_TEST_LONG") == NULL ? 15 : 500;
    for (unsigned i = 0; i < count; i++) {
        random_state = i;
        const uint32_t grid[3] = {1 + random_below(60), 1 + random_below(12), 1 + random_below(9)};
        const uint32_t group[3] = {1 + random_below(30), 1 + random_below(6), 1 + random_below(5)};
        identify(default_machine, grid, group);
    }
}

/* Every item of a group gets a ticket of its own, in order within a wavefront. */
static void tickets(uint32_t uses_lr)
{
    struct ndrange_machine *m = ndrange_create(default_machine);
    ndrange_load(m, "groups.elf");
    const uint32_t grid[3] = {2000, 1, 1};
    const uint32_t group[3] = {500, 1, 1};
    const uint64_t out = ndrange_take(m, 2000 * sizeof(uint32_t));
    const struct ndrange_kernel kernel = {.entry = ndrange_function(m, "groups_tickets"),
                                          .registers = 20,
                                          .argument_count = 2,
                                          .argument = {out, uses_lr}};
    assert_int_equal(m->elf.lds_bytes, 4 + SL_GROUP_ITEMS * 4 + 12); /* to a multiple of 16 */
    ndrange_dispatch(m, &kernel, grid, group, (uint32_t)m->elf.lds_bytes);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 1);
    const uint32_t *const found = ndrange_at(m, out);
    for (uint32_t g = 0; g < 4; g++) {
        uint8_t seen[500] = {0};
        assert_int_equal(found[g * 500] >> 16, 500);
        for (uint32_t i = 0; i < 500; i++) {
            const uint32_t item = found[g * 500 + i] & 0xffff;
            assert_true(item < 500);
            assert_int_equal(seen[item]++, 0);
        }
    }
    ndrange_destroy(m);
}

TEST(test_tickets)
{
    tickets(0);
    tickets(1);
}

TEST(test_mixed)
{
    struct ndrange_machine *m = ndrange_create(default_machine);
    ndrange_load(m, "groups.elf");
    const uint32_t grid[3] = {64, 1, 1};
    const uint64_t out = ndrange_take(m, 64 * sizeof(uint32_t));
    const struct ndrange_kernel kernel = {.entry = ndrange_function(m, "groups_mixed"),
                                          .registers = 20,
                                          .argument_count = 1,
                                          .argument = {out}};
    ndrange_dispatch(m, &kernel, grid, grid, (uint32_t)m->elf.lds_bytes);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_true(m->counters.lds_accesses > 0);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(((const uint32_t *)ndrange_at(m, out))[i], i + 11);
    }
    ndrange_destroy(m);
}
