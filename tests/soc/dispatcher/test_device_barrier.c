/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The barrier of all wavefronts of a launch (hal/include/sluice/wave/device_barrier.h): behind it
 * everybody sees what everybody stored in front of it, on each memory system, also where releases
 * are not transitive; with grids that work-groups do not divide, in one to three dimensions; and a
 * grid that is not resident as a whole never gets through, which is why the host library refuses
 * it. The kernel is tests/probes/routines/device_barrier_kernel.c. */
#include "common/check.h"
#include "common/fixture.h"
#include "sluice/device_barrier.h"
#include "soc/common/ndrange_machine.h"

#define ROUNDS    9
#define REGISTERS 40 /* more than the kernel uses */

struct shape {
    uint32_t grid[3];
    uint32_t group[3];
};

struct barriers {
    struct ndrange_machine *machine;
    uint32_t items;
    const struct sl_device_barrier *barrier;
    const uint32_t *wrong;
};

/* Launches the kernel. The barrier's number of barriers wraps on the way. */
static struct barriers launch(const char *const *settings, const struct shape *shape)
{
    struct ndrange_machine *const m = ndrange_create(settings);
    const uint32_t items = shape->grid[0] * shape->grid[1] * shape->grid[2];
    const uint64_t barrier = ndrange_take(m, sizeof(struct sl_device_barrier));
    const uint64_t words = ndrange_take(m, items * sizeof(uint32_t));
    const uint64_t wrong = ndrange_take(m, items * sizeof(uint32_t));

    ((struct sl_device_barrier *)ndrange_at(m, barrier))->passed = UINT32_MAX - 4;
    ndrange_load(m, "device_barrier.elf");
    const struct ndrange_kernel kernel = {.entry = ndrange_function(m, "device_barrier_rounds"),
                                          .registers = REGISTERS,
                                          .argument_count = 5,
                                          .argument = {barrier, words, wrong, ROUNDS, items}};
    ndrange_dispatch(m, &kernel, shape->grid, shape->group, 0);
    return (struct barriers){m, items, ndrange_at(m, barrier), ndrange_at(m, wrong)};
}

/* Returns how many cycles it took. */
static uint64_t check(const char *const *settings, const struct shape *shape)
{
    const struct barriers barriers = launch(settings, shape);
    const uint64_t cycles = ndrange_run(barriers.machine);

    assert_int_equal(ndrange_faults(barriers.machine), 0);
    assert_int_equal(ndrange_completions(barriers.machine), 1);
    assert_int_equal(barriers.barrier->arrived, 0);
    assert_int_equal(barriers.barrier->passed, (uint32_t)(UINT32_MAX - 4 + 2 * ROUNDS));
    for (uint32_t i = 0; i < barriers.items; i++) {
        if (barriers.wrong[i] != 0) {
            fail_msg("%s: work-item %u saw %u old words", settings[0], i, barriers.wrong[i]);
        }
    }
    ndrange_destroy(barriers.machine);
    return cycles;
}

static const struct shape line = {{1000, 1, 1}, {64, 1, 1}};

TEST(test_memory_systems)
{
    static const char *const machines[][6] = {
        {"mem.system=flat", "gpu.cus=4", NULL},
        {"mem.system=moesi", "gpu.cus=4", NULL},
        {"mem.system=moesi", "gpu.cus=4", "gpu.lanes=8", "gpu.simd_lanes=8", NULL},
        {"mem.system=nol1", "gpu.cus=4", NULL},
        {"mem.system=wt", "gpu.cus=4", NULL},
        {"mem.system=wt", "gpu.cus=4", "gpu.lanes=8", "gpu.simd_lanes=8", NULL},
        {"mem.system=quickrelease", "gpu.cus=4", NULL},
        {"mem.system=quickrelease", "quickrelease.fifo=wavefront", "gpu.cus=4", NULL},
        {"mem.system=scoped", "gpu.cus=4", NULL},
        {"mem.system=scoped", "scoped.flush=wavefront", "gpu.cus=4", NULL},
        {"mem.system=hybrid", "gpu.cus=4", NULL},
        {"mem.system=hybrid", "tracker.count=0", "gpu.cus=4", NULL},
    };

    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        (void)check(machines[i], &line);
    }
}

TEST(test_shapes)
{
    static const char *const machine[] = {"gpu.lanes=16", NULL};
    static const struct shape shapes[] = {
        {{1, 1, 1}, {1, 1, 1}},      {{70, 1, 1}, {64, 1, 1}}, {{40, 30, 1}, {16, 16, 1}},
        {{7, 9, 11}, {4, 4, 4}},     {{33, 3, 2}, {8, 8, 1}},  {{130, 2, 2}, {65, 1, 2}},
        {{1000, 1, 1}, {256, 1, 1}},
    };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        (void)check(machine, &shapes[i]);
    }
}

/* Two compute units of 4 contexts: 8 work-groups of a wavefront get through, and with one more
 * those that are there wait for it for ever. */
TEST(test_not_resident)
{
    static const char *const machine[] = {"gpu.cus=2", "gpu.contexts=4", NULL};
    const struct shape fits = {{8 * 64, 1, 1}, {64, 1, 1}};
    const struct shape is_larger = {{9 * 64, 1, 1}, {64, 1, 1}};

    const uint64_t cycles = check(machine, &fits);
    const struct barriers barriers = launch(machine, &is_larger);
    fixture_run(barriers.machine->gpu, 10 * cycles);
    assert_int_equal(ndrange_completions(barriers.machine), 0);
    assert_int_equal(barriers.barrier->arrived, 8 * 64);
    assert_int_equal(barriers.barrier->passed, UINT32_MAX - 4);
    ndrange_destroy(barriers.machine);
}
