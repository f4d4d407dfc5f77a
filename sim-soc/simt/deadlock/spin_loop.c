/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What comes of rounds: a wavefront that goes round in a loop is watched, and where all that are
 * resident seem to wait, they are looked at. */
#include "simt/deadlock/spin_loop.h"

#include "simt/deadlock/deadlock.h"

/* Rounds of all wavefronts together after which a look gives up: somebody is not in its loop any
 * more, or the rounds are too unlike in length. */
#define LOOK_TURNS_MAX 1000000u

/* The wavefront does not spin after all. */
static void forget(struct wave *wave)
{
    look_stop_watching(wave);
    wave->spin.spins = false;
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
            look_stop_watching(wave);
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
