/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Operations as they perform: checked against what their words have seen, noted there, and, of
 * synchronization, ordered behind and before others (observers/races/races.h). All that lanes of
 * one call acquire is what was there before the call; only then do they release. */
#include "observers/races/race_detector.h"

#define WORDS_MOST  3u /* that a lane's access touches */
#define WHOLE_WORD  0xfu
#define RACING_KEPT 8u

/* One lane's access, in pieces by word. */
struct lane {
    uint64_t address; /* of the first word */
    uint32_t words;
    uint8_t bytes[WORDS_MOST]; /* of each, a bit each */
    struct cell *cell[WORDS_MOST];
    struct instance *instance[WORDS_MOST]; /* of synchronization */
};

/* The call. */
struct call {
    struct race_engine *engine;
    const struct race_operation *operation;
    struct actor *actor;
    enum sl_scope scope; /* of order_scope() */
    uint64_t of;         /* instance of it */
    struct access access;
};

static bool split(const struct call *call, uint32_t number, struct lane *lane)
{
    uint64_t address = call->operation->address[number];
    uint64_t first = address / WORD_BYTES;
    uint64_t last = (address + call->operation->bytes - 1) / WORD_BYTES;
    uint64_t bits = ((UINT64_C(1) << call->operation->bytes) - 1) << address % WORD_BYTES;

    lane->address = first * WORD_BYTES;
    lane->words = (uint32_t)(last - first) + 1;
    for (uint32_t i = 0; i < lane->words; i++) {
        lane->bytes[i] = bits >> i * WORD_BYTES & 0xf;
        lane->cell[i] = cells_find(&call->engine->cells, lane->address + i * WORD_BYTES);
        if (lane->cell[i] == NULL) {
            return false;
        }
        if (call->operation->synchronization) {
            lane->instance[i] = cell_instance(lane->cell[i], call->scope, call->of);
            if (lane->instance[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a load and another lane's store of one thread, which stands in front of it, are in no
 * order: whichever of them has performed already. */
static bool lanes_race(const struct call *call, const struct judge *judge, const struct access *old)
{
    const uint64_t place = call->operation->place;
    const uint64_t old_place = actor_place(call->actor, old->epoch);

    if ((old->lanes & call->access.lanes) != 0) {
        return false;
    }
    if (old->reads) {
        return !call->access.reads && place < old_place;
    }
    return call->access.reads && old_place < place && old_place >= call->actor->lanes_ordered &&
           !judge_synchronized(judge, old);
}

static bool check_lanes(struct call *call, const struct judge *judge, const struct history *history,
                        uint64_t address, uint8_t bytes)
{
    for (uint32_t i = 0; i < history->count; i++) {
        const struct access *old = &history->at[i];

        if (old->thread == call->actor->thread && (old->bytes & bytes) != 0 &&
            lanes_race(call, judge, old) &&
            !findings_add(&call->engine->findings, judge, old, &call->access, address)) {
            return false;
        }
    }
    return true;
}

/* Checks against a history, of which the bytes that conflict are given. A thread's later access
 * that covers its earlier one's bytes stands for it. One that races goes, too, where there are
 * many: it has been told. */
static bool check(struct call *call, const struct judge *judge, struct history *history,
                  uint64_t address, uint8_t bytes, uint8_t covers)
{
    if (call->operation->lanes_apart && !check_lanes(call, judge, history, address, bytes)) {
        return false;
    }
    if (history_behind(history, judge)) {
        return true;
    }
    for (uint32_t i = history->count; i-- > 0;) {
        const struct access *old = &history->at[i];
        bool drop = false;

        if ((old->bytes & bytes) == 0) {
            continue;
        }
        if (old->thread == call->actor->thread) {
            drop = old->epoch <= call->access.epoch;
        } else if (!judge_ordered(judge, old)) {
            if (!findings_add(&call->engine->findings, judge, old, &call->access, address)) {
                return false;
            }
            drop = history->count > RACING_KEPT;
        }
        if (drop && (old->bytes & ~covers) == 0) {
            history_remove(history, i);
        }
    }
    return true;
}

static bool note(struct call *call, const struct judge *judge, struct history *history)
{
    if (history_full(history, call->engine->shape.collect)) {
        engine_collect(call->engine, history);
    }
    return history_add(history, judge, &call->access);
}

/* Against synchronization: an ordinary access with all of a word, another instance's with the
 * whole word (papers/002, sidebar of page 4, conflict definitions). */
static bool check_instances(struct call *call, const struct judge *judge, const struct cell *cell,
                            const struct instance *own, uint64_t address)
{
    bool writes = call->access.writes;
    uint8_t bytes = own != NULL ? WHOLE_WORD : call->access.bytes;
    uint8_t covers = own == NULL && writes ? call->access.bytes : 0;

    for (struct instance *i = cell->instances; i != NULL; i = i->next) {
        if (i != own && (!check(call, judge, &i->writes, address, bytes, covers) ||
                         (writes && !check(call, judge, &i->reads, address, bytes, covers)))) {
            return false;
        }
    }
    return true;
}

static bool access_word(struct call *call, const struct judge *judge, struct cell *cell,
                        struct instance *own, uint64_t address)
{
    bool writes = call->access.writes;
    uint8_t bytes = call->access.bytes;
    uint8_t covers = own == NULL && writes ? bytes : 0;

    if (!check(call, judge, &cell->writes, address, bytes, covers) ||
        (writes && !check(call, judge, &cell->reads, address, bytes, covers)) ||
        !check_instances(call, judge, cell, own, address)) {
        return false;
    }
    if (own != NULL) {
        return note(call, judge, writes ? &own->writes : &own->reads);
    }
    return note(call, judge, writes ? &cell->writes : &cell->reads);
}

static bool access_lane(struct call *call, uint32_t number, const struct lane *lane)
{
    const struct race_operation *operation = call->operation;
    struct judge judge = {.threads = &call->engine->threads,
                          .actor = call->actor,
                          .moment = moment_at(operation->place),
                          .scope = call->scope};

    if (operation->acquire && call->scope != SL_SCOPE_WAVEFRONT) {
        for (uint32_t i = 0; i < lane->words; i++) {
            judge.own[judge.owns++] = &lane->instance[i]->released;
        }
    }
    call->access.lanes = UINT64_C(1) << number;
    for (uint32_t i = 0; i < lane->words; i++) {
        call->access.bytes = lane->bytes[i];
        if (!access_word(call, &judge, lane->cell[i], lane->instance[i],
                         lane->address + i * WORD_BYTES)) {
            return false;
        }
    }
    return true;
}

/* ---- synchronization ---- */

static bool acquire_from(const struct call *call, struct instance *instance)
{
    struct actor *actor = call->actor;

    if (call->operation->acquire) {
        return actor_acquire(&call->engine->threads, actor, &instance->released, call->scope,
                             moment_behind(call->operation->place));
    }
    return !call->operation->reads ||
           released_join(&actor->pending[call->scope], &instance->released);
}

static bool release_to(const struct call *call, struct instance *instance)
{
    struct actor *actor = call->actor;

    if (call->operation->release) {
        return actor_release(&call->engine->threads, actor, &instance->released, call->scope,
                             call->access.epoch, moment_behind(call->operation->place));
    }
    return !call->operation->writes ||
           released_join(&instance->released, &actor->fence[call->scope]);
}

typedef bool instance_fn(const struct call *call, struct instance *instance);

static bool for_instances(const struct call *call, const struct lane *lanes, instance_fn *each)
{
    const struct instance *latest = NULL;

    for (uint64_t left = call->operation->lanes; left != 0; left &= left - 1) {
        const struct lane *lane = &lanes[__builtin_ctzll(left)];

        for (uint32_t i = 0; i < lane->words; i++) {
            if (lane->instance[i] != latest && !each(call, lane->instance[i])) {
                return false;
            }
            latest = lane->instance[i];
        }
    }
    return true;
}

static bool synchronize(struct call *call, const struct lane *lanes)
{
    const struct race_operation *operation = call->operation;
    struct actor *actor = call->actor;

    if (operation->release) {
        threads_note_release(&call->engine->threads, operation->thread, operation->scope,
                             call->access.epoch);
    } else if (operation->writes && actor->fence[call->scope].clock[0] != NULL) {
        threads_note_release(&call->engine->threads, operation->thread, operation->scope,
                             actor->fence_epoch[call->scope]);
    }
    if (call->scope != SL_SCOPE_WAVEFRONT &&
        (!for_instances(call, lanes, acquire_from) || !for_instances(call, lanes, release_to))) {
        return false;
    }
    if (operation->release) {
        actor_count_release(actor, operation->place);
    }
    return true;
}

/* ---- the call ---- */

static bool perform(struct call *call)
{
    struct lane lanes[64];

    for (uint64_t left = call->operation->lanes; left != 0; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(left);

        lanes[number] = (struct lane){0};
        if (!split(call, number, &lanes[number]) || !access_lane(call, number, &lanes[number])) {
            return false;
        }
    }
    return !call->operation->synchronization || synchronize(call, lanes);
}

static void tell(struct race_engine *engine, const struct race_operation *operation)
{
    for (uint32_t i = 0; i < engine->findings.count; i++) {
        struct race_finding told;

        findings_describe(&engine->findings.of[i], &engine->threads, operation, &told);
        engine->counters.races[told.conflict]++;
        engine->shape.found(engine->shape.context, &told);
    }
    engine->findings.count = 0;
}

void race_access(struct race_engine *engine, const struct race_operation *operation)
{
    struct call call = {.engine = engine,
                        .operation = operation,
                        .actor = threads_actor(&engine->threads, operation->thread)};
    uint32_t lanes = (uint32_t)__builtin_popcountll(operation->lanes);

    if (engine->failed || call.actor == NULL) {
        return;
    }
    actor_reach(call.actor, operation->place, operation->release);
    engine->calls++;
    call.access = (struct access){.epoch = actor_epoch(call.actor, operation->place),
                                  .time_ps = operation->time_ps,
                                  .pc = operation->pc,
                                  .thread = operation->thread,
                                  .index = call.actor->index,
                                  .scope = operation->scope,
                                  .synchronization = operation->synchronization,
                                  .reads = operation->reads,
                                  .writes = operation->writes};
    if (operation->synchronization) {
        engine->counters.sync_operations += lanes;
        call.scope = order_scope(engine->shape.model, operation->scope);
        call.of = threads_instance_of(&engine->threads, call.actor, call.scope);
    } else {
        engine->counters.accesses += lanes;
    }
    if (operation->acquire) {
        threads_note_acquire(&engine->threads, operation->thread, operation->scope,
                             operation->time_ps);
    }
    engine->failed = !perform(&call);
    actor_order_lanes(call.actor, operation);
    tell(engine, operation);
}

void race_forget(struct race_engine *engine, uint64_t address, uint64_t bytes)
{
    cells_forget(&engine->cells, address, bytes);
}
