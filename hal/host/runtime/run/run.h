/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What runs on a machine, or ran last: a graph, a launch, a sequence of them or a task vector, with
 * its results and what is observed of it.
 *
 *     run_soc.c            a machine, opened and closed with all that is on it, and its results
 *     run_core.c           the object of a run
 *     run_boot.c           QEMU is started, and started anew
 *     run.c, launch.c      runs begin: any, launches and sequences of them
 *     run_protection.c     what lanes of one may access
 *     task_vectors.c       task vectors
 *     tasks.c              work-sharing tasks
 *     open_graphs.c        graphs that stay open
 *     wait.c, outcome.c    runs end: the firmware's messages; what is taken then
 *     run_refusal.c        why one is refused
 *     inspect_waves.c      the wavefront inspector
 *
 * The top of the host library: depends on all other folders, and none on it. */
#ifndef SLUICE_HOST_RUNTIME_RUN_H
#define SLUICE_HOST_RUNTIME_RUN_H

#include "check/graph/refusal.h"
#include "host/driver/machine/machine.h"
#include "host/driver/machine/stall_watch.h"
#include "host/observe/diagnose/diagnose.h"
#include "host/observe/print/print.h"
#include "host/observe/recorder.h"
#include "host/observe/statistics/run_results.h"
#include "sluice/sluice.h"

/* How the host feeds an open graph. */
struct sl_feed {
    bool is_open;
    uint64_t last_ps; /* no message may name a time before */
    void *elements;   /* in shared memory: SL_FEED_BYTES for each entry of the mailbox ring; NULL
                         before the first graph was opened */
    bool is_asked;    /* for a report, which has not come */
    struct sl_graph_state state;
};

struct sl_run {
    const struct sl_run_kind *kind; /* NULL before the first one */
    uint64_t graph;                 /* its address; 0 where it is none */
    struct sl_launched launched;    /* where it is none */
    uint32_t sequence;              /* of the last message to the firmware */
    struct sl_run_end {
        uint32_t sequence; /* of the run that has ended last */
        enum sl_status status;
        char error[SL_SOC_ERROR_BYTES]; /* where it is not SL_OK */
    } end;                              /* for all threads that have waited for it */
    struct sl_launch *launch;           /* in shared memory; NULL before the first launch */
    struct sl_sequence *steps;          /* likewise; of as many launches as the last one had */
    struct sl_task_vector *vectors;     /* all that are there */
    struct sl_task_queues *queues;      /* likewise */
    const struct sl_task_vector *trees; /* what runs, or ran last, where it is one */
    const struct sl_task_queues *shared_work; /* likewise */
    struct sl_protection *protection;         /* in shared memory; NULL before the first run */
    struct sl_feed feed;
    unsigned deaths; /* QEMUs that have ended unasked since this run was to begin */
    struct sl_stall_watch stall;
    struct sl_completion_counts counts;
    struct sl_results results;
    struct sl_print print;
    struct sl_observation observation;
};

/* What a kind of run adds to what is done for all, in the file that starts it. Functions may be
 * NULL. */
struct sl_run_kind {
    enum sl_message_host_type type; /* of the message that starts one */
    const char *name;               /* in messages */
    /* Adds what its lanes may access, of a run that the library has described. */
    void (*add_ranges)(struct sl_soc *soc, struct sl_protection *table);
    /* It is complete: adds what the host knows of it and the device does not. */
    void (*add_statistics)(struct sl_soc *soc, uint64_t *statistics);
    /* It has failed: appends where it was, as the firmware's message says. */
    void (*append_position)(const struct sl_launched *launched,
                            const struct sl_message_agg *message, char *out, size_t bytes);
};

extern const struct sl_run_kind sl_kind_graph;    /* SL_HOST_EXECUTE (run.c) */
extern const struct sl_run_kind sl_kind_open;     /* SL_HOST_OPEN (run.c) */
extern const struct sl_run_kind sl_kind_launch;   /* SL_HOST_LAUNCH (launch.c) */
extern const struct sl_run_kind sl_kind_sequence; /* SL_HOST_SEQUENCE (launch.c) */
extern const struct sl_run_kind sl_kind_trees;    /* SL_HOST_TREES (task_vectors.c) */
extern const struct sl_run_kind sl_kind_tasks;    /* a launch, once it has begun (tasks.c) */

/* Gives a machine one. NULL when out of memory. */
struct sl_run *sl_run_create(struct sl_soc *soc);

/* Takes it away again, if there is one. Its task vectors and queues have gone before. */
void sl_run_destroy(struct sl_soc *soc);

/* What messages about it need. */
struct sl_message_context sl_run_context(struct sl_soc *soc);

/* Fails while something runs; `what` begins the message. */
enum sl_status sl_run_check_idle(struct sl_soc *soc, const char *what);

/* It has ended: its results are taken, with what only the host knows of it where it is complete,
 * and what is observed of it. */
void sl_run_take_results(struct sl_soc *soc, bool is_complete);

/* The part of that which is observed, with these results: written where files of runs are wanted.
 * What fails is noted (sl_observe_tell()). */
void sl_run_observe(struct sl_soc *soc, const uint64_t *statistics, const struct sl_served *served);

/* Starts QEMU, and waits until the firmware is ready, for host.boot_limit at most. */
enum sl_status sl_run_boot(struct sl_soc *soc);

/* Starts QEMU anew on the machine's memory, where it has ended: the firmware boots, and the heap,
 * what is loaded and all graphs are as they were. Where that fails, the machine is beyond use. */
enum sl_status sl_run_restart(struct sl_soc *soc);

/* What was begun has failed, where run->deaths was `before`: whether that is because QEMU has ended
 * unasked, and another one may be started. Somebody may end each; so many in a row are enough. */
#define SL_DEATHS_MAX 8
bool sl_run_has_died(const struct sl_soc *soc, unsigned before);

/* Makes the table of what lanes of the run that begins may access, in closed memory: the kernel
 * file, open memory, what its kind adds, its print buffer, what is granted. Where it is of an
 * address that the library has not described, all that is allocated. *address is the table's, for
 * the firmware; 0 where debug.protection is off. SL_ERROR_USAGE with a message where no memory is
 * left. */
enum sl_status sl_protection_make(struct sl_soc *soc, bool is_described, uint64_t *address);

/* Adds addresses from base up to limit to it, unless there are none. */
void sl_protection_add(struct sl_protection *table, uint64_t base, uint64_t limit, uint32_t access,
                       enum sl_range_kind what);

/* Sends the message that starts a run, with an address in shared memory: what is there is described
 * in soc->run, or is a graph of the machine's. */
enum sl_status sl_run_start(struct sl_soc *soc, const struct sl_run_kind *kind, uint64_t address);

/* The same of what the library knows by its address alone. */
enum sl_status sl_run_start_unchecked(struct sl_soc *soc, const struct sl_run_kind *kind,
                                      uint64_t address);

/* Whether such a message starts a graph; starts one, once it is prepared and checked. */
static inline bool sl_run_is_graph(uint32_t type)
{
    return type == SL_HOST_EXECUTE || type == SL_HOST_OPEN;
}
enum sl_status sl_run_graph(struct sl_graph_builder *graph, const struct sl_run_kind *kind);

/* Describes a step in *launch, unchecked but for what can only be said here: that its arguments are
 * those of the kernel. `what` names the step in messages. */
enum sl_status sl_launch_describe(struct sl_module *module, int kernel,
                                  const struct sl_launch_step *step, const char *what,
                                  struct sl_launch *launch);

/* Frees the task vectors of a machine. */
void sl_trees_destroy_all(struct sl_run *run);

/* And its task queues. */
void sl_tasks_destroy_all(struct sl_run *run);

/* Appends why a run of this type is refused (`graph`: which, where it is one and known): the node,
 * or the step's number where it is a step's fault; without the names of launched kernels. */
void sl_run_refusal_text(const struct sl_soc *soc, uint32_t type,
                         const struct sl_graph_builder *graph,
                         const struct sl_graph_refusal *refusal, char *out, size_t bytes);

/* Checks a launch, a sequence or a task vector, which `described` is, as the firmware will: a
 * refusal becomes the error's message, which begins with `what`. */
enum sl_status sl_run_check(struct sl_soc *soc, enum sl_message_host_type type,
                            const void *described, const char *what);

/* Waits until the host's mailbox ring has space; until the open graph's report has come, which
 * then is in run->feed.state. SL_ERROR_MACHINE: the run has ended. */
enum sl_status sl_wait_space(struct sl_soc *soc);

enum sl_status sl_wait_report(struct sl_soc *soc);

/* Before a run: waits until the firmware has read all that the host has sent. SL_ERROR_MACHINE with
 * a message: QEMU has ended before, or was ended because simulated time stood still. */
enum sl_status sl_wait_read(struct sl_soc *soc);

/* Waits until the firmware is ready, for what is left of limit_ms since QEMU was to start
 * (sl_process_boot_left_ms()). */
enum sl_status sl_wait_boot(struct sl_soc *soc, int64_t limit_ms);

/* The wavefront inspector as a command of the control socket (host/driver/machine/machine.h); `soc`
 * is the machine. */
void sl_inspect_command(void *soc, const char *command, sl_line_fn line, void *to);

#endif
