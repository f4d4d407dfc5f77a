/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Findings and their diagnosis (observers/races/findings.h). What lacks follows papers/002 section
 * 3: synchronization of identical scope, which has to include both. A thread's releases and
 * acquires are remembered by the last of each scope only; that is what the question asks: whether
 * there was any since. */
#include "observers/races/findings.h"

#include "observers/races/growable.h"

#define SCOPE_BIT(scope) (1u << (scope))

/* Whether hrf-indirect has them ordered, which the model has not. */
static bool by_chain(const struct judge *judge, const struct access *earlier)
{
    if (judge->threads->model != RACE_HRF_DIRECT) {
        return false;
    }
    for (uint32_t i = 0; i < judge->owns; i++) {
        if (snap_at(judge->own[i]->clock[0], earlier->index) >= earlier->epoch) {
            return true;
        }
    }
    return knowledge_at(&judge->actor->known[ORDER_CHAIN], earlier->index, judge->moment) >=
           earlier->epoch;
}

static uint64_t place_of(const struct threads *threads, const struct access *access)
{
    return (access->epoch - threads->persons[access->thread].base) / EPOCHS_PER_PLACE;
}

bool findings_add(struct findings *findings, const struct judge *judge,
                  const struct access *earlier, const struct access *later, uint64_t address)
{
    enum race_conflict conflict =
        earlier->synchronization && later->synchronization ? RACE_SYNCHRONIZATION : RACE_ORDINARY;

    for (uint32_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->of[i];

        if (finding->earlier.thread == earlier->thread &&
            place_of(judge->threads, &finding->earlier) == place_of(judge->threads, earlier) &&
            finding->conflict == conflict) {
            finding->earlier.lanes |= earlier->lanes;
            finding->lanes |= later->lanes;
            return true;
        }
    }
    if (!room_for(&findings->of, &findings->room, findings->count, sizeof(*findings->of))) {
        return false;
    }
    findings->of[findings->count++] = (struct finding){.earlier = *earlier,
                                                       .lanes = later->lanes,
                                                       .address = address,
                                                       .conflict = conflict,
                                                       .chain = by_chain(judge, earlier)};
    return true;
}

static uint8_t released_since(const struct person *person, uint64_t epoch)
{
    uint8_t scopes = 0;

    for (uint32_t scope = 0; scope < RACE_SCOPES; scope++) {
        if (person->released[scope] >= epoch) {
            scopes |= SCOPE_BIT(scope);
        }
    }
    return scopes;
}

static uint8_t acquired_since(const struct person *person, uint64_t time_ps)
{
    uint8_t scopes = 0;

    for (uint32_t scope = 0; scope < RACE_SCOPES; scope++) {
        if (person->acquired_ps[scope] > time_ps) {
            scopes |= SCOPE_BIT(scope);
        }
    }
    return scopes;
}

static enum race_lacks lacking(const struct finding *finding, const struct threads *threads,
                               const struct race_operation *later, const struct race_finding *told)
{
    uint8_t holding = 0;

    for (uint32_t scope = told->holds; scope < RACE_SCOPES; scope++) {
        holding |= SCOPE_BIT(scope);
    }
    if (finding->earlier.thread == later->thread) {
        return RACE_LACKS_LANES;
    }
    if (finding->chain) {
        return RACE_LACKS_CHAIN;
    }
    if (finding->conflict == RACE_SYNCHRONIZATION) {
        return finding->earlier.scope != later->scope ? RACE_LACKS_ONE_SCOPE
                                                      : RACE_LACKS_RELEASE_SCOPE;
    }
    if (told->released == 0) {
        return RACE_LACKS_RELEASE;
    }
    if (told->acquired == 0) {
        return RACE_LACKS_ACQUIRE;
    }
    if (threads->model == RACE_DRF) {
        return RACE_LACKS_PAIR;
    }
    if ((told->released & holding) == 0) {
        return RACE_LACKS_RELEASE_SCOPE;
    }
    if ((told->acquired & holding) == 0) {
        return RACE_LACKS_ACQUIRE_SCOPE;
    }
    return (told->released & told->acquired & holding) == 0 ? RACE_LACKS_ONE_SCOPE
                                                            : RACE_LACKS_PAIR;
}

void findings_describe(const struct finding *finding, const struct threads *threads,
                       const struct race_operation *later, struct race_finding *told)
{
    const struct access *earlier = &finding->earlier;
    const struct person *first = &threads->persons[earlier->thread];
    const struct person *second = &threads->persons[later->thread];

    *told = (struct race_finding){.conflict = finding->conflict,
                                  .address = finding->address,
                                  .earlier = {.thread = first->is,
                                              .time_ps = earlier->time_ps,
                                              .place = place_of(threads, earlier),
                                              .pc = earlier->pc,
                                              .lanes = earlier->lanes,
                                              .scope = earlier->scope,
                                              .synchronization = earlier->synchronization,
                                              .reads = earlier->reads,
                                              .writes = earlier->writes},
                                  .later = {.thread = second->is,
                                            .time_ps = later->time_ps,
                                            .place = later->place,
                                            .pc = later->pc,
                                            .lanes = finding->lanes,
                                            .scope = later->scope,
                                            .synchronization = later->synchronization,
                                            .reads = later->reads,
                                            .writes = later->writes},
                                  .released = released_since(first, earlier->epoch),
                                  .acquired = acquired_since(second, earlier->time_ps),
                                  .holds = first == second                 ? SL_SCOPE_WAVEFRONT
                                           : first->group == second->group ? SL_SCOPE_WORKGROUP
                                                                           : SL_SCOPE_DEVICE};
    told->lacks = lacking(finding, threads, later, told);
}
