/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether wavefronts that go round in loops which change nothing do so for ever: nobody who could
 * help them is there, or can be made, and each looks at words alone that only wavefronts change,
 * that no other one changes, be it for a time, and of which no other value is anywhere. In doubt
 * they do not: the cycle limit stays. */
#include <string.h>

#include "simt/deadlock/deadlock.h"
#include "simt/locks/locks.h"
#include "simt/unit/pool.h"
#include "sluice/config.h"
#include "sluice/lock.h"

bool detector_is_open(const struct deadlock_detector *detector)
{
    const struct cu_listener *listener = &detector->env->listener;
    const struct pool *pool = detector->env->pool;

    for (uint64_t block = 0; block < pool->blocks; block++) {
        if (pool->yielded[block].is_used) {
            return true;
        }
    }
    return listener->may_launch != NULL && listener->may_launch(listener->owner);
}

/* ---- words that firmware or host change ---- */

static bool is_within(uint64_t address, uint64_t base, uint64_t bytes)
{
    return address - base < bytes;
}

/* The arrays of a channel. */
static bool is_in_arrays(const struct sl_channel *channel, uint64_t address)
{
    const uint64_t elements = (uint64_t)channel->width + channel->slack;
    const uint64_t element_bytes =
        channel->element_bytes != 0 ? channel->element_bytes : channel->stride;
    const uint64_t entries = 2ull * channel->width;

    return is_within(address, channel->data, elements * element_bytes) ||
           is_within(address, channel->control, entries * sizeof(uint32_t)) ||
           is_within(address, channel->done, elements * sizeof(uint32_t)) ||
           (channel->stamps != 0 &&
            is_within(address, channel->stamps, entries * sizeof(uint64_t)));
}

static bool is_of_graph(const struct cu_environment *env, uint64_t address)
{
    const uint64_t bytes = env->cas_limit - env->cas_base;

    if (bytes == 0 || !dram_holds(&env->dram, env->cas_base, bytes)) {
        return false;
    }
    if (is_within(address, env->graph, env->cas_limit - env->graph)) {
        return true;
    }
    const struct sl_channel *channels = dram_at(&env->dram, env->cas_base);
    for (uint64_t i = 0; i < bytes / sizeof(*channels); i++) {
        if (is_in_arrays(&channels[i], address)) {
            return true;
        }
    }
    return false;
}

/* Whether none but wavefronts ever store there while they run: LDS, the program's own variables,
 * private segments, and of the heap what is no channel's. */
static bool is_of_wavefronts(const struct cu_environment *env, uint64_t place)
{
    const uint64_t address = loop_monitor_address(place);
    const struct sl_layout *layout = &env->layout;

    if (loop_monitor_is_lds(place) || is_within(address, SL_KERNEL_BASE, SL_KERNEL_BYTES)) {
        return true;
    }
    return is_within(address, SL_HEAP_BASE, layout->top_base - SL_HEAP_BASE) &&
           !is_of_graph(env, address);
}

/* ---- values ---- */

/* Whether a word has this value wherever one looks. */
static bool is_everywhere(const struct deadlock_detector *detector, const struct wave *wave,
                          uint64_t place, uint32_t value)
{
    const struct cu *cu = wave_cu(wave);
    const uint64_t address = loop_monitor_address(place);
    uint32_t there;

    if (loop_monitor_is_lds(place)) {
        memcpy(&there, cu->lds + (address - SL_LDS_BASE), sizeof(there));
        return there == value;
    }
    memcpy(&there, dram_at(&detector->env->dram, address), sizeof(there));
    for (uint16_t c = 0; there == value && c < detector->env->cus; c++) {
        const struct mem_requester from = {MEM_CU, c};
        there = detector_peek(detector, cu->mem, from, address);
    }
    return there == value;
}

/* ---- the words of all wavefronts ---- */

static bool does_another_change(const struct deadlock_detector *detector, const struct wave *wave,
                                uint64_t place)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        const struct wave *other = &detector->waves[i];
        const struct loop_monitor *monitor = other->state == WAVE_FREE ? NULL : other->monitor;
        if (other != wave && monitor != NULL && loop_monitor_changes(monitor, place)) {
            return true;
        }
    }
    return false;
}

/* Whether none but wavefronts change a word, and of those only this one, that is watched. */
static bool word_is_private(const struct deadlock_detector *detector, const struct wave *wave,
                            uint64_t place)
{
    return is_of_wavefronts(detector->env, place) && !does_another_change(detector, wave, place);
}

/* Whether the value that a wavefront finds in a word is the one that it always will. */
static bool is_settled(const struct deadlock_detector *detector, const struct wave *wave,
                       const struct monitor_word *word)
{
    if (!word->is_loaded) {
        return true;
    }
    if (word->wavers || !word_is_private(detector, wave, word->place)) {
        return false;
    }
    return word->is_changed || is_everywhere(detector, wave, word->place, word->value);
}

static bool are_settled(const struct deadlock_detector *detector, const struct wave *wave)
{
    if (wave->monitor->is_partial) {
        return false;
    }
    for (uint32_t i = 0; i < wave->monitor->count; i++) {
        if (!is_settled(detector, wave, monitor_word(wave->monitor, i))) {
            return false;
        }
    }
    return true;
}

/* Whether the locks that it wants are held, and nobody who spins touches them. */
static bool wants_held(const struct deadlock_detector *detector, const struct wave *wave)
{
    lane_vector address;
    const uint64_t lanes = lock_wanted(wave, address);

    FOR_EACH_LANE(lane, lanes)
    {
        const struct detector_lock lock = detector_lock_at(detector, wave, address[lane]);
        if (lock.word == SL_LOCK_FREE || (lock.holder == wave && lock.lane == lane) ||
            !word_is_private(detector, wave, loop_monitor_word_key(wave_cu(wave), address[lane]))) {
            return false;
        }
    }
    return true;
}

/* Whether a wavefront waits for ever, as far as it depends on what it looks at. */
static bool is_stuck(const struct deadlock_detector *detector, const struct wave *wave)
{
    if (wave->monitor != NULL) {
        return are_settled(detector, wave);
    }
    return wave->order.count == 0 && (wave->waits_at_barrier || wants_held(detector, wave));
}

bool detector_is_deadlock(const struct deadlock_detector *detector)
{
    for (uint32_t i = 0; i < detector->count; i++) {
        const struct wave *wave = &detector->waves[i];
        if (wave->state != WAVE_FREE && !is_stuck(detector, wave)) {
            return false;
        }
    }
    return true;
}
