/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer of reports, told of events that are made up here; what it has to leave is worked out
 * by hand. A bin is L = SL_REPORT_FIRST_PS long; all runs here are shorter than all bins. */
#include <stdlib.h>

#include "aggregator/core.h"
#include "common/check.h"
#include "observers/observers.h"
#include "sluice/config.h"
#include "sluice/layouts.h"

#define L             ((uint64_t)SL_REPORT_FIRST_PS)
#define GRAPH_ADDRESS (SL_HEAP_BASE + 64)
#define KERNEL        0x1000u
#define CYCLE_PS      1000u

static struct sl_config config;
static struct dram dram;
static struct mem_system memory;
static struct activity activity;
static struct agg_core core;

static struct sl_report *report;
static struct observer *observer;

static int setup(void **state)
{
    (void)state;
    sl_config_init(&config);
    config.number[SL_CFG_GPU_CUS] = 2;
    dram.size = SL_HEAP_BASE - SL_DRAM_BASE + SL_MIB(1);
    dram.bytes = calloc(1, dram.size);
    report = calloc(1, sizeof *report);
    assert_non_null(dram.bytes);
    assert_non_null(report);
    memory = (struct mem_system){.ops = NULL};
    memory.counters.dram_channels = 1;
    activity = (struct activity){0};
    core = (struct agg_core){.ops = NULL};
    const struct observer_parts parts = {
        .config = &config,
        .dram = &dram,
        .mem = &memory,
        .core = &core,
        .activity = &activity,
        .report = report,
    };
    assert_int_equal(obs_report_create(&parts, &observer), 0);
    assert_non_null(observer);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    observer->ops->destroy(observer);
    free(dram.bytes);
    free(report);
    return 0;
}

static void tell(struct obs_event event)
{
    assert_true((observer->ops->wants >> event.kind & 1) != 0);
    observer->ops->event(observer, &event);
}

static void tell_time(enum obs_kind kind, uint64_t time_ps)
{
    tell((struct obs_event){.kind = kind, .time_ps = time_ps});
}

static void phase(uint64_t time_ps, enum sl_phase phase)
{
    tell((struct obs_event){.kind = OBS_PHASE, .time_ps = time_ps, .phase = phase});
}

/* A wavefront of KERNEL on compute unit `cu`, in context 5, of channel 1. */
static struct obs_event of_wave(enum obs_kind kind, uint64_t time_ps, uint16_t cu)
{
    return (struct obs_event){
        .kind = kind,
        .time_ps = time_ps,
        .wave = {.kernel = KERNEL, .channel = 1, .context = 5, .cu = cu},
    };
}

static void enter(enum obs_kind kind, uint64_t time_ps, uint16_t cu, uint32_t lanes)
{
    struct obs_event event = of_wave(kind, time_ps, cu);
    event.life.lanes = lanes;
    tell(event);
}

static void leave(uint64_t time_ps, uint16_t cu, uint64_t instructions, uint64_t lanes)
{
    struct obs_event event = of_wave(OBS_LEAVE, time_ps, cu);
    event.leave.instructions = instructions;
    event.leave.lane_instructions = lanes;
    tell(event);
}

static uint64_t of_state(enum sl_report_state state, uint32_t bin)
{
    return report->series[SL_REPORT_CHANNEL + 1 * SL_REPORT_STATES + state][bin];
}

TEST_WITH(phases_fill_bins, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    phase(L / 4, SL_PHASE_POLL);
    phase(L / 2, SL_PHASE_POLL);
    phase(2 * L, SL_PHASE_DISPATCH);
    tell_time(OBS_END, 3 * L - 7);
    assert_int_equal(report->series[SL_REPORT_PHASE + SL_PHASE_OTHER][0], L / 4);
    assert_int_equal(report->series[SL_REPORT_PHASE + SL_PHASE_POLL][0], L - L / 4);
    assert_int_equal(report->series[SL_REPORT_PHASE + SL_PHASE_POLL][1], L);
    assert_int_equal(report->series[SL_REPORT_PHASE + SL_PHASE_DISPATCH][2], L - 7);
    assert_int_equal(report->end_ps, 3 * L - 7);
}

/* The core's counters go on: so many cycles more of each of two classes. */
static void count(uint64_t retiring, uint64_t device)
{
    core.counters.stack[SL_STACK_RETIRING] += retiring;
    core.counters.stack[SL_STACK_MEMORY_DEVICE] += device;
}

/* Two wavefronts on two compute units overlap; then another one has the GPU alone; twice. */
TEST_WITH(the_stack_of_blocked_time_is_that_without_a_wavefront, setup, teardown)
{
    for (uint64_t run = 1; run <= 2; run++) {
        core.counters = (struct agg_counters){0};
        tell_time(OBS_BEGIN, 0);
        count(10, 1);
        enter(OBS_LAUNCH, L, 0, 64);
        count(1000, 1000);
        enter(OBS_LAUNCH, 2 * L, 1, 64);
        count(1000, 1000);
        leave(3 * L, 0, 1, 64);
        count(1000, 1000);
        leave(4 * L, 1, 1, 64);
        count(20, 2);
        enter(OBS_RESTART, 5 * L, 1, 64);
        count(1000, 1000);
        leave(6 * L, 1, 1, 64);
        count(40, 4);
        assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_RETIRING], 70 * (run - 1));
        tell_time(OBS_END, 7 * L);
        assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_RETIRING], 70 * run);
        assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_MEMORY_DEVICE], 7 * run);
        assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_CORE_EXECUTE], 0);
    }
}

/* By phase, with and without a wavefront. An instruction that commits takes a cycle from its class,
 * where that got it, also if the phase has changed since. */
TEST_WITH(the_stack_is_by_phase, setup, teardown)
{
    const struct sl_report_stack *stack = &report->stack;

    core.counters = (struct agg_counters){0};
    tell_time(OBS_BEGIN, 0);
    count(10, 1);
    phase(L, SL_PHASE_POLL);
    count(20, 2);
    enter(OBS_LAUNCH, 2 * L, 0, 64);
    count(100, 30);
    phase(3 * L, SL_PHASE_DISPATCH);
    core.counters.stack[SL_STACK_RETIRING]++;
    core.counters.stack[SL_STACK_MEMORY_DEVICE]--;
    phase(4 * L, SL_PHASE_RETIRE);
    leave(5 * L, 0, 1, 64);
    count(40, 4);
    tell_time(OBS_END, 6 * L);
    assert_int_equal(stack->all[SL_PHASE_OTHER][SL_STACK_RETIRING], 10);
    assert_int_equal(stack->blocked[SL_PHASE_OTHER][SL_STACK_MEMORY_DEVICE], 1);
    assert_int_equal(stack->all[SL_PHASE_POLL][SL_STACK_RETIRING], 120);
    assert_int_equal(stack->blocked[SL_PHASE_POLL][SL_STACK_RETIRING], 20);
    assert_int_equal(stack->all[SL_PHASE_POLL][SL_STACK_MEMORY_DEVICE], 2 + 30 - 1);
    assert_int_equal(stack->blocked[SL_PHASE_POLL][SL_STACK_MEMORY_DEVICE], 2);
    assert_int_equal(stack->all[SL_PHASE_DISPATCH][SL_STACK_RETIRING], 1);
    assert_int_equal(stack->all[SL_PHASE_DISPATCH][SL_STACK_MEMORY_DEVICE], 0);
    assert_int_equal(stack->all[SL_PHASE_RETIRE][SL_STACK_RETIRING], 40);
    assert_int_equal(stack->blocked[SL_PHASE_RETIRE][SL_STACK_MEMORY_DEVICE], 4);
}

/* A run that ends early has wavefronts still. */
TEST_WITH(a_run_that_ends_with_a_wavefront_is_not_blocked_then, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    count(10, 1);
    enter(OBS_LAUNCH, L, 0, 64);
    count(1000, 1000);
    tell_time(OBS_END, 2 * L);
    assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_RETIRING], 10);
    assert_int_equal(report->stack.blocked[SL_PHASE_OTHER][SL_STACK_MEMORY_DEVICE], 1);
}

TEST_WITH(residence_is_integrated_by_unit_and_kernel, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    enter(OBS_LAUNCH, L / 2, 0, 64);
    enter(OBS_LAUNCH, L, 1, 10);
    tell(of_wave(OBS_YIELD, L + 100, 1));
    leave(L + 300, 1, 20, 200);
    leave(2 * L, 0, 100, 6400);
    enter(OBS_RESTART, 3 * L, 1, 10);
    leave(3 * L + 50, 1, 1, 3);
    tell_time(OBS_END, 4 * L);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][0], L / 2);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][1], L);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][2], 0);
    assert_int_equal(report->series[SL_REPORT_RESIDENT + 1][1], 300);
    assert_int_equal(report->series[SL_REPORT_RESIDENT + 1][3], 50);
    assert_int_equal(report->kernel_count, 1);
    assert_int_equal(report->kernels[0].kernel, KERNEL);
    assert_int_equal(report->kernels[0].wavefronts, 2);
    assert_int_equal(report->kernels[0].elements, 74);
    assert_int_equal(report->kernels[0].wave_instructions, 121);
    assert_int_equal(report->kernels[0].lane_instructions, 6603);
    assert_int_equal(report->kernels[0].resident_ps, L + L / 2 + 350);
    assert_int_equal(report->kernels[0].yields, 1);
    assert_int_equal(report->kernels[0].restarts, 1);
}

/* A run that a fault ends: nobody says that they leave. */
TEST_WITH(who_is_left_leaves_at_the_end, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    enter(OBS_LAUNCH, 0, 0, 64);
    tell_time(OBS_END, 2 * L);
    tell_time(OBS_BEGIN, 0);
    tell_time(OBS_END, L);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][0], L);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][1], L);
    assert_int_equal(report->series[SL_REPORT_RESIDENT][2], 0);
    assert_int_equal(report->kernel_count, 0);
}

/* Counted when they are asked for: of 12 lines that take L / 4 each, four fit each bin, though all
 * are known in bin 0, and two more queue behind them. */
TEST_WITH(dram_transfers_queue, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    tell_time(OBS_TICK, 0);
    memory.counters.dram_reads = 12;
    memory.counters.dram_busy_ps = 12 * (L / 4);
    tell_time(OBS_TICK, L);
    memory.counters.dram_reads = 14;
    memory.counters.dram_busy_ps = 14 * (L / 4);
    tell_time(OBS_TICK, 2 * L);
    tell_time(OBS_END, 5 * L);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(report->series[SL_REPORT_DRAM_BUSY][i], L);
        assert_int_equal(report->series[SL_REPORT_DRAM_READS][i], 4);
    }
    assert_int_equal(report->series[SL_REPORT_DRAM_BUSY][3], L / 2);
    assert_int_equal(report->series[SL_REPORT_DRAM_READS][3], 2);
    assert_int_equal(report->series[SL_REPORT_DRAM_READS][4], 0);
}

TEST_WITH(no_transfer_is_behind_the_end, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    memory.counters.dram_writes = 9;
    memory.counters.dram_busy_ps = 9 * L;
    tell_time(OBS_TICK, 10);
    tell_time(OBS_END, L);
    assert_int_equal(report->series[SL_REPORT_DRAM_WRITES][0], 9);
    assert_int_equal(report->series[SL_REPORT_DRAM_BUSY][0], 9 * L);
}

/* Known when it is accounted for, and then for all of that time. */
TEST_WITH(time_is_divided_as_it_is_accounted, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    tell_time(OBS_TICK, L);
    activity =
        (struct activity){.accounted_cycle = 4 * L / CYCLE_PS, .blocked_cycles = 4 * L / CYCLE_PS};
    tell_time(OBS_TICK, 4 * L);
    activity.accounted_cycle += 10;
    activity.active_cycles += 7;
    activity.stalled_cycles += 3;
    tell_time(OBS_END, 5 * L);
    uint64_t blocked = 0;
    uint64_t active = 0;
    uint64_t stalled = 0;
    for (uint32_t i = 0; i < SL_REPORT_BINS; i++) {
        blocked += report->series[SL_REPORT_BLOCKED][i];
        active += report->series[SL_REPORT_ACTIVE][i];
        stalled += report->series[SL_REPORT_STALLED][i];
    }
    assert_int_equal(blocked, 4 * L / CYCLE_PS * CYCLE_PS);
    assert_int_equal(active, 7 * CYCLE_PS);
    assert_int_equal(stalled, 3 * CYCLE_PS);
    /* Bin 0 is 1 of the 3.97 that are blocked, evenly. */
    assert_in_range(report->series[SL_REPORT_BLOCKED][0], L - 1, L);
    assert_in_range(report->series[SL_REPORT_BLOCKED][2], L - 1, L);
}

static struct sl_channel *put_graph(void)
{
    struct sl_graph *graph = dram_at(&dram, GRAPH_ADDRESS);
    graph->channel_count = 2;
    return (struct sl_channel *)dram_at(&dram, GRAPH_ADDRESS + sizeof *graph) + 1;
}

/* Of 100 elements that were in the channel before, all are through. Of 40 that come, 30 are
 * published, 20 launched, 12 of them ended; deallocated are 8. */
TEST_WITH(elements_are_in_one_state_each, setup, teardown)
{
    struct sl_channel *channel = put_graph();
    channel->data_tail = channel->data_head = channel->control_tail = channel->control_head = 100;
    tell_time(OBS_BEGIN, 0);
    tell((struct obs_event){.kind = OBS_GRAPH, .address = GRAPH_ADDRESS});
    tell_time(OBS_TICK, 0);
    channel->data_tail = 140;
    channel->control_tail = 130;
    channel->data_head = 108;
    enter(OBS_LAUNCH, 0, 0, 12);
    enter(OBS_LAUNCH, 0, 1, 8);
    tell(of_wave(OBS_YIELD, 10, 1));
    leave(20, 1, 0, 0); /* yielded: its elements have not ended */
    leave(20, 0, 0, 0);
    tell_time(OBS_TICK, L);
    channel->data_tail = channel->data_head;
    tell_time(OBS_END, 2 * L);
    assert_int_equal(of_state(SL_REPORT_WAITING, 0), 10 * L);
    assert_int_equal(of_state(SL_REPORT_READY, 0), 10 * L);
    assert_int_equal(of_state(SL_REPORT_DISPATCHED, 0), 8 * L);
    assert_int_equal(of_state(SL_REPORT_FINISHED, 0), 4 * L);
    for (unsigned i = 0; i < SL_REPORT_STATES; i++) {
        assert_int_equal(of_state(i, 1), 0);
    }
    assert_int_equal(report->channels, 2);
}

TEST_WITH(a_graph_that_is_none_has_no_channels, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    tell((struct obs_event){.kind = OBS_GRAPH, .address = GRAPH_ADDRESS + 4});
    tell((struct obs_event){.kind = OBS_GRAPH, .address = SL_DRAM_BASE + dram.size});
    ((struct sl_graph *)dram_at(&dram, GRAPH_ADDRESS))->channel_count = SL_GRAPH_CHANNELS + 1;
    tell((struct obs_event){.kind = OBS_GRAPH, .address = GRAPH_ADDRESS});
    enter(OBS_LAUNCH, 0, 0, 64);
    leave(L, 0, 0, 0);
    tell_time(OBS_END, L);
    assert_int_equal(report->channels, 0);
}

/* Four times in a bin, also when bins have become longer. */
TEST_WITH(looks_are_asked_for, setup, teardown)
{
    tell_time(OBS_BEGIN, 0);
    assert_int_equal(observer->tick_ps, L / 4);
    tell_time(OBS_TICK, L / 4);
    assert_int_equal(observer->tick_ps, L / 2);
    memory.counters.l2.accesses = 1;
    tell_time(OBS_TICK, SL_REPORT_BINS * L + 4);
    assert_int_equal(observer->tick_ps, SL_REPORT_BINS * L + 4 + 2 * L / 4);
}

TEST_WITH(runs_stand_behind_each_other, setup, teardown)
{
    for (unsigned i = 0; i < 3; i++) {
        memory.counters = (struct mem_counters){.dram_channels = 1};
        tell_time(OBS_BEGIN, 0);
        enter(OBS_LAUNCH, 0, 0, 64);
        memory.counters.l2.accesses = 5;
        leave(L, 0, 1, 64);
        tell_time(OBS_END, 2 * L);
        assert_int_equal(report->kernels[0].wavefronts, 1);
    }
    assert_int_equal(report->end_ps, 6 * L);
    assert_int_equal(report->run_ps, 2 * L);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(report->series[SL_REPORT_RESIDENT][i], i % 2 == 0 ? L : 0);
        assert_int_equal(report->series[SL_REPORT_PHASE + SL_PHASE_OTHER][i], L);
    }
    assert_int_equal(
        report->series[SL_REPORT_L2_ACCESSES][0] + report->series[SL_REPORT_L2_ACCESSES][1], 5);
    assert_int_equal(
        report->series[SL_REPORT_L2_ACCESSES][4] + report->series[SL_REPORT_L2_ACCESSES][5], 5);
}
