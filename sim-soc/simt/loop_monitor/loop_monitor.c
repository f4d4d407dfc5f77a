/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Rounds of a wavefront that is watched. */
#include "simt/loop_monitor/loop_monitor.h"

#include <string.h>

#include "simt/ordering/consistency_model.h"

#define FIRST_ROUND 2u /* words that were never noted have 0 */

static struct monitor_round *round_of(struct loop_monitor *monitor, uint32_t number)
{
    return &monitor->rounds[number & 1];
}

static void begin_round(struct loop_monitor *monitor, const struct wave *wave, uint32_t pass)
{
    struct monitor_round *round = round_of(monitor, monitor->round);

    round->place = wave->memory_count;
    round->pass = pass;
    round->fcsr = wave->fcsr;
    memcpy(round->x, wave->x, sizeof(round->x));
}

void loop_monitor_begin(struct loop_monitor *monitor, const struct wave *wave, uint32_t pass)
{
    monitor->round = FIRST_ROUND;
    monitor->has_ended = false;
    monitor->is_blurred = false;
    monitor->is_partial = false;
    monitor->judged = 0;
    monitor->count = 0;
    memset(monitor->words, 0, sizeof(monitor->words));
    begin_round(monitor, wave, pass);
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

    if (wave->order.count != 0 && wave->order.oldest->program_order < place) {
        return false;
    }
    for (uint64_t back = behind + 1; back <= slots && back <= wave->memory_count; back++) {
        if (wave->memory_slot[(wave->next_memory_slot + slots - back) % slots] >
            cu->event_queue->now) {
            return false;
        }
    }
    return true;
}

static bool has_changed_memory(const struct loop_monitor *monitor, uint32_t number)
{
    const uint32_t which = number & 1;

    for (uint32_t i = 0; i < monitor->count; i++) {
        const struct monitor_word *word = monitor_word(monitor, i);
        if (word->round[which] == number && word->sum[which] != 0) {
            return true;
        }
    }
    return false;
}

/* The round before the one that is under way, whose instructions are all done. */
static bool has_changed(const struct loop_monitor *monitor)
{
    const uint32_t number = monitor->round - 1;
    const struct monitor_round *begin = &monitor->rounds[number & 1];
    const struct monitor_round *end = &monitor->rounds[monitor->round & 1];

    return monitor->is_blurred || memcmp(begin->x, end->x, sizeof(begin->x)) != 0 ||
           memcmp(&begin->fcsr, &end->fcsr, sizeof(begin->fcsr)) != 0 ||
           has_changed_memory(monitor, number);
}

bool loop_monitor_is_back(const struct loop_monitor *monitor, const struct wave *wave)
{
    const struct monitor_round *round = &monitor->rounds[monitor->round & 1];

    return memcmp(round->x, wave->x, sizeof(round->x)) == 0 &&
           memcmp(&round->fcsr, &wave->fcsr, sizeof(round->fcsr)) == 0;
}

enum monitor_verdict loop_monitor_iteration(struct loop_monitor *monitor, const struct wave *wave,
                                            uint32_t pass)
{
    enum monitor_verdict verdict = MONITOR_UNKNOWN;

    if (monitor->has_ended) {
        if (!are_done(wave, round_of(monitor, monitor->round)->place)) {
            return MONITOR_UNKNOWN;
        }
        monitor->has_ended = false;
        verdict = has_changed(monitor) ? MONITOR_CHANGES : MONITOR_UNCHANGED;
        monitor->judged = round_of(monitor, monitor->round - 1)->pass;
    }
    monitor->round++;
    monitor->has_ended = true;
    begin_round(monitor, wave, pass);
    return verdict;
}

/* ---- effects ---- */

/* The number of the round that an instruction belongs to; 0 for what was under way when the first
 * one began. */
static uint32_t round_at(struct loop_monitor *monitor, uint64_t place)
{
    if (place >= round_of(monitor, monitor->round)->place) {
        return monitor->round;
    }
    return monitor->has_ended && place >= round_of(monitor, monitor->round - 1)->place
               ? monitor->round - 1
               : 0;
}

/* Where the entry of a word is, or would be; one is always free. */
static uint32_t index_of(const struct loop_monitor *monitor, uint64_t place)
{
    uint32_t at = (uint32_t)(place / 4 * 0x9e3779b97f4a7c15ull >> 40) % MONITOR_WORDS;

    while (monitor->words[at].place != 0 && monitor->words[at].place != place) {
        at = (at + 1) % MONITOR_WORDS;
    }
    return at;
}

bool loop_monitor_changes(const struct loop_monitor *monitor, uint64_t place)
{
    return monitor->words[index_of(monitor, place)].is_changed;
}

/* The entry of a word; NULL where there is no room for more. */
static struct monitor_word *find(struct loop_monitor *monitor, uint64_t place)
{
    const uint32_t at = index_of(monitor, place);

    if (monitor->words[at].place == 0) {
        if (monitor->count == MONITOR_WORDS_USED) {
            return NULL;
        }
        monitor->in_order[monitor->count++] = (uint16_t)at;
        monitor->words[at].place = place;
    }
    return &monitor->words[at];
}

static uint32_t word_at(const uint8_t *linear, uint64_t address)
{
    uint32_t value;

    memcpy(&value, linear + (address & ~3ull), sizeof(value));
    return value;
}

/* What an effect does to one word. */
struct touch {
    struct loop_monitor *monitor;
    const struct mem_instr *memory;
    const uint8_t *linear;
    uint32_t round;
    bool is_after;
};

static void note_load(const struct touch *touch, struct monitor_word *word, uint32_t value)
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
    struct monitor_word *word = find(touch->monitor, loop_monitor_word_key(cu, address));

    if (word == NULL && touch->memory->op->writes) {
        loop_monitor_untracked_store(touch->monitor);
        return;
    }
    if (word == NULL) {
        loop_monitor_untracked_load(touch->monitor);
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
    const struct mem_instr *memory = touch->memory;

    FOR_EACH_LANE(lane, lanes)
    {
        touch_word(touch, memory->address[lane]);
        if (memory->op->access_bytes == 8) {
            touch_word(touch, memory->address[lane] + 4);
        }
    }
}

void loop_monitor_before(struct loop_monitor *monitor, const struct mem_instr *memory,
                         uint64_t lanes, const uint8_t *linear)
{
    const struct touch touch = {monitor, memory, linear, round_at(monitor, memory->program_order),
                                false};

    if (touch.round != 0) {
        touch_words(&touch, lanes);
    }
}

/* What is loaded late is added to the registers that were kept at a branch behind. */
static void add_loaded(struct monitor_round *round, const struct mem_instr *memory, uint64_t lanes)
{
    const uint8_t rd = memory->op->rd;

    if (memory->program_order >= round->place || rd == REGISTER_NOWHERE) {
        return;
    }
    FOR_EACH_LANE(lane, lanes)
    {
        round->x[rd][lane] = memory->wave->x[rd][lane];
    }
}

void loop_monitor_loaded(struct loop_monitor *monitor, const struct mem_instr *memory,
                         uint64_t lanes)
{
    add_loaded(&monitor->rounds[0], memory, lanes);
    add_loaded(&monitor->rounds[1], memory, lanes);
}

void loop_monitor_after(struct loop_monitor *monitor, const struct mem_instr *memory,
                        uint64_t lanes, const uint8_t *linear)
{
    const struct touch touch = {monitor, memory, linear, round_at(monitor, memory->program_order),
                                true};

    if (touch.round != 0 && memory->op->writes) {
        touch_words(&touch, lanes);
    }
    if (memory->op->class != SL_CLASS_STORE) {
        loop_monitor_loaded(monitor, memory, lanes);
    }
}
