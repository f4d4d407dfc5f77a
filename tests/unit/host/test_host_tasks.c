/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues from the host (docs/know/tasks.md): options that are refused, with their reasons;
 * defaults; what lies in shared memory when an execution begins. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "sluice/config.h"
#include "unit/common/host_fixture.h"

#define LANES 64

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_mailbox mailbox;

/* What is right, and small enough for the test's heap. */
static const struct sl_tasks_options right = {
    .version = SL_TASKS_INDIRECT, .functions = 2, .task_bytes = 8, .capacity = 4, .groups = 3};

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    module->work = (struct sl_tasks_kernel){.functions = 2, .task_bytes = 8};
    fixture_open_mailbox(soc, &mailbox);
    soc->layout.pool_blocks = 1024;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

static struct sl_task_queues *make(const struct sl_tasks_options *options)
{
    struct sl_task_queues *tasks;

    assert_int_equal(sl_tasks_create(module, "second_kernel", options, NULL, &tasks), SL_OK);
    return tasks;
}

static void refused(const char *kernel, const struct sl_tasks_options *options, const char *message)
{
    struct sl_task_queues *tasks = NULL;

    assert_int_equal(sl_tasks_create(module, kernel, options, NULL, &tasks), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc), message);
    assert_null(tasks);
    assert_null(soc->run->queues);
}

/* The kernel says itself what it has. */
TEST_WITH(kernels, setup, teardown)
{
    struct sl_tasks_options options = right;
    refused("first_kernel", &options,
            "task queues: kernel 'first_kernel' is none of SL_WORK() (sluice/wave/tasks.h)");
    refused("third_kernel", &options, "there is no function 'third_kernel'");
    options.functions = 3;
    refused("second_kernel", &options,
            "task queues: kernel 'second_kernel' has 2 functions, and not 3");
    options = right;
    options.task_bytes = 68;
    refused("second_kernel", &options,
            "task queues: kernel 'second_kernel' has tasks of 8 bytes, and not 68");
    options = right;
    options.version = SL_TASKS_VERSIONS;
    refused("second_kernel", &options, "task queues: there is no version 2");
}

TEST_WITH(numbers, setup, teardown)
{
    static const struct {
        size_t option;
        uint32_t value;
        const char *message;
    } cases[] = {
        {offsetof(struct sl_tasks_options, group_wavefronts), 9,
         "the wavefronts of a work-group is 9; from 1 to 8 is possible"},
        {offsetof(struct sl_tasks_options, groups), UINT32_MAX,
         "the number of work-groups is 4294967295; from 1 to 65536 is possible"},
        {offsetof(struct sl_tasks_options, group_threshold), 32769,
         "the work-groups' threshold is 32769; from 1 to 32768 is possible"},
        {offsetof(struct sl_tasks_options, device_threshold), UINT32_MAX,
         "the device's threshold is 4294967295; from 1 to 32768 is possible"},
        {offsetof(struct sl_tasks_options, capacity), 3,
         "the wavefronts' capacity is 3, which is no power of two"},
        {offsetof(struct sl_tasks_options, group_capacity), 131072,
         "the work-groups' capacity is 131072; from 1 to 65536 is possible"},
        {offsetof(struct sl_tasks_options, device_capacity), 65535,
         "the device's capacity is 65535, which is no power of two"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_tasks_options options = right;
        char message[256];
        memcpy((char *)&options + cases[i].option, &cases[i].value, sizeof cases[i].value);
        (void)snprintf(message, sizeof message, "task queues: %s", cases[i].message);
        refused("second_kernel", &options, message);
    }
}

/* Capacities hold what thresholds let in, though all wavefronts give at once. */
TEST_WITH(defaults, setup, teardown)
{
    struct sl_task_queues *const tasks = make(&right);
    const struct sl_tasks *const shared = sl_tasks_shared(tasks);

    assert_int_equal(sl_tasks_wavefronts(tasks), 24);
    assert_int_equal(shared->group_wavefronts, 8);
    assert_int_equal(shared->threshold[SL_TASKS_GROUP], 8);
    assert_int_equal(shared->threshold[SL_TASKS_DEVICE], 64);
    assert_int_equal(shared->capacity[SL_TASKS_GROUP], 16);
    assert_int_equal(shared->capacity[SL_TASKS_DEVICE], 128);
    sl_tasks_destroy(tasks);
    assert_null(soc->run->queues);
}

/* A compute unit without room for eight wavefronts has smaller work-groups. */
TEST_WITH(small_machine, setup, teardown)
{
    struct sl_tasks_options options = right;
    soc->config.number[SL_CFG_GPU_CUS] = 1;
    soc->config.number[SL_CFG_GPU_CONTEXTS] = 1;
    options.groups = 0;
    struct sl_task_queues *const tasks = make(&options);
    assert_int_equal(sl_tasks_wavefronts(tasks), 1);
    sl_tasks_destroy(tasks);
}

/* All blocks of memory are somewhere, and each once. */
static void expect_blocks(const struct sl_tasks *shared, uint32_t groups, uint32_t block_bytes)
{
    const struct sl_tasks_wavefront *const wavefronts =
        (const struct sl_tasks_wavefront *)(uintptr_t)shared->wavefronts;
    const struct sl_tasks_shared_queue *const queues =
        (const struct sl_tasks_shared_queue *)(uintptr_t)shared->groups;
    bool is_there[1024] = {false};
    uint32_t blocks = 0;

#define BLOCK(entry)                                                                               \
    do {                                                                                           \
        const uint32_t number = ((entry) & ~SL_TASKS_FUNCTION_MASK) / block_bytes;                 \
        assert_true(number < 1024 && !is_there[number]);                                           \
        is_there[number] = true;                                                                   \
        blocks++;                                                                                  \
    } while (0)

    for (uint32_t i = 0; i < shared->capacity[SL_TASKS_DEVICE]; i++) {
        BLOCK((uint32_t)((const uint64_t *)(uintptr_t)shared->device.places)[i]);
    }
    for (uint32_t g = 0; g < groups; g++) {
        for (uint32_t i = 0; i < shared->capacity[SL_TASKS_GROUP]; i++) {
            BLOCK((uint32_t)((const uint64_t *)(uintptr_t)queues[g].places)[i]);
        }
    }
    for (uint32_t w = 0; w < groups * shared->group_wavefronts; w++) {
        for (uint32_t i = 0; i < shared->capacity[SL_TASKS_OWN]; i++) {
            BLOCK(((const uint32_t *)(uintptr_t)wavefronts[w].places)[i]);
        }
        for (uint32_t f = 0; f < shared->functions; f++) {
            BLOCK(wavefronts[w].pending[f]);
        }
        BLOCK(wavefronts[w].spare);
    }
#undef BLOCK
    assert_int_equal(blocks, 128 + 3 * 16 + 24 * (4 + 2 + 1));
}

/* Full fronts of the tasks to begin with are in the device's queue, others with the first
 * wavefront, word by word of all lanes. */
TEST_WITH(first_tasks, setup, teardown)
{
    struct sl_task_queues *const tasks = make(&right);
    const struct sl_tasks *const shared = sl_tasks_shared(tasks);
    uint32_t first[2 * LANES + 3][2];

    for (uint32_t i = 0; i < 2 * LANES + 3; i++) {
        first[i][0] = i;
        first[i][1] = 1000 + i;
    }
    assert_int_equal(sl_tasks_add(tasks, 1, first, 100), SL_OK);
    assert_int_equal(sl_tasks_add(tasks, 1, first[100], 2 * LANES + 3 - 100), SL_OK);
    assert_int_equal(sl_tasks_add(tasks, 0, first, 0), SL_OK);
    assert_int_equal(sl_tasks_add(tasks, 2, first, 1), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "task queues: no function 2; there are 2, numbered from 0");

    assert_int_equal(sl_tasks_execute(tasks), SL_OK);
    const struct sl_tasks_wavefront *const wavefront =
        (const struct sl_tasks_wavefront *)(uintptr_t)shared->wavefronts;
    const uint64_t *const places = (const uint64_t *)(uintptr_t)shared->device.places;
    assert_int_equal(shared->outstanding, 2 * LANES + 3);
    assert_int_equal(sl_tasks_waiting(shared->device.puts), 2);
    assert_int_equal(sl_tasks_put(shared->device.puts), 2);
    assert_int_equal(wavefront->tasks[0], 0);
    assert_int_equal(wavefront->tasks[1], 3);
    assert_int_equal(places[1] >> 32, 2); /* the turn of who takes it */
    assert_int_equal(places[2] >> 32, 2); /* and of who puts another one behind */
    assert_int_equal(places[1] & SL_TASKS_FUNCTION_MASK, 1);
    const uint32_t *const words =
        (const uint32_t *)(uintptr_t)(shared->pool +
                                      ((uint32_t)places[1] & ~SL_TASKS_FUNCTION_MASK));
    assert_int_equal(words[5], LANES + 5);
    assert_int_equal(words[LANES + 5], 1000 + LANES + 5);
    expect_blocks(shared, 3, 8 * LANES);

    assert_int_equal(sl_tasks_execute(tasks), SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "task queues: a graph is running"));
}

TEST_WITH(too_many_first_tasks, setup, teardown)
{
    struct sl_tasks_options options = right;
    static const uint32_t first[3 * LANES][2];
    options.device_capacity = 2;
    struct sl_task_queues *const tasks = make(&options);

    assert_int_equal(sl_tasks_add(tasks, 0, first, 3 * LANES), SL_OK);
    assert_int_equal(sl_tasks_execute(tasks), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "task queues: the tasks to begin with fill 3 fronts, and the device's "
                        "queue has a capacity of 2; make it larger");
    assert_false(soc->is_running);
}

TEST_WITH(too_large, setup, teardown)
{
    struct sl_tasks_options options = right;

    options.capacity = 65536;
    options.groups = 1000;
    refused("second_kernel", &options,
            "task queues: 524336192 fronts of 512 bytes, for 8000 wavefronts, are more than 4 GiB; "
            "make capacities smaller");
    options.groups = 3;
    struct sl_task_queues *tasks;
    assert_int_equal(sl_tasks_create(module, "second_kernel", &options, NULL, &tasks),
                     SL_ERROR_USAGE);
    assert_non_null(strstr(sl_soc_error(soc), "shared heap"));
    assert_null(soc->run->queues);
}

/* Kernels may have written anything to the description and to the queues: the counts are read where
 * they are, and the next execution finds all as it was laid out. */
TEST_WITH(follows_its_own_copy, setup, teardown)
{
    struct sl_task_queues *const tasks = make(&right);
    struct sl_tasks *const shared = (struct sl_tasks *)(uintptr_t)sl_tasks_shared(tasks);
    const uint32_t first[2] = {1, 2};
    assert_int_equal(sl_tasks_add(tasks, 0, first, 1), SL_OK);
    assert_int_equal(sl_tasks_execute(tasks), SL_OK);
    const struct sl_tasks before = *shared;
    struct sl_tasks_wavefront *const wavefront =
        (struct sl_tasks_wavefront *)(uintptr_t)shared->wavefronts;
    const struct sl_tasks_wavefront wavefront_before = *wavefront;
    wavefront->counts[SL_TASKS_RUN] = 5;
    wavefront->places = 0x5a5a5a5a5a5a5a5a;
    memset(shared, 0x5a, sizeof *shared);
    assert_int_equal(sl_tasks_count(tasks, SL_TASKS_RUN), 5);
    soc->is_running = false;
    assert_int_equal(sl_tasks_execute(tasks), SL_OK);
    assert_memory_equal(shared, &before, sizeof before);
    assert_memory_equal(wavefront, &wavefront_before, sizeof wavefront_before);
    memset(shared, 0x5a, sizeof *shared);
    soc->is_running = false;
    sl_tasks_destroy(tasks);
}
