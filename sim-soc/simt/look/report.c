/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Faults of a deadlock: one for each wavefront, with the word that it waits for, who holds that,
 * and where that one waits, so that who reads them all can go round the circle. */
#include "simt/life/life.h"
#include "simt/look/look.h"

/* The resident wavefront with a number, or NULL. */
static struct wave *wave_numbered(const struct look *look, uint64_t number)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state != WAVE_FREE && look->waves[i].number == number) {
            return &look->waves[i];
        }
    }
    return NULL;
}

/* ---- the word that a wavefront waits for ---- */

enum worth { PRIVATE_WORD, OWN_WORD, SHARED_WORD, HELD_WORD };

/* How likely a word is what the wavefront waits for: one that somebody has taken, one that the
 * rounds do not change, one that they do, or the lanes' own variables. */
static enum worth worth_of(const struct look *look, const struct watch_word *word)
{
    if (word->place - look->env->layout.pool_base <
        look->env->layout.top_base - look->env->layout.pool_base) {
        return PRIVATE_WORD;
    }
    if (word->is_changed) {
        return OWN_WORD;
    }
    return changers_find(&look->changers, word->place, word->value) != NULL ? HELD_WORD
                                                                            : SHARED_WORD;
}

/* The most likely one, of equal ones that which the program looks at first; NULL without any. */
static const struct watch_word *wanted_word(const struct look *look, const struct look_watch *watch)
{
    const struct watch_word *best = NULL;

    for (uint32_t i = 0; i < watch->count; i++) {
        const struct watch_word *word = watch_word(watch, i);
        if (word->is_loaded && (best == NULL || worth_of(look, word) > worth_of(look, best))) {
            best = word;
        }
    }
    return best;
}

/* ---- its holder ---- */

/* The topmost entry of the stack that a lane is in; NULL where it has ended. */
static const struct stack_entry *entry_of(const struct simt_stack *stack, uint32_t lane)
{
    for (uint32_t i = stack->depth; i > 0; i--) {
        if (stack->entries[i - 1].mask >> lane & 1) {
            return &stack->entries[i - 1];
        }
    }
    return NULL;
}

/* What the lane that holds the word does, and where. */
static void describe_holder(const struct look *look, const struct look_changer *changer,
                            struct sl_fault *fault)
{
    const uint64_t base = look->env->program.base;
    const struct wave *wave = wave_numbered(look, changer->wave);
    const struct stack_entry *entry = wave == NULL ? NULL : entry_of(&wave->stack, changer->lane);

    fault->holder = changer->wave;
    fault->holder_lane = changer->lane;
    fault->holder_pc = base + changer->pc;
    fault->holder_state = SL_HOLDER_ENDED;
    if (entry == NULL || entry->pc >= look->env->program.bytes) {
        return;
    }
    fault->value1 = base + entry->pc;
    if (wave->watch != NULL && (wave->spin.mask >> changer->lane & 1) != 0) {
        fault->holder_state = SL_HOLDER_LOOPS;
        fault->value1 = base + wave->spin.pc;
    } else {
        fault->holder_state = wave->watch == NULL ? SL_HOLDER_BARRIER : SL_HOLDER_LANES;
    }
}

/* ---- records ---- */

static struct sl_fault describe_spinning(const struct look *look, struct wave *wave)
{
    const struct watch_word *word = wanted_word(look, wave->watch);
    struct sl_fault fault = wave_fault_record(wave, SL_FAULT_DEADLOCK, wave->spin.mask, 0);

    fault.pc = look->env->program.base + wave->spin.pc;
    if (word == NULL) {
        return fault;
    }
    const struct look_changer *changer = changers_find(&look->changers, word->place, word->value);
    fault.pc = look->env->program.base + word->pc;
    fault.address = watch_address(word->place);
    fault.value0 = word->value;
    if (changer != NULL) {
        describe_holder(look, changer, &fault);
    }
    return fault;
}

static struct sl_fault describe_at_barrier(struct wave *wave)
{
    return wave_fault_record(wave, SL_FAULT_DEADLOCK, wave_mask(wave), 0);
}

/* The first wavefront, in order of numbers, that has not faulted yet, of those that spin or of
 * those that do not; NULL where there is none. */
static struct wave *next_wave(const struct look *look, bool spins)
{
    struct wave *best = NULL;

    for (uint32_t i = 0; i < look->count; i++) {
        struct wave *wave = &look->waves[i];
        if (wave->state == WAVE_RUNNING && (wave->watch != NULL) == spins &&
            (best == NULL || wave->number < best->number)) {
            best = wave;
        }
    }
    return best;
}

/* Nobody is to be told that the others of its group have left their barrier. */
static void leave_barriers(struct look *look)
{
    for (uint32_t i = 0; i < look->count; i++) {
        if (look->waves[i].state == WAVE_RUNNING) {
            look->waves[i].waits_at_barrier = false;
        }
    }
}

void look_report(struct look *look)
{
    struct wave *wave;

    leave_barriers(look);
    while ((wave = next_wave(look, true)) != NULL) {
        const struct sl_fault fault = describe_spinning(look, wave);
        wave_fault_with(wave, &fault);
    }
    while ((wave = next_wave(look, false)) != NULL) {
        const struct sl_fault fault = describe_at_barrier(wave);
        wave_fault_with(wave, &fault);
    }
}
