/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task vectors from the host: the description and the message that the firmware gets, options that
 * are refused, results, statistics and memory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/tasks/task_vector_check.h"
#include "common/check.h"
#include "host/runtime/run/run.h"
#include "sluice/config.h"
#include "unit/common/host_fixture.h"

#define CAPACITY 1000

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_mailbox mailbox;
static struct sl_trees_options options;

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    fixture_open_mailbox(soc, &mailbox);
    options = (struct sl_trees_options){
        .capacity = CAPACITY, .arguments = 3, .functions = 2, .maps = 1, .map_group = 64};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

static struct sl_task_vector *create(void)
{
    struct sl_task_vector *trees;
    assert_int_equal(sl_trees_create(module, "first_kernel", "second_kernel", &options, &trees),
                     SL_OK);
    return trees;
}

static const uint32_t *vector_of(const struct sl_task_vector *trees)
{
    return (const uint32_t *)(uintptr_t)sl_trees_shared(trees)->vector;
}

TEST_WITH(describes_it, setup, teardown)
{
    options.stack = 7;
    options.lds = 512;
    options.flags = SL_TREES_SKIP_EMPTY;
    soc->config.number[SL_CFG_TREES_HOST_DELAY] = 12345;
    const struct sl_trees *const shared = sl_trees_shared(create());
    assert_int_equal(shared->magic, SL_TREES_MAGIC);
    assert_int_equal(shared->flags, SL_TREES_SKIP_EMPTY);
    assert_int_equal(shared->capacity, CAPACITY);
    assert_int_equal(shared->arguments, 3);
    assert_int_equal(shared->functions, 2);
    assert_int_equal(shared->maps, 1);
    assert_int_equal(shared->stack_entries, 7);
    assert_int_equal(shared->delay_ps, 12345);
    assert_int_equal(shared->launch[0].grid[0], CAPACITY);
    assert_int_equal(shared->launch[0].group[0], 256);
    assert_int_equal(shared->launch[0].lds_bytes, 512);
    assert_int_equal(shared->launch[0].kernel.entry, SL_KERNEL_BASE);
    assert_int_equal(shared->launch[1].lds_bytes, 0);
    assert_int_equal(shared->launch[1].grid[0], 64);
    assert_int_equal(shared->launch[1].grid[1], CAPACITY);
    assert_int_equal(shared->launch[1].group[0], 64);
    assert_int_equal(shared->launch[1].kernel.entry, SL_KERNEL_BASE + 128);
}

TEST_WITH(takes_the_mark_of_the_program, setup, teardown)
{
    assert_int_equal(sl_trees_shared(create())->flags, 0);
    module->kernel_flags = SL_KERNEL_FORKS_AGAIN;
    assert_int_equal(sl_trees_shared(create())->flags, SL_TREES_FORKS_AGAIN);
}

TEST_WITH(sends_it, setup, teardown)
{
    struct sl_task_vector *const trees = create();
    assert_int_equal(sl_trees_execute(trees, 2, (const uint32_t[]){11, 22}, 2), SL_OK);
    assert_int_equal(mailbox.host_tail, 1);
    assert_int_equal(mailbox.host[0].type, SL_HOST_TREES);
    const struct sl_trees *const shared = sl_trees_shared(trees);
    assert_int_equal(mailbox.host[0].argument[0], (uintptr_t)shared);
    assert_int_equal(shared->function, 2);
    assert_int_equal(vector_of(trees)[CAPACITY], 11);
    assert_int_equal(vector_of(trees)[2 * CAPACITY], 22);
    assert_int_equal(sl_trees_result(trees), (UINT64_C(22) << 32) + 11);
    assert_string_equal(
        sl_launched_kernel(&soc->run->launched, (uintptr_t)&shared->launch[0].kernel),
        "first_kernel");
    assert_string_equal(
        sl_launched_kernel(&soc->run->launched, (uintptr_t)&shared->launch[1].kernel),
        "second_kernel");
    assert_int_equal(sl_trees_execute(trees, 1, NULL, 0), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "task vector: a graph is running: wait for its end before");
}

/* The firmware counts, the host takes it over for runs of task vectors alone. */
TEST_WITH(adds_statistics, setup, teardown)
{
    uint64_t statistics[SL_STAT_COUNT] = {0};
    struct sl_task_vector *const trees = create();
    assert_int_equal(sl_trees_execute(trees, 1, NULL, 0), SL_OK);
    struct sl_trees *const shared = sl_trees_shared(trees);
    shared->epochs = 1;
    shared->empty_epochs = 2;
    shared->lanes = 3;
    shared->forks = 4;
    shared->mapped = 5;
    shared->slots_max = 6;
    shared->next_free = (UINT64_C(7) << 32) + 8;
    sl_kind_trees.add_statistics(soc, statistics);
    assert_int_equal(statistics[SL_STAT_TREES_EPOCHS], 1);
    assert_int_equal(statistics[SL_STAT_TREES_EMPTY_EPOCHS], 2);
    assert_int_equal(statistics[SL_STAT_TREES_LANES], 3);
    assert_int_equal(statistics[SL_STAT_TREES_FORKS], 4);
    assert_int_equal(statistics[SL_STAT_TREES_MAPS], 5);
    assert_int_equal(statistics[SL_STAT_TREES_SLOTS_MAX], 6);
    assert_int_equal(statistics[SL_STAT_TREES_FORK_ATOMICS], 7);
    assert_int_equal(statistics[SL_STAT_TREES_BYTES], 16 * CAPACITY + 16 * 4096 + 832);
    soc->run->trees = NULL; /* one that the library has not described */
    memset(statistics, 0, sizeof statistics);
    sl_kind_trees.add_statistics(soc, statistics);
    assert_int_equal(statistics[SL_STAT_TREES_EPOCHS], 0);
}

TEST_WITH(names_the_epoch, setup, teardown)
{
    const struct sl_message_agg message = {.argument = {[6] = 3, [7] = 17}};
    char text[64] = "it faulted";
    sl_kind_trees.append_position(&soc->run->launched, &message, text, sizeof text);
    assert_string_equal(text, "it faulted; epoch 3, after 17 others");
}

/* What is made, also where it is refused at the end, is freed. */
TEST_WITH(gives_memory_back, setup, teardown)
{
    const uint64_t before = sl_heap_space(&soc->heap).total;
    struct sl_task_vector *const trees = create();
    assert_true(before - sl_heap_space(&soc->heap).total >= 16 * CAPACITY + 16 * 4096 + 832);
    sl_trees_destroy(trees);
    sl_trees_destroy(NULL);
    assert_int_equal(sl_heap_space(&soc->heap).total, before);
}

static void expect_refused(const char *kernel, const char *map_kernel, const char *message)
{
    const uint64_t before = sl_heap_space(&soc->heap).total;
    struct sl_task_vector *trees;
    assert_int_equal(sl_trees_create(module, kernel, map_kernel, &options, &trees), SL_ERROR_USAGE);
    assert_null(trees);
    assert_string_equal(sl_soc_error(soc), message);
    assert_int_equal(sl_heap_space(&soc->heap).total, before);
    options = (struct sl_trees_options){
        .capacity = CAPACITY, .arguments = 3, .functions = 2, .maps = 1, .map_group = 64};
}

TEST_WITH(refuses, setup, teardown)
{
    options.capacity = 0;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 0 slots; from 1 to 67108864 are possible");
    options.capacity = SL_TREES_SLOTS + 1;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 67108865 slots; from 1 to 67108864 are possible");
    options.arguments = UINT32_MAX;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 4294967295 arguments of 4 bytes; from 1 to 16 are possible");
    options.arguments = 0;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 0 arguments of 4 bytes; from 1 to 16 are possible");
    options.stack = UINT32_MAX;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: a stack of 4294967295 epochs; from 1 to 1048576 are possible");
    options.functions = 65;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 65 functions of tasks; from 1 to 64 are possible");
    options.maps = 2;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 2 functions of maps; at most 1 are possible, one less than there "
                   "are functions of tasks");
    options.group = 1025;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: the kernel of epochs: a work-group of 1025 work-items; from 1 to "
                   "1024 are possible, all of them in x");
    options.flags = 8;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: flags 0x8 have bits that mean nothing; 0x0 would do");
    expect_refused("third_kernel", "second_kernel", "there is no function 'third_kernel'");
    expect_refused("first_kernel", "third_kernel", "there is no function 'third_kernel'");
    expect_refused("first_kernel", NULL,
                   "task vector: 1 functions of maps, and no kernel for them: give both or none");
    options.maps = 0;
    expect_refused("first_kernel", "second_kernel",
                   "task vector: 0 functions of maps, and a kernel for them: give both or none");
}

TEST_WITH(refuses_the_first_task, setup, teardown)
{
    struct sl_task_vector *const trees = create();
    assert_int_equal(sl_trees_execute(trees, 3, NULL, 0), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc), "task vector: the first task is of function 3; they are "
                                           "numbered from 1 to 2");
    assert_int_equal(sl_trees_execute(trees, 1, (const uint32_t[]){1, 2, 3, 4}, 4), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "task vector: 4 arguments of 4 bytes for the first task; a task has 3");
    assert_int_equal(mailbox.host_tail, 0);
}

static void expect_log(const struct sl_task_vector *trees, const char *wanted)
{
    char path[] = "/tmp/sluice-epochs-XXXXXX";
    char text[256] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(sl_trees_write_log(trees, path), SL_OK);
    file = open(path, O_RDONLY | O_CLOEXEC); /* another one than before */
    assert_true(file >= 0);
    assert_true(read(file, text, sizeof text - 1) >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_string_equal(text, wanted);
}

/* What it had room for, and how many it had none for. */
TEST_WITH(writes_the_log, setup, teardown)
{
    options.log = 2;
    struct sl_task_vector *const trees = create();
    struct sl_trees *const shared = sl_trees_shared(trees);
    struct sl_trees_log *const log = (struct sl_trees_log *)(uintptr_t)shared->log;
    const char heading[] = "# epoch first end old_next_free next_free joined maps depth\n";
    char wanted[256];
    log[0] = (struct sl_trees_log){0, 1, 2, 3, 4, 1, 6, 7};
    log[1] = (struct sl_trees_log){8, 9, 10, 11, 12, 0, 14, 15};
    shared->epochs = 2;
    (void)snprintf(wanted, sizeof wanted, "%s0 1 2 3 4 1 6 7\n8 9 10 11 12 0 14 15\n", heading);
    expect_log(trees, wanted);
    shared->epochs = 5;
    strcat(wanted, "# 3 more, for which the log had no room\n");
    expect_log(trees, wanted);
    assert_int_equal(sl_trees_write_log(trees, "/nowhere/epochs"), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "epochs file '/nowhere/epochs': No such file or directory");
    options.log = 0;
    assert_int_equal(sl_trees_write_log(create(), "/nowhere/epochs"), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc), "task vector: it keeps no log of epochs; say in its "
                                           "options for how many");
}

/* Kernels may have written anything to the description: it is followed nowhere. */
TEST_WITH(follows_its_own_copy, setup, teardown)
{
    uint64_t statistics[SL_STAT_COUNT] = {0};
    options.log = 2;
    struct sl_task_vector *const trees = create();
    assert_int_equal(sl_trees_execute(trees, 1, NULL, 0), SL_OK);
    struct sl_trees *const shared = sl_trees_shared(trees);
    ((uint32_t *)(uintptr_t)shared->vector)[shared->capacity] = 42;
    memset(shared, 0x5a, sizeof *shared);
    assert_int_equal((uint32_t)sl_trees_result(trees), 42);
    sl_kind_trees.add_statistics(soc, statistics);
    assert_true(statistics[SL_STAT_TREES_BYTES] < FIXTURE_HEAP_BYTES);
    assert_int_equal(sl_trees_write_log(trees, "/dev/null"), SL_OK);
    soc->is_running = false;
    assert_int_equal(sl_trees_execute(trees, 1, NULL, 0), SL_ERROR_USAGE);
    sl_trees_destroy(trees);
    options.log = 0;
}
