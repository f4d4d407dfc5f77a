/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The levelized scheduler and the yield manager: whole runs of the Cilk Fibonacci graph (papers/001
 * Figure 11) on a device that the test plays, wavefront by wavefront in random order, with
 * few blocks and narrow channels. */
#include <stdbool.h>
#include <string.h>

#include "common/check.h"
#include "graph/run.h"
#include "runs/runs.h"
#include "unit/common/firmware_graph.h"
#include "unit/firmware/firmware_mock.h"

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

/* fib_spawn of tests/workloads/fib/cilk_fib_kernel.c; the lanes' elements one after the other. */
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

/* Flags of the policy, of the next execution alone. */
static uint32_t policy_flags;

/* A bound of the kernel of tasks; 0: none. */
static uint32_t resident;

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
    device.graph.graph->policy_flags = policy_flags;
    policy_flags = 0;
    device.graph.kernels[0].flags = SL_KERNEL_YIELDS;
    device.graph.kernels[0].resident = resident;
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
    *mock_register(SL_REG_CUS) = 2;
    *mock_register(SL_REG_CONTEXTS) = 8;
    *mock_register(SL_REG_POOL_BLOCKS) = pool;
    *mock_register(SL_REG_WAIT_LIMIT_PS) = 50000000;
    run_machine_init(&machine);
    run_execute(&run_graph, &machine, (uintptr_t)device.graph.graph, 0, &answer);
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
 * order in which they end and when partial ones go. */
TEST(test_counts)
{
    uint64_t first = 0;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        policy_flags = seed % 2 == 0 ? SL_POLICY_DRAINED : 0;
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
TEST(test_narrow)
{
    uint64_t yields = 0;
    for (uint32_t seed = 1; seed <= 80; seed++) {
        policy_flags = seed % 4 == 0 ? SL_POLICY_DRAINED : 0;
        const uint32_t n = 1 + seed % 19;
        const uint32_t least = n <= 2 ? 2 : n; /* tasks, continuations at the end */
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

/* The same with bounds, the kernel's own from 1 on or one that is searched for: they delay. */
TEST(test_bounds)
{
    uint64_t yields = 0;
    for (uint32_t seed = 1; seed <= 80; seed++) {
        policy_flags = seed % 2 == 0 ? SL_POLICY_THROTTLE : 0;
        policy_flags |= seed % 8 < 2 ? SL_POLICY_DRAINED : 0;
        resident = seed % 4 == 0 ? 0 : 1 + seed % 9;
        const uint32_t n = 2 + seed % 18;
        const struct sl_message_agg answer = execute(n, 256, 128, n + seed % 20, seed, 0);
        assert_int_equal(answer.type, SL_AGG_COMPLETE);
        assert_int_equal(device.result, fib(n));
        assert_int_equal(active(), 0);
        yields += device.yields;
    }
    assert_true(yields > 0);
    policy_flags = 0;
    resident = 0;
}

/* Below the width rule: an error that says what is short, not silence. */
TEST(test_stuck)
{
    const struct sl_message_agg answer = execute(16, 64, 64, 32, 5, SL_CHANNEL_NARROW);
    assert_int_equal(answer.type, SL_AGG_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_STUCK);
    assert_true(answer.argument[0] < device.levels); /* tasks of some level */
    assert_true(answer.argument[1] > answer.argument[2]);
    assert_true(answer.argument[3] >= 1);
}

TEST(test_pool_refused)
{
    const struct sl_message_agg answer = execute(10, 256, 128, 9, 5, 0);
    assert_int_equal(answer.type, SL_AGG_REFUSED);
    assert_int_equal(answer.reason, SL_REFUSE_POOL);
    assert_int_equal(answer.argument[0], 9);
    assert_int_equal(answer.argument[1], 10);
}

/* Each channel has the reserve that the order of waiting gives it. Tasks of all 5 levels may wait,
 * for tasks of the next level or continuations of their own: one block for each deeper level, and
 * one for what cannot wait. Continuations do not yield. */
TEST(test_reserves)
{
    static struct sl_graph_scratch scratch;
    struct sl_graph_refusal refusal;
    struct machine machine;
    struct run run;
    (void)execute(6, 256, 128, 64, 1, 0);
    run_machine_init(&machine);
    const uint64_t address = (uintptr_t)device.graph.graph;
    assert_int_equal(run_graph.check(&machine, address, &refusal, &scratch), 0);
    run_graph.begin(&run, &machine, address, &scratch);
    assert_int_equal(run.channel_count, 10);
    for (uint32_t level = 0; level < 5; level++) {
        assert_int_equal(run.channels[level].reserve,
                         sl_graph_reserve(&scratch.order, &device.graph.channels[level]));
        assert_int_equal(run.channels[5 + level].reserve, 0);
    }
    assert_int_equal(run.channels[0].reserve, 5);
    assert_int_equal(run.channels[3].reserve, 2);
    assert_true(run.may_yield);
}
