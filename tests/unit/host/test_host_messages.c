/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for faults, refusals, failures and QEMU's end, and the statistics file. */
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "host/base/text.h"
#include "host/driver/graph/builder.h"
#include "host/driver/graph/graph.h"
#include "host/driver/graph/refusal_text.h"
#include "host/observe/diagnose/diagnose.h"
#include "host/observe/statistics/run_results.h"
#include "sluice/config.h"
#include "unit/common/host_fixture.h"

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
    context = (struct sl_message_context){&soc->config, module, graph, NULL, NULL};
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

TEST_WITH(says_what_an_access_did, setup, teardown)
{
    fault.code = SL_FAULT_ACCESS;
    fault.access_bytes = 8;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text,
                        "kernel first_kernel faulted: access outside memory: load of 8 bytes at "
                        "0x0, in first_kernel (test.c:17), lanes 0-63 (64 of 64), CU 3, at "
                        "12.300 us");
}

static void expect_fault(const char *cause)
{
    char expected[1024];

    (void)snprintf(
        expected, sizeof expected,
        "kernel first_kernel faulted: %s, in first_kernel (test.c:17), lane 5 (1 of 64), "
        "CU 3, at 12.300 us",
        cause);
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST_WITH(says_what_is_wrong_with_a_lock, setup, teardown)
{
    fault.lanes = 1 << 5;
    fault.address = 0x80900040;
    fault.code = SL_FAULT_LOCK_OWNER;
    fault.value1 = 2 * 64 + 5;
    fault.value0 = 3 * 64 + 7;
    expect_fault(
        "unlock by a lane that is not the holder: the lock at 0x80900040, which lane 7 of the "
        "wavefront with block 3 of the wavefront state pool has");
    fault.value0 = UINT64_MAX;
    expect_fault("unlock by a lane that is not the holder: the lock at 0x80900040, which is free");
    fault.value0 = (uint64_t)-2;
    expect_fault(
        "unlock by a lane that is not the holder: the lock at 0x80900040, whose word is -2, the "
        "number of no lane");
    fault.value0 = fault.value1;
    expect_fault(
        "unlock by a lane that is not the holder: the lock at 0x80900040, which the lane has "
        "taken otherwise: sl_unlock() gives back what sl_lock() took, sl_tryunlock() what "
        "sl_trylock() took");
    fault.code = SL_FAULT_LOCK_AGAIN;
    expect_fault("lock that the lane holds already: the lock at 0x80900040");
    fault.code = SL_FAULT_LOCK_NESTED;
    fault.value0 = 0x80900080;
    expect_fault("blocking lock while the lane holds a lock taken by sl.trylock: the lock at "
                 "0x80900040, having that at 0x80900080; try for the second one, too, and give the "
                 "first one back where that fails");
}

TEST_WITH(says_who_waits_for_whom, setup, teardown)
{
    fault.code = SL_FAULT_DEADLOCK;
    fault.lanes = 0xfe;
    fault.wavefront = 4;
    fault.address = 0x80900040;
    fault.value0 = 7;
    sl_deadlock_text(&context, &fault, text, sizeof text);
    assert_string_equal(text,
                        "wavefront 4 waits for the word at 0x80900040, which is 7, in first_kernel "
                        "(test.c:17), lanes 1-7 (7 of 64)");
    fault.instruction = 0x1200000b;
    fault.holder = 3;
    fault.holder_lane = 9;
    fault.holder_pc = fault.pc;
    fault.holder_state = SL_HOLDER_LANES;
    fault.value1 = fault.pc;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(
        text,
        "kernel first_kernel faulted: deadlock: wavefront 4 waits for the lock at 0x80900040, "
        "which is 7, in first_kernel (test.c:17), lanes 1-7 (7 of 64), CU 3, at 12.300 us; lane 9 "
        "of wavefront 3 took it in first_kernel (test.c:17) and waits for other lanes of its "
        "wavefront in first_kernel (test.c:17)");
    fault.address = 0;
    fault.holder_state = SL_HOLDER_NONE;
    sl_deadlock_text(&context, &fault, text, sizeof text);
    assert_string_equal(text, "wavefront 4 waits for others that never come, in first_kernel "
                              "(test.c:17), lanes 1-7 (7 of 64)");
    fault.holder_state = SL_HOLDER_LOOPS;
    sl_deadlock_text(&context, &fault, text, sizeof text);
    assert_string_equal(text, "wavefront 4 loops for ever, and changes nothing, in first_kernel "
                              "(test.c:17), lanes 1-7 (7 of 64)");
}

TEST_WITH(says_who_holds_a_lock_too_long, setup, teardown)
{
    fault.lanes = 1 << 5;
    fault.code = SL_FAULT_LOCK_HELD;
    fault.value0 = 1;
    fault.address = 0x80900040;
    expect_fault("end, yield or barrier while a lane holds a lock: the lock at 0x80900040");
    fault.value0 = 2;
    fault.address = 0;
    expect_fault("end, yield or barrier while a lane holds a lock: 2 locks");
    fault.value0 = 0;
    expect_fault("end, yield or barrier while a lane holds a lock: it waits for one in a queue");
}

TEST_WITH(says_where_locks_are, setup, teardown)
{
    fault.lanes = 1 << 5;
    fault.code = SL_FAULT_ACCESS;
    fault.instruction = 0x1206000b; /* sl.lock a2 */
    fault.access_bytes = 4;
    fault.is_store = 1;
    fault.address = SL_PRIVATE_BASE;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "; a lock has to be in shared memory, in first_kernel"));
}

TEST_WITH(says_that_code_is_written, setup, teardown)
{
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

TEST_WITH(says_what_is_protected, setup, teardown)
{
    fault.code = SL_FAULT_PROTECTED;
    fault.lanes = 1 << 5;
    fault.access_bytes = 4;
    fault.address = 0x80800040;
    fault.value0 = 0x80800000;
    fault.value1 = 0x80801000;
    expect_fault("access to protected memory: load of 4 bytes at 0x80800040; the run may not read "
                 "0x80800000 to 0x80800fff");
    fault.is_store = 1;
    expect_fault(
        "access to protected memory: store of 4 bytes at 0x80800040; the run may not write "
        "0x80800000 to 0x80800fff");
}

TEST_WITH(says_which_lanes, setup, teardown)
{
    fault.code = SL_FAULT_ILLEGAL_INSTRUCTION;
    fault.instruction = 0x12;
    fault.lanes = 0x8000000000000b07;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text,
                           "illegal instruction 0x00000012, in first_kernel (test.c:17), lanes "
                           "0-2,8-9,11,63 (7 of 64), CU 3"));
}

TEST_WITH(says_how_a_channel_overflowed, setup, teardown)
{
    fault.code = SL_FAULT_TRAP;
    fault.trap = SL_TRAP_CHANNEL_FULL;
    fault.value1 = 128;
    fault.return_pc = SL_KERNEL_BASE + 24;
    fault.pc = SL_KERNEL_BASE + 130;
    fault.lanes = 1;
    struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    uint32_t *const done = (uint32_t *)(uintptr_t)channel->done;
    channel->data_tail = 1000;
    done[3] = 1;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text,
                        "channel 0 'fib' overflows: width 1024, a wavefront demands 128 more "
                        "elements and 1000 are in use, in second_kernel (test.c:2), called from "
                        "first_kernel (test.c:22), lane 0 (1 of 64), CU 3, at 12.300 us; use a "
                        "wider channel");
    done[3] = 0;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "; none of its elements has been freed since the run began: free "
                                 "each (sl_tfree()), or use a wider channel"));
    channel->data_head = 64;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "us; use a wider channel"));
    channel->data_tail = 960; /* 896 are left: there would be space now */
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(
        strstr(text, " 128 more elements and 896 are in use at the end of the run, in"));
}

TEST_WITH(says_which_task_queue_is_full, setup, teardown)
{
    static const char *const queues[] = {"a wavefront's own queue", "a work-group's queue",
                                         "the device's queue", "a queue of unknown kind"};
    fault.code = SL_FAULT_TRAP;
    fault.trap = SL_TRAP_TASK_QUEUE;
    fault.value1 = 16;
    for (fault.value0 = SL_TASKS_OWN; fault.value0 <= SL_TASKS_QUEUES; fault.value0++) {
        char wanted[128];
        (void)snprintf(wanted, sizeof wanted,
                       "kernel trap: %s of task fronts is full: its capacity is 16; make it "
                       "larger, in ",
                       queues[fault.value0]);
        sl_fault_text(&context, &fault, text, sizeof text);
        assert_non_null(strstr(text, wanted));
    }
}

TEST_WITH(names_the_cycle_limit, setup, teardown)
{
    fault.code = SL_FAULT_CYCLE_LIMIT;
    fault.value0 = 5000;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text,
                           "kernel first_kernel faulted: cycle limit reached: the graph is not "
                           "complete after 5000 cycles (gpu.cycle_limit), in first_kernel"));
}

TEST_WITH(names_the_limit_without_progress, setup, teardown)
{
    fault.code = SL_FAULT_PROGRESS;
    fault.wavefront = 4;
    fault.value0 = 5000;
    fault.value1 = 2;
    fault.address = 0x80900040;
    fault.holder_state = SL_HOLDER_LOOPS;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text,
                           "kernel first_kernel faulted: no progress: for 5000 cycles "
                           "(gpu.progress_limit) no wavefront has begun, ended or changed "
                           "anything; wavefront 4, the oldest of 2, goes round in a loop that "
                           "looks at the word at 0x80900040, in first_kernel (test.c:17)"));
    fault.address = 0;
    fault.holder_state = SL_HOLDER_BARRIER;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "wavefront 4, the oldest of 2, waits at a barrier, in first"));
    fault.holder_state = UINT32_MAX;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_non_null(strstr(text, "changed anything, in first_kernel"));
    fault.lanes = 0;
    sl_fault_text(&context, &fault, text, sizeof text);
    assert_string_equal(text, "no progress: for 5000 cycles (gpu.progress_limit) no wavefront has "
                              "begun, ended or changed anything; no wavefront was running");
}

/* Every code has a sentence, also without anything to take names from, and fits any buffer. */
TEST_WITH(has_words_for_every_fault, setup, teardown)
{
    const struct sl_message_context nothing = {NULL, NULL, NULL, NULL, NULL};
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
        const struct sl_graph_refusal refusal = {(enum sl_refusal)reason, 5, 1, 2, 0};
        sl_graph_refusal_text(NULL, NULL, &refusal, text, sizeof text);
        assert_true(strlen(text) > 20);
        sl_graph_refusal_text(&soc->config, graph, &refusal, small, sizeof small);
    }
}

/* Every refusal of hal/contract/codes.def has its columns, and every place in its explanation is
 * known, for graphs and launches alike. */
TEST_WITH(explains_every_refusal, setup, teardown)
{
    static const struct {
        const char *prefix;
        uint32_t value;
    } codes[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) {#PREFIX, value},
#define SL_ENUM_END(name)
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
    };
    unsigned count = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(codes[i].prefix, "REFUSE") != 0) {
            continue;
        }
        const struct sl_graph_refusal refusal = {(enum sl_refusal)codes[i].value, 0, 5, 6, 0};
        text[0] = '\0';
        sl_refusal_explain(&soc->config, &refusal, NULL, text, sizeof text);
        assert_null(strstr(text, "unknown reason"));
        assert_null(strchr(text, '{'));
        count++;
    }
    assert_true(count > 0);
}

TEST_WITH(says_how_qemu_ended, setup, teardown)
{
    sl_exit_text("QEMU", SIGKILL, text, sizeof text);
    assert_string_equal(text, "QEMU was ended by signal 9 (Killed)");
    sl_exit_text("QEMU", SL_EXIT_IMAGE_CRC << 8, text, sizeof text);
    assert_string_equal(
        text, "QEMU ended with exit status 19: The payload of the firmware image is corrupt.");
    sl_exit_text("QEMU", SL_WAIT_LOST, text, sizeof text);
    assert_non_null(strstr(text, "QEMU ended, and how is not known: this program ignores SIGCHLD"));
    sl_exit_text("QEMU", 0, text, sizeof text);
    assert_non_null(strstr(text, "without the host having asked"));
    sl_exit_text("the native engine", SL_EXIT_STRAYED_IDLE << 8, text, sizeof text);
    assert_non_null(
        strstr(text, "the native engine ended with exit status 26: The firmware has not "));
}

TEST_WITH(says_why_the_firmware_stopped, setup, teardown)
{
    struct sl_message_agg message = {.argument = {5, 0x80001234, 0x40000000, 1, 2}};
    sl_trapped_text(&message, text, sizeof text);
    assert_non_null(
        strstr(text, "load access fault (cause 5) at pc 0x80001234, address 0x40000000"));
    message.reason = SL_FAILURE_DEVICE_SILENT;
    message.argument[0] = 7000000;
    sl_failure_text(&context, &message, text, sizeof text);
    assert_non_null(strstr(text, "no progress for 7.000 us"));
    message.reason = SL_FAILURE_BOOKS;
    memcpy(message.argument, (const uint64_t[4]){3, SL_AUDIT_CONTROL_TAIL, 70000, 512},
           4 * sizeof(uint64_t));
    sl_failure_text(&context, &message, text, sizeof text);
    assert_non_null(strstr(text, "channel 3"));
    assert_non_null(strstr(text, "than the control array holds: the count is 70000, where at most "
                                 "512 can be; has a kernel overwritten"));
    message.argument[2] = 69;
    message.argument[3] = 70;
    sl_failure_text(&context, &message, text, sizeof text);
    assert_non_null(strstr(text, "the count has gone back from 70 to 69"));
    message.reason = SL_FAILURE_TREES;
    memcpy(message.argument, (const uint64_t[4]){SL_TREES_WORD_NEXT_FREE, 65, 2, 64},
           4 * sizeof(uint64_t));
    sl_failure_text(&context, &message, text, sizeof text);
    assert_non_null(strstr(text, "the next free slot of the task vector is 65, where it can be "
                                 "from 2 to 64; has a kernel overwritten"));
    message.reason = SL_FAILURE_PROTECTION;
    message.argument[0] = 0x81000040;
    sl_failure_text(&context, &message, text, sizeof text);
    assert_non_null(strstr(text, "no table of protected memory at 0x81000040"));
}

/* Figures that this machine does not have. */
#define ENERGIES (SL_STAT_ENERGY_AREA_MM2 - SL_STAT_ENERGY_L1_PJ + 1)

/* How many figures of where accesses were served there are. */
static size_t served_names(unsigned cus, unsigned structures)
{
    return ((cus + 1) + 2 * structures) * SL_SERVED_KINDS * SL_SERVED_PLACES + 2 * SL_LATENCY_BINS;
}

static json_t *served_json(unsigned cus, const char *system, const char *matrix)
{
    struct sl_served served;
    char settings[3][64];
    char error[256];
    struct sl_config config;
    json_t *const object = json_object();

    for (size_t i = 0; i < SL_SERVED_WORDS; i++) {
        ((uint64_t *)&served)[i] = i;
    }
    (void)snprintf(settings[0], sizeof settings[0], "gpu.cus=%u", cus);
    (void)snprintf(settings[1], sizeof settings[1], "mem.system=%s", system);
    (void)snprintf(settings[2], sizeof settings[2], "mem.matrix=%s", matrix);
    sl_config_init(&config);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sl_config_set(&config, settings[i], error, sizeof error), 0);
    }
    assert_int_equal(sl_served_put(object, &served, &config), 0);
    return object;
}

static void expect_figure(const json_t *object, const char *name, uint64_t value)
{
    assert_true(json_is_integer(json_object_get(object, name)));
    assert_int_equal(json_integer_value(json_object_get(object, name)), value);
}

/* Which figures a machine has, and that each is that of its name: the words of the block are
 * numbered. 18 words for each of 65 requesters; by structure 2 x 9 rows of 18 from 1170 on, compute
 * units' first; latencies from 1170 + 324 on. */
TEST_WITH(writes_where_accesses_were_served, setup, teardown)
{
    json_t *object = served_json(3, "moesi", "on");
    assert_int_equal(json_object_size(object), served_names(3, SL_SERVED_STRUCTURES));
    expect_figure(object, "served.cu0.loads.own_l1", 0);
    expect_figure(object, "served.cu2.stores.l2", 2 * 18 + 6 + 4);
    expect_figure(object, "served.agg.atomics.dram", 64 * 18 + 17);
    expect_figure(object, "served.channel_data.cus.loads.own_l1", 1170);
    expect_figure(object, "served.channel_done.cus.atomics.merged", 1170 + 2 * 18 + 12 + 1);
    expect_figure(object, "served.firmware.agg.stores.other_l1", 1170 + 17 * 18 + 6 + 3);
    expect_figure(object, "load_latency.cus.from_0", 1494);
    expect_figure(object, "load_latency.cus.from_1", 1495);
    expect_figure(object, "load_latency.cus.from_2", 1496);
    expect_figure(object, "load_latency.agg.from_16384", 1494 + 31);
    json_decref(object);

    object = served_json(64, "moesi", "off");
    assert_int_equal(json_object_size(object), served_names(64, 0));
    expect_figure(object, "served.cu63.atomics.dram", 63 * 18 + 17);
    json_decref(object);
    object = served_json(8, "flat", "on");
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
}

TEST_WITH(adds_where_accesses_were_served, setup, teardown)
{
    static struct sl_served sum;
    static struct sl_served run;
    uint64_t *const words = (uint64_t *)&run;

    for (size_t i = 0; i < SL_SERVED_WORDS; i++) {
        words[i] = i;
    }
    sl_served_add(&sum, &run);
    sl_served_add(&sum, &run);
    for (size_t i = 0; i < SL_SERVED_WORDS; i++) {
        assert_int_equal(((const uint64_t *)&sum)[i], 2 * i);
    }
}

TEST_WITH(writes_statistics, setup, teardown)
{
    char path[] = "/tmp/sluice-statistics-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    const double active = 12.5;
    soc->run->results.statistics[SL_STAT_GPU_CYCLES] = UINT64_C(1) << 53 | 1;
    memcpy(&soc->run->results.statistics[SL_STAT_GPU_ACTIVE_PCT], &active, sizeof active);
    assert_int_equal(sl_soc_write_statistics(soc, path), SL_OK);

    json_t *const object = json_load_file(path, 0, NULL);
    assert_int_equal(json_object_size(object),
                     SL_STAT_COUNT - ENERGIES +
                         served_names((unsigned)soc->config.number[SL_CFG_GPU_CUS], 0));
    const json_t *const cycles = json_object_get(object, "gpu.cycles");
    assert_true(json_is_integer(cycles));
    assert_int_equal(json_integer_value(cycles), UINT64_C(1) << 53 | 1);
    const json_t *const percent = json_object_get(object, "gpu.active_pct");
    assert_true(json_is_real(percent) && json_real_value(percent) == active);
    json_decref(object);
    (void)unlink(path);

    const double bad = NAN;
    memcpy(&soc->run->results.statistics[SL_STAT_AGG_IPC], &bad, sizeof bad);
    assert_int_equal(sl_soc_write_statistics(soc, path), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc), "agg.ipc"));
    memset(soc->run->results.statistics, 0, sizeof soc->run->results.statistics);
    assert_int_equal(sl_soc_write_statistics(soc, "/nonexistent/file"), SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "/nonexistent/file"));
}
