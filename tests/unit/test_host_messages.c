/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for faults, refusals, failures and QEMU's end, and the statistics file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "host/graph.h"
#include "host/messages.h"
#include "unit/host_fixture.h"

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_graph_builder *graph;
static struct sl_message_context context;
static struct sl_fault fault;
static char text[1024];

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    if (sl_graph_create(module, &graph) != SL_OK) {
        return -1;
    }
    (void)sl_graph_channel(graph, 4, 1024, &(struct sl_channel_options){.name = "fib"});
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    if (sl_graph_prepare(graph) != SL_OK) {
        return -1;
    }
    context = (struct sl_message_context){&soc->config, module, graph, NULL};
    fault = (struct sl_fault){
        .kernel = (uintptr_t)graph->shared_kernels,
        .pc = SL_KERNEL_BASE + 17,
        .lanes = UINT64_MAX,
        .cu = 3,
        .time_ps = 12300000,
    };
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

static void says_what_an_access_did(void **state)
{
    (void)state;
    fault.code = SL_FAULT_ACCESS;
    fault.access_bytes = 8;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text,
                        "kernel first_kernel faulted: access outside memory: load of 8 bytes at "
                        "0x0, in first_kernel (test.c:17), lanes 0-63 (64 of 64), CU 3, at "
                        "12.300 us");
}

static void says_that_code_is_written(void **state)
{
    (void)state;
    fault.code = SL_FAULT_ACCESS;
    fault.access_bytes = 8;
    fault.is_store = 1;
    fault.address = 0x80400008;
    fault.value0 = 0x80400000;
    fault.value1 = 0x80400200;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "faulted: store into kernel code: 8 bytes at 0x80400008, where "
                                 "0x80400000 to 0x804001ff may only be read and executed, in "));
    fault.address = 0x80400200; /* just behind it */
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "faulted: access outside memory: store of 8 bytes"));
}

static void says_which_lanes(void **state)
{
    (void)state;
    fault.code = SL_FAULT_ILLEGAL_INSTRUCTION;
    fault.instruction = 0x12;
    fault.lanes = 0x8000000000000b07;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text,
                           "illegal instruction 0x00000012, in first_kernel (test.c:17), lanes "
                           "0-2,8-9,11,63 (7 of 64), CU 3"));
}

static void says_how_a_channel_overflowed(void **state)
{
    (void)state;
    fault.code = SL_FAULT_TRAP;
    fault.trap = SL_TRAP_CHANNEL_FULL;
    fault.value1 = 128;
    fault.return_pc = SL_KERNEL_BASE + 24;
    fault.pc = SL_KERNEL_BASE + 130;
    fault.lanes = 1;
    sl_graph_shared_channel(graph, 0)->data_tail = 1000;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text,
                        "channel 0 'fib' overflows: width 1024, a wavefront demands 128 more "
                        "elements and 1000 are in use, in second_kernel (test.c:2), called from "
                        "first_kernel (test.c:22), lane 0 (1 of 64), CU 3, at 12.300 us; use a "
                        "wider channel");
}

static void names_the_cycle_limit(void **state)
{
    (void)state;
    fault.code = SL_FAULT_CYCLE_LIMIT;
    fault.value0 = 5000;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text,
                           "kernel first_kernel faulted: cycle limit reached: the graph is not "
                           "complete after 5000 cycles (gpu.cycle_limit), in first_kernel"));
}

/* Every code has a sentence, also without anything to take names from, and fits any buffer. */
static void has_words_for_every_fault(void **state)
{
    (void)state;
    const struct sl_message_context nothing = {NULL, NULL, NULL, NULL};
    char small[40];
    for (uint32_t code = 0; code < 20; code++) {
        for (uint32_t trap = 0; trap < 20; trap++) {
            fault.code = code;
            fault.trap = trap;
            fault.value0 = UINT64_MAX;
            sl_fault_text(&nothing, &fault, text, sizeof text);
            assert_non_null(strstr(text, "0x804"));
            sl_fault_text(&context, &fault, small, sizeof small);
        }
    }
    for (uint32_t reason = 0; reason < 30; reason++) {
        const struct sl_graph_refusal refusal = {(enum sl_refusal)reason, 5, 1, 2};
        sl_refusal_text(&nothing, &refusal, text, sizeof text);
        assert_true(strlen(text) > 20);
        sl_refusal_text(&context, &refusal, small, sizeof small);
    }
}

static void says_how_qemu_ended(void **state)
{
    (void)state;
    sl_exit_text(SIGKILL, text, sizeof text);
    assert_string_equal(text, "QEMU was ended by signal 9 (Killed)");
    sl_exit_text(SL_EXIT_IMAGE_CRC << 8, text, sizeof text);
    assert_string_equal(
        text, "QEMU ended with exit status 19: The payload of the firmware image is corrupt.");
    sl_exit_text(0, text, sizeof text);
    assert_non_null(strstr(text, "without the host having asked"));
}

static void says_why_the_firmware_stopped(void **state)
{
    (void)state;
    struct sl_message_agg message = {.argument = {5, 0x80001234, 0x40000000, 1, 2}};
    sl_trapped_text(&message, text, sizeof text);
    assert_non_null(
        strstr(text, "load access fault (cause 5) at pc 0x80001234, address 0x40000000"));
    message.reason = SL_FAILURE_DEVICE_SILENT;
    message.argument[0] = 7000000;
    sl_failure_text(&message, text, sizeof text);
    assert_non_null(strstr(text, "no progress for 7.000 us"));
}

static void writes_statistics(void **state)
{
    (void)state;
    char path[] = "/tmp/sluice-statistics-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    const double active = 12.5;
    soc->statistics[SL_STAT_GPU_CYCLES] = UINT64_C(1) << 53 | 1;
    memcpy(&soc->statistics[SL_STAT_GPU_ACTIVE_PCT], &active, sizeof active);
    assert_int_equal(sl_soc_write_statistics(soc, path), SL_OK);

    json_t *const object = json_load_file(path, 0, NULL);
    assert_int_equal(json_object_size(object), SL_STAT_COUNT);
    const json_t *const cycles = json_object_get(object, "gpu.cycles");
    assert_true(json_is_integer(cycles));
    assert_int_equal(json_integer_value(cycles), UINT64_C(1) << 53 | 1);
    const json_t *const percent = json_object_get(object, "gpu.active_pct");
    assert_true(json_is_real(percent) && json_real_value(percent) == active);
    json_decref(object);
    (void)unlink(path);

    const double bad = NAN;
    memcpy(&soc->statistics[SL_STAT_AGG_IPC], &bad, sizeof bad);
    assert_int_equal(sl_soc_write_statistics(soc, path), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc), "agg.ipc"));
    memset(soc->statistics, 0, sizeof soc->statistics);
    assert_int_equal(sl_soc_write_statistics(soc, "/nonexistent/file"), SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "/nonexistent/file"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(says_what_an_access_did), TEST(says_that_code_is_written),
        TEST(says_which_lanes),        TEST(says_how_a_channel_overflowed),
        TEST(names_the_cycle_limit),   TEST(has_words_for_every_fault),
        TEST(says_how_qemu_ended),     TEST(says_why_the_firmware_stopped),
        TEST(writes_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
