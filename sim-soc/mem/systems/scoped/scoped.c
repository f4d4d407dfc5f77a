/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `scoped`: write-combining caches that are flushed and emptied by the scope of
 * synchronization (papers/002 section 3.2, Figure 4).
 *
 * A compute unit's L1 cache holds the bytes that were stored as dirty ones, without fetching their
 * line. Atomics up to the work-group are done there, those of the device at the L2, those of the
 * system behind it. A release at device scope looks through the L1 cache and sends all dirty bytes
 * to the L2, whoever of its compute unit has written them, which makes releases transitive (section
 * 4.1); with scoped.flush=wavefront only those of the wavefront (section 6), which does not. An
 * acquire takes out what is clean. At system scope the same is done to the L2. Up to the work-group
 * there is nothing to do, since it shares its L1 cache. */
#include "mem/systems/scoped/scoped.h"

#include "isa/isa.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/noncoherent/l1_invalidate.h"

static bool is_wide(uint8_t scope)
{
    return scope == SL_SCOPE_DEVICE || scope == SL_SCOPE_SYSTEM;
}

static enum service_level where(const struct mem_request *request)
{
    return request->atomic && is_wide(request->scope) ? SERVICE_BELOW : SERVICE_L1;
}

/* The system's releases go on through the L2. */
static uint64_t released(struct noncoherent *system, const struct mem_request *request,
                         uint64_t time_ps)
{
    return request->scope == SL_SCOPE_SYSTEM
               ? noncoherent_l2_flush(&system->l2, system->walk, time_ps,
                                      &system->base.counters.sync.flushed_lines)
               : time_ps;
}

static const struct noncoherent_policy policy = {
    .ops = &mem_scoped, .combines = true, .where = where, .released = released};

static struct mem_system *scoped_create(const struct mem_parts *parts)
{
    return noncoherent_create(parts, &policy);
}

/* Whether a release is of its wavefront's bytes alone; the end of a packet is of all its
 * wavefronts. */
static bool is_its_own(const struct noncoherent *system, const struct mem_request *request)
{
    return system->by_wavefront && request->sync != MEM_SYNC_PACKET;
}

static uint64_t synchronize(struct mem_system *mem, struct mem_request *request)
{
    struct noncoherent *system = noncoherent_of(mem);
    uint64_t time_ps = request->time_ps;

    if (request->from.kind != MEM_CU) {
        return time_ps;
    }
    struct noncoherent_l1 *l1 = &system->l1s[request->from.index];
    note_sync(&mem->counters.sync, request);
    if (request->bytes != 0) {
        noncoherent_l1_forget(l1, request->address, request->bytes);
        time_ps = later(time_ps, l1->private_ps);
    }
    if (!is_wide(request->scope)) {
        return time_ps;
    }
    if (request->acquire) {
        noncoherent_l1_drop_clean(l1);
        if (request->scope == SL_SCOPE_SYSTEM) {
            system->base.counters.sync.invalidated_lines += noncoherent_l2_drop_clean(&system->l2);
        }
    }
    if (!request->release) {
        return time_ps;
    }
    noncoherent_l1_flush(l1, is_its_own(system, request) ? &request->wave : NULL, &time_ps);
    return noncoherent_release(l1, request, time_ps);
}

const struct mem_ops mem_scoped = {
    .name = "scoped",
    .create = scoped_create,
    .destroy = noncoherent_destroy,
    .reset = noncoherent_begin,
    .drain = noncoherent_settle,
    .access = noncoherent_access,
    .sync = synchronize,
    .functional_read = noncoherent_peek,
};
