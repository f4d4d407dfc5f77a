/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The search for deadlocks among wavefronts: those that will never go on are faults, with a record
 * of what each waits for, and no run into the cycle limit (docs/do/debug.md, "Deadlocks").
 *
 *     spin_loop.h          backward branches are counted
 *     spin_loop.c          those that are looked at: looks at all wavefronts
 *     detector.c           what all looks have in common
 *     endless_loops.c      whether what was seen is a deadlock
 *     lock_cycles.c        wavefronts that wait for locks
 *     lock_holder.c        the locks that they wait for
 *     deadlock_report.c    the faults
 *     progress_search.c    a look without such a reason, for the limit without progress
 *
 * Watching a wavefront, and noting who changed a word, is in simt/loop_monitor/.
 *
 * A *look* is what decides. It begins where all resident wavefronts seem to wait: each spins, as
 * one round of its loop has shown, or waits for locks, or is at a barrier. From then on all that
 * spin are watched, in two passes. The first one is over when a whole round of each has changed
 * nothing, and so is the second one, with rounds that began in it. So whatever any wavefront does
 * while the second pass lasts, it does in rounds that change nothing; if no wavefront changes a
 * word, be it for a time, that another one looks at, then each goes through its rounds as if it
 * were alone, and will for ever, as long as nobody else writes. What does, or may, ends the look
 * without an alarm: a wavefront that leaves its loop, is launched, ends, yields, gets a lock or
 * passes a barrier; a word that firmware, host or a wavefront's stale copy could have another value
 * for. */
#ifndef SLUICE_SIMT_DEADLOCK_H
#define SLUICE_SIMT_DEADLOCK_H

#include <string.h>

#include "simt/loop_monitor/last_writers.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/unit/unit.h"

enum look_pass { LOOK_NONE, LOOK_FIRST, LOOK_SECOND };

/* What a search has found. */
enum look_finding {
    LOOK_UNDECIDED,
    LOOK_CHANGE,    /* a round of some wavefront's loop changes something, or memory has yet to
                       answer one that has executed nothing */
    LOOK_STANDSTILL /* none of them does, twice in a row */
};

struct look {
    const struct cu_environment *env;
    struct wave *waves;         /* of all compute units, */
    uint32_t count;             /* so many */
    struct look_watch *watches; /* likewise */
    uint64_t *steps;            /* likewise: instructions of each when the look began */
    bool *in_set;               /* likewise: those that a deadlock is of */
    uint64_t *idle_from;        /* likewise: instructions of each at look_note_effect() */
    struct changers changers;
    struct event queues; /* somebody may have waited in queues for long */
    uint32_t pass;       /* enum look_pass */
    bool is_search;
    const struct wave *scout;  /* of a search: the only wavefront that is watched; NULL: all are */
    bool awaits_scout;         /* the next one at a branch is to be it */
    bool is_doubtful;          /* rounds did change memory in it */
    enum look_finding finding; /* of a search that has ended, until it is asked for */
    struct wave *counter;      /* whose loop the latest search has found to change something */
    uint32_t resident;         /* when it began: wavefronts, */
    uint64_t launched;         /* and those launched since the run's begin */
    uint32_t turns;            /* rounds so far */
};

/* Looks at wavefronts, which the caller has. Returns false when out of memory; look_destroy() in
 * any case. */
bool look_create(struct look *look, const struct cu_environment *env, struct wave *waves,
                 uint32_t count);
void look_destroy(struct look *look);

/* No wavefront is resident; a run begins, or the device was reset. */
void look_reset(struct look *look);

/* For the compute units (struct cu_environment): a wavefront has lost a multiple of
 * LOCK_LOST_OFTEN rounds of a lock in a row. */
void look_lost_often(struct wave *wave);

/* Likewise: one begins to wait in queues of locks, where no round is lost. */
void look_queues(struct wave *wave);
void look_queues_event(struct event *event);

/* A word of memory as a requester would find it now. */
static inline uint32_t look_peek(const struct look *look, const struct mem_system *mem,
                                 struct mem_requester from, uint64_t address)
{
    uint32_t word;

    if (mem->ops->functional_read != NULL) {
        mem->ops->functional_read(mem, from, address, &word, sizeof(word));
    } else {
        memcpy(&word, dram_at(&look->env->dram, address), sizeof(word));
    }
    return word;
}

/* What a wavefront's rounds do, as far as it is watched, or was. */
static inline struct look_watch *look_watch_of(const struct look *look, const struct wave *wave)
{
    return &look->watches[wave - look->waves];
}

/* ---- progress_search.c ---- */

/* Begins to watch wavefronts, whatever they do, unless that goes on already: all of them, or only a
 * scout, the first one that is at a backward branch. Where that changes something, there is
 * progress at the price of one. */
void look_search(struct look *look, bool has_scout);

/* What has been found since then; ends the search where it still goes on. A wavefront that has
 * executed nothing at all meanwhile is taken for one that changes nothing, unless it waits for
 * memory. LOOK_UNDECIDED where there was none. */
enum look_finding look_search_end(struct look *look);

/* Memory has changed. */
void look_note_effect(struct look *look);

/* Instructions since then of the wavefront whose loop the latest search has found to change
 * something; 0 where it has found none. */
uint64_t look_counted(const struct look *look);

/* The wavefront is at a backward branch, and a search goes on. */
void look_search_branch(struct wave *wave);

/* ---- detector.c ---- */

/* The wavefront is watched no more, until it is in the same loop for long again. */
void look_stop_watching(struct wave *wave);

/* Ends it, without a result. */
void look_end(struct look *look);

/* Begins one: those that spin are watched from their next branch on. */
void look_begin(struct look *look);

/* Whether nobody has come or gone since the look began. */
bool look_is_same_company(const struct look *look);

/* Whether a wavefront has done in this pass what it has to: a round that began in it; or nothing
 * since the look began, at its barrier or but for locks in vain, one of which may be under way. */
bool look_has_passed(const struct look *look, const struct wave *wave);
bool look_have_all_passed(const struct look *look);

/* Instructions, but for locks that were in vain: none at a barrier, and where all are locks. */
static inline uint64_t look_steps_of(const struct wave *wave)
{
    return wave->instructions - wave->locks.failed_rounds;
}

/* ---- endless_loops.c ---- */

/* Whether some wavefront may still come that is not resident, or somebody else act for those that
 * are: then they may wait for that. */
bool look_is_open(const struct look *look);

/* Whether what was watched in a look shows that no wavefront will ever go on. */
bool look_is_deadlock(const struct look *look);

/* ---- lock_holder.c ---- */

/* A lock, as it is where locks take effect. */
struct look_lock {
    uint64_t address;
    int32_t word;
    uint32_t lane;             /* that the word names, of */
    const struct wave *holder; /* this resident wavefront, or NULL */
};

/* The one at an address, which a wavefront wants. */
struct look_lock look_lock_at(const struct look *look, const struct wave *asking, uint64_t address);

/* ---- lock_cycles.c ---- */

/* Whether a wavefront has long been waiting for locks and can do nothing else. */
bool look_retries(const struct wave *wave);

/* ---- deadlock_report.c ---- */

/* The wavefronts in look->in_set end with faults. */
void look_report(struct look *look);

/* All that are resident are in a deadlock, which ends the look. */
void look_take_all(struct look *look);

/* The wavefront ends with fault SL_FAULT_PROGRESS: what it does, as the latest search has seen it.
 */
void look_report_standstill(struct look *look, struct wave *wave, uint64_t limit_cycles);

/* The same for the one that look_counted() is of, for so many cycles. */
void look_report_counting(struct look *look, uint64_t cycles);

#endif
