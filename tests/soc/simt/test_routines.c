/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channel routines of hal/kernel on the compute units, without firmware: the test itself fills
 * the source channel, launches wavefronts and looks at what is in memory afterwards.
 *
 * Random tasks with fixed seeds: lanes that take part or not, counts from -1 to the fan-out, target
 * channels that differ between lanes, channels that run full, counters that start near 2^64 and
 * near a wrap, elements whose size is no power of two. Whatever the order of wavefronts, it must
 * hold that reservations are disjoint and inside the channel, that exactly the allocated elements
 * are published, each once, with their contents, that a channel refuses a wavefront (or a lane,
 * where each reserves for itself) as a whole, and that done counts add up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "common/fixture.h"
#include "host/driver/code/elf.h"
#include "simt/gpu.h"
#include "sluice/codes.h"
#include "sluice/config.h"
#include "sluice/stamp.h"
#include "soc/common/kernel_file.h"
#include "soc/simt/routine_tasks.h"

#define CHANNELS 4 /* channel 0 is the source */
#define NO_EDGE  3 /* of these, in the tests of traps */
#define TASKS    256
#define FAN_OUT  4
#define GROUP    8u

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct gpu *gpu;
    uint64_t next; /* free memory in the heap */
    struct sl_graph *graph;
    struct sl_channel *channels;
    uint64_t limits; /* of the kernel, an entry for each channel */
    struct sl_elf elf;
    uint32_t waves_ended;
    uint32_t faults;
    struct sl_fault fault;
    uint32_t yields;
    uint64_t demanded[CHANNELS]; /* by the last yield on each */
};

static uint64_t random_state;
static bool is_stamped; /* all channels of the next machine, and its kernels */

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static void *at(const struct machine *m, uint64_t address)
{
    return dram_at(&m->dram, address);
}

static uint64_t take(struct machine *m, uint64_t bytes)
{
    uint64_t address = m->next;
    m->next = (m->next + bytes + 63) / 64 * 64;
    assert_true(m->next <= m->layout.heap_limit);
    memset(at(m, address), 0, bytes);
    return address;
}

static void on_end(void *owner, const struct wave *wave)
{
    (void)wave;
    ((struct machine *)owner)->waves_ended++;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    struct machine *m = owner;
    if (m->faults++ == 0) {
        m->fault = *fault;
    }
}

/* The aggregator of stamped channels: moves the tail over what is stamped. */
static void take_stamped(struct machine *m, struct sl_channel *channel)
{
    uint32_t entries = 1;

    while (channel->stamps != 0 && entries > 0) {
        uint64_t *const stamps = at(m, channel->stamps);
        const uint64_t stamp = *sl_stamp_at(stamps, channel->width, channel->number);
        entries = sl_stamped_entries(stamp, channel->number, channel->width);
        channel->control_tail += entries;
        channel->number = entries > 0 ? sl_stamp_next(stamp) : channel->number;
    }
}

/* Whether all that was reserved is published. */
static void check_all_published(struct machine *m, struct sl_channel *channel)
{
    take_stamped(m, channel);
    assert_int_equal(channel->control_reserve,
                     channel->stamps != 0 ? channel->number : channel->control_tail);
}

/* The aggregator of test_yield: the channel is drained, and the wavefront goes on. The wavefront is
 * alone, so that all that is in the channel is published. */
static void on_yield(void *owner, struct wave *wave)
{
    struct machine *m = owner;
    struct sl_channel *channel = &m->channels[wave->yield_resource];
    const uint64_t block = wave->private_base - m->layout.save_area_bytes;

    assert_in_range(wave->yield_resource, 1, CHANNELS - 1);
    assert_true(channel->data_tail + wave->yield_demand - channel->data_head > channel->width);
    check_all_published(m, channel);
    m->demanded[wave->yield_resource] = wave->yield_demand;
    m->yields++;
    yield_release(wave);
    if (random_below(2) == 0) { /* else it is restarted for nothing */
        channel->data_head = channel->data_tail;
    }
    restart_wave(&m->gpu->cus[0], pool_find_yielded(&m->gpu->pool, block));
}

static void load(struct machine *m)
{
    kernel_file_open(&m->elf, is_stamped ? "routines_stamped.elf" : "routines.elf", &m->dram);
    uint64_t table = take(m, kernel_file_table_bytes(&m->elf));
    uint64_t program = take(m, sizeof(struct sl_program));
    *(struct sl_program *)at(m, program) = kernel_file_analyse(&m->elf, &m->dram, table);
    assert_int_equal(gpu_load_program(m->gpu, program), 0);
}

static struct machine *machine_create(uint32_t lanes, const char *cus)
{
    struct machine *m = calloc(1, sizeof *m);
    char wavefront[32];
    char simd[32];
    assert_non_null(m);
    (void)snprintf(wavefront, sizeof wavefront, "gpu.lanes=%u", lanes);
    (void)snprintf(simd, sizeof simd, "gpu.simd_lanes=%u", lanes < 16 ? lanes : 16);
    const char *const settings[] = {
        wavefront, simd, cus,
        random_below(2) == 0 ? "gpu.yield_saves=used" : "gpu.yield_saves=live", NULL};
    fixture_configure(&m->config, NULL, settings);
    m->next = SL_HEAP_BASE;
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    m->gpu->env.listener.wave_yielded = on_yield;
    load(m);
    m->gpu->env.graph = take(m, sizeof(struct sl_graph) + CHANNELS * sizeof(struct sl_channel));
    m->graph = at(m, m->gpu->env.graph);
    m->channels = (struct sl_channel *)(m->graph + 1);
    m->graph->magic = SL_GRAPH_MAGIC;
    m->graph->channel_count = CHANNELS;
    m->limits = take(m, CHANNELS * sizeof(struct sl_limit));
    fixture_begin(m->gpu);
    return m;
}

static void machine_destroy(struct machine *m)
{
    fixture_destroy(m->gpu);
    sl_elf_close(&m->elf);
    free(m);
}

/* What the kernel's edges say of a channel. */
static struct sl_limit *limit(const struct machine *m, uint32_t id)
{
    return (struct sl_limit *)at(m, m->limits) + id;
}

static void make_channel(struct machine *m, uint32_t id, uint32_t width, uint32_t stride,
                         uint64_t first, uint32_t reservation)
{
    m->channels[id] = (struct sl_channel){
        .data = take(m, (uint64_t)(width + FAN_OUT - 1) * stride),
        .control = take(m, 2ull * width * sizeof(uint32_t)),
        .done = take(m, width / GROUP * sizeof(uint32_t)),
        .width = width,
        .stride = stride,
        .slack = FAN_OUT - 1,
        .done_shift = 3,
        .fan_out = FAN_OUT,
        .reservation = reservation,
        .stride_reciprocal = SL_STRIDE_RECIPROCAL(stride),
        .data_tail = first,
        .data_head = first,
        .control_reserve = first,
        .control_tail = first,
        .control_head = first,
    };
    if (is_stamped) {
        m->channels[id].stamps = take(m, sl_stamp_count(width) * sizeof(uint64_t));
        m->channels[id].number = (uint32_t)first;
        m->channels[id].control_reserve = (uint32_t)first;
    }
    *limit(m, id) = (struct sl_limit){FAN_OUT, reservation};
}

/* Puts tasks into the source channel, element i at control entry i. */
static struct routines_task *make_source(struct machine *m)
{
    make_channel(m, 0, TASKS, sizeof(struct routines_task), 0, SL_RESERVE_WAVEFRONT);
    uint32_t *control = at(m, m->channels[0].control);
    for (uint32_t i = 0; i < TASKS; i++) {
        control[i] = TASKS - 1 - i; /* offsets need not be in order */
    }
    return at(m, m->channels[0].data);
}

static void launch(struct machine *m, const char *kernel, uint32_t first, uint32_t count,
                   uint64_t argument0, uint64_t argument1)
{
    struct wave_launch launch = {
        .pc = kernel_file_entry(&m->elf, kernel),
        .channel = 0,
        .first = first,
        .index_mask = 2 * TASKS - 1,
        .count = count,
        .argument_count = 2,
        .arguments = {argument0, argument1},
        .limits = m->limits,
        .limit_count = CHANNELS,
    };
    uint32_t cu = random_below(m->gpu->cu_count);
    while (m->gpu->cus[cu].resident == m->gpu->cus[cu].shape.contexts) {
        cu = (cu + 1) % m->gpu->cu_count;
    }
    cu_launch(&m->gpu->cus[cu], &launch);
}

static void run(struct machine *m, uint32_t waves)
{
    for (uint64_t cycle = 0; m->waves_ended < waves && m->faults == 0; cycle += 100) {
        assert_true(cycle < 10000000);
        fixture_run(m->gpu, cycle);
    }
    m->counters = gpu_counters(m->gpu);
}

/* Elements that lanes reserved for themselves and gave back unused when others found no space. */
static uint64_t given_back(const struct machine *m, uint32_t id)
{
    const uint32_t *done = at(m, m->channels[id].done);
    uint64_t count = 0;
    for (uint32_t group = 0; group < m->channels[id].width / GROUP; group++) {
        count += done[group];
    }
    assert_true(count == 0 || m->channels[id].reservation == SL_RESERVE_WORKITEM);
    return count;
}

/* The elements that a channel has published, checked against the log. Returns how many. */
static uint64_t check_published(struct machine *m, uint32_t id, uint64_t first,
                                const struct routines_task *by_number,
                                const struct routines_log *log)
{
    const struct sl_channel *channel = &m->channels[id];
    const uint32_t *control = at(m, channel->control);
    uint8_t seen[TASKS][FAN_OUT] = {{0}};
    check_all_published(m, &m->channels[id]);
    uint64_t count = channel->control_tail - first;

    assert_int_equal(channel->data_tail - first, count + given_back(m, id));
    assert_true(count <= channel->width);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t offset = control[(first + i) & (2 * channel->width - 1)];
        assert_true(offset < channel->width + channel->slack);
        const uint32_t *element = at(m, channel->data + (uint64_t)offset * channel->stride);
        uint32_t number = (*element - 1) / 16;
        uint32_t k = (*element - 1) % 16;
        assert_true(number < TASKS && k < (uint32_t)by_number[number].count);
        assert_int_equal(by_number[number].channel, id);
        assert_int_equal((uintptr_t)log[number].elements + (uint64_t)k * channel->stride,
                         channel->data + (uint64_t)offset * channel->stride);
        assert_int_equal(seen[number][k]++, 0);
    }
    return count;
}

/* All or nothing: of a wavefront's lanes on one channel, and only where it could not hold them.
 * Where each lane reserves for itself, all or nothing of the lane's own elements. */
static void check_refusals(const struct machine *m, uint32_t id, uint64_t held,
                           const struct routines_task *by_number, const struct routines_log *log)
{
    for (int n = 0; n < TASKS; n++) {
        if (!by_number[n].is_active || by_number[n].channel != (int)id || by_number[n].count <= 0 ||
            log[n].elements != NULL) {
            continue;
        }
        if (m->channels[id].reservation == SL_RESERVE_WORKITEM) {
            assert_true(held + (uint64_t)by_number[n].count > m->channels[id].width);
            continue;
        }
        uint64_t demand = 0;
        for (int other = 0; other < TASKS; other++) {
            if (log[other].wavefront == log[n].wavefront && by_number[other].is_active &&
                by_number[other].channel == (int)id && by_number[other].count > 0) {
                demand += (uint64_t)by_number[other].count;
                assert_null(log[other].elements);
            }
        }
        assert_true(held + demand > m->channels[id].width);
    }
}

static void random_tasks(struct routines_task *tasks, uint32_t subset, uint32_t same)
{
    for (uint32_t i = 0; i < TASKS; i++) {
        tasks[i] = (struct routines_task){
            .number = (int)i,
            .is_active = random_below(4) < subset,
            .channel = 1 + (int)random_below(random_below(4) < same ? 1 : CHANNELS - 1),
            .count = (int)random_below(FAN_OUT + 2) - 1,
        };
    }
}

static void one_pass(uint64_t seed)
{
    static const uint32_t lanes[] = {64, 32, 4};
    static const char *cus[] = {"gpu.cus=1", "gpu.cus=4"};
    static const uint64_t firsts[] = {0, 61, (uint64_t)0 - 40, 1000000007};
    static const uint32_t strides[] = {4, 12, 64, 20, 40, 4092};
    static const uint32_t reservations[] = {SL_RESERVE_WAVEFRONT, SL_RESERVE_WORKITEM};
    random_state = seed;
    struct machine *m = machine_create(lanes[random_below(3)], cus[random_below(2)]);
    struct routines_task *tasks = make_source(m);
    uint64_t first[CHANNELS];
    for (uint32_t id = 1; id < CHANNELS; id++) {
        first[id] = firsts[random_below(4)];
        make_channel(m, id, 64u << random_below(4), strides[random_below(6)], first[id],
                     is_stamped ? SL_RESERVE_WAVEFRONT : reservations[random_below(2)]);
    }
    random_tasks(tasks, 1 + random_below(4), random_below(5));
    uint64_t log_address = take(m, TASKS * sizeof(struct routines_log));
    struct routines_log *log = at(m, log_address);

    uint32_t waves = 0;
    for (uint32_t done = 0; done < TASKS; waves++) {
        uint32_t count = random_below(2) ? m->gpu->cus[0].shape.lanes
                                         : 1 + random_below(m->gpu->cus[0].shape.lanes);
        count = count < TASKS - done ? count : TASKS - done;
        launch(m, "routines_pass", done, count, log_address, 0);
        done += count;
        if (waves % 16 == 15) {
            run(m, waves + 1);
        }
    }
    run(m, waves);
    assert_int_equal(m->faults, 0);

    uint64_t expected = 0;
    for (uint32_t n = 0; n < TASKS; n++) {
        expected += log[n].elements == NULL ? 0 : (uint64_t)tasks[n].count;
        assert_true(tasks[n].is_active || log[n].elements == NULL);
        assert_true(tasks[n].count > 0 || log[n].elements == NULL);
    }
    uint64_t published = 0;
    for (uint32_t id = 1; id < CHANNELS; id++) {
        uint64_t held = check_published(m, id, first[id], tasks, log);
        check_refusals(m, id, held, tasks, log);
        published += held;
    }
    assert_int_equal(published, expected);
    const uint32_t *counts = at(m, m->channels[0].done);
    for (uint32_t group = 0; group < TASKS / GROUP; group++) {
        assert_int_equal(counts[group], GROUP);
    }
    machine_destroy(m);
}

TEST(test_random)
{
    unsigned seeds = getenv("SLUICE_TEST_LONG") == NULL ? 60 : 2000;
    for (unsigned seed = 0; seed < seeds; seed++) {
        one_pass(seed);
    }
}

TEST(test_random_stamped)
{
    is_stamped = true;
    test_random(state);
    is_stamped = false;
}

/* The compare-and-swaps of one full wavefront on one channel, for talloc and enq together. */
static void count_cas(uint32_t reservation, uint64_t attempts, uint64_t failures)
{
    struct machine *m = machine_create(64, "gpu.cus=1");
    struct routines_task *tasks = make_source(m);
    make_channel(m, 1, 256, 4, 0, reservation);
    for (int i = 0; i < TASKS; i++) {
        tasks[i] = (struct routines_task){.number = i, .is_active = 1, .channel = 1, .count = 2};
    }
    m->gpu->env.cas_base = m->gpu->env.graph + sizeof(struct sl_graph);
    m->gpu->env.cas_limit = m->gpu->env.cas_base + CHANNELS * sizeof(struct sl_channel);
    launch(m, "routines_trap", 0, 64, 0, 0);
    run(m, 1);
    assert_int_equal(m->faults, 0);
    assert_int_equal(m->counters.cas_attempts, attempts);
    assert_int_equal(m->counters.cas_failures, failures);
    check_all_published(m, &m->channels[1]);
    assert_int_equal(m->channels[1].control_tail, 128);
    assert_int_equal(m->counters.unreconverged_branches, 0);
    machine_destroy(m);
}

/* For the whole wavefront one each. Each lane by itself: all try, the first one succeeds, the other
 * 63 try again, and so on: 64 + 63 + ... + 1 = 2080 attempts each, of which 64 succeed. */
TEST(test_cas)
{
    count_cas(SL_RESERVE_WAVEFRONT, 2, 0);
    count_cas(SL_RESERVE_WORKITEM, 4160, 4160 - 128);
    is_stamped = true; /* enq adds */
    count_cas(SL_RESERVE_WAVEFRONT, 1, 0);
    is_stamped = false;
}

/* A trap: code, and both operands in the lowest lane. */
static void trap_of(uint32_t reservation, struct routines_task task, enum sl_trap_code code,
                    uint64_t a, uint64_t b)
{
    struct machine *m = machine_create(64, "gpu.cus=1");
    struct routines_task *tasks = make_source(m);
    make_channel(m, 1, 64, 12, 0, reservation);
    make_channel(m, 2, 64, 12, 0, reservation);
    limit(m, 2)->fan_out = 2; /* where others may have FAN_OUT */
    make_channel(m, NO_EDGE, 64, 12, 0, reservation);
    *limit(m, NO_EDGE) = (struct sl_limit){0, SL_RESERVE_NONE};
    for (int i = 0; i < TASKS; i++) {
        tasks[i] = task;
    }
    uint32_t lanes = code == SL_TRAP_CHANNEL_FULL ? 64 : 1;
    launch(m, "routines_trap", 0, lanes, 0, 0);
    run(m, 1);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->fault.code, SL_FAULT_TRAP);
    assert_int_equal(m->fault.trap, code);
    assert_int_equal(m->fault.value0, a);
    if (code != SL_TRAP_ELEMENT) {
        assert_int_equal(m->fault.value1, b);
    }
    machine_destroy(m);
}

static void traps(struct routines_task task, enum sl_trap_code code, uint64_t a, uint64_t b)
{
    trap_of(SL_RESERVE_WAVEFRONT, task, code, a, b);
    trap_of(SL_RESERVE_WORKITEM, task, code, a, b);
    is_stamped = true;
    trap_of(SL_RESERVE_WAVEFRONT, task, code, a, b);
    is_stamped = false;
}

/* 64 lanes want 128 elements of 64: the whole wavefront none, or half of the lanes by themselves.
 */
TEST(test_full)
{
    const struct routines_task two = {.channel = 1, .count = 2};
    trap_of(SL_RESERVE_WAVEFRONT, two, SL_TRAP_CHANNEL_FULL, 1, 128);
    trap_of(SL_RESERVE_WORKITEM, two, SL_TRAP_CHANNEL_FULL, 1, 64);
}

TEST(test_traps)
{
    traps((struct routines_task){.channel = CHANNELS, .count = 1}, SL_TRAP_CHANNEL_ID, CHANNELS,
          CHANNELS);
    traps((struct routines_task){.channel = -1, .count = 1}, SL_TRAP_CHANNEL_ID, UINT64_MAX,
          CHANNELS);
    traps((struct routines_task){.channel = 1, .count = FAN_OUT + 1}, SL_TRAP_FAN_OUT, 1,
          FAN_OUT + 1);
    traps((struct routines_task){.channel = 2, .count = 3}, SL_TRAP_FAN_OUT, 2, 3);
    traps((struct routines_task){.channel = 2, .count = INT32_MAX}, SL_TRAP_FAN_OUT, 2, INT32_MAX);
    traps((struct routines_task){.channel = NO_EDGE, .count = 1}, SL_TRAP_EDGE, NO_EDGE, 1);
    traps((struct routines_task){.channel = NO_EDGE, .count = INT32_MAX}, SL_TRAP_EDGE, NO_EDGE,
          INT32_MAX);
    traps((struct routines_task){.channel = 1, .count = 1, .wrong_count = 64 + FAN_OUT - 1},
          SL_TRAP_ELEMENT, 1, 0);
    traps((struct routines_task){.channel = 2, .count = 1, .wrong_count = 64 + 2 - 1},
          SL_TRAP_ELEMENT, 2, 0);
    /* So many that the sum of fan-out and width, less the count, is far below 0. */
    traps((struct routines_task){.channel = 1, .count = 1, .wrong_count = 64 + FAN_OUT},
          SL_TRAP_ELEMENT, 1, 0);
    traps((struct routines_task){.channel = 1, .count = 1, .wrong_count = INT32_MAX - 1},
          SL_TRAP_ELEMENT, 1, 0);
    /* An element of the channel that the kernel has no edge to, made for it by the test: enq. */
    traps((struct routines_task){.channel = 1, .count = 1, .enq_channel = NO_EDGE}, SL_TRAP_EDGE,
          NO_EDGE, 1);
    traps((struct routines_task){.channel = 1, .count = 0, .wrong_count = 1}, SL_TRAP_ELEMENT, 1,
          0); /* enq of NULL */
    traps((struct routines_task){.channel = 1, .count = 1, .wrong_bytes = 4}, SL_TRAP_ELEMENT, 1,
          0);
    traps((struct routines_task){.channel = 1, .count = 1, .wrong_bytes = -12}, SL_TRAP_ELEMENT, 1,
          0);
}

static uint64_t combine(int op, uint64_t a, uint64_t b)
{
    switch (op) {
    case SL_CROSS_ADD:
        return a + b;
    case SL_CROSS_MIN:
        return (int64_t)a < (int64_t)b ? a : b;
    case SL_CROSS_MAX:
        return (int64_t)a > (int64_t)b ? a : b;
    case SL_CROSS_MINU:
        return a < b ? a : b;
    case SL_CROSS_MAXU:
        return a > b ? a : b;
    case SL_CROSS_AND:
        return a & b;
    case SL_CROSS_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void check_lanes(const struct routines_lanes *out, uint64_t mask)
{
    static const uint64_t neutral[8] = {0, INT64_MAX, 1ull << 63, UINT64_MAX, 0, UINT64_MAX, 0, 0};
    uint64_t ballot = 0;
    uint64_t total[8];
    unsigned first = (unsigned)__builtin_ctzll(mask);
    memcpy(total, neutral, sizeof total);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(mask >> lane & 1)) {
            assert_int_equal(out[lane].lanes, 0); /* has not executed */
            continue;
        }
        uint64_t value = routines_lane_value(lane);
        ballot |= (value & 1) << lane;
        for (int op = 0; op < 8; op++) {
            assert_int_equal(out[lane].scan[op], total[op]);
            total[op] = combine(op, total[op], value);
        }
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        bool has_next = lane < 63 && mask >> (lane + 1) & 1;
        assert_int_equal(out[lane].lanes, 64);
        assert_int_equal(out[lane].cus, 1);
        assert_int_equal(out[lane].ballot, ballot);
        assert_int_equal(out[lane].elected, lane == first);
        assert_int_equal(out[lane].first, routines_lane_value(first));
        assert_int_equal(out[lane].shuffle, has_next ? routines_lane_value(lane + 1) : 0);
        assert_memory_equal(out[lane].reduce, total, sizeof total);
        assert_int_equal(out[lane].loaded, (uint32_t)routines_lane_value(lane));
        assert_int_equal(out[lane].added, out[lane].scan[SL_CROSS_ADD]); /* lanes in order */
    }
    assert_int_equal(out[0].sum, total[SL_CROSS_ADD]);
    assert_int_equal(out[0].count, __builtin_popcountll(mask));
}

TEST(test_lanes)
{
    static const uint64_t masks[] = {UINT64_MAX,         1,      1ull << 63,
                                     0xaaaaaaaaaaaaaaaa, 0xff00, 0x8000000100000002};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct machine *m = machine_create(64, "gpu.cus=1");
        (void)make_source(m);
        uint64_t out = take(m, 64 * sizeof(struct routines_lanes));
        launch(m, "routines_lanes", 0, 64, masks[i], out);
        run(m, 1);
        assert_int_equal(m->faults, 0);
        check_lanes(at(m, out), masks[i]);
        machine_destroy(m);
    }
}

/* sl_talloc_or_yield on channels that have little space or none: for any active lanes and for
 * channels that differ between them, each lane gets its elements, each once, and a channel is asked
 * for what the lanes with that channel want together. Where lanes reserve by themselves, those that
 * found space have given it back before the wavefront yields. */
static void yield_on(const uint32_t *reservations)
{
    uint32_t yields = 0;
    uint64_t back = 0;

    for (uint32_t seed = 1; seed <= 40; seed++) {
        random_state = seed;
        struct machine *m = machine_create(64, "gpu.cus=1");
        struct routines_task *tasks = make_source(m);
        const uint64_t first = 1000 * 8;
        const uint32_t spread = 1 + random_below(CHANNELS - 1);
        uint64_t wanted[CHANNELS] = {0};
        for (uint32_t id = 1; id < CHANNELS; id++) {
            make_channel(m, id, 256, 4 * id, first, reservations[id]);
            m->channels[id].data_head = first - 256 + random_below(100);
        }
        for (uint32_t n = 0; n < TASKS; n++) {
            tasks[n] = (struct routines_task){.number = (int32_t)n};
            if (n >= TASKS - 64 && random_below(4) > 0) { /* the lanes of the one wavefront */
                tasks[n].is_active = 1;
                tasks[n].channel = (int32_t)(1 + random_below(spread));
                tasks[n].count = (int32_t)(1 + random_below(FAN_OUT));
                wanted[tasks[n].channel] += (uint64_t)tasks[n].count;
            }
        }
        const uint64_t log = take(m, TASKS * sizeof(struct routines_log));
        launch(m, "routines_yield", 0, 64, log, 0);
        run(m, 1);
        assert_int_equal(m->faults, 0);
        for (uint32_t id = 1; id < CHANNELS; id++) {
            assert_int_equal(check_published(m, id, first, tasks, at(m, log)), wanted[id]);
            back += given_back(m, id);
            assert_true(m->demanded[id] == 0 || m->demanded[id] == wanted[id]);
        }
        assert_int_equal(m->counters.restarts, m->yields);
        yields += m->yields;
        machine_destroy(m);
    }
    assert_true(yields > 40);
    assert_int_equal(back > 0, reservations[1] == SL_RESERVE_WORKITEM);
}

TEST(test_yield)
{
    const uint32_t wavefront[CHANNELS] = {0};
    const uint32_t workitem[CHANNELS] = {0, SL_RESERVE_WORKITEM, SL_RESERVE_WORKITEM,
                                         SL_RESERVE_WORKITEM};
    const uint32_t mixed[CHANNELS] = {0, SL_RESERVE_WORKITEM, SL_RESERVE_WAVEFRONT,
                                      SL_RESERVE_WORKITEM};
    yield_on(wavefront);
    yield_on(workitem);
    yield_on(mixed);
    is_stamped = true;
    yield_on(wavefront);
    is_stamped = false;
}
