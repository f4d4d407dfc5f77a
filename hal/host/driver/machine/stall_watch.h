/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The watch of wall time over a run (host.stall_limit): whether simulated time goes on, and what
 * QEMU does where it does not. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_STALL_WATCH_H
#define SLUICE_HOST_DRIVER_MACHINE_STALL_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the system says of a process. */
struct sl_process_look {
    char state;     /* as in /proc/PID/stat: R, S, D, T, t, Z...; 0: there is none */
    int64_t cpu_ms; /* processor time that it has had */
    bool is_traced; /* a debugger has attached to it */
};

/* Takes the text of /proc/PID/stat. */
struct sl_process_look sl_process_look_parse(const char *stat);
struct sl_process_look sl_process_look_at(pid_t pid);

/* Whether a debugger has connected to a gdb stub in the network of a process: `where` is a value of
 * debug.gdb. Where the system does not say, it has. */
bool sl_debugger_is_connected(const char *where, pid_t pid);

/* The same in the text of /proc/PID/net/unix, for a path; of /proc/PID/net/tcp or tcp6, for a port.
 */
bool sl_debugger_in_unix(const char *table, const char *path);
bool sl_debugger_in_tcp(const char *table, unsigned port);

/* One watch. Zeroed, it has seen nothing. */
struct sl_stall_watch {
    uint64_t time_ps;    /* where simulated time stands */
    int64_t seen_ms;     /* when somebody looked last, as sl_wall_ms(); 0: never */
    int64_t still_ms;    /* for how long it has stood there, of the time that this process ran */
    int64_t cpu_from_ms; /* the caller's: what QEMU had had when it came there; -1: not noted yet */
};

/* Begins anew, as for a run. */
void sl_stall_watch_begin(struct sl_stall_watch *stall);

/* A look at the clocks. A pause between two looks that is longer than SL_STALL_WATCH_GAP_MS is
 * taken for one in which this process was stopped, and counts as so much. Returns for how long
 * simulated time stands still. */
#define SL_STALL_WATCH_GAP_MS 250
int64_t sl_stall_watch_look(struct sl_stall_watch *stall, uint64_t time_ps, int64_t now_ms);

/* Simulated time stands still for limit_ms or more: whether that is QEMU's doing. One that is ready
 * to run, but has not had a tenth of that time of a processor, is not to blame. */
bool sl_stall_watch_is_real(const struct sl_stall_watch *stall, const struct sl_process_look *look,
                            int64_t limit_ms);

/* What QEMU does, and what to do about it. */
void sl_stall_watch_text(const struct sl_stall_watch *stall, const struct sl_process_look *look,
                         char *out, size_t bytes);

#endif
