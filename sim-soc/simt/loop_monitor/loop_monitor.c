/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Rounds of a wavefront that is watched. */
#include "simt/loop_monitor/loop_monitor.h"

#include <string.h>

#include "simt/ordering/consistency_model.h"

#define FIRST_ROUND 2u /* words that were never noted have 0 */

static struct watch_round *round_of(struct look_watch *watch, uint32_t number)
{
    return &watch->rounds[number & 1];
}

static void begin_round(struct look_watch *watch, const struct wave *wave, uint32_t pass)
{
    struct watch_round *round = round_of(watch, watch->round);

    round->place = wave->memory_count;
    round->pass = pass;
    round->fcsr = wave->fcsr;
    memcpy(round->x, wave->x, sizeof(round->x));
}

void watch_begin(struct look_watch *watch, const struct wave *wave, uint32_t pass)
{
    watch->round = FIRST_ROUND;
    watch->has_ended = false;
    watch->is_blurred = false;
    watch->is_partial = false;
    watch->judged = 0;
    watch->count = 0;
    memset(watch->words, 0, sizeof(watch->words));
    begin_round(watch, wave, pass);
}

/* ---- judging ---- */

/* Whether all memory instructions in front of a place in program order are done. Each takes the
 * next slot in turn, which the one before has left; locks take none, but blur what they are in.
 * Where stores take none either, as they go into a write buffer, all slots have to be left. */
static bool are_done(const struct wave *wave, uint64_t place)
{
    const struct cu *cu = wave_cu(wave);
    const uint32_t slots = cu->shape.memory_ops;
    const bool has_buffer = cu->order->has_buffer;
    const uint64_t behind = has_buffer ? 0 : wave->memory_count - place;

    if (wave->order.count != 0 && wave->order.oldest->place < place) {
        return false;
    }
    for (uint64_t back = behind + 1; back <= slots && back <= wave->memory_count; back++) {
        if (wave->memory_slot[(wave->next_memory_slot + slots - back) % slots] > cu->wheel->now) {
            return false;
        }
    }
    return true;
}

static bool has_changed_memory(const struct look_watch *watch, uint32_t number)
{
    const uint32_t which = number & 1;

    for (uint32_t i = 0; i < watch->count; i++) {
        const struct watch_word *word = watch_word(watch, i);
        if (word->round[which] == number && word->sum[which] != 0) {
            return true;
        }
    }
    return false;
}

/* The round before the one that is under way, whose instructions are all done. */
static bool has_changed(const struct look_watch *watch)
{
    const uint32_t number = watch->round - 1;
    const struct watch_round *begin = &watch->rounds[number & 1];
    const struct watch_round *end = &watch->rounds[watch->round & 1];

    return watch->is_blurred || memcmp(begin->x, end->x, sizeof(begin->x)) != 0 ||
           memcmp(&begin->fcsr, &end->fcsr, sizeof(begin->fcsr)) != 0 ||
           has_changed_memory(watch, number);
}

bool watch_is_back(const struct look_watch *watch, const struct wave *wave)
{
    const struct watch_round *round = &watch->rounds[watch->round & 1];

    return memcmp(round->x, wave->x, sizeof(round->x)) == 0 &&
           memcmp(&round->fcsr, &wave->fcsr, sizeof(round->fcsr)) == 0;
}

enum watch_verdict watch_turn(struct look_watch *watch, const struct wave *wave, uint32_t pass)
{
    enum watch_verdict verdict = WATCH_UNKNOWN;

    if (watch->has_ended) {
        if (!are_done(wave, round_of(watch, watch->round)->place)) {
            return WATCH_UNKNOWN;
        }
        watch->has_ended = false;
        verdict = has_changed(watch) ? WATCH_CHANGES : WATCH_UNCHANGED;
        watch->judged = round_of(watch, watch->round - 1)->pass;
    }
    watch->round++;
    watch->has_ended = true;
    begin_round(watch, wave, pass);
    return verdict;
}

/* ---- effects ---- */

/* The number of the round that an instruction belongs to; 0 for what was under way when the first
 * one began. */
static uint32_t round_at(struct look_watch *watch, uint64_t place)
{
    if (place >= round_of(watch, watch->round)->place) {
        return watch->round;
    }
    return watch->has_ended && place >= round_of(watch, watch->round - 1)->place ? watch->round - 1
                                                                                 : 0;
}

/* Where the entry of a word is, or would be; one is always free. */
static uint32_t index_of(const struct look_watch *watch, uint64_t place)
{
    uint32_t at = (uint32_t)(place / 4 * 0x9e3779b97f4a7c15ull >> 40) % WATCH_WORDS;

    while (watch->words[at].place != 0 && watch->words[at].place != place) {
        at = (at + 1) % WATCH_WORDS;
    }
    return at;
}

bool watch_changes(const struct look_watch *watch, uint64_t place)
{
    return watch->words[index_of(watch, place)].is_changed;
}

/* The entry of a word; NULL where there is no room for more. */
static struct watch_word *find(struct look_watch *watch, uint64_t place)
{
    const uint32_t at = index_of(watch, place);

    if (watch->words[at].place == 0) {
        if (watch->count == WATCH_WORDS_USED) {
            return NULL;
        }
        watch->in_order[watch->count++] = (uint16_t)at;
        watch->words[at].place = place;
    }
    return &watch->words[at];
}

static uint32_t word_at(const uint8_t *linear, uint64_t address)
{
    uint32_t value;

    memcpy(&value, linear + (address & ~3ull), sizeof(value));
    return value;
}

/* What an effect does to one word. */
struct touch {
    struct look_watch *watch;
    const struct mem_op *memory;
    const uint8_t *linear;
    uint32_t round;
    bool is_after;
};

static void note_load(const struct touch *touch, struct watch_word *word, uint32_t value)
{
    const struct simt_program *program = &wave_cu(touch->memory->wave)->env->program;

    if (!word->is_loaded) {
        word->is_loaded = true;
        word->pc = (uint32_t)(touch->memory->op - program->ops) * 2;
        word->value = value;
    }
    word->wavers |= !word->is_changed && word->value != value;
}

static void touch_word(const struct touch *touch, uint64_t address)
{
    const struct cu *cu = wave_cu(touch->memory->wave);
    const uint32_t which = touch->round & 1;
    struct watch_word *word = find(touch->watch, watch_place(cu, address));

    if (word == NULL && touch->memory->op->writes) {
        watch_blur(touch->watch);
        return;
    }
    if (word == NULL) {
        watch_skip(touch->watch);
        return;
    }
    const uint32_t value = word_at(touch->linear, address);
    if (touch->is_after) {
        word->sum[which] += value - word->before[which];
        word->is_changed |= value != word->before[which];
        word->before[which] = value; /* for other lanes of the instruction */
        return;
    }
    if (word->round[which] != touch->round) {
        word->round[which] = touch->round;
        word->sum[which] = 0;
    }
    word->before[which] = value;
    if (touch->memory->op->class != SL_CLASS_STORE) {
        note_load(touch, word, value);
    }
}

static void touch_words(const struct touch *touch, uint64_t lanes)
{
    const struct mem_op *memory = touch->memory;

    FOR_EACH_LANE(lane, lanes)
    {
        touch_word(touch, memory->address[lane]);
        if (memory->op->access_bytes == 8) {
            touch_word(touch, memory->address[lane] + 4);
        }
    }
}

void watch_before(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes,
                  const uint8_t *linear)
{
    const struct touch touch = {watch, memory, linear, round_at(watch, memory->place), false};

    if (touch.round != 0) {
        touch_words(&touch, lanes);
    }
}

/* What is loaded late is added to the registers that were kept at a branch behind. */
static void add_loaded(struct watch_round *round, const struct mem_op *memory, uint64_t lanes)
{
    const uint8_t rd = memory->op->rd;

    if (memory->place >= round->place || rd == REGISTER_NOWHERE) {
        return;
    }
    FOR_EACH_LANE(lane, lanes)
    {
        round->x[rd][lane] = memory->wave->x[rd][lane];
    }
}

void watch_loaded(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes)
{
    add_loaded(&watch->rounds[0], memory, lanes);
    add_loaded(&watch->rounds[1], memory, lanes);
}

void watch_after(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes,
                 const uint8_t *linear)
{
    const struct touch touch = {watch, memory, linear, round_at(watch, memory->place), true};

    if (touch.round != 0 && memory->op->writes) {
        touch_words(&touch, lanes);
    }
    if (memory->op->class != SL_CLASS_STORE) {
        watch_loaded(watch, memory, lanes);
    }
}
