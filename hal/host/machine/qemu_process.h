/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU as a process: started, watched and ended (docs/design.md, rules 2 and 9). */
#ifndef SLUICE_HOST_QEMU_PROCESS_H
#define SLUICE_HOST_QEMU_PROCESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config/config.h"
#include "host/machine/memory.h"
#include "host/machine/qemu_command.h"
#include "host/sluice.h"

#define SL_PROCESS_ERROR_BYTES (PATH_MAX + 512)

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
    const uint32_t *wake; /* a futex word that is woken when QEMU has ended */
    atomic_bool ended;    /* set before that */

    pthread_t launcher;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    enum sl_process_state state;
    bool stop;   /* start nothing any more */
    pid_t child; /* the process that runs now and is not reaped yet, or 0 */
    pid_t qemu;  /* QEMU's id, also after its end */
    int wait_status;
    enum sl_status status; /* FAILED: what sl_process_start() returns */
    char error[SL_PROCESS_ERROR_BYTES];
    struct sl_qemu_version version;
};

/* Starts the launcher thread, which starts QEMU. Returns when QEMU has been started, or with a
 * status and a message in process->error. limit_ms bounds it. The pointers have to stay valid until
 * sl_process_close(). */
enum sl_status sl_process_start(struct sl_process *process, const struct sl_config *config,
                                const struct sl_memory *memory, const uint32_t *wake,
                                int64_t limit_ms);

/* Whether QEMU has ended; *wait_status is then as waitpid() gives it. */
bool sl_process_has_ended(struct sl_process *process, int *wait_status);

/* Waits for QEMU's end for limit_ms, kills what still runs then, and joins the launcher. Allowed in
 * every state, also on a zeroed object. */
void sl_process_close(struct sl_process *process, int64_t limit_ms);

#endif
