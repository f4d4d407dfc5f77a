/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts that execute for ever and change nothing, for stuck.c. Where the search for deadlocks
 * is in doubt (docs/do/debug.md, "Deadlocks"), the limit without progress ends them. */
#include "probes/faults/stuck.h"

#include "sluice/wave/wave.h"

static inline uint32_t load(uint32_t *word)
{
    return sl_load_acquire_u32_device(word);
}

/* Nothing at all. */
SL_KERNEL void stuck_loop(struct stuck_shared *shared)
{
    (void)shared;
    for (;;) { /* stuck: loop */
        __asm__ volatile("");
    }
}

/* A word that nobody stores. */
SL_KERNEL void stuck_word(struct stuck_shared *shared)
{
    while (load(&shared->word[0]) == 0) { /* stuck: word */
    }
}

/* The same, standing back. */
SL_KERNEL void stuck_pause(struct stuck_shared *shared)
{
    while (load(&shared->word[0]) == 0) { /* stuck: pause */
        sl_pause_for(1000);
    }
}

/* A loop with two backward branches, both taken in each round. */
SL_KERNEL void stuck_nested(struct stuck_shared *shared)
{
    (void)shared;
    __asm__ volatile("1: j 3f\n" /* stuck: nested */
                     "2: j 1b\n"
                     "3: j 2b");
}

/* A word in two cache lines. */
SL_KERNEL void stuck_misaligned(struct stuck_shared *shared)
{
    volatile const uint32_t *const word = (const void *)((uintptr_t)shared->word + 62);

    while (*word == 0) { /* stuck: misaligned */
    }
}

/* More words than the simulator keeps track of. */
SL_KERNEL void stuck_many(struct stuck_shared *shared)
{
    volatile const uint32_t *const words = shared->word + sl_lane_id();

    while ((words[0] | /* stuck: many */
            words[64] | words[128] | words[192] | words[256] | words[320] | words[384] |
            words[448] | words[512] | words[576] | words[640] | words[704] | words[768]) == 0) {
    }
}

/* A word that others change and change back, so that in doubt there is no deadlock. */
SL_KERNEL void stuck_exchange(struct stuck_shared *shared)
{
    do {
        (void)sl_atomic_add_u32_device_acq_rel(&shared->busy, 1);
        (void)sl_atomic_add_u32_device_acq_rel(&shared->busy, UINT32_MAX);
    } while (load(&shared->word[0]) == 0); /* stuck: exchange */
}

/* Asks for a lock that nobody gives back, and never waits for it. */
SL_KERNEL void stuck_trylock(struct stuck_shared *shared)
{
    while (!sl_trylock((sl_lock_t *)&shared->lock, 1)) { /* stuck: trylock */
    }
}

/* The second wavefront of a work-group waits at a barrier for the first one, which loops. */
SL_KERNEL void stuck_barrier(struct stuck_shared *shared)
{
    if (sl_local_id(0) < STUCK_LANES) {
        while (load(&shared->word[0]) == load(&shared->word[1])) { /* stuck: barrier */
        }
    }
    sl_barrier();
}

/* A loop that counts in a register, which nobody else can see. */
SL_KERNEL void stuck_counts(struct stuck_shared *shared)
{
    for (uint64_t i = 1; i != 0; i++) { /* stuck: counts */
        __asm__ volatile("" : : "r"(i));
    }
    shared->word[0] = 1;
}

/* Two wavefronts of a channel. */
SL_KERNEL void stuck_channel(int source, int index, struct stuck_shared *shared)
{
    while (load(&shared->word[sl_lane_id()]) == 0) { /* stuck: channel */
    }
    sl_tfree(source, index);
}

/* Stores that take longer to reach memory than all else: this one ends. */
SL_KERNEL void stuck_stores(struct stuck_shared *shared)
{
    for (uint32_t i = 0; i < STUCK_STORES; i++) {
        const uint32_t line = i * STUCK_LANES + sl_lane_id();
        shared->line[line][0] = line;
    }
}
