/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The search for deadlocks among wavefronts: those that will never go on are faults, with a record
 * of what each waits for, and no run into the cycle limit (docs/debugging.md, "Deadlocks").
 *
 *     spin.h       backward branches are counted
 *     watch.h      what the rounds of a loop change
 *     look.c       looks at all wavefronts
 *     verdict.c    whether what was seen is a deadlock
 *     changers.h   who changed a word last
 *     report.c     the faults
 *
 * A *look* is what decides. It begins where all resident wavefronts seem to wait: each spins, as
 * one round of its loop has shown, or is at a barrier. From then on all that spin are watched, in
 * two passes. The first one is over when a whole round of each has changed nothing, and so is the
 * second one, with rounds that began in it. So whatever any wavefront does while the second pass
 * lasts, it does in rounds that change nothing; if no wavefront changes a word, be it for a time,
 * that another one looks at, then each goes through its rounds as if it were alone, and will for
 * ever, as long as nobody else writes. What does, or may, ends the look without an alarm: a
 * wavefront that leaves its loop, is launched, ends, yields or goes on behind its barrier; a word
 * that firmware, host or a wavefront's stale copy could have another value for. */
#ifndef SLUICE_SIMT_LOOK_LOOK_H
#define SLUICE_SIMT_LOOK_LOOK_H

#include "simt/cu/cu.h"
#include "simt/look/changers.h"
#include "simt/look/watch.h"

enum look_pass { LOOK_NONE, LOOK_FIRST, LOOK_SECOND };

struct look {
    const struct cu_environment *env;
    struct wave *waves;         /* of all compute units, */
    uint32_t count;             /* so many */
    struct look_watch *watches; /* likewise */
    uint64_t *instructions;     /* likewise: of those at barriers, when the look began */
    struct look_changers changers;
    uint32_t pass;     /* enum look_pass */
    uint32_t resident; /* when it began: wavefronts, */
    uint64_t launched; /* and those launched since the run's begin */
    uint32_t turns;    /* rounds so far */
};

/* Looks at wavefronts, which the caller has. Returns false when out of memory; look_destroy() in
 * any case. */
bool look_create(struct look *look, const struct cu_environment *env, struct wave *waves,
                 uint32_t count);
void look_destroy(struct look *look);

/* No wavefront is resident; a run begins, or the device was reset. */
void look_reset(struct look *look);

/* Those of spin.h. */
void look_round(struct wave *wave);
void look_other_branch(struct wave *wave);

/* ---- verdict.c ---- */

/* Whether some wavefront may still come that is not resident, or somebody else act for those that
 * are: then they may wait for that. */
bool look_is_open(const struct look *look);

/* Whether what was watched in a look shows that no wavefront will ever go on. */
bool look_is_deadlock(const struct look *look);

/* ---- report.c ---- */

/* All resident wavefronts end with faults. */
void look_report(struct look *look);

#endif
