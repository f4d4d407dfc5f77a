/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront that is watched: what the rounds of its loop change, and which words they look at.
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

#define WATCH_WORDS      1024u /* of memory; a power of two */
#define WATCH_WORDS_USED (WATCH_WORDS / 4 * 3)

/* A word of memory that rounds look at. Rounds are known by their numbers, the last two by whether
 * these are even. */
struct watch_word {
    uint64_t place;     /* address; in LDS with the compute unit above (watch_place()); 0: free */
    uint32_t pc;        /* of the first instruction that did */
    uint32_t value;     /* that it found */
    uint32_t round[2];  /* the latest rounds that accessed it, */
    uint32_t before[2]; /* what it was before their last instruction that did, */
    uint32_t sum[2];    /* and by how much their instructions have changed it, all together */
    bool is_loaded;
    bool is_changed; /* by the wavefront itself, if only for a time */
    bool wavers;     /* found to be something else than `value`, before any such change */
};

struct watch_round {
    uint64_t place; /* memory instructions of the wavefront before it */
    uint32_t pass;  /* of the look when it began */
    struct fcsr fcsr;
    lane_vector x[REGISTER_NOWHERE]; /* registers where it begins */
};

/* The branch that rounds of a search begin and end at (simt/deadlock/progress_search.c). */
struct watch_anchor {
    uint64_t mask;
    uint32_t pc;
    uint32_t depth;
    uint32_t others;   /* branches at other places since it was there, */
    uint32_t patience; /* and how many it may be until another anchor is chosen */
    uint32_t attempts; /* times there since a round has changed nothing */
};

struct look_watch {
    struct watch_anchor anchor;
    struct watch_round rounds[2];
    uint32_t round;                      /* number of the one under way */
    bool has_ended;                      /* the one before it is not judged yet */
    bool is_blurred;                     /* what the rounds did cannot be told */
    bool is_partial;                     /* they may have looked at more words than are noted */
    uint32_t judged;                     /* pass that the round began in that was judged last */
    uint32_t count;                      /* words noted */
    uint16_t in_order[WATCH_WORDS_USED]; /* they, the first one noted first */
    struct watch_word words[WATCH_WORDS];
};

enum watch_verdict {
    WATCH_UNKNOWN,  /* not yet */
    WATCH_CHANGES,  /* a round has changed something */
    WATCH_UNCHANGED /* one has changed nothing, which began in pass watch->judged */
};

/* Begins to watch a wavefront, which is at the branch. `pass`: of the look, now. */
void watch_begin(struct look_watch *watch, const struct wave *wave, uint32_t pass);

/* Whether the registers are what they were where the round began, as far as loads are done. */
bool watch_is_back(const struct look_watch *watch, const struct wave *wave);

/* The wavefront is at the branch again. */
enum watch_verdict watch_turn(struct look_watch *watch, const struct wave *wave, uint32_t pass);

/* Lanes of one of its memory instructions are about to take effect, or have done so. Address a is
 * at linear + a. */
void watch_before(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes,
                  const uint8_t *linear);
void watch_after(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes,
                 const uint8_t *linear);

/* Lanes of one that loads have their result, of which watch_after() is not told. */
void watch_loaded(struct look_watch *watch, const struct mem_op *memory, uint64_t lanes);

/* It stores in a way that is not followed. */
static inline void watch_blur(struct look_watch *watch)
{
    watch->is_blurred = true;
}

/* It loads so, or asks for locks: who gets or gives back any is known otherwise. */
static inline void watch_skip(struct look_watch *watch)
{
    watch->is_partial = true;
}

/* The i-th word that was noted. */
static inline const struct watch_word *watch_word(const struct look_watch *watch, uint32_t i)
{
    return &watch->words[watch->in_order[i]];
}

/* Whether the wavefront has changed a word, be it for a time. */
bool watch_changes(const struct look_watch *watch, uint64_t place);

/* ---- places: addresses of words, unique also in LDS ---- */

#define WATCH_LDS_SHIFT 48

static inline uint64_t watch_place(const struct cu *cu, uint64_t address)
{
    const uint64_t word = address & ~3ull;

    return word - SL_LDS_BASE < SL_LDS_APERTURE ? word | (cu->number + 1ull) << WATCH_LDS_SHIFT
                                                : word;
}

static inline bool watch_is_lds(uint64_t place)
{
    return place >> WATCH_LDS_SHIFT != 0;
}

static inline uint64_t watch_address(uint64_t place)
{
    return place & ((1ull << WATCH_LDS_SHIFT) - 1);
}

#endif
