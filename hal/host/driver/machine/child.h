/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A child process of the host program, and all that it starts: one process group, which is killed
 * as one, and which ends with this program.
 *
 * What is started as QEMU may be a script that starts it, and more. It holds one end of a socket,
 * the lifeline: the system has been asked to kill the group when the other end is closed, as by the
 * end of this program. A QEMU in another group has the plugin ask for itself. That all of QEMU has
 * gone is told by the end of the lifeline. The death signal that ends a child with the host program
 * is tied to the thread that forked it. A child that has ended stays a zombie until it is reaped
 * with the mutex locked, so that whoever holds that may send signals to process->child and its
 * group. That is so unless the program ignores SIGCHLD, or waits for all children there are: then
 * how it ended is lost, and its number may be another's. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_CHILD_H
#define SLUICE_HOST_DRIVER_MACHINE_CHILD_H

#include <stdbool.h>

#include "host/driver/machine/qemu.h"

/* What a child needs between fork() and execv(), made before. */
struct sl_child {
    char *const *arguments;
    int output_fd;                  /* becomes standard output */
    int message_fd;                 /* becomes standard error */
    int lifeline_fd;                /* stays open, and kills the group */
    const struct sl_memory *memory; /* whose files stay open; or NULL */
    int null_fd;                    /* becomes standard input */
    int error_fd;                   /* closed on exec; gets errno where exec fails */
    pid_t parent;
};

/* Forks and executes. Returns 0 with process->child set, or errno; the child is to be reaped where
 * it is set. */
int sl_child_start(struct sl_process *process, struct sl_child *child);

/* Waits for the child's end, and ends what it has left. Returns its wait status, or SL_WAIT_LOST.
 */
int sl_child_reap(struct sl_process *process);

/* *end is the child's. Returns 0, or errno. */
int sl_lifeline_open(struct sl_process *process, int *end);

/* Waits until nobody holds the other end of the lifeline, for so long. Returns whether that is so.
 */
bool sl_lifeline_wait(const struct sl_process *process, int limit_ms);

/* Closes a descriptor, if it is one, and makes it -1. */
void sl_descriptor_close(int *fd);

#endif
