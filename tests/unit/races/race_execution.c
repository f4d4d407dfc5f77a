/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random executions (unit/races/race_execution.h). */
#include "unit/races/race_execution.h"

#include <string.h>

#include "common/check.h"

static uint32_t draw(struct race_execution *run, uint32_t choices)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return (uint32_t)(run->random >> 33) % choices;
}

static void perform(struct race_execution *run, const struct race_step *step)
{
    assert_true(run->steps < STEPS);
    run->step[run->steps++] = *step;
}

typedef bool delayed_fn(const struct race_step *step, const struct race_step *behind);

static bool any(const struct race_step *step, const struct race_step *behind)
{
    (void)step;
    (void)behind;
    return true;
}

static bool is_read(const struct race_step *step, const struct race_step *behind)
{
    (void)behind;
    return step->reads;
}

static bool is_acquire(const struct race_step *step, const struct race_step *behind)
{
    (void)behind;
    return step->acquire;
}

/* Performs those of a thread's delayed operations, in any order. */
static void flush(struct race_execution *run, const struct race_step *behind, delayed_fn *which)
{
    uint32_t first = run->delays > 0 ? draw(run, run->delays) : 0;
    uint32_t count = run->delays;
    struct race_step kept[STEPS];
    uint32_t keep = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct race_step *step = &run->delayed[(first + i) % count];

        if (step->thread == behind->thread && which(step, behind)) {
            perform(run, step);
        } else {
            kept[keep++] = *step;
        }
    }
    memcpy(run->delayed, kept, keep * sizeof(kept[0]));
    run->delays = keep;
}

static bool is_at(const struct race_step *step, const struct race_step *at)
{
    return step->place == at->place;
}

static void flush_old(struct race_execution *run, const struct race_step *behind)
{
    for (uint32_t i = 0; i < run->delays; i++) {
        struct race_step old = run->delayed[i];

        if (old.thread == behind->thread && old.place + run->window < behind->place) {
            flush(run, &old, is_at);
            i = UINT32_MAX; /* from the begin */
        }
    }
}

static enum sl_scope draw_scope(struct race_execution *run)
{
    enum sl_scope scope;

    do {
        scope = (enum sl_scope)draw(run, RACE_SCOPES);
    } while ((run->scopes >> scope & 1) == 0);
    return scope;
}

static void begin(struct race_execution *run, uint32_t slot, uint32_t object)
{
    struct race_context *context = &run->context[slot];
    uint64_t group = RACE_NO_GROUP;

    if (run->threads == THREADS) {
        return;
    }
    if (slot > 0 && draw(run, 4) != 0) {
        group = run->groups;
        for (uint64_t i = 0; i < run->groups; i++) {
            if ((run->open >> i & 1) != 0 && draw(run, 3) != 0) {
                group = i;
            }
        }
        if (group == run->groups) {
            run->open |= UINT64_C(1) << run->groups++;
        }
    }
    *context = (struct race_context){.lives = true, .thread = run->threads, .group = group};
    perform(run, &(struct race_step){.kind = STEP_BEGIN,
                                     .thread = run->threads++,
                                     .slot = slot,
                                     .group = group,
                                     .object = object});
}

static struct race_step step_of(const struct race_execution *run, uint32_t slot,
                                enum step_kind kind)
{
    const struct race_context *context = &run->context[slot];

    return (struct race_step){
        .kind = kind, .thread = context->thread, .slot = slot, .place = context->place};
}

static void leave_or_take(struct race_execution *run, uint32_t slot, enum step_kind kind,
                          uint32_t object, enum sl_scope scope)
{
    struct race_step step = step_of(run, slot, kind);

    step.object = object;
    step.scope = scope;
    flush_old(run, &step);
    flush(run, &step, kind == STEP_LEAVE ? any : is_acquire);
    perform(run, &step);
    if (kind == STEP_LEAVE && scope == SL_SCOPE_DEVICE) {
        run->launches |= 1u << object;
    }
    run->context[slot].place += draw(run, 2);
}

/* A wavefront ends, the aggregator may learn of it, and another begins. */
static void end(struct race_execution *run, uint32_t slot)
{
    struct race_context *context = &run->context[slot];
    uint32_t object = draw(run, OBJECTS);
    struct race_step step;

    leave_or_take(run, slot, STEP_LEAVE, object, SL_SCOPE_DEVICE);
    step = step_of(run, slot, STEP_END);
    perform(run, &step);
    context->lives = false;
    if (context->group != RACE_NO_GROUP) {
        run->open &= ~(UINT64_C(1) << context->group);
    }
    if (draw(run, 4) != 0) {
        leave_or_take(run, 0, STEP_TAKE, object, SL_SCOPE_DEVICE);
    }
    if (draw(run, 4) != 0) {
        leave_or_take(run, 0, STEP_LEAVE, object, SL_SCOPE_DEVICE);
    }
    if (draw(run, 4) == 0) {
        do {
            object = draw(run, OBJECTS);
        } while ((run->launches >> object & 1) == 0);
    }
    begin(run, slot, object);
}

static void fence(struct race_execution *run, uint32_t slot, enum sl_scope scope, uint32_t what)
{
    struct race_step step = step_of(run, slot, STEP_FENCE);

    step.scope = scope;
    step.acquire = (what & 1) != 0;
    step.release = (what & 2) != 0;
    flush_old(run, &step);
    flush(run, &step, step.release ? any : is_read);
    perform(run, &step);
    run->context[slot].place += draw(run, 2);
}

static void draw_lanes(struct race_execution *run, struct race_step *step)
{
    bool aligned = step->synchronization || step->bytes == 4;
    uint32_t bytes = run->apart ? MEMORY / 2 : MEMORY;
    uint32_t base = run->apart && !step->synchronization ? MEMORY / 2 : 0;

    step->lanes = draw(run, 4) != 0 ? 1 : draw(run, 2) != 0 ? 3 : 7;
    for (uint32_t lane = 0; lane < 3; lane++) {
        step->address[lane] = aligned ? base + step->bytes * draw(run, bytes / step->bytes)
                                      : base + draw(run, bytes - step->bytes + 1);
        if (run->one_scope && step->synchronization) {
            step->scope = run->scope_of[step->address[0] / 4];
            step->lanes = 1;
        }
    }
}

/* Hands in the instruction in one piece or two, each now or later. */
static void perform_lanes(struct race_execution *run, struct race_step step)
{
    struct race_step rest = step;

    if (step.lanes != 1 && draw(run, 3) == 0) {
        step.lanes = 1;
        rest.lanes &= ~UINT64_C(1);
        run->delayed[run->delays++] = rest;
    }
    if (!step.acquire && !step.release && draw(run, 3) == 0) {
        run->delayed[run->delays++] = step;
        return;
    }
    perform(run, &step);
}

static void access_memory(struct race_execution *run, uint32_t slot)
{
    struct race_step step = step_of(run, slot, STEP_ACCESS);
    uint32_t what = draw(run, 4);

    step.synchronization = draw(run, 8) >= run->ordinary;
    step.reads = what < 2;
    step.writes = what > 1;
    step.bytes = 4;
    if (step.synchronization) {
        step.scope = draw_scope(run);
        step.writes = what > 0;
        step.reads = what < 3;
        step.reads |= run->eager;
        step.writes |= run->eager;
        step.acquire = step.reads && (run->eager || draw(run, 4) != 0);
        step.release = step.writes && (run->eager || draw(run, 4) != 0);
        step.bytes = draw(run, 6) == 0 ? 8 : 4;
    } else if (draw(run, 3) == 0) {
        step.bytes = (uint8_t)(1 + draw(run, 8));
    }
    draw_lanes(run, &step);
    flush_old(run, &step);
    flush(run, &step, step.release ? any : is_acquire);
    perform_lanes(run, step);
    run->context[slot].place++;
}

/* An access behind an acquire of one word, and before a release of the same or another one; of
 * either a fence may be that, beside a relaxed atomic, or on its wrong side. */
static void synchronized_access(struct race_execution *run, uint32_t slot)
{
    uint32_t word = draw(run, 2);
    bool fenced = draw(run, 2) == 0;
    bool wrong = draw(run, 4) == 0;

    for (uint32_t i = 0; i < 3; i++) {
        struct race_step step = step_of(run, slot, STEP_ACCESS);

        step.lanes = 1;
        step.bytes = 4;
        step.synchronization = i != 1;
        step.address[0] = step.synchronization ? 4 * word : MEMORY - 4 - 4 * (uint64_t)draw(run, 2);
        step.scope = run->scope_of[word];
        step.acquire = i == 0 && !fenced;
        step.release = i == 2 && !fenced;
        step.reads = i == 0 || (i == 1 && draw(run, 2) == 0);
        step.writes = !step.reads;
        flush_old(run, &step);
        flush(run, &step, step.release ? any : is_acquire);
        perform_lanes(run, step);
        run->context[slot].place++;
        if (fenced && i < 2) {
            fence(run, slot, run->scope_of[word], (i == 0) != wrong ? 1 : 2);
        }
        word = i == 0 && draw(run, 3) == 0 ? 1 - word : word;
    }
}

/* Delayed ones perform at some time. */
static void drain_some(struct race_execution *run)
{
    while (run->delays > 0 && draw(run, 3) == 0) {
        struct race_step step = run->delayed[draw(run, run->delays)];

        flush(run, &step, is_at);
    }
}

static void operate(struct race_execution *run, uint32_t slot)
{
    switch (draw(run, 12)) {
    case 0:
        leave_or_take(run, slot, STEP_LEAVE, draw(run, OBJECTS), draw_scope(run));
        break;
    case 1:
        leave_or_take(run, slot, STEP_TAKE, draw(run, OBJECTS), draw_scope(run));
        break;
    case 2:
        fence(run, slot, draw_scope(run), 1 + draw(run, 3));
        break;
    default:
        access_memory(run, slot);
    }
}

void race_execution_make(struct race_execution *run, uint64_t seed)
{
    memset(run, 0, sizeof(*run));
    run->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    draw(run, 2);
    draw(run, 2);
    run->window = 1 + draw(run, 6);
    run->collect = draw(run, 4);
    run->scopes = draw(run, 4) == 0   ? 1u << SL_SCOPE_DEVICE
                  : draw(run, 2) == 0 ? 1u << SL_SCOPE_DEVICE | 1u << SL_SCOPE_WORKGROUP
                                      : 1 + draw(run, 15);
    run->ordinary = draw(run, 6);
    run->sections = draw(run, 2) != 0;
    run->eager = draw(run, 2) != 0;
    run->apart = draw(run, 4) != 0;
    run->one_scope = draw(run, 4) != 0;
    for (uint32_t word = 0; word < MEMORY / 4; word++) {
        run->scope_of[word] = draw_scope(run);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        begin(run, slot, OBJECTS);
    }
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint32_t slot = draw(run, SLOTS);

        if (!run->context[slot].lives) {
            continue;
        }
        if (run->sections && i + 3 <= OPERATIONS) {
            synchronized_access(run, slot);
            i += 2;
        } else {
            operate(run, slot);
        }
        drain_some(run);
        slot = 1 + draw(run, SLOTS - 1);
        if (draw(run, 6) == 0 && run->context[slot].lives) {
            end(run, slot);
        }
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (run->context[slot].lives) {
            struct race_step step = step_of(run, slot, STEP_END);

            flush(run, &step, any);
        }
    }
}
