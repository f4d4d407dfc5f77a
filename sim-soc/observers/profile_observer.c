/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Costs by instruction and by call (profile_observer.h). */
#include "observers/profile_observer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "observers/observers.h"

struct profile *profile_create(struct sl_profile *shared, const struct agg_counters *counters,
                               const struct mem_counters *memory)
{
    struct profile *profile = calloc(1, sizeof(*profile));

    if (profile != NULL) {
        profile->shared = shared;
        profile->counters = counters;
        profile->memory = memory;
    }
    return profile;
}

void profile_destroy(struct profile *profile)
{
    free(profile);
}

static uint64_t misses(const struct l1_counters *cache)
{
    return cache->accesses - cache->served[HIT_L1];
}

static struct profile_sample sample(const struct profile *profile)
{
    const struct agg_counters *counters = profile->counters;
    const struct l1_counters *caches = profile->memory->l1;
    struct profile_sample now;

    now.cost[SL_COST_INSTRUCTIONS] = counters->instructions;
    now.cost[SL_COST_L1I_MISSES] = misses(&caches[AGG_L1I]);
    now.cost[SL_COST_L1D_MISSES] = misses(&caches[AGG_L1D]);
    now.cost[SL_COST_MISPREDICTIONS] = counters->mispredictions;
    memcpy(&now.cost[SL_COST_STACK], counters->stack, sizeof(counters->stack));
    return now;
}

static uint32_t place_of(uint64_t pc)
{
    uint64_t place = (pc - SL_FIRMWARE_BASE) / 2;

    return place < SL_PROFILE_PLACES ? (uint32_t)place : (uint32_t)SL_PROFILE_PLACES;
}

void profile_begin(struct profile *profile)
{
    profile->has_insn = false;
    profile->depth = 0;
    profile->place = SL_PROFILE_PLACES;
    profile->branch = SL_PROFILE_PLACES;
    profile->sample = (struct profile_sample){{0}};
}

/* The entry of a call, or NULL where the table is full around its place. */
static struct sl_profile_call *find_call(struct sl_profile *shared, uint32_t site, uint32_t callee)
{
    enum { PROBES = 64 };
    uint32_t at = site * 2654435761u ^ callee * 2246822519u;

    at ^= at >> 15;
    for (unsigned i = 0; i < PROBES; i++) {
        struct sl_profile_call *call = &shared->calls[(at + i) & (SL_PROFILE_CALLS - 1)];
        if (call->count == 0) {
            call->site = site;
            call->callee = callee;
            return call;
        }
        if (call->site == site && call->callee == callee) {
            return call;
        }
    }
    return NULL;
}

static void push(struct profile *profile, uint32_t callee, uint64_t return_pc)
{
    if (profile->depth == PROFILE_FRAMES) {
        profile->shared->lost_calls++;
        return;
    }
    profile->frames[profile->depth++] = (struct profile_frame){
        .return_pc = return_pc,
        .site = profile->place,
        .callee = callee,
        .begin = profile->sample,
    };
}

static void pop(struct profile *profile)
{
    const struct profile_frame *frame = &profile->frames[--profile->depth];
    struct sl_profile_call *call = find_call(profile->shared, frame->site, frame->callee);

    if (call == NULL) {
        profile->shared->lost_calls++;
        return;
    }
    call->count++;
    for (unsigned i = 0; i < SL_COST_COUNT; i++) {
        call->cost[i] += profile->sample.cost[i] - frame->begin.cost[i];
    }
}

/* Pops up to the frame that returns here, if there is one. */
static void unwind(struct profile *profile, uint64_t pc)
{
    uint32_t found = profile->depth;

    while (found > 0 && profile->frames[found - 1].return_pc != pc) {
        found--;
    }
    while (found > 0 && profile->depth >= found) {
        pop(profile);
    }
}

/* Whether control went to the first instruction of another function. */
static bool enters(const struct profile *profile, uint32_t place)
{
    const struct sl_profile_place *places = profile->shared->places;

    return places[place].function == place + 1 &&
           places[profile->place].function != places[place].function;
}

/* The last instruction was a jump of some kind, and went here. */
static void follow(struct profile *profile, uint64_t pc, uint32_t place)
{
    switch ((enum agg_flow)profile->insn.flow) {
    case AGG_FLOW_CALL:
    case AGG_FLOW_INDIRECT_CALL:
        push(profile, place, profile->insn.pc + profile->insn.bytes);
        break;
    case AGG_FLOW_RETURN:
        unwind(profile, pc);
        break;
    case AGG_FLOW_NEXT:
        break;
    default:
        if (enters(profile, place)) {
            push(profile, place, 0);
        }
        break;
    }
}

/* Charges what has been counted since the last sample. */
static void charge(struct profile *profile)
{
    struct sl_profile_place *places = profile->shared->places;
    struct profile_sample now = sample(profile);

    for (unsigned i = 0; i < SL_COST_COUNT; i++) {
        uint32_t place = i == SL_COST_MISPREDICTIONS ? profile->branch : profile->place;
        places[place].cost[i] += now.cost[i] - profile->sample.cost[i];
    }
    profile->sample = now;
}

void profile_next(struct profile *profile, const struct agg_insn *insn)
{
    uint32_t place = place_of(insn->pc);

    if (profile->has_insn) {
        charge(profile);
        if (profile->insn.flow != AGG_FLOW_NEXT) {
            follow(profile, insn->pc, place);
        }
    }
    profile->has_insn = true;
    profile->branch = profile->place;
    profile->place = place;
    profile->insn = *insn;
}

void profile_end(struct profile *profile)
{
    charge(profile);
    while (profile->depth > 0) {
        pop(profile);
    }
}

/* ---- as an observer ---- */

static void profile_event(struct observer *observer, const struct obs_event *event)
{
    struct profile *profile = (struct profile *)observer;

    switch (event->kind) {
    case OBS_INSTRUCTION:
        profile_next(profile, event->insn);
        break;
    case OBS_BEGIN:
        profile_begin(profile);
        break;
    default:
        profile_end(profile);
        break;
    }
}

static void destroy(struct observer *observer)
{
    profile_destroy((struct profile *)observer);
}

int obs_profile_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "profile",
        .wants = 1u << OBS_BEGIN | 1u << OBS_END | 1u << OBS_INSTRUCTION,
        .event = profile_event,
        .destroy = destroy,
    };

    if (parts->profile == NULL) {
        return 0;
    }
    struct profile *profile =
        profile_create(parts->profile, &parts->core->counters, &parts->mem->counters);
    if (profile == NULL) {
        return -1;
    }
    profile->base.ops = &ops;
    *observer = &profile->base;
    return 0;
}
