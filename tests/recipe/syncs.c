/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Observer syncs: how often what happens in a run acquires and releases, by what it is and the
 * scope, in the file that the environment names (SLUICE_SYNCS); without the name there is none. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "observers/observers.h"

#define KINDS  (MEM_SYNC_STEP + 1)
#define SCOPES (SL_SCOPE_SYSTEM + 1)

struct syncs {
    struct observer base;
    const char *path;
    struct sync_count {
        uint64_t events;
        uint64_t acquires;
        uint64_t releases;
    } count[KINDS][SCOPES];
};

static void count(struct syncs *syncs, unsigned kind, unsigned scope, bool acquire, bool release)
{
    struct sync_count *count = &syncs->count[kind][scope];

    count->events++;
    count->acquires += acquire;
    count->releases += release;
}

static void write_all(const struct syncs *syncs, FILE *file)
{
    static const char *const kinds[KINDS] = {"operation", "fence", "barrier", "packet", "launch",
                                             "end",       "yield", "restart", "step"};
    static const char *const scopes[SCOPES] = {"wavefront", "workgroup", "device", "system"};

    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned scope = 0; scope < SCOPES; scope++) {
            const struct sync_count *count = &syncs->count[kind][scope];
            if (count->events > 0) {
                (void)fprintf(file, "%s %s: %llu, acquires %llu, releases %llu\n", kinds[kind],
                              scopes[scope], (unsigned long long)count->events,
                              (unsigned long long)count->acquires,
                              (unsigned long long)count->releases);
            }
        }
    }
}

static void end(const struct syncs *syncs)
{
    FILE *file = fopen(syncs->path, "w");

    if (file != NULL) {
        write_all(syncs, file);
    }
    if (file == NULL || fclose(file) != 0) {
        (void)fprintf(stderr, "observer syncs: %s: %s\n", syncs->path, strerror(errno));
    }
}

static void event(struct observer *observer, const struct obs_event *event)
{
    struct syncs *syncs = (struct syncs *)observer;

    switch (event->kind) {
    case OBS_BEGIN:
        memset(syncs->count, 0, sizeof(syncs->count));
        break;
    case OBS_SYNC:
        count(syncs, event->sync.sync, event->sync.scope, event->sync.acquire, event->sync.release);
        break;
    case OBS_ACCESS: /* of an aggregator, it is none of a wavefront's */
        if (event->access.from.kind == MEM_CU && (event->access.acquire || event->access.release)) {
            count(syncs, MEM_SYNC_OPERATION, event->access.scope, event->access.acquire,
                  event->access.release);
        }
        break;
    default:
        end(syncs);
        break;
    }
}

static void destroy(struct observer *observer)
{
    free(observer);
}

int obs_syncs_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "syncs",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_SYNC | 1u << OBS_ACCESS,
        .event = event,
        .destroy = destroy,
    };
    const char *path = getenv("SLUICE_SYNCS");

    (void)parts; /* it is told all that it needs */
    if (path == NULL) {
        return 0;
    }
    struct syncs *syncs = calloc(1, sizeof(*syncs));
    if (syncs == NULL) {
        return -1;
    }
    syncs->base.ops = &ops;
    syncs->path = path;
    *observer = &syncs->base;
    return 0;
}
