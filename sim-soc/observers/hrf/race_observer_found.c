/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What was found, in the host's block: one for each pair of instructions of two kernels, with a
 * count; of the first time, in full. Pairs beyond the room are counted together. */
#include "observers/hrf/race_observer.h"

#define SCOPE_ENUMS_AGREE(name)                                                                    \
    _Static_assert((int)SL_RACE_LACKS_##name == (int)RACE_LACKS_##name, "one list of what lacks")
SCOPE_ENUMS_AGREE(RELEASE);
SCOPE_ENUMS_AGREE(ACQUIRE);
SCOPE_ENUMS_AGREE(RELEASE_SCOPE);
SCOPE_ENUMS_AGREE(ACQUIRE_SCOPE);
SCOPE_ENUMS_AGREE(ONE_SCOPE);
SCOPE_ENUMS_AGREE(CHAIN);
SCOPE_ENUMS_AGREE(PAIR);
SCOPE_ENUMS_AGREE(LANES);

static uint8_t flags_of(const struct race_side *side)
{
    return (uint8_t)((side->thread.aggregator ? SL_RACE_AGGREGATOR : 0) |
                     (side->synchronization ? SL_RACE_SYNC : 0) |
                     (side->reads ? SL_RACE_READS : 0) | (side->writes ? SL_RACE_WRITES : 0));
}

static struct sl_race_side describe(const struct race_side *side)
{
    const struct race_thread *thread = &side->thread;

    return (struct sl_race_side){
        .pc = side->pc,
        .kernel = thread->kernel,
        .wavefront = thread->wave,
        .lanes = side->lanes,
        .time_ps = side->time_ps,
        .place = side->place,
        .group = thread->group_number,
        .dispatch = thread->dispatch,
        .cu = thread->cu,
        .flags = flags_of(side),
        .scope = side->scope,
    };
}

static bool is_lds(uint64_t address)
{
    return address < SL_DRAM_BASE;
}

static void put(struct sl_race *race, const struct race_finding *finding)
{
    const uint64_t address = finding->address;

    *race = (struct sl_race){
        .address =
            is_lds(address) ? (address - SL_LDS_BASE) % HRF_LDS_STRIDE + SL_LDS_BASE : address,
        .is_lds = is_lds(address),
        .is_synchronization = finding->conflict == RACE_SYNCHRONIZATION,
        .lacks = (uint8_t)finding->lacks,
        .holds = finding->holds,
        .released = finding->released,
        .acquired = finding->acquired,
        .earlier = describe(&finding->earlier),
        .later = describe(&finding->later),
    };
}

static bool is_of(const struct sl_race_side *found, const struct race_side *side)
{
    return found->pc == side->pc && found->kernel == side->thread.kernel &&
           found->flags == flags_of(side);
}

void hrf_found(void *context, const struct race_finding *finding)
{
    struct sl_races *shared = ((struct hrf *)context)->shared;
    struct sl_race *race = shared->races;

    while (race != shared->races + shared->count &&
           !(is_of(&race->earlier, &finding->earlier) && is_of(&race->later, &finding->later))) {
        race++;
    }
    if (race == shared->races + SL_RACES_MAX) {
        shared->lost++;
        return;
    }
    if (race == shared->races + shared->count) {
        put(race, finding);
        shared->count++;
    }
    race->count++;
}
