/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU as a process: what there is to start, the command line, start and end (docs/know/design.md,
 * rules 2 and 9). */
#ifndef SLUICE_HOST_DRIVER_MACHINE_QEMU_H
#define SLUICE_HOST_DRIVER_MACHINE_QEMU_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/driver/machine/cpu_time_limit.h"
#include "host/driver/machine/guest_memory.h"
#include "sluice/config.h"
#include "sluice/sluice.h"

/* ---- where QEMU, the plugin and the firmware are ---- */

struct sl_qemu_paths {
    char qemu[PATH_MAX + 32]; /* or the native engine, as host.engine says */
    char plugin[PATH_MAX + 32];
    char flash[PATH_MAX];
};

/* Finds QEMU (by path, or in PATH), the plugin and the flash image. SL_ERROR_USAGE has a
 * message that names all that is missing, a line for each, with its key and what to do. */
enum sl_status sl_qemu_paths_find(const struct sl_config *config, struct sl_qemu_paths *paths,
                                  char *error, size_t error_bytes);

/* Whether host.engine is the native one. */
bool sl_engine_is_native(const struct sl_config *config);

/* What executes the firmware, in messages: "QEMU" or "the native engine", as host.engine says. */
const char *sl_engine_name(const struct sl_config *config);

/* ---- the command line ---- */

#define SL_QEMU_ARGUMENTS_MAX 48

/* An argument array for execv(), NULL at its end. */
struct sl_qemu_command {
    char *argument[SL_QEMU_ARGUMENTS_MAX + 1];
    int count;
    bool has_failed; /* memory is used up: an argument is missing */
};

/* Builds it; the descriptors of `memory` but the log's are those that QEMU inherits, and its end of
 * the lifeline (-1: none). Returns 0, or -1 where memory is used up. sl_qemu_command_destroy() is
 * to be called in either case. */
int sl_qemu_command_build(struct sl_qemu_command *command, const struct sl_config *config,
                          const struct sl_qemu_paths *paths, const struct sl_memory *memory,
                          int lifeline_fd);
void sl_qemu_command_destroy(struct sl_qemu_command *command);

/* Appends a printf-style argument. */
void sl_qemu_command_add(struct sl_qemu_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for the native engine (sim-soc/native). */
int sl_native_command_build(struct sl_qemu_command *command, const struct sl_qemu_paths *paths,
                            const struct sl_memory *memory, int lifeline_fd);

/* Whether a value of debug.gdb is the path of a Unix socket; else it is host:port. */
bool sl_qemu_gdb_is_path(const char *where);

/* ---- the process ---- */

#define SL_PROCESS_ERROR_BYTES 8192

/* In place of a wait status that the system has not kept: the program ignores SIGCHLD, or has
 * waited for the process itself. */
#define SL_WAIT_LOST (-1)

enum sl_process_state {
    SL_PROCESS_NONE,     /* no launcher thread */
    SL_PROCESS_STARTING, /* the launcher finds out what to start */
    SL_PROCESS_RUNNING,
    SL_PROCESS_ENDED,  /* QEMU has ended: wait_status says how */
    SL_PROCESS_FAILED, /* QEMU was not started: error says why */
};

struct sl_process {
    const struct sl_config *config;
    const struct sl_memory *memory;
    const struct sl_mailbox *mailbox; /* whose sleepers are woken when QEMU has ended */
    atomic_bool ended;                /* set before that */
    bool is_open; /* there is a launcher thread, or was one that is not joined yet */

    pthread_t launcher;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    enum sl_process_state state;
    bool stop;    /* start nothing any more */
    pid_t child;  /* the process that runs now and is not reaped yet, or 0 */
    pid_t qemu;   /* QEMU's id, or that of what has started it, also after its end */
    int lifeline; /* a socket that kills QEMU and its group where it is closed, or -1 */
    int wait_status;
    pid_t launcher_id;        /* the launcher thread's, or 0 while it has not begun */
    struct sl_effort past;    /* of the children that are reaped */
    struct sl_cpu_limit boot; /* since sl_process_start() */
    enum sl_status status;    /* FAILED: what sl_process_start() returns */
    bool is_other;            /* ENDED: what was started is no QEMU: error says so */
    char error[SL_PROCESS_ERROR_BYTES];
};

/* Starts the launcher thread, which starts QEMU. Returns when QEMU has been started, or with a
 * status and a message in process->error. limit_ms bounds it. The pointers have to stay valid until
 * sl_process_close(). */
enum sl_status sl_process_start(struct sl_process *process, const struct sl_config *config,
                                const struct sl_memory *memory, const struct sl_mailbox *mailbox,
                                int64_t limit_ms);

/* What the launcher and all that it has started have had of the processors. */
struct sl_effort sl_process_effort(struct sl_process *process);

/* What is left of the time in which a machine has to boot, since sl_process_start() began: as
 * sl_cpu_limit_left_ms(). */
int64_t sl_process_boot_left_ms(struct sl_process *process, int64_t limit_ms);

/* Kills QEMU and the rest of its process group, also where they are stopped. */
void sl_process_kill(struct sl_process *process);

/* Whether QEMU has ended; *wait_status is then as waitpid() gives it, or SL_WAIT_LOST. */
bool sl_process_has_ended(struct sl_process *process, int *wait_status);

#define SL_QEMU_VERSION_BYTES 128

/* Runs `qemu --version` (host.qemu), whose first line it gives; at most two seconds. SL_OK where it
 * is that of a QEMU, else a status and a message. */
enum sl_status sl_qemu_version_ask(const struct sl_config *config, char line[SL_QEMU_VERSION_BYTES],
                                   char *error, size_t error_bytes);

/* The same of the program at a path, as a child of `process`, which has none. */
enum sl_status sl_qemu_version_take(struct sl_process *process, const char *qemu,
                                    char line[SL_QEMU_VERSION_BYTES], char *error,
                                    size_t error_bytes);

/* Waits for QEMU's end for limit_ms, kills what still runs then, and joins the launcher. Allowed in
 * every state, also on a zeroed object. */
void sl_process_close(struct sl_process *process, int64_t limit_ms);

#endif
