/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Entries of sharing trackers. */
#include "mem/systems/hybrid/sharing_tracker.h"

#include "sluice/config.h"
#include <stdlib.h>

static bool create_one(struct trackers *trackers, struct tracker *tracker,
                       const struct sl_config *config)
{
    const uint32_t sets = (uint32_t)config->number[SL_CFG_TRACKER_SETS] / trackers->count;

    if (!cache_create(&tracker->tags, sets, (uint32_t)config->number[SL_CFG_TRACKER_WAYS])) {
        return false;
    }
    const size_t size = cache_size(&tracker->tags);
    tracker->entries = calloc(size, sizeof(*tracker->entries));
    tracker->sharers = calloc(size, trackers->capacity);
    tracker->banks = calloc(trackers->banks, sizeof(*tracker->banks));
    return tracker->entries != NULL && tracker->sharers != NULL && tracker->banks != NULL;
}

bool trackers_create(struct trackers *trackers, const struct sl_config *config,
                     struct tracker_counters *counters)
{
    const int64_t *number = config->number;

    trackers->counters = counters;
    trackers->count = (uint32_t)number[SL_CFG_TRACKER_COUNT];
    if (trackers->count == 0) {
        return true;
    }
    trackers->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    trackers->latency_ps = (uint64_t)number[SL_CFG_TRACKER_CYCLES] * trackers->clock.ps;
    trackers->cus = (uint32_t)number[SL_CFG_GPU_CUS] / trackers->count;
    trackers->banks = (uint32_t)number[SL_CFG_TRACKER_BANKS] / trackers->count;
    trackers->capacity = number[SL_CFG_TRACKER_SHARERS] == 0
                             ? trackers->cus
                             : (uint32_t)number[SL_CFG_TRACKER_SHARERS];
    trackers->tracker = calloc(trackers->count, sizeof(*trackers->tracker));
    if (trackers->tracker == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trackers->count; i++) {
        if (!create_one(trackers, &trackers->tracker[i], config)) {
            return false;
        }
    }
    return true;
}

void trackers_destroy(struct trackers *trackers)
{
    for (uint32_t i = 0; trackers->tracker != NULL && i < trackers->count; i++) {
        cache_destroy(&trackers->tracker[i].tags);
        free(trackers->tracker[i].entries);
        free(trackers->tracker[i].sharers);
        free(trackers->tracker[i].banks);
    }
    free(trackers->tracker);
}

void tracker_clear(struct trackers *trackers)
{
    for (uint32_t i = 0; i < trackers->count; i++) {
        struct tracker *tracker = &trackers->tracker[i];
        if (tracker->used != 0) {
            cache_reset(&tracker->tags);
            tracker->used = 0;
        }
    }
}

void trackers_reset(struct trackers *trackers)
{
    tracker_clear(trackers);
    for (uint32_t i = 0; i < trackers->count; i++) {
        for (uint32_t bank = 0; bank < trackers->banks; bank++) {
            calendar_reset(&trackers->tracker[i].banks[bank], &trackers->clock, 0);
        }
    }
}

uint64_t trackers_turn(struct trackers *trackers, uint32_t number, uint32_t line, uint64_t time_ps,
                       uint64_t now_ps)
{
    struct tracker *tracker = &trackers->tracker[number];

    return calendar_take(&tracker->banks[line & (trackers->banks - 1)], time_ps, now_ps);
}

/* ---- entries ---- */

static uint8_t *sharers_of(const struct trackers *trackers, const struct tracker *tracker,
                           uint32_t index)
{
    return tracker->sharers + (size_t)index * trackers->capacity;
}

static void free_entry(struct tracker *tracker, uint32_t index)
{
    cache_demote(&tracker->tags, index);
    tracker->tags.tag[index] = CACHE_NONE;
    tracker->used--;
}

/* Takes a sharer out of a list, whose order stays. Returns whether it was there. */
static bool remove_sharer(struct tracker_entry *entry, uint8_t *sharers, uint32_t cu)
{
    for (uint32_t i = 0; i < entry->count; i++) {
        if (sharers[i] == cu) {
            entry->count--;
            memmove(sharers + i, sharers + i + 1, entry->count - i);
            return true;
        }
    }
    return false;
}

uint32_t tracker_lookup(struct trackers *trackers, uint32_t cu, uint32_t line)
{
    struct tracker *tracker = &trackers->tracker[trackers_number(trackers, cu)];
    const uint32_t index = cache_find(&tracker->tags, line);

    trackers->counters->lookups++;
    if (index == CACHE_NONE) {
        return TRACKER_NOBODY;
    }
    struct tracker_entry *entry = &tracker->entries[index];
    const uint8_t *sharers = sharers_of(trackers, tracker, index);
    cache_touch(&tracker->tags, index);
    for (uint32_t i = 0; i < entry->count; i++) {
        entry->turn = entry->turn + 1u < entry->count ? entry->turn + 1 : 0;
        if (sharers[entry->turn] != cu) {
            return sharers[entry->turn];
        }
    }
    return TRACKER_NOBODY;
}

/* An entry for a line that has none. Returns its index. */
static uint32_t add_entry(struct trackers *trackers, struct tracker *tracker, uint32_t line)
{
    const uint32_t index = cache_victim(&tracker->tags, line);

    if (tracker->tags.tag[index] != CACHE_NONE) {
        trackers->counters->evictions++;
    } else {
        tracker->used++;
    }
    tracker->tags.tag[index] = line;
    tracker->entries[index] = (struct tracker_entry){0};
    return index;
}

void tracker_add_sharer(struct trackers *trackers, uint32_t cu, uint32_t line)
{
    struct tracker *tracker = &trackers->tracker[trackers_number(trackers, cu)];
    uint32_t index = cache_find(&tracker->tags, line);

    if (index == CACHE_NONE) {
        index = add_entry(trackers, tracker, line);
    }
    struct tracker_entry *entry = &tracker->entries[index];
    uint8_t *sharers = sharers_of(trackers, tracker, index);
    (void)remove_sharer(entry, sharers, cu);
    if (entry->count == trackers->capacity) {
        (void)remove_sharer(entry, sharers, sharers[0]);
    }
    sharers[entry->count++] = (uint8_t)cu;
    cache_touch(&tracker->tags, index);
    trackers->counters->marks++;
}

void tracker_remove_sharer(struct trackers *trackers, uint32_t cu, uint32_t line)
{
    struct tracker *tracker = &trackers->tracker[trackers_number(trackers, cu)];
    const uint32_t index = cache_find(&tracker->tags, line);

    if (index != CACHE_NONE &&
        remove_sharer(&tracker->entries[index], sharers_of(trackers, tracker, index), cu) &&
        tracker->entries[index].count == 0) {
        free_entry(tracker, index);
    }
}

void tracker_invalidate(struct trackers *trackers, uint32_t line)
{
    for (uint32_t i = 0; i < trackers->count; i++) {
        struct tracker *tracker = &trackers->tracker[i];
        const uint32_t index = cache_find(&tracker->tags, line);
        if (index != CACHE_NONE) {
            free_entry(tracker, index);
            trackers->counters->drops++;
        }
    }
}
