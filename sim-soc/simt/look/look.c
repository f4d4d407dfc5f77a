/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Looks at all wavefronts. */
#include "simt/look/look.h"

#include <string.h>

#include "simt/cu/pages.h"
#include "simt/cu/pool.h"
#include "simt/look/spin.h"

/* Rounds of all wavefronts together after which a look gives up: somebody is not in its loop any
 * more, or the rounds are too unlike in length. */
#define LOOK_TURNS_MAX 1000000u

bool look_create(struct look *look, const struct cu_environment *env, struct wave *waves,
                 uint32_t count)
{
    look->env = env;
    look->waves = waves;
    look->count = count;
    look->queues = (struct event){.run = look_queues_event, .rank = EVENT_OTHER};
    look->watches = pages_allocate(count * sizeof(*look->watches));
    look->steps = pages_allocate(count * sizeof(*look->steps));
    look->in_set = pages_allocate(count * sizeof(*look->in_set));
    look->idle_from = pages_allocate(count * sizeof(*look->idle_from));
    return look->watches != NULL && look->steps != NULL && look->in_set != NULL &&
           look->idle_from != NULL;
}

void look_destroy(struct look *look)
{
    pages_free(look->watches, look->count * sizeof(*look->watches));
    pages_free(look->steps, look->count * sizeof(*look->steps));
    pages_free(look->in_set, look->count * sizeof(*look->in_set));
    pages_free(look->idle_from, look->count * sizeof(*look->idle_from));
}

void look_reset(struct look *look)
{
    look->pass = LOOK_NONE;
    look->is_search = false;
    look->finding = LOOK_UNDECIDED;
    look->counter = NULL;
    look->queues.queued = false;
    memset(&look->changers, 0, sizeof(look->changers));
}

/* ---- one wavefront ---- */

static uint32_t limit_of(const struct wave *wave)
{
    return wave_cu(wave)->shape.spin_limit;
}

static void stop_watching(struct wave *wave)
{
    wave->watch = NULL;
    wave->spin.left = limit_of(wave);
}

/* The wavefront does not spin after all. */
static void forget(struct wave *wave)
{
    stop_watching(wave);
    wave->spin.spins = false;
}

/* ---- all of them ---- */

void look_end(struct look *look)
{
    look->pass = LOOK_NONE;
    look->is_search = false;
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state == WAVE_RUNNING) {
            stop_watching(&look->waves[i]);
        }
    }
}

static bool seems_to_wait(const struct wave *wave)
{
    return wave->state == WAVE_RUNNING &&
           (wave->spin.spins || wave->waits_at_barrier || look_retries(wave));
}

/* Whether all that are resident seem to wait. */
static bool do_all_wait(const struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state != WAVE_FREE && !seems_to_wait(&look->waves[i])) {
            return false;
        }
    }
    return true;
}

void look_begin(struct look *look)
{
    look->pass = LOOK_FIRST;
    look->resident = look->env->activity->resident;
    look->launched = look->env->pool->wave_count;
    look->turns = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        struct wave *wave = &look->waves[i];
        if (wave->state == WAVE_RUNNING) {
            look->steps[i] = look_steps_of(wave);
            wave->spin.left = 1;
        }
    }
}

bool look_is_same_company(const struct look *look)
{
    return look->resident == look->env->activity->resident &&
           look->launched == look->env->pool->wave_count;
}

bool look_has_passed(const struct look *look, const struct wave *wave)
{
    const uint64_t steps = look_steps_of(wave) - look->steps[wave - look->waves];

    if (wave->watch != NULL) {
        return wave->watch->judged == look->pass;
    }
    return wave->waits_at_barrier ? steps == 0 : look_retries(wave) && steps + 1 <= 2;
}

bool look_have_all_passed(const struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state != WAVE_FREE && !look_has_passed(look, &look->waves[i])) {
            return false;
        }
    }
    return true;
}

void look_take_all(struct look *look)
{
    look->pass = LOOK_NONE;
    look->is_search = false;
    for (uint32_t i = 0; i < look->count; i++) {
        look->in_set[i] = look->waves[i].state == WAVE_RUNNING;
    }
    look_report(look);
}

/* A round has changed nothing. */
static void go_on(struct look *look)
{
    if (!look_is_same_company(look) || !do_all_wait(look) || ++look->turns > LOOK_TURNS_MAX) {
        look_end(look);
    } else if (!look_have_all_passed(look)) {
        return;
    } else if (look->pass == LOOK_FIRST) {
        look->pass = LOOK_SECOND;
    } else if (!look_is_open(look) && look_is_deadlock(look)) {
        look_take_all(look);
    } else {
        look_end(look);
    }
}

/* ---- branches ---- */

/* The wavefront is at the branch again. Rounds that look at who knows what are no spinning. */
static enum watch_verdict turn(const struct look *look, const struct wave *wave)
{
    const enum watch_verdict verdict = watch_turn(wave->watch, wave, look->pass);

    return verdict == WATCH_UNCHANGED && wave->watch->is_partial ? WATCH_CHANGES : verdict;
}

void look_round(struct wave *wave)
{
    struct look *look = wave_cu(wave)->env->look;

    if (look->is_search) {
        look_search_branch(wave);
        return;
    }
    wave->spin.left = 1;
    if (wave->watch == NULL) {
        wave->watch = look_watch_of(look, wave);
        watch_begin(wave->watch, wave, look->pass);
        return;
    }
    switch (turn(look, wave)) {
    case WATCH_UNKNOWN:
        break;
    case WATCH_CHANGES:
        forget(wave);
        if (look->pass != LOOK_NONE) {
            look_end(look);
        }
        break;
    case WATCH_UNCHANGED:
        wave->spin.spins = true;
        if (look->pass != LOOK_NONE) {
            go_on(look);
        } else {
            stop_watching(wave);
            if (do_all_wait(look) && !look_is_open(look)) {
                look_begin(look);
            }
        }
        break;
    }
}

void look_other_branch(struct wave *wave)
{
    struct look *look = wave_cu(wave)->env->look;
    const struct stack_entry *top = simt_stack_top(&wave->stack);

    wave->spin.pc = top->pc;
    wave->spin.depth = wave->stack.depth;
    wave->spin.mask = top->mask;
    if (look->is_search) {
        look_search_branch(wave);
        return;
    }
    if (wave->spin.spins && look->pass != LOOK_NONE) {
        look_end(look);
    }
    forget(wave);
}
