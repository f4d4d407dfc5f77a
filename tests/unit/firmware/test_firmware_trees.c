/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Epochs of a task vector, where the test plays the tasks: Table 5.1 of papers/000 row by row, the
 * rules for what the paper leaves open, limits; and the run with a device that the test plays: its
 * packets and failures. */
#include <string.h>

#include "check/tasks/task_vector_check.h"
#include "common/check.h"
#include "runs/epoch_stack.h"
#include "runs/runs.h"
#include "sluice/memory_map.h"
#include "unit/firmware/firmware_trees.h"

#define READ_PS 20000ull

static struct trees trees;

/* The device: runs what `play` says over the range of an epoch's packet, and completes each packet
 * at once. */
static struct {
    uint64_t taken;
    uint64_t time_ps[16]; /* of each packet */
    void (*play)(uint32_t epoch, uint32_t first, uint32_t items);
    bool faults;
} device;

static int setup(void **state)
{
    (void)state;
    memset(&device, 0, sizeof device);
    prepare_vector();
    return 0;
}

/* ---- what tasks do ---- */

static uint32_t fork_task(uint32_t epoch, uint32_t function, uint32_t argument)
{
    const uint32_t slot = (uint32_t)heap.trees.next_free;
    heap.trees.next_free += 1 + (UINT64_C(1) << 32);
    assert_true(slot < CAPACITY);
    heap.vector[0][slot] = function + (epoch + 1) * heap.trees.functions;
    heap.vector[1][slot] = argument;
    return slot;
}

static void join_task(uint32_t epoch, uint32_t slot, uint32_t function)
{
    heap.vector[0][slot] = function + epoch * heap.trees.functions;
    heap.trees.join_scheduled = 1;
}

static void map_task(void)
{
    const uint32_t slot = fork_task(0, 1, 0);
    heap.vector[0][slot] = 1 - heap.trees.functions;
    heap.trees.map_scheduled++;
}

/* ---- Table 5.1 ---- */

enum { POSTORDER = 1, VISIT_AFTER = 2 };
enum { NIL, A, B, C, D, E, F };

static const uint32_t children[][2] = {
    [A] = {B, C},     [B] = {D, E},     [C] = {F, NIL},
    [D] = {NIL, NIL}, [E] = {NIL, NIL}, [F] = {NIL, NIL},
};

static void postorder(uint32_t epoch, uint32_t first, uint32_t items)
{
    for (uint32_t slot = first; slot < first + items; slot++) {
        const int32_t function = (int32_t)heap.vector[0][slot] - (int32_t)(2 * epoch);
        const uint32_t node = heap.vector[1][slot];
        if (function != POSTORDER && function != VISIT_AFTER) {
            continue;
        }
        heap.vector[0][slot] = 0;
        if (function == POSTORDER && node != NIL) {
            (void)fork_task(epoch, POSTORDER, children[node][0]);
            (void)fork_task(epoch, POSTORDER, children[node][1]);
            join_task(epoch, slot, VISIT_AFTER);
        }
    }
}

struct row {
    uint32_t epoch;
    uint32_t before; /* next free entry */
    uint32_t after;
    uint32_t joins; /* whether one was scheduled */
    uint32_t depth; /* stack of joins, before */
    uint32_t stack[3];
};

static void expect_row(const struct row *row)
{
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, row->epoch);
    assert_int_equal((uint32_t)heap.trees.next_free, row->before);
    assert_int_equal(heap.trees.join_scheduled, 0);
    assert_int_equal(trees.depth, row->depth);
    for (uint32_t i = 0; i < row->depth; i++) {
        assert_int_equal(heap.stack[i].epoch, row->stack[i]);
    }
    postorder(trees.epoch.epoch, trees.epoch.first, trees.epoch.end - trees.epoch.first);
    assert_int_equal(heap.trees.join_scheduled, row->joins);
    assert_true(trees_end_epoch(&trees));
    assert_int_equal((uint32_t)heap.trees.next_free, row->after);
}

/* The vector at the turn: what is to be visited, in 2 x epoch + 2, and nothing of the nil children.
 */
static void expect_turn(void)
{
    static const uint32_t right[][2] = {{2, A}, {4, B}, {4, C}, {6, D}, {6, E}, {6, F}};
    for (uint32_t slot = 0; slot < 6; slot++) {
        assert_int_equal(heap.vector[0][slot], right[slot][0]);
        assert_int_equal(heap.vector[1][slot], right[slot][1]);
    }
    for (uint32_t slot = 6; slot < 13; slot++) {
        assert_int_equal(heap.vector[0][slot], 0);
        assert_int_equal(heap.vector[1][slot], NIL);
    }
}

/* The text of the table lists 6 and 11 entries in rows 2 and 3, where its own counter says 7 and
 * 13: the others are nil children, too. */
TEST_WITH(runs_table_5_1, setup, NULL)
{
    static const struct row rows[] = {
        {0, 1, 3, 1, 0, {0}},        {1, 3, 7, 1, 1, {0}},    {2, 7, 13, 1, 2, {0, 1}},
        {3, 13, 7, 0, 3, {0, 1, 2}}, {2, 7, 3, 0, 2, {0, 1}}, {1, 3, 1, 0, 1, {0}},
        {0, 1, 0, 0, 0, {0}},
    };
    heap.vector[1][0] = A;
    heap.trees.log = (uintptr_t)heap.log;
    heap.trees.log_entries = 6; /* one less than there are epochs */
    trees_init(&trees, &heap.trees);
    assert_int_equal(heap.vector[0][0], POSTORDER);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_row(&rows[i]);
        if (i == 3) {
            expect_turn();
        }
    }
    assert_false(trees_begin_epoch(&trees));
    assert_int_equal(heap.trees.epochs, 7);
    assert_int_equal(heap.trees.empty_epochs, 0);
    assert_int_equal(heap.trees.lanes, 1 + 2 + 4 + 6 + 4 + 2 + 1);
    assert_int_equal(heap.trees.forks, 12);
    assert_int_equal(heap.trees.next_free >> 32, 12);
    assert_int_equal(heap.trees.slots_max, 13);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(heap.log[i].epoch, rows[i].epoch);
        assert_int_equal(heap.log[i].old_next_free, rows[i].before);
        assert_int_equal(heap.log[i].next_free, rows[i].after);
        assert_int_equal(heap.log[i].joined, rows[i].joins);
        assert_int_equal(heap.log[i].depth, rows[i].depth + 2 * rows[i].joins);
    }
    assert_int_equal(heap.log[3].first, 7);
    assert_int_equal(heap.log[3].end, 13);
    assert_int_equal(heap.log[6].end, 0);
}

/* ---- what the paper leaves open ---- */

static void begin(uint32_t flags)
{
    heap.trees.flags = flags;
    trees_init(&trees, &heap.trees);
    assert_true(trees_begin_epoch(&trees));
}

/* Epoch 0 forks and joins, epoch 1 does nothing more. */
static void fork_and_return(void)
{
    (void)fork_task(0, 1, 0);
    (void)fork_task(0, 1, 0);
    join_task(0, 0, 2);
    assert_true(trees_end_epoch(&trees));
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 1);
    assert_int_equal(trees.epoch.first, 1);
    assert_int_equal(trees.epoch.end, 3);
    assert_true(trees_end_epoch(&trees));
}

/* What children have left in slots 1 and 2 is not overwritten by what their parents fork. */
TEST_WITH(keeps_slots_for_continuations_that_fork, setup, NULL)
{
    begin(0);
    fork_and_return();
    assert_int_equal((uint32_t)heap.trees.next_free, 1);
    assert_int_equal(setup(NULL), 0);
    begin(SL_TREES_FORKS_AGAIN);
    fork_and_return();
    assert_int_equal((uint32_t)heap.trees.next_free, 3);
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 0);
    assert_int_equal(fork_task(0, 1, 0), 3);
    assert_true(trees_end_epoch(&trees));
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.first, 3);
    assert_int_equal(trees.epoch.end, 4);
}

/* An epoch over slots of maps alone, which frees them. */
TEST_WITH(runs_an_empty_epoch, setup, NULL)
{
    begin(0);
    map_task();
    map_task();
    join_task(0, 0, 2);
    assert_true(trees_end_epoch(&trees));
    assert_int_equal(trees.maps, 2);
    trees_end_maps(&trees);
    assert_int_equal((uint32_t)heap.trees.next_free, 3);
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 1);
    assert_true(trees_end_epoch(&trees));
    assert_int_equal((uint32_t)heap.trees.next_free, 1);
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 0);
    assert_int_equal(heap.trees.epochs, 3);
    assert_int_equal(heap.trees.empty_epochs, 1);
    assert_int_equal(heap.trees.mapped, 2);
    assert_int_equal(heap.trees.forks, 0);
}

/* The slots stay until the maps, which are in them, have run. */
TEST_WITH(skips_an_empty_epoch, setup, NULL)
{
    begin(SL_TREES_SKIP_EMPTY);
    map_task();
    map_task();
    join_task(0, 0, 2);
    assert_true(trees_end_epoch(&trees));
    assert_int_equal((uint32_t)heap.trees.next_free, 3);
    trees_end_maps(&trees);
    assert_int_equal((uint32_t)heap.trees.next_free, 1);
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 0);
    assert_int_equal(heap.trees.empty_epochs, 0);
}

/* With a fork among the maps the epoch has something to run. */
TEST_WITH(runs_an_epoch_of_forks_and_maps, setup, NULL)
{
    begin(SL_TREES_SKIP_EMPTY);
    map_task();
    (void)fork_task(0, 1, 0);
    assert_true(trees_end_epoch(&trees));
    trees_end_maps(&trees);
    assert_int_equal((uint32_t)heap.trees.next_free, 3);
    assert_true(trees_begin_epoch(&trees));
    assert_int_equal(trees.epoch.epoch, 1);
    assert_int_equal(heap.trees.empty_epochs, 0);
    assert_int_equal(heap.trees.mapped, 1);
    assert_int_equal(heap.trees.forks, 1);
}

/* The words of an epoch in lines of their own: those of the one line mean nothing then. */
TEST_WITH(finds_words_that_are_apart, setup, NULL)
{
    uint32_t *const joined = (uint32_t *)((char *)&heap.trees + 128);
    uint32_t *const mapped = (uint32_t *)((char *)&heap.trees + 192);
    *joined = *mapped = 7;
    begin(SL_TREES_APART);
    assert_int_equal(*joined, 0);
    assert_int_equal(*mapped, 0);
    *joined = *mapped = 1;
    assert_int_equal(fork_task(0, 1, 0), 1);
    assert_true(trees_end_epoch(&trees));
    assert_int_equal(trees.maps, 1);
    assert_int_equal(trees.depth, 2);
    assert_true(trees_begin_epoch(&trees));
    heap.trees.join_scheduled = heap.trees.map_scheduled = 1;
    assert_true(trees_end_epoch(&trees));
    assert_int_equal(trees.maps, 0);
    assert_int_equal(trees.depth, 1);
}

/* Each epoch forks one task and joins, as long as there is room for both: the epoch that runs and
 * the next one need an entry each. */
TEST_WITH(ends_at_a_full_stack, setup, NULL)
{
    begin(0);
    for (uint32_t epoch = 0;; epoch++) {
        (void)fork_task(epoch, 1, 0);
        join_task(epoch, trees.epoch.first, 2);
        if (!trees_end_epoch(&trees)) {
            assert_int_equal(epoch, STACK - 1);
            assert_int_equal(trees_next_epoch(&trees), STACK);
            return;
        }
        assert_true(trees_begin_epoch(&trees));
    }
}

/* With 64 functions the entries of epoch 33,554,430 are the last ones of 31 bits: 64 x 33,554,430 +
 * 64 = 2^31 - 64. */
TEST_WITH(ends_at_31_bits, setup, NULL)
{
    assert_int_equal(sl_trees_last_epoch(64), 33554430);
    assert_int_equal(sl_trees_last_epoch(1), INT32_MAX - 1);
    heap.trees.functions = 64;
    for (uint32_t past = 0; past < 2; past++) {
        begin(0);
        trees.epoch.epoch = 33554429 + past;
        (void)fork_task(0, 1, 0);
        assert_int_equal(trees_end_epoch(&trees), past == 0);
    }
}

/* ---- the run ---- */

static const struct sl_dispatch *packet(uint64_t number)
{
    const struct sl_dispatch *ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    return &ring[number % SL_DISPATCH_ENTRIES];
}

static void run_packet(const struct sl_dispatch *of)
{
    const uint64_t tail = (*mock_register(SL_REG_COMPLETION_TAIL))++;
    struct sl_completion *ring =
        (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);
    const struct sl_kernel *const kernel = (const struct sl_kernel *)(uintptr_t)of->kernel;
    ring[tail % SL_COMPLETION_ENTRIES] = (struct sl_completion){.id = of->id, .elements = 1};
    assert_int_equal(kernel->argument_count, SL_TREES_CONSTANTS);
    assert_int_equal(kernel->argument[SL_TREES_SHARED], (uintptr_t)&heap.trees);
    assert_int_equal(kernel->argument[SL_TREES_OF], heap.trees.functions);
    assert_int_equal(kernel->argument[SL_TREES_VECTOR], (uintptr_t)heap.vector);
    assert_int_equal(kernel->argument[SL_TREES_CAPACITY], CAPACITY);
    assert_int_equal(kernel->argument[SL_TREES_WORDS],
                     (heap.trees.flags & SL_TREES_APART) != 0 ? 64 : 8);
    if (kernel == &heap.trees.launch[SL_TREES_OF_EPOCHS].kernel) {
        device.play((uint32_t)(kernel->argument[SL_TREES_BASE] / heap.trees.functions),
                    (uint32_t)kernel->argument[SL_TREES_FIRST], of->grid[0]);
    }
    if (device.faults) {
        struct sl_fault *faults = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);
        faults[0] = (struct sl_fault){.code = SL_FAULT_TRAP, .trap = SL_TRAP_TASK_VECTOR};
        *mock_register(SL_REG_FAULT_TAIL) = 1;
    }
}

static void before_read(uint32_t reg)
{
    *mock_register(SL_REG_TIME_PS) += READ_PS;
    if (reg == SL_REG_COMPLETION_TAIL && device.taken < *mock_register(SL_REG_DISPATCH_TAIL)) {
        device.time_ps[device.taken % 16] = *mock_register(SL_REG_TIME_PS);
        run_packet(packet(device.taken++));
    }
}

static void execute(void (*play)(uint32_t epoch, uint32_t first, uint32_t items))
{
    mock.before_read = before_read;
    device.play = play;
    run_execute(&run_trees, &machine, (uintptr_t)&heap.trees, 0, &answer);
}

/* One pair of marks, one reset; a packet for each epoch, when the one before it is complete. */
TEST_WITH(is_one_run, setup, NULL)
{
    size_t at = 0;
    heap.vector[1][0] = A;
    execute(postorder);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[2], 7);
    assert_int_equal(answer.argument[6], 0);
    assert_int_equal(answer.argument[7], 6);
    MOCK_EXPECT(&at, MOCK_WRITE(MARK, SL_MARK_BEGIN), MOCK_WRITE(PHASE, SL_PHASE_OTHER),
                MOCK_WRITE(RESET, 1),
                MOCK_WRITE(DISPATCH_BASE, *mock_register(SL_REG_DISPATCH_BASE)),
                MOCK_WRITE(COMPLETION_BASE, *mock_register(SL_REG_COMPLETION_BASE)),
                MOCK_WRITE(FAULT_BASE, *mock_register(SL_REG_FAULT_BASE)),
                MOCK_WRITE(PROGRAM, (uintptr_t)&heap.program), MOCK_WRITE(GRAPH, 0));
    for (uint64_t number = 1; number <= 7; number++) {
        MOCK_EXPECT(&at, MOCK_WRITE(PHASE, SL_PHASE_SCHEDULE), MOCK_WRITE(PHASE, SL_PHASE_DISPATCH),
                    MOCK_WRITE(DISPATCH_TAIL, number), MOCK_WRITE(PHASE, SL_PHASE_POLL),
                    MOCK_READ(COMPLETION_TAIL, number), MOCK_WRITE(COMPLETION_HEAD, number),
                    MOCK_READ(FAULT_TAIL, 0));
    }
    MOCK_EXPECT(&at, MOCK_WRITE(PHASE, SL_PHASE_SCHEDULE), MOCK_WRITE(MARK, SL_MARK_END));
    assert_int_equal(mock.log_count, at);
    const struct sl_dispatch expected = {
        .kernel = (uintptr_t)&heap.trees.launch[0].kernel,
        .id = 3,
        .kind = SL_DISPATCH_NDRANGE,
        .grid = {6, 1, 1},
        .group = {256, 1, 1},
    };
    assert_memory_equal(packet(3), &expected, sizeof expected);
}

TEST_WITH(tells_kernels_where_the_words_are, setup, NULL)
{
    heap.trees.flags = SL_TREES_APART;
    execute(postorder); /* of a nil node */
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(device.taken, 1);
}

static void map_twice(uint32_t epoch, uint32_t first, uint32_t items)
{
    (void)first;
    (void)items;
    if (epoch == 0) {
        map_task();
        map_task();
    }
}

/* Between the epoch that scheduled them and the next one: a work-group for each slot. */
TEST_WITH(runs_maps, setup, NULL)
{
    execute(map_twice);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[2], 3);
    const struct sl_dispatch expected = {
        .kernel = (uintptr_t)&heap.trees.launch[1].kernel,
        .id = 1,
        .kind = SL_DISPATCH_NDRANGE,
        .grid = {32, 2, 1},
        .group = {32, 1, 1},
        .lds_bytes = 256,
    };
    assert_memory_equal(packet(1), &expected, sizeof expected);
    assert_int_equal(heap.trees.launch[1].kernel.argument[SL_TREES_FIRST], 1);
    assert_int_equal(packet(2)->kernel, (uintptr_t)&heap.trees.launch[0].kernel);
    assert_int_equal(heap.trees.empty_epochs, 1);
}

/* Before each epoch but the first. Without a delay packets are a few accesses apart. */
TEST_WITH(delays_epochs, setup, NULL)
{
    for (uint64_t delay_ps = 0; delay_ps <= 10000000; delay_ps += 10000000) {
        assert_int_equal(setup(NULL), 0);
        heap.trees.delay_ps = delay_ps;
        heap.vector[1][0] = D;
        execute(postorder);
        assert_int_equal(answer.type, SL_AGG_COMPLETE);
        assert_int_equal(device.taken, 3);
        assert_true(device.time_ps[0] <= 10 * READ_PS);
        for (unsigned i = 1; i < 3; i++) {
            const uint64_t apart = device.time_ps[i] - device.time_ps[i - 1];
            assert_true(apart >= delay_ps && apart <= delay_ps + 10 * READ_PS);
        }
    }
}

static void fork_and_join(uint32_t epoch, uint32_t first, uint32_t items)
{
    (void)items;
    (void)fork_task(epoch, 1, 0);
    join_task(epoch, first, 2);
}

TEST_WITH(fails_at_a_full_stack, setup, NULL)
{
    execute(fork_and_join);
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_EPOCHS);
    assert_int_equal(answer.argument[0], STACK);
    assert_int_equal(answer.argument[1], STACK + 1);
    assert_int_equal(answer.argument[2], STACK);
    assert_int_equal(answer.argument[3], 2);
    assert_int_equal(answer.argument[6], STACK - 1);
    assert_int_equal(answer.argument[7], STACK - 1);
}

/* They would be left out, and the program go on as if they had run. */
TEST_WITH(fails_at_maps_without_a_kernel, setup, NULL)
{
    heap.trees.maps = 0;
    execute(map_twice);
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_MAPS);
    assert_int_equal(answer.argument[0], 2);
    assert_int_equal(answer.argument[6], 0);
    assert_int_equal(device.taken, 1);
}

/* ---- words that kernels have overwritten ---- */

/* What the next epoch is to do. */
static struct {
    uint64_t next_free;
    uint32_t maps;
    struct sl_trees_epoch epoch; /* for the stack, where `end` is not 0 */
} overwrite;

static void fork_then_overwrite(uint32_t epoch, uint32_t first, uint32_t items)
{
    (void)items;
    if (epoch == 0) {
        (void)fork_task(epoch, 1, 0); /* slot 1 */
        return;
    }
    (void)fork_task(epoch, 1, 0); /* slot 2, and the epoch itself again */
    join_task(epoch, first, 2);
    heap.trees.next_free = overwrite.next_free;
    heap.trees.map_scheduled = overwrite.maps;
    memset(heap.stack, 0xff, sizeof heap.stack);
}

static void expect_doubt(enum sl_trees_word word, uint64_t value, uint64_t least, uint64_t most)
{
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_TREES);
    assert_int_equal(answer.argument[0], word);
    assert_int_equal(answer.argument[1], value);
    assert_int_equal(answer.argument[2], least);
    assert_int_equal(answer.argument[3], most);
}

TEST_WITH(distrusts_what_an_epoch_gives_back, setup, NULL)
{
    static const uint32_t slots[] = {0, 1, CAPACITY + 1, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        assert_int_equal(setup(NULL), 0);
        overwrite.next_free = (uint64_t)i << 32 | slots[i];
        overwrite.maps = 0;
        execute(fork_then_overwrite);
        expect_doubt(SL_TREES_WORD_NEXT_FREE, slots[i], 2, CAPACITY);
        assert_int_equal(device.taken, 2);
    }
    static const uint32_t maps[] = {2, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        assert_int_equal(setup(NULL), 0);
        overwrite.next_free = 3;
        overwrite.maps = maps[i];
        execute(fork_then_overwrite);
        expect_doubt(SL_TREES_WORD_MAPS, maps[i], 0, 1);
    }
}

/* The entries of the stack that the next epoch finds. */
static void overwrite_stack(uint32_t epoch, uint32_t first, uint32_t items)
{
    if (epoch == 0 && overwrite.epoch.epoch != 7) {
        join_task(epoch, first, 2);
        (void)fork_task(epoch, 1, 0);
    }
    (void)items;
    for (uint32_t i = 0; epoch > 0 && i < STACK; i++) {
        heap.stack[i] = overwrite.epoch;
    }
}

TEST_WITH(distrusts_the_stack, setup, NULL)
{
    const uint32_t last = (INT32_MAX - 2) / 2;
    const struct {
        struct sl_trees_epoch epoch;
        enum sl_trees_word word;
        uint64_t value;
        uint64_t least;
        uint64_t most;
    } cases[] = {
        {{.epoch = last + 1, .end = 1}, SL_TREES_WORD_EPOCH, last + 1, 0, last},
        {{.epoch = UINT32_MAX, .end = 1}, SL_TREES_WORD_EPOCH, UINT32_MAX, 0, last},
        {{.first = CAPACITY, .end = CAPACITY + 1}, SL_TREES_WORD_FIRST, CAPACITY, 0, CAPACITY - 1},
        {{.first = UINT32_MAX, .end = 0}, SL_TREES_WORD_FIRST, UINT32_MAX, 0, CAPACITY - 1},
        {{.first = 3, .end = 3}, SL_TREES_WORD_END, 3, 4, CAPACITY},
        {{.first = 3, .end = 2}, SL_TREES_WORD_END, 2, 4, CAPACITY},
        {{.first = 3, .end = CAPACITY + 1}, SL_TREES_WORD_END, CAPACITY + 1, 4, CAPACITY},
        {{.first = 0, .end = UINT32_MAX}, SL_TREES_WORD_END, UINT32_MAX, 1, CAPACITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(setup(NULL), 0);
        overwrite.epoch = cases[i].epoch;
        execute(overwrite_stack);
        expect_doubt(cases[i].word, cases[i].value, cases[i].least, cases[i].most);
        assert_int_equal(device.taken, 2);
    }
}

/* All of the description but the words that kernels share, with anything in it, once the run has
 * begun: it is as it was. */
static void overwrite_description(uint32_t epoch, uint32_t first, uint32_t items)
{
    static struct sl_trees before;

    if (epoch == 0) {
        before = heap.trees;
    }
    postorder(epoch, first, items);
    const uint64_t next_free = heap.trees.next_free;
    const uint32_t join_scheduled = heap.trees.join_scheduled;
    struct sl_kernel kernels[2] = {before.launch[0].kernel, before.launch[1].kernel};
    memset(&heap.trees, 0xff, offsetof(struct sl_trees, epochs));
    memset(&heap.trees.log_entries, 0xff,
           sizeof heap.trees - offsetof(struct sl_trees, log_entries));
    heap.trees.next_free = next_free;
    heap.trees.join_scheduled = join_scheduled;
    heap.trees.map_scheduled = 0;
    heap.trees.functions = before.functions; /* the test's own tasks go by them */
    heap.trees.flags = before.flags;
    heap.trees.launch[0].kernel = kernels[0];
    heap.trees.launch[1].kernel = kernels[1];
}

TEST_WITH(keeps_what_was_checked, setup, NULL)
{
    heap.vector[1][0] = A;
    execute(overwrite_description);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(answer.argument[2], 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(packet(i)->group[0], 256);
        assert_int_equal(packet(i)->group[1], 1);
        assert_int_equal(packet(i)->lds_bytes, 0);
        assert_in_range(packet(i)->grid[0], 1, CAPACITY);
    }
}

TEST_WITH(names_the_epoch_of_a_fault, setup, NULL)
{
    device.faults = true;
    execute(fork_and_join);
    assert_int_equal(answer.type, SL_AGG_FAULTED);
    assert_int_equal(answer.fault.trap, SL_TRAP_TASK_VECTOR);
    assert_int_equal(answer.argument[6], 0);
    assert_int_equal(device.taken, 1);
}

/* Without functions of maps the second launch means nothing. */
TEST_WITH(looks_at_no_map_kernel, setup, NULL)
{
    heap.trees.maps = 0;
    heap.trees.launch[1] = (struct sl_launch){.magic = 7};
    heap.vector[1][0] = A;
    execute(postorder);
    assert_int_equal(answer.type, SL_AGG_COMPLETE);
    assert_int_equal(heap.trees.launch[1].kernel.argument_count, 0);
}
