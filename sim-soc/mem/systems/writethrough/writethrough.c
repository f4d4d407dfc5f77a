/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory systems `wt` and `nol1`: today's GPUs, as papers/000 section 4.2.3 has them.
 *
 * L1 caches write through: a store updates the line where its cache has it, and goes on to the L2
 * and to memory. Atomics, and whatever acquires, are done at the L2. An acquire empties the compute
 * unit's L1 cache; a release waits until all that the compute unit has written is in memory. There
 * are no scopes: from the work-group up all act as the device, and a barrier only releases, for a
 * work-group shares its L1 cache. `nol1` keeps stacks in its L1 caches and nothing else (section
 * 4.5.1: as NVIDIA's Kepler), so that nothing in it can be old. A store is done when it is on its
 * way, unless its requester wants it acknowledged: then it is done at the L2, as an atomic. */
#include "mem/systems/writethrough/writethrough.h"

#include "isa/isa.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/noncoherent/l1_invalidate.h"

static enum service_level where(const struct mem_request *request)
{
    return request->atomic ? SERVICE_BELOW : SERVICE_L1;
}

static enum service_level where_without_l1(const struct mem_request *request)
{
    const bool is_awaited = request->kind == MEM_LOAD || request->needs_global_ack;

    return request->atomic || (is_awaited && request->space != MEM_PRIVATE) ? SERVICE_BELOW
                                                                            : SERVICE_L1;
}

static const struct noncoherent_policy wt_policy = {.ops = &mem_wt, .where = where};
static const struct noncoherent_policy nol1_policy = {.ops = &mem_nol1, .where = where_without_l1};

static struct mem_system *wt_create(const struct mem_parts *parts)
{
    return noncoherent_create(parts, &wt_policy);
}

static struct mem_system *nol1_create(const struct mem_parts *parts)
{
    return noncoherent_create(parts, &nol1_policy);
}

static uint64_t synchronize(struct mem_system *mem, struct mem_request *request)
{
    struct noncoherent *system = noncoherent_of(mem);

    if (request->from.kind != MEM_CU || request->scope == SL_SCOPE_WAVEFRONT) {
        return request->time_ps;
    }
    struct noncoherent_l1 *l1 = &system->l1s[request->from.index];
    uint64_t time_ps = request->time_ps;
    note_sync(&mem->counters.sync, request);
    if (request->bytes != 0) { /* what is on its way of its stacks comes before the next owner's */
        time_ps = later(time_ps, l1->private_ps);
    }
    if (request->acquire && request->sync != MEM_SYNC_BARRIER) {
        noncoherent_l1_drop_clean(l1);
    }
    return request->release ? noncoherent_release(l1, request, time_ps) : time_ps;
}

const struct mem_ops mem_wt = {
    .name = "wt",
    .create = wt_create,
    .destroy = noncoherent_destroy,
    .reset = noncoherent_begin,
    .drain = noncoherent_settle,
    .access = noncoherent_access,
    .sync = synchronize,
    .functional_read = noncoherent_peek,
};

const struct mem_ops mem_nol1 = {
    .name = "nol1",
    .create = nol1_create,
    .destroy = noncoherent_destroy,
    .reset = noncoherent_begin,
    .drain = noncoherent_settle,
    .access = noncoherent_access,
    .sync = synchronize,
    .functional_read = noncoherent_peek,
};
