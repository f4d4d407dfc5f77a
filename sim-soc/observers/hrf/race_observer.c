/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What happens in the machine, told the engine (race_observer.h).
 *
 * Left out are lanes' stacks and the save areas of wavefronts, which no other lane can name; the
 * memory of the firmware but for its rings (race_observer_dispatcher.c); and the host, which stores
 * before a run, or what only the aggregator hands on. */
#include "observers/hrf/race_observer.h"

#include "sluice/config.h"
#include <stdlib.h>

#define LOCKS_BESIDE 64 /* that a wavefront asks for while one access is under way */

/* ---- accesses ---- */

/* Some lanes of one, all of which do what it does, or fail to (struct obs_access). */
static void tell_lanes(struct hrf *hrf, const struct hrf_wave *wave, const struct obs_event *event,
                       uint64_t lanes, bool fails)
{
    const struct obs_access *access = &event->access;
    const struct race_operation operation = {
        .thread = wave->thread,
        .time_ps = event->time_ps,
        .place = wave->base_place + access->place,
        .pc = access->pc,
        .lanes = lanes,
        .address = access->address,
        .bytes = access->bytes,
        .scope = access->scope,
        .synchronization = access->atomic || access->acquire || access->release,
        .reads = access->kind != MEM_STORE || fails,
        .writes = access->writes && !fails,
        .acquire = access->acquire && !fails,
        .release = access->release && !fails,
        .lanes_apart = hrf->has_write_buffers && access->space == MEM_SHARED,
    };

    if (lanes != 0) {
        race_access(hrf->engine, &operation);
    }
}

static void wave_accesses(struct hrf *hrf, const struct obs_event *event)
{
    struct hrf_wave *wave = hrf_wave_of(hrf, &event->wave);
    const uint64_t failed = event->access.failed;

    if (wave == NULL) {
        return;
    }
    hrf_wave_reach(wave, wave->base_place + event->access.place + 1);
    tell_lanes(hrf, wave, event, event->access.lanes & ~failed, false);
    tell_lanes(hrf, wave, event, event->access.lanes & failed, true);
}

/* LDS is at the same addresses on each compute unit. */
static void lds_accessed(struct hrf *hrf, const struct obs_event *event)
{
    struct obs_event moved = *event;
    uint64_t address[SL_LANES_MAX];

    for (uint64_t rest = event->access.lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        address[lane] = event->access.address[lane] + event->wave.cu * HRF_LDS_STRIDE;
    }
    moved.access.address = address;
    wave_accesses(hrf, &moved);
}

/* One thread in the device, whose accesses synchronize at device scope. */
static void aggregator_accesses(struct hrf *hrf, const struct obs_event *event)
{
    const struct obs_access *access = &event->access;
    const uint64_t address = access->address[0];
    const struct race_operation operation = {
        .thread = hrf->aggregator,
        .time_ps = event->time_ps,
        .place = hrf->aggregator_place,
        .lanes = 1,
        .address = access->address,
        .bytes = access->bytes,
        .scope = SL_SCOPE_DEVICE,
        .synchronization = true,
        .reads = !access->writes,
        .writes = access->writes,
        .acquire = access->acquire,
        .release = access->release,
    };

    if (address >= SL_KERNEL_BASE && address < hrf->layout.heap_limit) {
        race_access(hrf->engine, &operation);
        hrf->aggregator_place++;
    } else if (address < SL_MAILBOX_BASE) {
        hrf_front_aggregator(hrf, address, access->writes, event->time_ps);
    }
}

static void accessed(struct hrf *hrf, const struct obs_event *event)
{
    switch (event->access.from.kind) {
    case MEM_AGG:
        aggregator_accesses(hrf, event);
        break;
    case MEM_FRONT:
        hrf_front_moves(hrf, &event->access);
        break;
    default:
        if (event->access.space == MEM_SHARED) {
            wave_accesses(hrf, event);
        } else if (event->access.space == MEM_LDS) {
            lds_accessed(hrf, event);
        }
        break;
    }
}

/* ---- synchronization that is no access ---- */

/* Each wavefront of the group leaves what it did to all that come to the same barrier. */
static void barrier(struct hrf *hrf, struct hrf_wave *wave, const struct obs_event *event)
{
    struct hrf_group *group = wave->group;
    const uint64_t place = wave->base_place + event->sync.place;

    if (group == NULL || group->barrier[0] == NULL || group->barrier[1] == NULL) {
        return;
    }
    if (event->sync.release) {
        wave->barriers++;
        struct race_clock *clock = group->barrier[wave->barriers % 2];
        if (wave->barriers > group->barriers) {
            group->barriers = wave->barriers;
            race_clock_clear(hrf->engine, clock);
        }
        race_leave(hrf->engine, clock, wave->thread, place, SL_SCOPE_WORKGROUP);
    } else {
        race_take(hrf->engine, group->barrier[wave->barriers % 2], wave->thread, place,
                  SL_SCOPE_WORKGROUP, event->time_ps);
    }
}

/* Launches, ends, yields and restarts are told by events of their own. */
static void synchronized(struct hrf *hrf, const struct obs_event *event)
{
    const struct obs_sync *sync = &event->sync;
    struct hrf_wave *wave = sync->from.kind == MEM_CU ? hrf_wave_of(hrf, &event->wave) : NULL;

    if (wave == NULL) {
        return;
    }
    hrf_wave_reach(wave, wave->base_place + sync->place);
    if (sync->sync == MEM_SYNC_FENCE) {
        race_fence(hrf->engine, wave->thread, wave->base_place + sync->place,
                   (enum sl_scope)sync->scope, sync->acquire, sync->release, event->time_ps);
    } else if (sync->sync == MEM_SYNC_BARRIER) {
        barrier(hrf, wave, event);
    }
}

/* ---- as an observer ---- */

static void begin(struct hrf *hrf)
{
    static const struct race_thread aggregator = {
        .group = RACE_NO_GROUP, .group_number = UINT32_MAX, .aggregator = true};

    hrf_waves_begin(hrf);
    hrf_front_begin(hrf);
    race_begin(hrf->engine);
    hrf->shared->count = 0;
    hrf->shared->lost = 0;
    hrf->shared->out_of_memory = 0;
    hrf->has_failed = false;
    hrf->aggregator = race_thread_begin(hrf->engine, &aggregator, NULL);
    hrf->aggregator_place = 0;
}

static void hrf_event(struct observer *observer, const struct obs_event *event)
{
    struct hrf *hrf = (struct hrf *)observer;
    const bool is_border = event->kind == OBS_BEGIN || event->kind == OBS_END;

    /* What order was lost with the memory would come up as races that are none. */
    if (hrf->has_failed && !is_border) {
        return;
    }
    switch (event->kind) {
    case OBS_BEGIN:
        begin(hrf);
        break;
    case OBS_END:
        hrf->shared->out_of_memory = hrf->has_failed || race_failed(hrf->engine);
        break;
    case OBS_LAUNCH:
        hrf_wave_launched(hrf, event);
        break;
    case OBS_RESTART:
        hrf_wave_restarted(hrf, event);
        break;
    case OBS_YIELD:
        hrf_wave_yields(hrf, event);
        break;
    case OBS_LEAVE:
        hrf_wave_left(hrf, event);
        break;
    case OBS_ACCESS:
        accessed(hrf, event);
        break;
    default:
        synchronized(hrf, event);
        break;
    }
}

static void destroy(struct observer *observer)
{
    struct hrf *hrf = (struct hrf *)observer;

    if (hrf->engine != NULL) {
        hrf_waves_destroy(hrf);
        hrf_front_destroy(hrf);
        hrf_clocks_destroy(hrf);
        race_destroy(hrf->engine);
    }
    free(hrf);
}

/* By how many places an access may take effect behind later ones of its wavefront. Those in flight
 * take slots in turn, so that none issues before the one so far ahead is done; but locks take none,
 * and the wavefront waits for each: more than these do not fit beside one access. What waits in a
 * write buffer is passed by as many loads as find what they ask for meanwhile, even where the
 * buffer is small. */
static uint32_t window_of(const struct sl_config *config)
{
    const int64_t in_flight = config->number[SL_CFG_GPU_MEMORY_OPS] + 1;
    const bool is_strong = config->number[SL_CFG_GPU_CONSISTENCY] != SL_GPU_CONSISTENCY_RMO;

    return (uint32_t)(in_flight +
                      (is_strong ? sl_config_table[SL_CFG_GPU_WRITE_BUFFER].most : LOCKS_BESIDE));
}

static int create(struct hrf *hrf, const struct observer_parts *parts)
{
    static const enum race_model models[] = {
        [SL_DEBUG_RACES_DRF] = RACE_DRF,
        [SL_DEBUG_RACES_HRF_DIRECT] = RACE_HRF_DIRECT,
        [SL_DEBUG_RACES_HRF_INDIRECT] = RACE_HRF_INDIRECT,
    };
    const struct sl_config *config = parts->config;
    const struct race_shape shape = {
        .model = models[config->number[SL_CFG_DEBUG_RACES]],
        .window = window_of(config),
        .found = hrf_found,
        .context = hrf,
    };

    const int64_t consistency = config->number[SL_CFG_GPU_CONSISTENCY];

    hrf->has_write_buffers =
        consistency == SL_GPU_CONSISTENCY_SC_WB || consistency == SL_GPU_CONSISTENCY_TSO;
    hrf->shared = parts->races;
    hrf->layout = *parts->layout;
    hrf->dram = *parts->dram;
    hrf->contexts = (uint32_t)config->number[SL_CFG_GPU_CONTEXTS];
    hrf->context_count = hrf->contexts * (uint32_t)config->number[SL_CFG_GPU_CUS];
    hrf->engine = race_create(&shape);
    if (hrf->engine == NULL) {
        return -1;
    }
    hrf->waves = calloc(hrf->context_count, sizeof(hrf->waves[0]));
    if (hrf_front_create(hrf) != 0 || hrf->waves == NULL) {
        return -1;
    }
    *parts->race_counters = race_counters(hrf->engine);
    return 0;
}

int obs_hrf_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "hrf",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_LAUNCH | 1u << OBS_RESTART |
                 1u << OBS_YIELD | 1u << OBS_LEAVE | 1u << OBS_ACCESS | 1u << OBS_SYNC,
        .event = hrf_event,
        .destroy = destroy,
    };

    if (parts->races == NULL) {
        return 0;
    }
    struct hrf *hrf = calloc(1, sizeof(*hrf));
    if (hrf == NULL) {
        return -1;
    }
    if (create(hrf, parts) != 0) {
        destroy(&hrf->base);
        return -1;
    }
    hrf->base.ops = &ops;
    *observer = &hrf->base;
    return 0;
}
