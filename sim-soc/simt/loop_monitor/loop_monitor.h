/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The loop of a wavefront that is monitored: what the rounds of its loop change, and which words
 * they look at.
 *
 * A round goes from one backward branch to the next one at the same place with the same stack. It
 * changes nothing where the registers of all lanes are what they were, and where what it did to
 * each word of memory is undone: a lock that is taken and given back is no change. What others do
 * to the word meanwhile is not its business.
 *
 * Memory instructions take effect behind the branch that ends their round. So a round is judged
 * when all of its own have, at a later branch; until then the next round is noted beside it, and
 * what is loaded late is added to the registers that were kept at the branch. Where the next branch
 * comes before that, the round that is under way goes on through it. */
#ifndef SLUICE_SIMT_LOOP_MONITOR_H
#define SLUICE_SIMT_LOOP_MONITOR_H

#include "simt/unit/mem_instr.h"

#define MONITOR_WORDS      1024u /* of memory; a power of two */
#define MONITOR_WORDS_USED (MONITOR_WORDS / 4 * 3)

/* A word of memory that rounds look at. Rounds are known by their numbers, the last two by whether
 * these are even. */
struct monitor_word {
    uint64_t
        place; /* address; in LDS with the compute unit above (loop_monitor_word_key()); 0: free */
    uint32_t pc;        /* of the first instruction that did */
    uint32_t value;     /* that it found */
    uint32_t round[2];  /* the latest rounds that accessed it, */
    uint32_t before[2]; /* what it was before their last instruction that did, */
    uint32_t sum[2];    /* and by how much their instructions have changed it, all together */
    bool is_loaded;
    bool is_changed; /* by the wavefront itself, if only for a time */
    bool wavers;     /* found to be something else than `value`, before any such change */
};

struct monitor_round {
    uint64_t place; /* memory instructions of the wavefront before it */
    uint32_t pass;  /* of the check when it began */
    struct fcsr fcsr;
    lane_vector x[REGISTER_NOWHERE]; /* registers where it begins */
};

/* The branch that rounds of a search begin and end at (simt/deadlock/progress_search.c). */
struct monitor_anchor {
    uint64_t mask;
    uint32_t pc;
    uint32_t depth;
    uint32_t others;   /* branches at other places since it was there, */
    uint32_t patience; /* and how many it may be until another anchor is chosen */
    uint32_t attempts; /* times there since a round has changed nothing */
};

struct loop_monitor {
    struct monitor_anchor anchor;
    struct monitor_round rounds[2];
    uint32_t round;                        /* number of the one under way */
    bool has_ended;                        /* the one before it is not judged yet */
    bool is_blurred;                       /* what the rounds did cannot be told */
    bool is_partial;                       /* they may have looked at more words than are noted */
    uint32_t judged;                       /* pass that the round began in that was judged last */
    uint32_t count;                        /* words noted */
    uint16_t in_order[MONITOR_WORDS_USED]; /* they, the first one noted first */
    struct monitor_word words[MONITOR_WORDS];
};

enum monitor_verdict {
    MONITOR_UNKNOWN,  /* not yet */
    MONITOR_CHANGES,  /* a round has changed something */
    MONITOR_UNCHANGED /* one has changed nothing, which began in pass monitor->judged */
};

/* Begins to monitor a wavefront, which is at the branch. `pass`: of the check, now. */
void loop_monitor_begin(struct loop_monitor *monitor, const struct wave *wave, uint32_t pass);

/* Whether the registers are what they were where the round began, as far as loads are done. */
bool loop_monitor_is_back(const struct loop_monitor *monitor, const struct wave *wave);

/* The wavefront is at the branch again. */
enum monitor_verdict loop_monitor_iteration(struct loop_monitor *monitor, const struct wave *wave,
                                            uint32_t pass);

/* Lanes of one of its memory instructions are about to take effect, or have done so. Address a is
 * at linear + a. */
void loop_monitor_before(struct loop_monitor *monitor, const struct mem_instr *memory,
                         uint64_t lanes, const uint8_t *linear);
void loop_monitor_after(struct loop_monitor *monitor, const struct mem_instr *memory,
                        uint64_t lanes, const uint8_t *linear);

/* Lanes of one that loads have their result, of which loop_monitor_after() is not told. */
void loop_monitor_loaded(struct loop_monitor *monitor, const struct mem_instr *memory,
                         uint64_t lanes);

/* It stores in a way that is not followed. */
static inline void loop_monitor_untracked_store(struct loop_monitor *monitor)
{
    monitor->is_blurred = true;
}

/* It loads so, or asks for locks: who gets or gives back any is known otherwise. */
static inline void loop_monitor_untracked_load(struct loop_monitor *monitor)
{
    monitor->is_partial = true;
}

/* The i-th word that was noted. */
static inline const struct monitor_word *monitor_word(const struct loop_monitor *monitor,
                                                      uint32_t i)
{
    return &monitor->words[monitor->in_order[i]];
}

/* Whether the wavefront has changed a word, be it for a time. */
bool loop_monitor_changes(const struct loop_monitor *monitor, uint64_t place);

/* ---- places: addresses of words, unique also in LDS ---- */

#define MONITOR_LDS_SHIFT 48

static inline uint64_t loop_monitor_word_key(const struct cu *cu, uint64_t address)
{
    const uint64_t word = address & ~3ull;

    return word - SL_LDS_BASE < SL_LDS_APERTURE ? word | (cu->number + 1ull) << MONITOR_LDS_SHIFT
                                                : word;
}

static inline bool loop_monitor_is_lds(uint64_t place)
{
    return place >> MONITOR_LDS_SHIFT != 0;
}

static inline uint64_t loop_monitor_address(uint64_t place)
{
    return place & ((1ull << MONITOR_LDS_SHIFT) - 1);
}

#endif
