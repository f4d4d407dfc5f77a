/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One lock for each machine. Nothing that simulates takes it, and a wait for the firmware gives it
 * back while it sleeps, so that calls of other threads do not have to wait for a run. Recursive:
 * public functions call each other. */
#include "host/driver/machine/machine.h"

#include <string.h>

int sl_soc_threads_open(struct sl_soc *soc)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    const int reason = pthread_mutex_init(&soc->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return reason;
}

void sl_soc_threads_close(struct sl_soc *soc)
{
    pthread_mutex_destroy(&soc->lock);
}

struct sl_soc *sl_soc_enter(const struct sl_soc *soc)
{
    /* What only asks a machine has it const, and still has to wait for its turn. */
    struct sl_soc *const held = (struct sl_soc *)(uintptr_t)soc;

    if (held != NULL) {
        pthread_mutex_lock(&held->lock);
        held->held++;
    }
    return held;
}

void sl_soc_leave(struct sl_soc *const *soc)
{
    struct sl_soc *const held = *soc;

    if (held != NULL) {
        held->held--;
        pthread_mutex_unlock(&held->lock);
    }
}

unsigned sl_soc_step_aside(struct sl_soc *soc)
{
    /* Boot waits in a machine that no other thread knows yet, and that nobody holds. */
    const unsigned held = soc->held;

    for (unsigned i = 0; i < held; i++) {
        sl_soc_leave(&(struct sl_soc *const){soc});
    }
    return held;
}

void sl_soc_come_back(struct sl_soc *soc, unsigned held)
{
    for (unsigned i = 0; i < held; i++) {
        (void)sl_soc_enter(soc);
    }
}

const char *sl_soc_error(const struct sl_soc *soc)
{
    /* Another thread's call may leave a message while this one reads. */
    static _Thread_local char text[SL_SOC_ERROR_BYTES];

    SL_HOLD(soc);
    if (soc == NULL) {
        return "out of memory";
    }
    memcpy(text, soc->error, sizeof text);
    return text;
}
