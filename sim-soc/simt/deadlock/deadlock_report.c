/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Faults of a deadlock: one for each wavefront, with the word that it waits for, who holds that,
 * and where that one waits, so that who reads them all can go round the circle. */
#include "simt/deadlock/deadlock.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/locks/locks.h"

/* The resident wavefront with a number, or NULL. */
static const struct wave *wave_numbered(const struct deadlock_detector *detector, uint64_t number)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->waves[i].state != WAVE_FREE && detector->waves[i].number == number) {
            return &detector->waves[i];
        }
    }
    return NULL;
}

/* ---- the word that a wavefront waits for ---- */

enum worth { PRIVATE_WORD, OWN_WORD, SHARED_WORD, HELD_WORD };

/* How likely a word is what the wavefront waits for: one that somebody has taken, one that the
 * rounds do not change, one that they do, or the lanes' own variables. */
static enum worth worth_of(const struct deadlock_detector *detector,
                           const struct monitor_word *word)
{
    if (word->place - detector->env->layout.pool_base <
        detector->env->layout.top_base - detector->env->layout.pool_base) {
        return PRIVATE_WORD;
    }
    if (word->is_changed) {
        return OWN_WORD;
    }
    return last_writer_of(&detector->last_writers, word->place, word->value) != NULL ? HELD_WORD
                                                                                     : SHARED_WORD;
}

/* The most likely one, of equal ones that which the program looks at first; NULL without any. */
static const struct monitor_word *wanted_word(const struct deadlock_detector *detector,
                                              const struct loop_monitor *monitor)
{
    const struct monitor_word *best = NULL;

    for (uint32_t i = 0; i < monitor->count; i++) {
        const struct monitor_word *word = monitor_word(monitor, i);
        if (word->is_loaded &&
            (best == NULL || worth_of(detector, word) > worth_of(detector, best))) {
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

static bool spins(const struct wave *wave)
{
    return wave->monitor != NULL && wave->monitor->judged != 0;
}

/* What a lane does that is in an entry of its wavefront's stack. */
static enum sl_holder state_of(const struct wave *wave, const struct stack_entry *entry,
                               uint32_t lane)
{
    if (entry->kind == STACK_RETRY) {
        return SL_HOLDER_LOCK;
    }
    if (spins(wave)) {
        return wave->spin.mask >> lane & 1 ? SL_HOLDER_LOOPS : SL_HOLDER_LANES;
    }
    return lock_only_retries(wave) ? SL_HOLDER_LANES : SL_HOLDER_BARRIER;
}

/* Who holds the word: a lane of a wavefront, which may have ended (NULL). */
static void describe_holder(const struct deadlock_detector *detector, const struct wave *wave,
                            uint32_t lane, struct sl_fault *fault)
{
    const uint64_t base = detector->env->program.base;
    const struct stack_entry *entry = wave == NULL ? NULL : entry_of(&wave->stack, lane);

    fault->holder_lane = lane;
    fault->holder_state = SL_HOLDER_ENDED;
    if (entry != NULL && entry->pc < detector->env->program.bytes) {
        fault->holder_state = state_of(wave, entry, lane);
        fault->value1 = base + (fault->holder_state == SL_HOLDER_LOOPS ? wave->spin.pc : entry->pc);
    }
}

/* ---- records ---- */

static struct sl_fault describe_spinning(const struct deadlock_detector *detector,
                                         struct wave *wave)
{
    const uint64_t base = detector->env->program.base;
    const struct monitor_word *word = wanted_word(detector, wave->monitor);
    struct sl_fault fault = wave_fault_record(wave, SL_FAULT_DEADLOCK, wave->spin.mask, 0);

    fault.pc = base + (word == NULL ? wave->spin.pc : word->pc);
    if (word == NULL) {
        fault.holder_state = SL_HOLDER_LOOPS;
        return fault;
    }
    const struct last_writer *writer =
        last_writer_of(&detector->last_writers, word->place, word->value);
    fault.address = loop_monitor_address(word->place);
    fault.value0 = word->value;
    if (writer != NULL) {
        fault.holder = writer->wave;
        fault.holder_pc = base + writer->pc;
        describe_holder(detector, wave_numbered(detector, writer->wave), writer->lane, &fault);
    }
    return fault;
}

/* The instruction that a lane waits for a lock at. */
static uint32_t pc_of(const struct wave *wave, uint32_t lane)
{
    return entry_of(&wave->stack, lane)->pc;
}

static struct sl_fault describe_retrying(const struct deadlock_detector *detector,
                                         struct wave *wave)
{
    const struct simt_program *program = &detector->env->program;
    lane_vector address;
    const uint64_t lanes = lock_wanted(wave, address);
    const unsigned lane = lowest_lane(lanes);
    const struct detector_lock lock = detector_lock_at(detector, wave, address[lane]);
    const struct last_writer *writer =
        last_writer_of(&detector->last_writers, loop_monitor_word_key(wave_cu(wave), lock.address),
                       (uint32_t)lock.word);
    struct sl_fault fault = wave_fault_record(wave, SL_FAULT_DEADLOCK, lanes, lock.address);

    fault.pc = program->base + pc_of(wave, lane);
    fault.instruction = simt_program_op(program, pc_of(wave, lane))->word;
    fault.value0 = (uint32_t)lock.word;
    if (lock.holder != NULL) {
        fault.holder = lock.holder->number;
        fault.holder_pc = writer != NULL ? program->base + writer->pc : 0;
        describe_holder(detector, lock.holder, lock.lane, &fault);
    }
    return fault;
}

static struct sl_fault describe(const struct deadlock_detector *detector, struct wave *wave)
{
    if (spins(wave)) {
        return describe_spinning(detector, wave);
    }
    return lock_only_retries(wave) ? describe_retrying(detector, wave)
                                   : wave_fault_record(wave, SL_FAULT_DEADLOCK, wave_mask(wave), 0);
}

/* ---- no progress ---- */

/* What a wavefront does that nothing comes of. */
static enum sl_holder doing_of(const struct deadlock_detector *detector, const struct wave *wave)
{
    if (wave->waits_at_barrier) {
        return SL_HOLDER_BARRIER;
    }
    if (wave->locks.is_used && lock_only_retries(wave)) {
        return SL_HOLDER_LOCK;
    }
    return detector_monitor_of(detector, wave)->judged != 0 ? SL_HOLDER_LOOPS : SL_HOLDER_NONE;
}

/* The word that a wavefront's loop looks at, and where; one without any is where its branch is. */
static void describe_loop(const struct deadlock_detector *detector, const struct wave *wave,
                          struct sl_fault *fault)
{
    const struct monitor_word *word = wanted_word(detector, detector_monitor_of(detector, wave));

    fault->lanes = wave->spin.mask;
    fault->pc = detector->env->program.base + (word != NULL ? word->pc : wave->spin.pc);
    fault->address = word != NULL ? loop_monitor_address(word->place) : 0;
}

void detector_report_no_progress(struct deadlock_detector *detector, struct wave *wave,
                                 uint64_t limit_cycles)
{
    struct sl_fault fault = wave_fault_record(wave, SL_FAULT_PROGRESS, wave_mask(wave), 0);

    fault.value0 = limit_cycles;
    fault.value1 = detector->env->activity->resident;
    fault.holder_state = doing_of(detector, wave);
    if (fault.holder_state == SL_HOLDER_LOOPS) {
        describe_loop(detector, wave, &fault);
    }
    wave_fault_with(wave, &fault);
}

void detector_report_counting(struct deadlock_detector *detector, uint64_t cycles)
{
    struct wave *wave = detector->counter;
    struct sl_fault fault = wave_fault_record(wave, SL_FAULT_PROGRESS, wave_mask(wave), 0);

    fault.value0 = cycles;
    fault.value1 = detector->env->activity->resident;
    fault.holder_state = SL_HOLDER_COUNTS;
    wave_fault_with(wave, &fault);
}

/* ---- in order ---- */

/* Whether a word is known that the wavefront waits for. */
static bool waits_for_word(const struct wave *wave)
{
    return spins(wave) || lock_only_retries(wave);
}

/* Those who wait for a word first: who reads one record only reads one that names something. */
static bool is_before(const struct wave *a, const struct wave *b)
{
    const bool is_first = waits_for_word(a);

    return is_first != waits_for_word(b) ? is_first : a->number < b->number;
}

/* The next one of the set that has not faulted yet; NULL where there is none. */
static struct wave *next_wave(const struct deadlock_detector *detector)
{
    struct wave *best = NULL;

    for (uint32_t i = 0; i < detector->count; i++) {
        struct wave *wave = &detector->waves[i];
        if (detector->in_set[i] && wave->state == WAVE_RUNNING &&
            (best == NULL || is_before(wave, best))) {
            best = wave;
        }
    }
    return best;
}

/* That others of their group leave it is no fault of those who wait at a barrier. */
static void leave_barriers(struct deadlock_detector *detector)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        if (detector->in_set[i]) {
            detector->waves[i].waits_at_barrier = false;
        }
    }
}

void detector_report(struct deadlock_detector *detector)
{
    struct wave *wave;

    leave_barriers(detector);
    while ((wave = next_wave(detector)) != NULL) {
        const struct sl_fault fault = describe(detector, wave);
        wave_fault_with(wave, &fault);
    }
}

void detector_take_all(struct deadlock_detector *detector)
{
    detector->pass = DETECTOR_NONE;
    detector->is_search = false;
    for (uint32_t i = 0; i < detector->count; i++) {
        detector->in_set[i] = detector->waves[i].state == WAVE_RUNNING;
    }
    detector_report(detector);
}
