/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer itself: what events cost whom. */
#include "observers/kernels/kernels.h"

#include "sluice/config.h"
#include <stdlib.h>

/* ---- wavefronts ---- */

static struct kernels_wave *wave_of(struct kernels *kernels, const struct obs_wave *wave)
{
    return kernels_wave(kernels, wave->cu, wave->context);
}

static void begin_wave(struct kernels *kernels, const struct obs_wave *observed)
{
    struct kernels_wave *wave = wave_of(kernels, observed);

    kernels_end_calls(kernels, wave); /* of one that a reset of the device has ended */
    wave->table = kernels_find_table(kernels, observed->kernel);
    wave->yields = false;
    wave->number = observed->number;
    wave->total = (struct sl_kernel_cost){0};
}

/* Its last instruction goes on occupying the SIMD unit, which is nothing to a context that is free,
 * or to a run that is over. */
static void stop_wave(struct kernels *kernels, const struct obs_event *event)
{
    struct kernels_wave *wave = wave_of(kernels, &event->wave);

    if (event->leave.occupied != 0) {
        kernels_cost(kernels, wave->table, wave->pc)->cycles[SL_STALL_ISSUE] -=
            event->leave.occupied;
        wave->total.cycles[SL_STALL_ISSUE] -= event->leave.occupied;
    }
}

static void end_wave(struct kernels *kernels, const struct obs_event *event)
{
    struct kernels_wave *wave = wave_of(kernels, &event->wave);

    stop_wave(kernels, event);
    if (wave->yields) {
        kernels_park(kernels, wave);
    } else {
        kernels_end_calls(kernels, wave);
    }
}

/* ---- costs ---- */

static void issued(struct kernels *kernels, const struct obs_event *event)
{
    struct kernels_wave *wave = wave_of(kernels, &event->wave);
    const struct obs_issue *issue = &event->issue;
    struct sl_kernel_cost *cost = kernels_cost(kernels, wave->table, issue->pc);
    const uint64_t lanes = (uint64_t)__builtin_popcountll(issue->lanes);

    wave->pc = issue->pc;
    cost->wave_instructions++;
    cost->lane_instructions += lanes;
    cost->cycles[SL_STALL_ISSUE] += issue->cycles;
    wave->total.wave_instructions++;
    wave->total.lane_instructions += lanes;
    wave->total.cycles[SL_STALL_ISSUE] += issue->cycles;
}

static void waited(struct kernels *kernels, const struct obs_event *event)
{
    struct kernels_wave *wave = wave_of(kernels, &event->wave);
    const struct obs_wait *wait = &event->wait;

    if (wait->stall == SL_STALL_ISSUE) {
        wave->pc = wait->pc;
    }
    kernels_cost(kernels, wave->table, wait->pc)->cycles[wait->stall] += wait->cycles;
    wave->total.cycles[wait->stall] += wait->cycles;
}

static void add_line(struct sl_kernel_cost *cost, enum hit_level by)
{
    cost->line_accesses++;
    cost->l1_misses += by != HIT_L1;
    cost->l2_misses += by == HIT_DRAM;
}

static void served(struct kernels *kernels, const struct obs_served *line)
{
    if (line->from.kind == MEM_CU) {
        struct kernels_wave *wave = kernels_wave(kernels, line->from.index, line->context);
        add_line(kernels_cost(kernels, wave->table, line->pc), (enum hit_level)line->by);
        add_line(&wave->total, (enum hit_level)line->by);
    }
}

/* ---- runs ---- */

/* What is under way ends here. */
static void end_run(struct kernels *kernels)
{
    kernels_end_parked(kernels);
    for (uint32_t i = 0; i < kernels->wave_count; i++) {
        kernels_end_calls(kernels, &kernels->waves[i]);
    }
}

static void kernels_event(struct observer *observer, const struct obs_event *event)
{
    struct kernels *kernels = (struct kernels *)observer;

    switch (event->kind) {
    case OBS_ISSUE:
        issued(kernels, event);
        break;
    case OBS_WAIT:
        waited(kernels, event);
        break;
    case OBS_SERVED:
        served(kernels, &event->served);
        break;
    case OBS_CALL:
        kernels_enter(kernels, wave_of(kernels, &event->wave), &event->call);
        break;
    case OBS_RETURN:
        kernels_return(kernels, wave_of(kernels, &event->wave), event->address);
        break;
    case OBS_LAUNCH:
        begin_wave(kernels, &event->wave);
        break;
    case OBS_RESTART:
        begin_wave(kernels, &event->wave);
        kernels_unpark(kernels, wave_of(kernels, &event->wave));
        break;
    case OBS_YIELD:
        wave_of(kernels, &event->wave)->yields = true;
        break;
    case OBS_LEAVE:
        end_wave(kernels, event);
        break;
    case OBS_STOP:
        stop_wave(kernels, event);
        break;
    case OBS_PROGRAM:
        end_run(kernels);
        kernels_load(kernels, event->program.base, event->program.bytes);
        break;
    default:
        end_run(kernels);
        break;
    }
}

/* ---- as an observer ---- */

static void kernels_destroy(struct observer *observer)
{
    struct kernels *kernels = (struct kernels *)observer;

    kernels_end_parked(kernels);
    kernels_destroy_tables(kernels);
    free(kernels->frames);
    free(kernels->waves);
    free(kernels);
}

int obs_kernels_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "kernels",
        .wants = 1u << OBS_END | 1u << OBS_PROGRAM | 1u << OBS_LAUNCH | 1u << OBS_RESTART |
                 1u << OBS_YIELD | 1u << OBS_LEAVE | 1u << OBS_STOP | 1u << OBS_ISSUE |
                 1u << OBS_WAIT | 1u << OBS_CALL | 1u << OBS_RETURN | 1u << OBS_SERVED,
        .event = kernels_event,
        .destroy = kernels_destroy,
    };
    const struct sl_config *config = parts->config;

    if (parts->kernels == NULL) {
        return 0;
    }
    struct kernels *kernels = calloc(1, sizeof(*kernels));
    if (kernels == NULL) {
        return -1;
    }
    kernels->base.ops = &ops;
    kernels->shared = parts->kernels;
    kernels->contexts = (uint32_t)config->number[SL_CFG_GPU_CONTEXTS];
    kernels->wave_count = (uint32_t)config->number[SL_CFG_GPU_CUS] * kernels->contexts;
    kernels->waves = calloc(kernels->wave_count, sizeof(kernels->waves[0]));
    kernels->frames =
        calloc((size_t)kernels->wave_count * KERNELS_FRAMES, sizeof(kernels->frames[0]));
    if (kernels->waves == NULL || kernels->frames == NULL) {
        free(kernels->frames);
        free(kernels->waves);
        free(kernels);
        return -1;
    }
    for (uint32_t i = 0; i < kernels->wave_count; i++) {
        kernels->waves[i].table = KERNELS_NO_TABLE;
        kernels->waves[i].frames = &kernels->frames[(size_t)i * KERNELS_FRAMES];
    }
    *observer = &kernels->base;
    return 0;
}
