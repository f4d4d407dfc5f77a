/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The search for deadlocks among wavefronts: those that will never go on are faults, with a record
 * of what each waits for, and no run into the cycle limit (docs/do/debug.md, "Deadlocks").
 *
 *     spin_loop.h          backward branches are counted
 *     spin_loop.c          those that are monitored: checks of all wavefronts
 *     detector_state.c     what all checks have in common
 *     deadlock_verdict.c   whether what was seen is a deadlock
 *     lock_cycles.c        wavefronts that wait for locks
 *     lock_holder.c        the locks that they wait for
 *     deadlock_report.c    the faults
 *     progress_search.c    a check without such a reason, for the limit without progress
 *
 * Watching a wavefront, and noting who changed a word, is in simt/loop_monitor/.
 *
 * A *deadlock check* is what decides. It begins where all resident wavefronts seem to wait: each
 * spins, as one round of its loop has shown, or waits for locks, or is at a barrier. From then on
 * all that spin are watched, in two passes. The first one is over when a whole round of each has
 * changed nothing, and so is the second one, with rounds that began in it. So whatever any
 * wavefront does while the second pass lasts, it does in rounds that change nothing; if no
 * wavefront changes a word, be it for a time, that another one looks at, then each goes through its
 * rounds as if it were alone, and will for ever, as long as nobody else writes. What does, or may,
 * ends the check without an alarm: a wavefront that leaves its loop, is launched, ends, yields,
 * gets a lock or passes a barrier; a word that firmware, host or a wavefront's stale copy could
 * have another value for. */
#ifndef SLUICE_SIMT_DEADLOCK_H
#define SLUICE_SIMT_DEADLOCK_H

#include <string.h>

#include "simt/loop_monitor/last_writers.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/unit/unit.h"

enum detector_pass { DETECTOR_NONE, DETECTOR_FIRST, DETECTOR_SECOND };

/* What a search has found. */
enum detector_finding {
    DETECTOR_UNDECIDED,
    DETECTOR_CHANGE,     /* a round of some wavefront's loop changes something, or memory has yet to
                        answer one that has executed nothing */
    DETECTOR_NO_PROGRESS /* none of them does, twice in a row */
};

struct deadlock_detector {
    const struct cu_environment *env;
    struct wave *waves;            /* of all compute units, */
    uint32_t count;                /* so many */
    struct loop_monitor *monitors; /* likewise */
    uint64_t *steps;               /* likewise: instructions of each when the check began */
    bool *in_set;                  /* likewise: those that a deadlock is of */
    uint64_t *idle_from;           /* likewise: instructions of each at detector_mark_progress() */
    struct last_writers last_writers;
    struct event queues; /* somebody may have waited in queues for long */
    uint32_t pass;       /* enum detector_pass */
    bool is_search;
    const struct wave
        *sampled_wave;   /* of a search: the only wavefront that is watched; NULL: all are */
    bool awaits_sample;  /* the next one at a branch is to be it */
    bool memory_changed; /* rounds did change memory in it */
    enum detector_finding finding; /* of a search that has ended, until it is asked for */
    struct wave *counter;          /* whose loop the latest search has found to change something */
    uint32_t resident;             /* when it began: wavefronts, */
    uint64_t launched;             /* and those launched since the run's begin */
    uint32_t rounds;               /* rounds so far */
};

/* Looks at wavefronts, which the caller has. Returns false when out of memory; detector_destroy()
 * in any case. */
bool detector_create(struct deadlock_detector *detector, const struct cu_environment *env,
                     struct wave *waves, uint32_t count);
void detector_destroy(struct deadlock_detector *detector);

/* No wavefront is resident; a run begins, or the device was reset. */
void detector_reset(struct deadlock_detector *detector);

/* For the compute units (struct cu_environment): a wavefront has lost a multiple of
 * LOCK_LOST_OFTEN rounds of a lock in a row. */
void detector_on_lock_retries(struct wave *wave);

/* Likewise: one begins to wait in queues of locks, where no round is lost. */
void detector_on_lock_queue(struct wave *wave);
void detector_lock_queue_event(struct event *event);

/* A word of memory as a requester would find it now. */
static inline uint32_t detector_peek(const struct deadlock_detector *detector,
                                     const struct mem_system *mem, struct mem_requester from,
                                     uint64_t address)
{
    uint32_t word;

    if (mem->ops->functional_read != NULL) {
        mem->ops->functional_read(mem, from, address, &word, sizeof(word));
    } else {
        memcpy(&word, dram_at(&detector->env->dram, address), sizeof(word));
    }
    return word;
}

/* What a wavefront's rounds do, as far as it is watched, or was. */
static inline struct loop_monitor *detector_monitor_of(const struct deadlock_detector *detector,
                                                       const struct wave *wave)
{
    return &detector->monitors[wave - detector->waves];
}

/* ---- progress_search.c ---- */

/* Begins to monitor wavefronts, whatever they do, unless that goes on already: all of them, or only
 * a sample, the first one that is at a backward branch. Where that changes something, there is
 * progress at the price of one. */
void detector_search(struct deadlock_detector *detector, bool has_sample);

/* What has been found since then; ends the search where it still goes on. A wavefront that has
 * executed nothing at all meanwhile is taken for one that changes nothing, unless it waits for
 * memory. DETECTOR_UNDECIDED where there was none. */
enum detector_finding detector_search_end(struct deadlock_detector *detector);

/* Memory has changed. */
void detector_mark_progress(struct deadlock_detector *detector);

/* Instructions since then of the wavefront whose loop the latest search has found to change
 * something; 0 where it has found none. */
uint64_t detector_counted_instructions(const struct deadlock_detector *detector);

/* The wavefront is at a backward branch, and a search goes on. */
void detector_search_branch(struct wave *wave);

/* ---- detector_state.c ---- */

/* The wavefront is watched no more, until it is in the same loop for long again. */
void detector_stop_watching(struct wave *wave);

/* Ends it, without a result. */
void detector_stop(struct deadlock_detector *detector);

/* Begins one: those that spin are watched from their next branch on. */
void detector_start(struct deadlock_detector *detector);

/* Whether nobody has come or gone since the check began. */
bool detector_same_waves(const struct deadlock_detector *detector);

/* Whether a wavefront has done in this pass what it has to: a round that began in it; or nothing
 * since the check began, at its barrier or but for locks in vain, one of which may be under way. */
bool detector_has_passed(const struct deadlock_detector *detector, const struct wave *wave);
bool detector_have_all_passed(const struct deadlock_detector *detector);

/* Instructions, but for locks that were in vain: none at a barrier, and where all are locks. */
static inline uint64_t detector_steps_of(const struct wave *wave)
{
    return wave->instructions - wave->locks.failed_rounds;
}

/* ---- deadlock_verdict.c ---- */

/* Whether some wavefront may still come that is not resident, or somebody else act for those that
 * are: then they may wait for that. */
bool detector_is_open(const struct deadlock_detector *detector);

/* Whether what was monitored in a check shows that no wavefront will ever go on. */
bool detector_is_deadlock(const struct deadlock_detector *detector);

/* ---- lock_holder.c ---- */

/* A lock, as it is where locks take effect. */
struct detector_lock {
    uint64_t address;
    int32_t word;
    uint32_t lane;             /* that the word names, of */
    const struct wave *holder; /* this resident wavefront, or NULL */
};

/* The one at an address, which a wavefront wants. */
struct detector_lock detector_lock_at(const struct deadlock_detector *detector,
                                      const struct wave *asking, uint64_t address);

/* ---- lock_cycles.c ---- */

/* Whether a wavefront has long been waiting for locks and can do nothing else. */
bool detector_retries(const struct wave *wave);

/* ---- deadlock_report.c ---- */

/* The wavefronts in detector->in_set end with faults. */
void detector_report(struct deadlock_detector *detector);

/* All that are resident are in a deadlock, which ends the check. */
void detector_take_all(struct deadlock_detector *detector);

/* The wavefront ends with fault SL_FAULT_PROGRESS: what it does, as the latest search has seen it.
 */
void detector_report_no_progress(struct deadlock_detector *detector, struct wave *wave,
                                 uint64_t limit_cycles);

/* The same for the one that detector_counted_instructions() is of, for so many cycles. */
void detector_report_counting(struct deadlock_detector *detector, uint64_t cycles);

#endif
