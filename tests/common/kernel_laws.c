/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* An observer counts resident cycles by itself; everything else is in the machine's counters. */
#include "common/kernel_laws.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "common/check.h"
#include "observers/observers.h"

#define NOBODY UINT64_MAX

struct kernel_laws {
    struct observer base;
    struct gpu *gpu;
    struct observer *kernels;
    struct sl_kernel_profile *profile;
    uint64_t taken[64][CU_CONTEXTS_MAX]; /* context of compute unit: in this cycle, or NOBODY */

    /* Of all runs. */
    uint64_t resident_cycles;
    uint64_t occupied_cycles; /* SIMD units, by last instructions of wavefronts that are gone */
    uint64_t wave_instructions;
    uint64_t lane_instructions;
    uint64_t issue_cycles;
    struct l1_counters l1d;
};

static void event(struct observer *observer, const struct obs_event *event)
{
    struct kernel_laws *laws = (struct kernel_laws *)observer;
    const uint64_t cycle = event->time_ps / laws->gpu->event_queue->cycle_ps;
    uint64_t *taken = &laws->taken[event->wave.cu][event->wave.context];

    if (event->kind == OBS_LAUNCH || event->kind == OBS_RESTART) {
        *taken = cycle;
        return;
    }
    assert_int_not_equal(*taken, NOBODY);
    laws->resident_cycles += cycle - *taken;
    laws->occupied_cycles += event->leave.occupied;
    *taken = event->kind == OBS_LEAVE ? NOBODY : cycle;
}

static void keep(struct observer *observer)
{
    (void)observer;
}

static void forget_contexts(struct kernel_laws *laws)
{
    for (unsigned cu = 0; cu < 64; cu++) {
        for (unsigned context = 0; context < CU_CONTEXTS_MAX; context++) {
            laws->taken[cu][context] = NOBODY;
        }
    }
}

struct kernel_laws *kernel_laws_create(struct gpu *gpu, const struct sl_config *config)
{
    static const struct observer_ops ops = {
        .name = "laws",
        .wants = 1u << OBS_LAUNCH | 1u << OBS_RESTART | 1u << OBS_LEAVE | 1u << OBS_STOP,
        .event = event,
        .destroy = keep,
    };
    struct kernel_laws *laws = calloc(1, sizeof *laws);
    struct stream *stream = (struct stream *)(uintptr_t)gpu->env.stream;

    assert_non_null(laws);
    laws->base.ops = &ops;
    laws->gpu = gpu;
    laws->profile = mmap(NULL, sizeof *laws->profile, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(laws->profile != MAP_FAILED);
    forget_contexts(laws);
    const struct observer_parts parts = {.config = config, .kernels = laws->profile};
    assert_int_equal(obs_kernels_create(&parts, &laws->kernels), 0);
    stream_subscribe(stream, laws->kernels);
    stream_subscribe(stream, &laws->base);
    return laws;
}

void kernel_laws_keep(struct kernel_laws *laws)
{
    const struct cu_counters counters = gpu_counters(laws->gpu);
    const struct l1_counters *l1d = &laws->gpu->mem->counters.l1[L1D];

    laws->wave_instructions += cu_wave_instructions(&counters);
    laws->lane_instructions += cu_lane_instructions(&counters);
    laws->issue_cycles += counters.issue_cycles;
    laws->l1d.accesses += l1d->accesses;
    laws->l1d.served[HIT_L1] += l1d->served[HIT_L1];
    laws->l1d.served[HIT_DRAM] += l1d->served[HIT_DRAM];
}

void kernel_laws_end_run(struct kernel_laws *laws)
{
    const struct obs_event end = {.kind = OBS_END};

    gpu_stop(laws->gpu);
    probe_emit(laws->gpu->env.stream, &end);
    kernel_laws_keep(laws);
    forget_contexts(laws);
}

const struct sl_kernel_profile *kernel_laws_profile(const struct kernel_laws *laws)
{
    return laws->profile;
}

struct sl_kernel_cost kernel_laws_sum(const struct kernel_laws *laws)
{
    struct sl_kernel_cost sum = {0};
    uint64_t *to = (uint64_t *)&sum;

    for (uint64_t i = 0; i < laws->profile->row_count; i++) {
        const uint64_t *from = (const uint64_t *)&laws->profile->rows[i].cost;
        for (size_t k = 0; k < sizeof sum / sizeof *to; k++) {
            to[k] += from[k];
        }
    }
    return sum;
}

/* Each instruction has one row. */
static void check_rows(const struct sl_kernel_profile *profile)
{
    for (uint64_t i = 0; i < profile->row_count && profile->row_count < 1000; i++) {
        for (uint64_t k = 0; k < i; k++) {
            assert_false(profile->rows[i].pc == profile->rows[k].pc &&
                         profile->rows[i].kernel == profile->rows[k].kernel);
        }
    }
}

/* What calls cost, none costs more than the whole. */
static void check_calls(const struct sl_kernel_profile *profile, const struct sl_kernel_cost *sum)
{
    for (uint64_t i = 0; i < profile->call_count; i++) {
        const struct sl_kernel_profile_call *call = &profile->calls[i];
        assert_true(call->count > 0);
        assert_true(call->cost.wave_instructions <= sum->wave_instructions * call->count);
    }
}

void kernel_laws_check(const struct kernel_laws *laws)
{
    const struct sl_kernel_cost sum = kernel_laws_sum(laws);
    uint64_t cycles = 0;

    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        cycles += sum.cycles[stall];
    }
    assert_int_equal(laws->profile->lost_rows, 0);
    assert_int_equal(sum.wave_instructions, laws->wave_instructions);
    assert_int_equal(sum.lane_instructions, laws->lane_instructions);
    assert_int_equal(sum.cycles[SL_STALL_ISSUE], laws->issue_cycles - laws->occupied_cycles);
    assert_int_equal(cycles, laws->resident_cycles);
    assert_int_equal(sum.line_accesses, laws->l1d.accesses);
    assert_int_equal(sum.l1_misses, laws->l1d.accesses - laws->l1d.served[HIT_L1]);
    assert_int_equal(sum.l2_misses, laws->l1d.served[HIT_DRAM]);
    check_rows(laws->profile);
    check_calls(laws->profile, &sum);
}

void kernel_laws_destroy(struct kernel_laws *laws)
{
    laws->kernels->ops->destroy(laws->kernels);
    munmap(laws->profile, sizeof *laws->profile);
    free(laws);
}
