/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A search: a look at all wavefronts that begins because nothing has happened for long, and not
 * because all of them seem to wait (docs/do/debug.md, "The limit without progress").
 *
 * Each is watched from some backward branch, its *anchor*, until it is there again with the same
 * stack and registers, whatever it does on the way; where it does not come back, another branch
 * becomes its anchor, for twice as long. So a loop of any shape has rounds. A wavefront that is at
 * its anchor for ATTEMPTS times and never as it was changes something, which ends the search: there
 * is progress. Two passes in which all have had rounds that change nothing, as in any look, are a
 * deadlock where that is certain, and otherwise a standstill. */
#include "simt/deadlock/deadlock.h"
#include "simt/deadlock/spin_loop.h"
#include "simt/ordering/ordering.h"

#define PATIENCE_FIRST 16u
#define ATTEMPTS       64u

#define BESIDE_SCOUT 4096u /* branches of another wavefront until it is asked again */

void look_search(struct look *look, bool has_scout)
{
    if (look->is_search) {
        return;
    }
    if (look->pass != LOOK_NONE) {
        look_end(look);
    }
    look_begin(look);
    look->is_search = true;
    look->scout = NULL;
    look->awaits_scout = has_scout;
    look->is_doubtful = false;
    look->finding = LOOK_UNDECIDED;
    look->counter = NULL;
    for (uint32_t i = 0; i < look->count; i++) {
        look->watches[i].judged = 0; /* by a look before */
    }
}

/* ---- rounds ---- */

static void anchor_here(const struct look *look, struct wave *wave)
{
    struct watch_anchor *anchor = &look_watch_of(look, wave)->anchor;

    anchor->pc = wave->spin.pc;
    anchor->depth = wave->spin.depth;
    anchor->mask = wave->spin.mask;
    anchor->others = 0;
    anchor->attempts = 0;
    wave->watch = look_watch_of(look, wave);
    watch_begin(wave->watch, wave, look->pass);
}

static bool is_at_anchor(const struct wave *wave)
{
    const struct watch_anchor *anchor = &wave->watch->anchor;

    return anchor->pc == wave->spin.pc && anchor->depth == wave->spin.depth &&
           anchor->mask == wave->spin.mask;
}

static void decide(struct look *look, enum look_finding finding)
{
    look_end(look);
    look->finding = finding;
}

/* A round has changed nothing. */
static void go_on(struct look *look)
{
    if (!look_have_all_passed(look)) {
        return;
    }
    if (look->pass == LOOK_FIRST) {
        look->pass = LOOK_SECOND;
    } else if (!look->is_doubtful && look_is_same_company(look) && !look_is_open(look) &&
               look_is_deadlock(look)) {
        look_take_all(look);
    } else {
        decide(look, LOOK_STANDSTILL);
    }
}

/* A wavefront is at its anchor and not as it was. */
static void fail(struct look *look, struct wave *wave)
{
    if (++wave->watch->anchor.attempts >= ATTEMPTS) {
        wave->spin.spins = false;
        look->counter = wave;
        decide(look, LOOK_CHANGE);
    }
}

/* The wavefront is at its anchor. Where it is not as it was, the round goes on. */
static void turn(struct look *look, struct wave *wave)
{
    wave->watch->anchor.others = 0;
    if (!watch_is_back(wave->watch, wave)) {
        fail(look, wave);
        return;
    }
    switch (watch_turn(wave->watch, wave, look->pass)) {
    case WATCH_UNKNOWN:
        break;
    case WATCH_CHANGES:
        look->is_doubtful = true;
        fail(look, wave);
        break;
    case WATCH_UNCHANGED:
        wave->watch->anchor.attempts = 0;
        go_on(look);
        break;
    }
}

void look_search_branch(struct wave *wave)
{
    struct look *look = wave_cu(wave)->env->look;

    if (look->awaits_scout) {
        look->scout = wave;
        look->awaits_scout = false;
    }
    if (look->scout != NULL && look->scout != wave) {
        wave->spin.left = BESIDE_SCOUT;
        return;
    }
    wave->spin.left = 1;
    if (wave->watch == NULL) {
        look_watch_of(look, wave)->anchor.patience = PATIENCE_FIRST;
        anchor_here(look, wave);
        return;
    }
    struct watch_anchor *anchor = &wave->watch->anchor;
    if (is_at_anchor(wave)) {
        turn(look, wave);
    } else if (++anchor->others == anchor->patience) {
        anchor->patience *= 2;
        anchor_here(look, wave);
    }
}

/* ---- the end ---- */

/* Whether a wavefront has done nothing since the search began. */
static bool is_at_rest(const struct look *look, const struct wave *wave)
{
    return wave->state != WAVE_RUNNING ||
           (wave->watch == NULL && look_steps_of(wave) == look->steps[wave - look->waves]);
}

/* Whether memory has yet to answer a wavefront, or to take its stores, its state or its code. That
 * ends, however long it takes; what has asked for locks in vain asks again. */
static bool awaits_memory(const struct wave *wave)
{
    const uint64_t now = wave_cu(wave)->wheel->now;

    if (order_done_cycle(wave) > now || wave->order.count != 0) {
        return true;
    }
    if (wave->state != WAVE_RUNNING) {
        return wave->transfer.pending != 0 || wave->state == WAVE_RELEASING;
    }
    return !look_retries(wave) &&
           (wave->holds != 0 || (wave->gate_cycle > now && wave->stall.gate != SL_STALL_PAUSE));
}

/* What a wavefront has shown by the end of a search. */
static enum look_finding finding_of(const struct look *look, const struct wave *wave)
{
    if (is_at_rest(look, wave) && awaits_memory(wave)) {
        return LOOK_CHANGE;
    }
    return look_has_passed(look, wave) || is_at_rest(look, wave) ? LOOK_STANDSTILL : LOOK_UNDECIDED;
}

/* What they all have: one that changes something is enough. */
static enum look_finding finding_of_all(const struct look *look)
{
    enum look_finding finding = LOOK_STANDSTILL;

    for (uint32_t i = 0; i < look->count && finding != LOOK_CHANGE; i++) {
        const struct wave *wave = &look->waves[i];
        const enum look_finding own =
            wave->state != WAVE_FREE ? finding_of(look, wave) : LOOK_STANDSTILL;
        if (own != LOOK_STANDSTILL) {
            finding = own;
        }
    }
    return finding;
}

enum look_finding look_search_end(struct look *look)
{
    if (look->is_search) {
        decide(look, finding_of_all(look));
    }
    const enum look_finding finding = look->finding;
    look->finding = LOOK_UNDECIDED;
    return finding;
}

/* ---- loops that count ---- */

void look_note_effect(struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        look->idle_from[i] = look->waves[i].instructions;
    }
}

uint64_t look_counted(const struct look *look)
{
    const struct wave *wave = look->counter;

    return wave != NULL && wave->state == WAVE_RUNNING
               ? wave->instructions - look->idle_from[wave - look->waves]
               : 0;
}
