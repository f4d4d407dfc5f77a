/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine under attack: what is on it, what runs on it, and what is known of a run afterwards. */
#ifndef SLUICE_ATTACK_SESSION_H
#define SLUICE_ATTACK_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "attack/random.h"
#include "attack/wild.h"
#include "sluice/sluice.h"
#include "workloads/common/relay.h"

/* What has come of an attack. Those from OUTCOME_WRONG on must not be. */
enum outcome {
    OUTCOME_RIGHT,    /* complete and right */
    OUTCOME_OWN,      /* complete; the kernel has falsified what is its own to write */
    OUTCOME_FAULT,    /* told: a fault of the kernel */
    OUTCOME_REFUSED,  /* told: refused before it ran */
    OUTCOME_BOOKS,    /* told: the audit, or firmware that gave up the run */
    OUTCOME_STARTED,  /* told: the machine failed, and was started anew */
    OUTCOME_WRONG,    /* complete, and wrong */
    OUTCOME_THROUGH,  /* complete, though closed memory was accessed */
    OUTCOME_FIRMWARE, /* the firmware trapped or hung, or QEMU ended */
    OUTCOME_TEXT,     /* what the host showed of its text is none, or without end */
    OUTCOME_UNFIT,    /* the good graph behind it was not right */
    OUTCOME_CRASH,    /* the host program crashed */
    OUTCOME_HANG,     /* or did not end */
    OUTCOMES
};

struct victim;

struct session {
    struct sl_soc *soc;
    struct sl_module *module;
    struct relay good; /* in memory beside the victim: the other graph */
    struct wild *wild;
    struct attack_result *result;
    uint64_t *word;      /* a result of 8 bytes */
    uint32_t *out;       /* ATTACK_ITEMS */
    uint64_t *closed;    /* private memory that no run is granted, CLOSED_WORDS */
    uint64_t open_limit; /* behind the highest allocation that is open to lanes */
    bool is_stale;       /* the kernels' own data may be damaged */

    FILE *text; /* what kernels print */

    /* Of the run that is under way. */
    const struct victim *victim;
    struct sl_graph_builder *graph;
    struct sl_task_vector *trees;
    int channel; /* into which the host puts elements */
    char told[1024];
};

#define CLOSED_WORDS 512u
#define TEXT_BYTES   (UINT64_C(16) << 20) /* that may be shown of a run at most */

/* A program with a known result: made in shared memory, and begun; its end is the caller's to wait
 * for. */
struct victim {
    const char *name;
    uint32_t wavefronts; /* that come by an attack, about */
    enum sl_status (*make)(struct session *session);
    enum sl_status (*start)(struct session *session);
    bool (*is_right)(const struct session *session);
};

extern const struct victim victims[];
extern const unsigned victim_count;

/* Opens a machine whose configuration is that number of a few, and makes all that is on it; with
 * another file of kernels than the campaign's own, too. Returns SL_OK, or what failed, with its
 * message in the machine object. */
enum sl_status session_open(struct session *session, uint64_t number, const char *kernels,
                            bool is_protected);
void session_close(struct session *session);

/* Makes a victim; begins its run and waits for the end, at most WAIT_LIMIT_MS; frees it. What is
 * open, and whether the result is right, is asked before it is freed. */
enum sl_status session_make(struct session *session, const struct victim *victim);
enum sl_status session_run(struct session *session);
void session_end(struct session *session);

/* What the machine says of a run that has not completed. */
enum outcome session_told(struct session *session, enum sl_status status);

/* What has come of a run, and of a good graph behind it. `is_own`: lanes may have changed what a
 * kernel may change. */
enum outcome session_judge(struct session *session, enum sl_status status, bool is_own);

/* Whether the machine goes on: a good graph is right, and closed memory is as it was. */
bool session_is_fit(struct session *session);

/* The kernels' code, as the device sees it. */
const struct sl_program *session_program(const struct session *session);

/* Makes the good graph, for which there is none. */
enum sl_status session_make_good(struct session *session);

/* Whether the victim's lanes may write there, by what the host program knows of its memory. */
bool session_is_open(const struct session *session, uint64_t address);

#define WAIT_LIMIT_MS 20000

#endif
