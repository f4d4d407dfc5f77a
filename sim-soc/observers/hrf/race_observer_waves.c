/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts as threads: launch and restart acquire, yield and end release, at device scope, each
 * wavefront's own, whatever the memory system is told once for many (docs/look-up/isa.md, "Order of
 * memory accesses"). A wavefront that yields stays the same thread; the machine counts its memory
 * instructions anew. */
#include <stdlib.h>

#include "observers/hrf/race_observer.h"

static struct hrf_wave *take_wave(struct hrf *hrf)
{
    struct hrf_wave *wave = hrf->unused;

    if (wave != NULL) {
        hrf->unused = wave->next;
        *wave = (struct hrf_wave){0};
        return wave;
    }
    wave = calloc(1, sizeof(*wave));
    hrf->has_failed |= wave == NULL;
    return wave;
}

static void give_wave(struct hrf *hrf, struct hrf_wave *wave)
{
    wave->next = hrf->unused;
    hrf->unused = wave;
}

/* ---- work-groups ---- */

/* All wavefronts of one are launched one after the other. */
static struct hrf_group *group_of(struct hrf *hrf, const struct obs_wave *wave)
{
    struct hrf_group *group = hrf->group;

    if (wave->group == UINT32_MAX) {
        return NULL;
    }
    if (group == NULL || group->dispatch != wave->dispatch || group->number != wave->group) {
        group = calloc(1, sizeof(*group));
        if (group == NULL) {
            hrf->has_failed = true;
            return NULL;
        }
        group->instance = hrf->group_count++;
        group->dispatch = wave->dispatch;
        group->number = wave->group;
        group->barrier[0] = hrf_clock_take(hrf);
        group->barrier[1] = hrf_clock_take(hrf);
        hrf->group = group;
    }
    group->waves++;
    return group;
}

static void leave_group(struct hrf *hrf, struct hrf_group *group)
{
    if (group == NULL || --group->waves != 0) {
        return;
    }
    hrf_clock_give(hrf, group->barrier[0]);
    hrf_clock_give(hrf, group->barrier[1]);
    if (hrf->group == group) {
        hrf->group = NULL;
    }
    free(group);
}

/* ---- wavefronts ---- */

static void release(struct hrf *hrf, struct hrf_wave *wave)
{
    leave_group(hrf, wave->group);
    hrf_clock_give(hrf, wave->restart);
    give_wave(hrf, wave);
}

void hrf_waves_begin(struct hrf *hrf)
{
    for (uint32_t i = 0; i < hrf->context_count; i++) {
        if (hrf->waves[i] != NULL) {
            release(hrf, hrf->waves[i]);
            hrf->waves[i] = NULL;
        }
    }
    while (hrf->away != NULL) {
        struct hrf_wave *wave = hrf->away;
        hrf->away = wave->next;
        release(hrf, wave);
    }
    hrf->group_count = 0;
}

void hrf_waves_destroy(struct hrf *hrf)
{
    if (hrf->waves != NULL) {
        hrf_waves_begin(hrf);
    }
    while (hrf->unused != NULL) {
        struct hrf_wave *wave = hrf->unused;
        hrf->unused = wave->next;
        free(wave);
    }
    free(hrf->waves);
}

/* Its LDS was another's before. */
static void forget_lds(struct hrf *hrf, const struct obs_event *event)
{
    const uint64_t bytes = (event->life.lds_bytes + 3ull) & ~3ull;

    if (bytes != 0) {
        race_forget(hrf->engine,
                    SL_LDS_BASE + event->wave.cu * HRF_LDS_STRIDE + event->life.lds_base, bytes);
    }
}

void hrf_wave_launched(struct hrf *hrf, const struct obs_event *event)
{
    const struct obs_wave *told = &event->wave;
    const struct hrf_packet *packet = hrf_packet_find(hrf, told->dispatch);
    struct hrf_wave *wave = take_wave(hrf);

    hrf->waves[told->cu * hrf->contexts + told->context] = wave;
    if (wave == NULL) {
        return;
    }
    wave->number = told->number;
    wave->kernel = told->kernel;
    wave->dispatch = told->dispatch;
    wave->group = group_of(hrf, told);
    if (wave->group == NULL || wave->group->waves == 1) {
        forget_lds(hrf, event);
    }
    const struct race_thread thread = {
        .wave = told->number,
        .kernel = told->kernel,
        .group = wave->group != NULL ? wave->group->instance : RACE_NO_GROUP,
        .group_number = told->group,
        .dispatch = told->dispatch,
        .channel = told->channel,
        .cu = told->cu,
    };
    wave->thread = race_thread_begin(hrf->engine, &thread, packet != NULL ? packet->launch : NULL);
}

void hrf_wave_yields(struct hrf *hrf, const struct obs_event *event)
{
    struct hrf_wave *wave = hrf_wave_of(hrf, &event->wave);

    if (wave != NULL) {
        wave->is_leaving = true;
    }
}

/* It has left what it did in the clock of its packet's end. */
static void end(struct hrf *hrf, struct hrf_wave *wave)
{
    const struct hrf_packet *packet = hrf_packet_find(hrf, wave->dispatch);

    if (packet != NULL) {
        race_leave(hrf->engine, packet->ends, wave->thread, wave->next_place, SL_SCOPE_DEVICE);
    }
    race_thread_end(hrf->engine, wave->thread, wave->next_place);
    release(hrf, wave);
}

void hrf_wave_left(struct hrf *hrf, const struct obs_event *event)
{
    struct hrf_wave **context = &hrf->waves[event->wave.cu * hrf->contexts + event->wave.context];
    struct hrf_wave *wave = *context;

    *context = NULL;
    if (wave == NULL) {
        return;
    }
    if (!wave->is_leaving) {
        end(hrf, wave);
        return;
    }
    wave->next = hrf->away;
    hrf->away = wave;
}

struct hrf_wave *hrf_wave_find(struct hrf *hrf, uint64_t number)
{
    for (uint32_t i = 0; i < hrf->context_count; i++) {
        if (hrf->waves[i] != NULL && hrf->waves[i]->number == number) {
            return hrf->waves[i];
        }
    }
    return NULL;
}

struct hrf_wave *hrf_wave_find_away(struct hrf *hrf, uint64_t block)
{
    struct hrf_wave *wave = hrf->away;

    while (wave != NULL && wave->block != block) {
        wave = wave->next;
    }
    return wave;
}

void hrf_wave_restarted(struct hrf *hrf, const struct obs_event *event)
{
    struct hrf_wave **link = &hrf->away;

    while (*link != NULL && (*link)->number != event->wave.number) {
        link = &(*link)->next;
    }
    struct hrf_wave *wave = *link;
    if (wave == NULL) {
        return;
    }
    *link = wave->next;
    wave->is_leaving = false;
    wave->base_place = wave->next_place;
    if (wave->group == NULL) {
        forget_lds(hrf, event);
    }
    if (wave->restart != NULL) {
        race_take(hrf->engine, wave->restart, wave->thread, wave->base_place, SL_SCOPE_DEVICE,
                  event->time_ps);
        hrf_clock_give(hrf, wave->restart);
        wave->restart = NULL;
    }
    hrf->waves[event->wave.cu * hrf->contexts + event->wave.context] = wave;
}
