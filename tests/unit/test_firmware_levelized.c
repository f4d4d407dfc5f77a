/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The levelized scheduler and the yield manager: single choices, then whole runs of the Cilk
 * Fibonacci graph (core paper, Figure 11) on a device that the test plays, wavefront by wavefront
 * in random order, with few blocks and narrow channels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/run.h"
#include "core/scheduler.h"
#include "unit/firmware_graph.h"
#include "unit/firmware_mock.h"

/* ---- choices ---- */

#define LEVELS 4

static struct channel channels[2 * LEVELS]; /* tasks, then continuations */
static struct sl_channel shared[2 * LEVELS];
static uint32_t done_counts[2 * LEVELS]; /* a group of 64 each */
static struct levels levels;
static struct run run;
static struct choice choices[SL_COMPLETION_ENTRIES];

/* The graph of cilk_fib: kernel 0 runs tasks and puts elements into both stacks. */
static void make_run(uint32_t blocks)
{
    struct sl_edge edges[2 * LEVELS];
    const struct sl_graph graph = {
        .edges = (uintptr_t)edges, .edge_count = 2 * LEVELS, .channel_count = 2 * LEVELS};

    memset(channels, 0, sizeof channels);
    memset(shared, 0, sizeof shared);
    memset(done_counts, 0, sizeof done_counts);
    for (uint32_t i = 0; i < 2 * LEVELS; i++) {
        shared[i].kernel = i / LEVELS;
        shared[i].levels = LEVELS;
        channels[i].shared = &shared[i];
        channels[i].done = channels[i].done_next = &done_counts[i];
        channels[i].group = 64;
        channels[i].done_shift = 6;
        channels[i].data_mask = 63;
        channels[i].role = i < LEVELS ? SL_ROLE_PRE_SPAWN : SL_ROLE_POST_SYNC;
        channels[i].level = i % LEVELS;
        channels[i].yields = i < LEVELS;
        channels[i].control_mask = 4095;
        edges[i] = (struct sl_edge){.channel = i, .fan_out = 1, .level_offset = i < LEVELS};
    }
    run = (struct run){
        .channels = channels,
        .channel_count = 2 * LEVELS,
        .lanes = 64,
        .lane_shift = 6,
        .is_levelized = true,
        .is_drained = true,
        .pool_blocks = blocks,
        .used_blocks = UINT32_MAX,
        .levels = &levels,
    };
    levels_init(&levels, channels, &graph, 64);
}

static void put(uint32_t channel, uint32_t count)
{
    shared[channel].control_tail += count;
}

static void dispatch(uint32_t channel, uint32_t count)
{
    channels[channel].control_head += count;
    channels[channel].wavefronts += (count + 63) / 64;
    levels_dispatched(&levels, &channels[channel], count);
}

static void complete(uint32_t channel, uint32_t count)
{
    channels[channel].completed += count;
    channels[channel].wavefronts -= (count + 63) / 64;
}

static uint32_t choose(void)
{
    levels_widen(&levels);
    (void)levels_poll(&levels, channels);
    return levels.ready == 0 ? 0 : scheduler_levelized.choose(&run, choices, SL_COMPLETION_ENTRIES);
}

static void expect_choice(uint32_t i, uint32_t channel, uint32_t count)
{
    assert_int_equal(choices[i].channel, channel);
    assert_int_equal(choices[i].count, count);
}

static void test_sorted(void **state)
{
    (void)state;
    static const uint16_t numbers[] = {1, 4, 7, 1023};
    struct sorted sorted = {0};
    sorted_insert(&sorted, 7);
    sorted_insert(&sorted, 1);
    sorted_insert(&sorted, 1023);
    sorted_insert(&sorted, 4);
    sorted_insert(&sorted, 4);
    assert_int_equal(sorted.count, 4);
    assert_memory_equal(sorted.number, numbers, sizeof numbers);
    sorted_remove(&sorted, 5);
    sorted_remove(&sorted, 0);
    assert_int_equal(sorted.count, 4);
    sorted_remove(&sorted, 4);
    sorted_remove(&sorted, 1023);
    assert_int_equal(sorted.count, 2);
    assert_int_equal(sorted.number[0], 1);
    assert_int_equal(sorted.number[1], 7);
}

static void test_levels(void **state)
{
    (void)state;
    make_run(64);
    assert_int_equal(levels.count, LEVELS);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_int_equal(levels.start[level], 2 * level);
        assert_int_equal(levels.channel[2 * level], level);
        assert_int_equal(levels.channel[2 * level + 1], LEVELS + level);
        assert_int_equal(channels[LEVELS + level].rank, 2 * level + 1);
    }
    assert_int_equal(levels.start[LEVELS], 2 * LEVELS);
}

/* By the edges: of tasks the level's continuations, then deeper tasks; of continuations nothing. */
static void test_outputs(void **state)
{
    (void)state;
    make_run(64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        const struct output *output = channels[level].outputs;
        assert_ptr_equal(output->channel, &channels[LEVELS + level]);
        if (level + 1 < LEVELS) {
            assert_ptr_equal(output->next->channel, &channels[level + 1]);
            output = output->next;
        }
        assert_null(output->next);
        assert_null(channels[LEVELS + level].outputs);
    }
    assert_false(levels.is_always_wide);
}

/* A plain channel's kernel puts elements where its edges say, a stack's at all levels into a plain
 * channel. */
static void test_outputs_plain(void **state)
{
    (void)state;
    struct sl_edge edges[] = {
        {.kernel = 1, .channel = 2}, {.kernel = 1, .channel = 0}, {.kernel = 0, .channel = 3}};
    const struct sl_graph graph = {
        .edges = (uintptr_t)edges, .edge_count = 3, .channel_count = LEVELS + 1};
    make_run(64);
    for (uint32_t i = 0; i < LEVELS; i++) {
        channels[i].outputs = NULL;
    }
    edges[2].channel = LEVELS;
    channels[LEVELS].outputs = NULL;
    channels[LEVELS].role = SL_ROLE_PLAIN;
    channels[LEVELS].level = 0;
    shared[LEVELS].levels = 0;
    levels_init(&levels, channels, &graph, 64);
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_ptr_equal(channels[level].outputs->channel, &channels[LEVELS]);
        assert_null(channels[level].outputs->next);
    }
    assert_ptr_equal(channels[LEVELS].outputs->channel, &channels[0]);
    assert_ptr_equal(channels[LEVELS].outputs->next->channel, &channels[2]);
    assert_null(channels[LEVELS].outputs->next->next);
}

/* A pass looks only at what the device works on and at its outputs: news elsewhere, which no kernel
 * could have made, are found when everything is looked at. */
static void test_polls_busy(void **state)
{
    (void)state;
    make_run(64);
    put(1, 70);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(levels.first, 1);
    assert_int_equal(levels.limit, 2);
    assert_int_equal(levels.busy_count, 0);
    put(2, 1);
    assert_false(levels_poll(&levels, channels).is_new); /* nothing is with the device */
    dispatch(1, 64);
    struct poll poll = levels_poll(&levels, channels);
    assert_true(poll.is_new && poll.is_ready);
    assert_int_equal(levels.ready, 6 + 1);
    assert_int_equal(levels.limit, 3);
    put(LEVELS + 1, 64);
    put(LEVELS, 64);
    put(3, 64);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(channels[LEVELS + 1].control_tail, 64);
    assert_int_equal(channels[LEVELS].control_tail, 0);
    assert_int_equal(channels[3].control_tail, 0);
    levels_widen(&levels);
    assert_true(levels_poll(&levels, channels).is_new);
    assert_int_equal(channels[LEVELS].control_tail, 64);
    assert_int_equal(channels[3].control_tail, 64);
    assert_int_equal(levels.first, 0);
    assert_int_equal(levels.limit, 4);
}

/* What was put in before a completion is found by the pass that reads the completion, the last one
 * that looks; and a done group is deallocated however late it is seen. */
static void test_last_poll(void **state)
{
    (void)state;
    make_run(64);
    put(0, 64);
    (void)levels_poll(&levels, channels);
    dispatch(0, 64);
    put(1, 5);
    done_counts[0] = 64;
    complete(0, 64);
    struct poll poll = levels_poll(&levels, channels);
    assert_true(poll.is_new && poll.is_done);
    assert_int_equal(levels.first, 1); /* nothing of level 0 is outstanding */
    assert_int_equal(levels.busy_count, 1);
    levels_retire(&levels, 32);
    assert_int_equal(shared[0].data_head, 64);
    assert_int_equal(done_counts[0], 0);
    assert_false(levels_poll(&levels, channels).is_done);
    assert_int_equal(levels.busy_count, 0);
}

/* Where all of a channel's wavefronts have yielded, one more pass looks; then none, until one is
 * restarted. */
static void test_settles(void **state)
{
    (void)state;
    make_run(64);
    put(0, 64);
    (void)levels_poll(&levels, channels);
    dispatch(0, 64);
    put(LEVELS, 3);
    channels[0].yielded = 1;
    assert_true(levels_poll(&levels, channels).is_new);
    put(1, 9);
    assert_false(levels_poll(&levels, channels).is_new);
    assert_int_equal(levels.busy_count, 1);
    channels[0].yielded = 0;
    channels[0].is_settled = false; /* as core/yield.c does where it restarts a wavefront */
    assert_true(levels_poll(&levels, channels).is_new);
    channels[0].yielded = 1;
    (void)levels_poll(&levels, channels);
    assert_true(channels[0].is_settled);
    channels[0].yielded = 0;
    channels[0].is_settled = false;
    complete(0, 64);
    (void)levels_poll(&levels, channels);
    assert_int_equal(levels.busy_count, 0);
    assert_int_equal(levels.first, 0); /* the continuations */
    assert_int_equal(levels.limit, 2);
}

/* Full wavefronts: the deepest level first, at most 4 in a packet. */
static void test_full(void **state)
{
    (void)state;
    make_run(64);
    run.is_drained = false;
    put(0, 130);
    put(2, 6 * 64 + 5);
    assert_int_equal(choose(), 3);
    expect_choice(0, 2, 256);
    expect_choice(1, 2, 128);
    expect_choice(2, 0, 128);
}

/* At the deepest level continuations go first. Packets grow with what is free: a sixteenth. */
static void test_full_wide(void **state)
{
    (void)state;
    make_run(320);
    run.is_drained = false;
    put(3, 64 * 30);
    put(LEVELS + 3, 64);
    put(LEVELS + 2, 64);
    assert_int_equal(choose(), 3);
    expect_choice(0, LEVELS + 3, 64);
    expect_choice(1, 3, 64 * 19); /* 319 / 16 */
    expect_choice(2, 3, 64 * 11);
}

/* Partial ones when nothing is in flight, tasks before continuations, the shallowest first. */
static void test_partial(void **state)
{
    (void)state;
    make_run(64);
    put(1, 7);
    put(2, 9);
    put(LEVELS + 2, 3);
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    run.is_drained = true;
    assert_int_equal(choose(), 1);
    expect_choice(0, 1, 7);
    dispatch(1, 7);
    complete(1, 7);
    assert_int_equal(choose(), 1);
    expect_choice(0, 2, 9);
    dispatch(2, 9);
    complete(2, 9);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 2, 3);
}

/* No continuation, not even a full wavefront, while anything is outstanding at a deeper level:
 * ready, dispatched or yielded. */
static void test_continuations_wait(void **state)
{
    (void)state;
    make_run(64);
    put(LEVELS + 1, 64);
    put(3, 1);
    run.is_drained = false;
    assert_int_equal(choose(), 0);
    dispatch(3, 1);
    run.is_drained = true;
    assert_int_equal(choose(), 0);
    complete(3, 1);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 64);
}

/* Tasks of level 0 that may yield need more free blocks than there are levels below: 3. */
static void test_pool(void **state)
{
    (void)state;
    make_run(5);
    put(0, 64 * 9);
    assert_int_equal(choose(), 1);
    expect_choice(0, 0, 2 * 64);
    run.dispatch.wavefronts = 2;
    dispatch(0, 128);
    assert_int_equal(choose(), 0);
    put(3, 64 * 9); /* the deepest level may take all of them */
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 3 * 64);
    run.used_blocks = 1; /* what the device said, of packets that are not complete */
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 4 * 64);
    /* Without waiting wavefronts nothing says how many of a packet's have ended. */
    run.dispatch.wavefronts = 6;
    run.used_blocks = UINT32_MAX;
    assert_int_equal(choose(), 0);
}

/* Wavefronts that count as in flight and as yielded, and ended ones of packets that have not: more
 * than there are blocks, so that none is known to be free. */
static void test_pool_counted_twice(void **state)
{
    (void)state;
    make_run(5);
    put(3, 64 * 9);
    run.dispatch.wavefronts = 9;
    run.used_blocks = 7;
    assert_int_equal(choose(), 0);
    run.used_blocks = 5;
    assert_int_equal(choose(), 0);
    run.used_blocks = 4;
    assert_int_equal(choose(), 1);
    expect_choice(0, 3, 64);
}

/* Nothing new where wavefronts wait. */
static void test_waiters(void **state)
{
    (void)state;
    make_run(64);
    put(1, 64);
    channels[1].yielded = 1;
    put(LEVELS + 1, 2);
    assert_int_equal(choose(), 1);
    expect_choice(0, LEVELS + 1, 2);
}

/* ---- whole runs ---- */

#define BLOCKS_MAX 64
#define WAVES_MAX  512
#define DEPTH_MAX  24

struct task {
    uint64_t result;
    uint64_t n;
};

struct join {
    uint64_t result;
    uint64_t value[2];
};

struct wavefront {
    const struct sl_dispatch *packet;
    uint32_t first;
    uint32_t count;
    uint32_t joins; /* offset of the first one reserved */
    bool has_joins; /* the first talloc is done */
    bool is_used;
    bool has_block;
    bool has_yielded;
    uint32_t block;
};

static struct {
    struct test_graph graph;
    uint32_t levels;
    uint32_t blocks;
    uint32_t contexts;
    uint32_t resident;
    uint32_t random;
    bool is_block_used[BLOCKS_MAX];
    struct wavefront waves[WAVES_MAX];
    struct sl_dispatch packets[SL_DISPATCH_ENTRIES]; /* copies, by slot */
    bool is_packet_used[SL_DISPATCH_ENTRIES];
    uint32_t left[SL_DISPATCH_ENTRIES]; /* wavefronts that have not ended */
    uint64_t taken;
    uint64_t launched;
    uint64_t yields;
    uint64_t result;
} device;

static _Alignas(4096) struct sl_wave_state blocks[BLOCKS_MAX];

static uint32_t random_below(uint32_t limit)
{
    device.random ^= device.random << 13;
    device.random ^= device.random >> 17;
    device.random ^= device.random << 5;
    return device.random % limit;
}

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static void *element(const struct sl_channel *channel, uint32_t offset)
{
    return pointer(channel->data + (uint64_t)offset * channel->stride);
}

static bool has_space(const struct sl_channel *channel, uint32_t count)
{
    return channel->data_tail + count - channel->data_head <= channel->width;
}

static uint32_t reserve(struct sl_channel *channel, uint32_t count)
{
    const uint32_t offset = (uint32_t)(channel->data_tail & (channel->width - 1));
    channel->data_tail += count;
    return offset;
}

static void publish(struct sl_channel *channel, uint32_t offset)
{
    uint32_t *control = pointer(channel->control);
    control[channel->control_tail & (2 * channel->width - 1)] = offset;
    channel->control_tail++;
    channel->control_reserve++;
}

static uint32_t offset_of(const struct sl_channel *channel, const struct wavefront *wave,
                          uint32_t lane)
{
    const uint32_t *control = pointer(channel->control);
    return control[(wave->first + lane) & (2 * channel->width - 1)];
}

static void done(struct sl_channel *channel, uint32_t offset)
{
    uint32_t *counts = pointer(channel->done);
    memset(element(channel, offset), 0xee, channel->stride); /* nobody may read it any more */
    counts[(offset & (channel->width - 1)) >> channel->done_shift]++;
}

static void yield_on(struct wavefront *wave, uint32_t resource, uint32_t demand)
{
    struct sl_yield *ring = pointer(*mock_register(SL_REG_YIELD_BASE));
    const uint64_t tail = (*mock_register(SL_REG_YIELD_TAIL))++;
    ring[tail % SL_YIELD_ENTRIES] = (struct sl_yield){
        .block = (uintptr_t)&blocks[wave->block],
        .resource = resource,
        .demand = demand,
        .channel = wave->packet->channel,
    };
    wave->has_yielded = true;
    device.resident--;
    device.yields++;
}

static void end_wave(struct wavefront *wave)
{
    const uint32_t slot = (uint32_t)(wave->packet - device.packets);
    device.is_block_used[wave->block] = false;
    device.resident--;
    wave->is_used = false;
    if (--device.left[slot] > 0) {
        return;
    }
    struct sl_completion *ring = pointer(*mock_register(SL_REG_COMPLETION_BASE));
    const uint64_t tail = (*mock_register(SL_REG_COMPLETION_TAIL))++;
    const struct sl_dispatch *packet = &device.packets[slot];
    ring[tail % SL_COMPLETION_ENTRIES] = (struct sl_completion){
        .id = packet->id,
        .channel = packet->channel,
        .elements = packet->count,
        .wavefronts = (packet->count + 63) / 64,
    };
    device.is_packet_used[slot] = false;
}

/* fib_spawn of tests/programs/cilk_fib_kernel.c; the lanes' elements one after the other. */
static void step_spawn(struct wavefront *wave)
{
    struct sl_channel *all = device.graph.channels;
    const uint32_t id = wave->packet->channel;
    struct sl_channel *own = &all[id];
    struct sl_channel *joins = &all[id + device.levels];
    uint32_t spawning = 0;

    for (uint32_t lane = 0; lane < wave->count; lane++) {
        spawning += ((struct task *)element(own, offset_of(own, wave, lane)))->n > 2;
    }
    if (spawning > 0 && !wave->has_joins) {
        if (!has_space(joins, spawning)) {
            yield_on(wave, id + device.levels, spawning);
            return;
        }
        wave->joins = reserve(joins, spawning);
        wave->has_joins = true;
    }
    if (spawning > 0 && !has_space(&all[id + 1], 2 * spawning)) {
        yield_on(wave, id + 1, 2 * spawning);
        return;
    }
    for (uint32_t lane = 0, spawned = 0; lane < wave->count; lane++) {
        const uint32_t offset = offset_of(own, wave, lane);
        const struct task task = *(struct task *)element(own, offset);
        if (task.n <= 2) {
            *(uint64_t *)pointer(task.result) = 1;
        } else {
            const uint32_t at = (wave->joins + spawned++) & (joins->width - 1);
            struct join *join = element(joins, at);
            join->result = task.result;
            for (uint32_t i = 0; i < 2; i++) {
                const uint32_t child = reserve(&all[id + 1], 1);
                *(struct task *)element(&all[id + 1], child) =
                    (struct task){(uintptr_t)&join->value[i], task.n - 1 - i};
                publish(&all[id + 1], child);
            }
            publish(joins, at);
        }
        done(own, offset);
    }
    end_wave(wave);
}

static void step_sync(struct wavefront *wave)
{
    struct sl_channel *own = &device.graph.channels[wave->packet->channel];
    for (uint32_t lane = 0; lane < wave->count; lane++) {
        const uint32_t offset = offset_of(own, wave, lane);
        const struct join join = *(struct join *)element(own, offset);
        *(uint64_t *)pointer(join.result) = join.value[0] + join.value[1];
        done(own, offset);
    }
    end_wave(wave);
}

static bool take_block(struct wavefront *wave)
{
    for (uint32_t i = 0; i < device.blocks; i++) {
        if (!device.is_block_used[i]) {
            device.is_block_used[i] = true;
            wave->block = i;
            wave->has_block = true;
            device.launched++;
            return true;
        }
    }
    return false;
}

/* Gives a random wavefront a context, if one is free, and runs it to its end or its yield. */
static void step(void)
{
    const uint32_t from = random_below(WAVES_MAX);
    for (uint32_t i = 0; i < WAVES_MAX; i++) {
        struct wavefront *wave = &device.waves[(from + i) % WAVES_MAX];
        if (wave->is_used && !wave->has_yielded && (wave->has_block || take_block(wave))) {
            device.resident++;
            if (wave->packet->channel < device.levels) {
                step_spawn(wave);
            } else {
                step_sync(wave);
            }
            return;
        }
    }
}

static uint64_t active(void)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < WAVES_MAX; i++) {
        count += device.waves[i].is_used && !device.waves[i].has_yielded;
    }
    return count;
}

static void take_channel_packet(const struct sl_dispatch *packet)
{
    uint32_t slot = 0;
    while (device.is_packet_used[slot]) {
        slot++;
        assert_true(slot < SL_COMPLETION_ENTRIES);
    }
    device.is_packet_used[slot] = true;
    device.packets[slot] = *packet;
    for (uint32_t first = 0; first < packet->count; first += 64) {
        uint32_t i = 0;
        while (device.waves[i].is_used) {
            i++;
            assert_true(i < WAVES_MAX);
        }
        const uint32_t left = packet->count - first;
        device.waves[i] = (struct wavefront){.packet = &device.packets[slot],
                                             .first = packet->first + first,
                                             .count = left < 64 ? left : 64,
                                             .is_used = true};
        device.left[slot]++;
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < WAVES_MAX; i++) {
        used += device.waves[i].is_used;
    }
    assert_true(used <= device.blocks); /* each finds a block */
}

static void take_restart(uint64_t block)
{
    for (uint32_t i = 0; i < WAVES_MAX; i++) {
        struct wavefront *wave = &device.waves[i];
        if (wave->is_used && wave->has_yielded && (uintptr_t)&blocks[wave->block] == block) {
            wave->has_yielded = false;
            return;
        }
    }
    fail_msg("restart of a block of which no wavefront has yielded");
}

static void before_read(uint32_t reg)
{
    *mock_register(SL_REG_TIME_PS) += 20000;
    if (reg == SL_REG_ACTIVE) {
        *mock_register(SL_REG_ACTIVE) = active();
    } else if (reg == SL_REG_COMPLETION_TAIL || reg == SL_REG_YIELD_TAIL) {
        for (uint32_t i = random_below(4); i > 0; i--) {
            step();
        }
    }
}

static void after_write(uint32_t reg, uint64_t value)
{
    if (reg == SL_REG_RESET) {
        *mock_register(SL_REG_DISPATCH_TAIL) = 0;
        *mock_register(SL_REG_COMPLETION_TAIL) = 0;
        *mock_register(SL_REG_YIELD_TAIL) = 0;
        *mock_register(SL_REG_FAULT_TAIL) = 0;
    } else if (reg == SL_REG_DISPATCH_TAIL) {
        const struct sl_dispatch *ring = pointer(*mock_register(SL_REG_DISPATCH_BASE));
        assert_true(value - device.taken <= SL_DISPATCH_ENTRIES);
        for (; device.taken < value; device.taken++) {
            const struct sl_dispatch *packet = &ring[device.taken % SL_DISPATCH_ENTRIES];
            if (packet->kind == SL_DISPATCH_RESTART) {
                take_restart(packet->kernel);
            } else {
                take_channel_packet(packet);
            }
        }
    }
}

static struct sl_message_agg execute(uint32_t n, uint32_t width, uint32_t joins_width,
                                     uint32_t pool, uint32_t seed, uint32_t flags)
{
    struct test_channel made[2 * DEPTH_MAX];
    struct sl_edge edges[2 * DEPTH_MAX];
    struct machine machine;
    struct sl_message_agg answer = {0};
    const uint32_t levels = n <= 2 ? 1 : n - 1;

    mock_reset();
    memset(&device, 0, sizeof device);
    for (uint32_t i = 0; i < levels; i++) {
        made[i] = (struct test_channel){
            .width = width, .stride = 16, .done_shift = 6, .fan_out = 2, .flags = flags};
        made[levels + i] = (struct test_channel){.width = joins_width,
                                                 .stride = 24,
                                                 .done_shift = 6,
                                                 .fan_out = 1,
                                                 .kernel = 1,
                                                 .flags = flags};
        edges[i] = (struct sl_edge){.channel = i, .fan_out = 2, .level_offset = 1};
        edges[levels + i] = (struct sl_edge){.channel = levels + i, .fan_out = 1};
    }
    device.graph = test_graph_make(made, 2 * levels, 2, edges, 2 * levels, 64);
    device.graph.graph->scheduler = SL_SCHEDULER_LEVELIZED;
    device.graph.kernels[0].flags = SL_KERNEL_YIELDS;
    for (uint32_t i = 0; i < 2 * levels; i++) {
        device.graph.channels[i].role = i < levels ? SL_ROLE_PRE_SPAWN : SL_ROLE_POST_SYNC;
        device.graph.channels[i].level = i % levels;
        device.graph.channels[i].levels = levels;
    }
    device.levels = levels;
    device.blocks = pool;
    device.random = seed * 2654435761u + 1;
    *(struct task *)element(&device.graph.channels[0], reserve(&device.graph.channels[0], 1)) =
        (struct task){(uintptr_t)&device.result, n};
    publish(&device.graph.channels[0], 0);
    mock.before_read = before_read;
    mock.after_write = after_write;
    *mock_register(SL_REG_HEAP_BASE) = device.graph.limits.heap_base;
    *mock_register(SL_REG_HEAP_LIMIT) = device.graph.limits.heap_limit;
    *mock_register(SL_REG_LANES) = 64;
    *mock_register(SL_REG_POOL_BLOCKS) = pool;
    *mock_register(SL_REG_WAIT_LIMIT_PS) = 50000000;
    run_machine_init(&machine);
    run_graph(&machine, (uintptr_t)device.graph.graph, &answer);
    return answer;
}

static uint64_t fib(uint64_t n)
{
    uint64_t a = 1;
    uint64_t b = 1;
    for (; n > 2; n--) {
        const uint64_t next = a + b;
        a = b;
        b = next;
    }
    return b;
}

/* With channels that hold all, the wavefronts are those of each level rounded up, whatever the
 * order in which they end. */
static void test_counts(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        const struct sl_message_agg answer = execute(15, 4096, 4096, BLOCKS_MAX, seed, 0);
        assert_int_equal(answer.type, SL_AGG_COMPLETE);
        assert_int_equal(device.result, fib(15));
        assert_int_equal(device.yields, 0);
        assert_int_equal(answer.argument[0], 3 * fib(15) - 2);
        uint64_t wavefronts = 0;
        for (uint32_t i = 0; i < 2 * device.levels; i++) {
            wavefronts += (device.graph.channels[i].control_tail + 63) / 64;
        }
        assert_int_equal(device.launched, wavefronts);
        first = seed == 1 ? wavefronts : first;
        assert_int_equal(wavefronts, first);
    }
}

/* Narrow channels and few blocks: right, no deadlock, nothing left behind. */
static void test_narrow(void **state)
{
    (void)state;
    uint64_t yields = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        const uint32_t n = 1 + seed % 19;
        const uint32_t least = n <= 2 ? 1 : n - 1;
        const uint32_t pool = seed % 3 == 0 ? least : least + random_below(20) + 1;
        const struct sl_message_agg answer = execute(n, 256, 128, pool, seed, 0);
        assert_int_equal(answer.type, SL_AGG_COMPLETE);
        assert_int_equal(device.result, fib(n));
        assert_int_equal(active(), 0);
        for (uint32_t i = 0; i < 2 * device.levels; i++) {
            const struct sl_channel *channel = &device.graph.channels[i];
            assert_int_equal(channel->control_head, channel->control_tail);
            assert_int_equal(channel->data_head, channel->data_tail & ~63ull);
        }
        yields += device.yields;
    }
    assert_true(yields > 0);
}

/* Below the width rule: an error that says what is short, not silence. */
static void test_stuck(void **state)
{
    (void)state;
    const struct sl_message_agg answer = execute(16, 64, 64, 32, 5, SL_CHANNEL_NARROW);
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_STUCK);
    assert_true(answer.argument[0] < device.levels); /* tasks of some level */
    assert_true(answer.argument[1] > answer.argument[2]);
    assert_true(answer.argument[3] >= 1);
}

static void test_pool_refused(void **state)
{
    (void)state;
    const struct sl_message_agg answer = execute(10, 256, 128, 8, 5, 0);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, SL_REFUSE_POOL);
    assert_int_equal(answer.argument[0], 8);
    assert_int_equal(answer.argument[1], 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_outputs_plain),
        cmocka_unit_test(test_polls_busy),
        cmocka_unit_test(test_last_poll),
        cmocka_unit_test(test_settles),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_full_wide),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_continuations_wait),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_pool_counted_twice),
        cmocka_unit_test(test_waiters),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_pool_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
