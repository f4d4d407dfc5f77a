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
    return look->watches != NULL && look->steps != NULL && look->in_set != NULL;
}

void look_destroy(struct look *look)
{
    pages_free(look->watches, look->count * sizeof(*look->watches));
    pages_free(look->steps, look->count * sizeof(*look->steps));
    pages_free(look->in_set, look->count * sizeof(*look->in_set));
}

void look_reset(struct look *look)
{
    look->pass = LOOK_NONE;
    look->queues.queued = false;
    memset(&look->changers, 0, sizeof(look->changers));
}

/* ---- one wavefront ---- */

static uint32_t limit_of(const struct wave *wave)
{
    return wave_cu(wave)->shape.spin_limit;
}

static struct look_watch *watch_of(const struct look *look, const struct wave *wave)
{
    return &look->watches[wave - look->waves];
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

static void end_look(struct look *look)
{
    look->pass = LOOK_NONE;
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

/* Instructions, but for locks that were in vain: none at a barrier, and where all are locks. */
static uint64_t steps_of(const struct wave *wave)
{
    return wave->instructions - wave->locks.failed_rounds;
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

/* Begins a look, if there is reason to. Those that spin are watched from their next branch on. */
static void begin_look(struct look *look)
{
    if (!do_all_wait(look) || look_is_open(look)) {
        return;
    }
    look->pass = LOOK_FIRST;
    look->resident = look->env->activity->resident;
    look->launched = look->env->pool->wave_count;
    look->turns = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        struct wave *wave = &look->waves[i];
        if (wave->state == WAVE_RUNNING) {
            look->steps[i] = steps_of(wave);
            wave->spin.left = 1;
        }
    }
}

/* Whether nobody has come or gone since the look began. */
static bool is_same_company(const struct look *look)
{
    return look->resident == look->env->activity->resident &&
           look->launched == look->env->pool->wave_count;
}

/* Whether a wavefront has done in this pass what it has to: a round that began in it; or nothing
 * since the look began, at its barrier or but for locks in vain, one of which may be under way. */
static bool has_passed(const struct look *look, const struct wave *wave)
{
    const uint64_t steps = steps_of(wave) - look->steps[wave - look->waves];

    if (wave->watch != NULL) {
        return wave->watch->judged == look->pass;
    }
    return wave->waits_at_barrier ? steps == 0 : look_retries(wave) && steps + 1 <= 2;
}

static bool have_all_passed(const struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state != WAVE_FREE && !has_passed(look, &look->waves[i])) {
            return false;
        }
    }
    return true;
}

/* The deadlock is of all that are resident. */
static void take_all(struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        look->in_set[i] = look->waves[i].state == WAVE_RUNNING;
    }
}

/* A round has changed nothing. */
static void go_on(struct look *look)
{
    if (!is_same_company(look) || !do_all_wait(look) || ++look->turns > LOOK_TURNS_MAX) {
        end_look(look);
    } else if (!have_all_passed(look)) {
        return;
    } else if (look->pass == LOOK_FIRST) {
        look->pass = LOOK_SECOND;
    } else if (!look_is_open(look) && look_is_deadlock(look)) {
        look->pass = LOOK_NONE;
        take_all(look);
        look_report(look);
    } else {
        end_look(look);
    }
}

/* ---- branches ---- */

void look_round(struct wave *wave)
{
    struct look *look = wave_cu(wave)->env->look;

    wave->spin.left = 1;
    if (wave->watch == NULL) {
        wave->watch = watch_of(look, wave);
        watch_begin(wave->watch, wave, look->pass);
        return;
    }
    switch (watch_turn(wave->watch, wave, look->pass)) {
    case WATCH_UNKNOWN:
        break;
    case WATCH_CHANGES:
        forget(wave);
        if (look->pass != LOOK_NONE) {
            end_look(look);
        }
        break;
    case WATCH_UNCHANGED:
        wave->spin.spins = true;
        if (look->pass != LOOK_NONE) {
            go_on(look);
        } else {
            stop_watching(wave);
            begin_look(look);
        }
        break;
    }
}

void look_other_branch(struct wave *wave)
{
    struct look *look = wave_cu(wave)->env->look;
    const struct stack_entry *top = simt_stack_top(&wave->stack);

    if (wave->spin.spins && look->pass != LOOK_NONE) {
        end_look(look);
    }
    forget(wave);
    wave->spin.pc = top->pc;
    wave->spin.depth = wave->stack.depth;
    wave->spin.mask = top->mask;
}
