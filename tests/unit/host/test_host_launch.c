/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernel launches from the host: the description and the message that the firmware gets, refusals
 * with their reasons, and the sentences for faults that only work-groups know. */
#include <string.h>

#include "common/check.h"
#include "host/observe/diagnose/diagnose.h"
#include "sluice/config.h"
#include "unit/common/host_fixture.h"

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_mailbox mailbox;
static char text[1024];

static const uint32_t grid[3] = {1000, 1, 1};
static const uint32_t group[3] = {256, 1, 1};

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    fixture_open_mailbox(soc, &mailbox);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

TEST_WITH(sends_a_launch, setup, teardown)
{
    const uint64_t arguments[] = {1, 22, 333};
    module->lds_bytes = 36;
    assert_int_equal(sl_launch(module, "second_kernel", grid, group, 100, arguments, 3), SL_OK);
    assert_int_equal(mailbox.host_tail, 1);
    assert_int_equal(mailbox.host[0].type, SL_HOST_LAUNCH);
    const struct sl_launch *launch =
        (const struct sl_launch *)(uintptr_t)mailbox.host[0].argument[0];
    assert_int_equal(launch->magic, SL_LAUNCH_MAGIC);
    assert_int_equal(launch->lds_bytes, 48 + 100); /* what follows the variables is aligned to 16 */
    assert_int_equal(launch->program, (uintptr_t)module->program);
    assert_memory_equal(launch->grid, grid, sizeof grid);
    assert_memory_equal(launch->group, group, sizeof group);
    assert_int_equal(launch->kernel.entry, SL_KERNEL_BASE + 128);
    assert_int_equal(launch->kernel.registers, 9);
    assert_int_equal(launch->kernel.argument_count, 3);
    assert_int_equal(launch->kernel.argument[2], 333);
    assert_true(soc->is_running);
    /* One at a time. */
    assert_int_equal(sl_launch(module, "first_kernel", grid, group, 0, NULL, 0), SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "a graph is running"));
}

static void expect_refused(const char *kernel, const uint32_t *of, const uint32_t *in,
                           uint32_t lds_bytes, unsigned count, const char *message)
{
    const uint64_t arguments[9] = {0};
    assert_int_equal(sl_launch(module, kernel, of, in, lds_bytes, arguments, count),
                     SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc), message);
    assert_false(soc->is_running);
    assert_int_equal(mailbox.host_tail, 0);
}

/* The first kernel's prototype. */
static const struct sl_prototype float_and_int = {
    .is_known = true,
    .file = "test.c",
    .line = 3,
    .count = 2,
    .parameter = {{"a", "float", SL_PARAMETER_FLOAT, 4, false, false},
                  {"n", "int", SL_PARAMETER_INTEGER, 4, true, false}},
};

TEST_WITH(sends_values, setup, teardown)
{
    module->prototype = float_and_int;
    assert_int_equal(sl_launch_values(module, "first_kernel", grid, group, 0, SL_VALUES(1.0f, -2)),
                     SL_OK);
    const struct sl_launch *launch =
        (const struct sl_launch *)(uintptr_t)mailbox.host[0].argument[0];
    assert_int_equal(launch->kernel.argument_count, 2);
    assert_int_equal(launch->kernel.float_arguments, 1);
    assert_int_equal(launch->kernel.argument[0], UINT64_C(0xffffffff3f800000));
    assert_int_equal(launch->kernel.argument[1], (uint64_t)-2);
}

TEST_WITH(refuses_values, setup, teardown)
{
    module->prototype = float_and_int;
    expect_refused("first_kernel", grid, group, 0, 1,
                   "launch of kernel 'first_kernel': it takes 2 arguments (float a, int n; "
                   "test.c:3), 1 was given: 'n' is missing (argument 1)");
    assert_int_equal(
        sl_launch_resident_values(module, "first_kernel", grid, group, 0, SL_VALUES(1.0f, 2, 3)),
        SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "3 were given: there is no argument 2"));
}

#define RANGE(x, y, z) ((const uint32_t[3]){x, y, z})

TEST_WITH(refuses, setup, teardown)
{
    expect_refused("third_kernel", grid, group, 0, 0, "there is no function 'third_kernel'");
    expect_refused("first_kernel", grid, group, 0, 9,
                   "launch of kernel 'first_kernel': 9 arguments; at most 8 are possible");
    expect_refused("first_kernel", RANGE(8, 0, 1), group, 0, 0,
                   "launch of kernel 'first_kernel': the grid has no work-items in y; a dimension "
                   "that is not used is 1");
    expect_refused("first_kernel", RANGE(UINT32_MAX, 2, 1), RANGE(1, 1, 1), 0, 0,
                   "launch of kernel 'first_kernel': the grid has 8589934590 work-groups or more; "
                   "at most 4294967295 are possible");
    expect_refused("first_kernel", grid, RANGE(64, 32, 1), 0, 0,
                   "launch of kernel 'first_kernel': the work-group has 2048 work-items; at most "
                   "1024 are possible");
    expect_refused("first_kernel", grid, group, 70000, 0,
                   "launch of kernel 'first_kernel': a work-group needs 70000 bytes of LDS, a "
                   "compute unit has 65536 (gpu.lds is 64 KiB)");
    soc->config.number[SL_CFG_GPU_CONTEXTS] = 10;
    expect_refused(
        "first_kernel", grid, RANGE(1024, 1, 1), 0, 0,
        "launch of kernel 'first_kernel': a work-group has 16 wavefronts, a compute "
        "unit 10 contexts (gpu.contexts is 10, pool.blocks is 0); make the work-group smaller");
    soc->config.number[SL_CFG_GPU_CONTEXTS] = 40;
    soc->config.number[SL_CFG_GPU_REGISTERS] = 30;
    expect_refused("first_kernel", grid, RANGE(1024, 1, 1), 0, 0,
                   "launch of kernel 'first_kernel': a work-group has 16 wavefronts of 8 registers "
                   "each, and a compute unit has registers for 12 such wavefronts (gpu.registers "
                   "is 30); make the work-group smaller");
}

static void expect_not_resident(uint32_t items, uint32_t lds_bytes, const char *message)
{
    assert_int_equal(sl_launch_resident(module, "second_kernel", RANGE(items, 1, 1),
                                        RANGE(100, 1, 1), lds_bytes, NULL, 0),
                     SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), message));
    assert_false(soc->is_running);
    assert_int_equal(mailbox.host_tail, 0);
}

static uint32_t room_for_groups_of_100(uint32_t lds_bytes)
{
    return sl_resident_groups(module, "second_kernel", RANGE(100, 1, 1), lds_bytes);
}

/* Work-groups of two wavefronts of 9 registers on 2 compute units of 4 SIMD units. */
TEST_WITH(counts_what_is_resident, setup, teardown)
{
    soc->config.number[SL_CFG_GPU_CUS] = 2;
    soc->layout.pool_blocks = 80;
    assert_int_equal(room_for_groups_of_100(0), 2 * 40 / 2);
    soc->config.number[SL_CFG_GPU_REGISTERS] = 64; /* 7 wavefronts on each SIMD unit */
    assert_int_equal(room_for_groups_of_100(0), 2 * 4 * 7 / 2);
    soc->config.number[SL_CFG_GPU_REGISTERS] = 30; /* 3, so that 6 groups have 12 */
    assert_int_equal(room_for_groups_of_100(0), 2 * 4 * 3 / 2);
    assert_int_equal(room_for_groups_of_100(16000), 2 * 4); /* of 64 KiB */
    module->lds_bytes = 8000;
    assert_int_equal(room_for_groups_of_100(16000), 2 * 2);
    soc->layout.pool_blocks = 7;
    assert_int_equal(room_for_groups_of_100(0), 3);
    assert_int_equal(sl_resident_groups(module, "third_kernel", group, 0), 0);
    assert_string_equal(sl_soc_error(soc), "there is no function 'third_kernel'");

    /* Sizes whose product is 0 in 32 bits, and in 64. */
    const uint32_t wrapping[][3] = {{65536, 65536, 1},
                                    {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                    {1u << 31, 1u << 31, 4},
                                    {0, 1, 1}};
    for (size_t i = 0; i < sizeof wrapping / sizeof wrapping[0]; i++) {
        assert_int_equal(sl_resident_groups(module, "second_kernel", wrapping[i], 0), 0);
        assert_non_null(strstr(sl_soc_error(soc), "no work-group has"));
    }
}

/* What others wait for has to be there. */
TEST_WITH(refuses_what_is_not_resident, setup, teardown)
{
    soc->layout.pool_blocks = 320;
    expect_not_resident(100 * 160 + 1, 0,
                        "launch of kernel 'second_kernel': its wavefronts wait for each other, so "
                        "that all have to be resident at once; the grid has 161 work-groups, of 2 "
                        "wavefronts with 9 registers each and 0 bytes of LDS, and there is room "
                        "for 160 of them (gpu.cus is 8, gpu.contexts is 40, gpu.registers is 512, "
                        "gpu.lds is 64 KiB, pool.blocks is 0); make the grid smaller");
    expect_not_resident(100 * 80, 40000,
                        "the grid has 80 work-groups, of 2 wavefronts with 9 registers each and "
                        "40000 bytes of LDS, and there is room for 8 of them");
    expect_not_resident(100, 70000, "a work-group needs 70000 bytes of LDS");
    assert_int_equal(sl_launch_resident(module, "second_kernel", RANGE(20, 100, 8),
                                        RANGE(10, 10, 1), 0, NULL, 0),
                     SL_OK);
    assert_int_equal(mailbox.host_tail, 1);
    assert_int_equal(mailbox.host[0].type, SL_HOST_LAUNCH);
}

TEST_WITH(says_why_a_group_faulted, setup, teardown)
{
    static const struct sl_launch launches[1];
    const struct sl_launched launched = {launches, 1, {"first_kernel"}};
    const struct sl_message_context context = {&soc->config, module, NULL, &launched, NULL};
    struct sl_fault fault = {
        .code = SL_FAULT_BARRIER_MISMATCHED,
        .kernel = (uintptr_t)&launches[0].kernel,
        .pc = SL_KERNEL_BASE + 17,
        .lanes = 0xff,
        .wavefront = 5,
        .value0 = 4,
        .value1 = SL_KERNEL_BASE + 140,
        .cu = 2,
        .time_ps = 1000,
    };
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text, "kernel first_kernel faulted: work-group barrier that another "
                              "wavefront of the group does not come to: wavefront 5 waits, "
                              "wavefront 4 is in second_kernel (test.c:12), in first_kernel "
                              "(test.c:17), lanes 0-7 (8 of 64), CU 2, at 0.001 us");
    fault.value1 = 0;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, ": wavefront 5 waits, wavefront 4 has ended, in first_kernel"));

    fault.code = SL_FAULT_BARRIER_DIVERGENT;
    fault.value0 = 0xf00;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "work-group barrier in divergent code: wavefront 5 lacks lanes "
                                 "8-11, in first_kernel (test.c:17), lanes 0-7 (8 of 64)"));

    fault.code = SL_FAULT_ACCESS;
    fault.access_bytes = 4;
    fault.address = SL_LDS_BASE + 4096;
    fault.value0 = 4096;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "access outside memory: load of 4 bytes at 0x60001000, in the LDS "
                                 "aperture at offset 4096, where the work-group has 4096 bytes of "
                                 "LDS, in first_kernel"));
    fault.value0 = 0;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "where this wavefront has no LDS"));

    fault = (struct sl_fault){.code = SL_FAULT_PACKET, .value0 = SL_REFUSE_LAUNCH_LDS};
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "bad dispatch packet: a work-group needs more LDS than a compute "
                                 "unit has"));
}

/* The same of a graph, whose wavefronts have LDS of their own. */
TEST_WITH(says_what_lds_a_wavefront_has, setup, teardown)
{
    struct sl_graph_builder *graph;
    assert_int_equal(sl_graph_create(module, &graph), SL_OK);
    const struct sl_message_context context = {.module = module, .graph = graph};
    struct sl_fault fault = {
        .code = SL_FAULT_ACCESS,
        .pc = SL_KERNEL_BASE,
        .lanes = 1,
        .address = SL_LDS_BASE + 4096,
        .access_bytes = 4,
        .value0 = 4096,
    };
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "at offset 4096, where the wavefront has 4096 bytes of LDS, in "));

    fault = (struct sl_fault){.code = SL_FAULT_PACKET, .value0 = SL_REFUSE_KERNEL_LDS};
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "bad dispatch packet: a wavefront of the kernel needs more LDS "
                                 "than a compute unit has"));
}
