/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine: QEMU as a process, the memory that it shares with this one, mailbox and heap in it,
 * and the messages of what went wrong. What is loaded on it, and what runs there, is not known
 * here.
 *
 *     machine_lifecycle.c, machine_query.c               the object: opened and closed, asked
 *     guest_memory.c, host_mailbox.c              what is shared (guest_memory.h)
 *     heap.c, free_segments.c               the shared heap in it
 *     qemu_process.c, qemu_command.c   QEMU, and what to start it with (qemu.h)
 *     qemu_paths.c                     what there is to start
 *     stall_watch.c                       whether simulated time goes on (stall_watch.h)
 *     control_socket.c                        the control socket
 *     threads.c                        calls from several threads
 *     paths.c, atomic_file.c, futex.h        helpers, for other folders too
 *
 * Depends on text. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_H
#define SLUICE_HOST_DRIVER_MACHINE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "check/launch/group_occupancy.h"
#include "host/driver/machine/guest_memory.h"
#include "host/driver/machine/qemu.h"
#include "sluice/sluice.h"

#define SL_SOC_ERROR_BYTES 8192

/* Who is connected to the control socket. */
struct sl_control_client {
    int fd;           /* -1: nobody */
    int64_t since_ms; /* it has sent and taken nothing since */
    size_t length;    /* of the command, as far as it has come */
    char command[64];
    char *answer; /* NULL while there is no command */
    size_t bytes; /* of the answer */
    size_t sent;
};

struct sl_control {
    int fd; /* -1: not open */
    const char *path;
    dev_t device; /* of the socket's file, which alone is removed */
    ino_t inode;
    struct sl_control_client client;
};

/* Private memory that runs may access (sl_grant()). */
struct sl_grant {
    uint64_t address;
    unsigned access; /* enum sl_access, not 0 */
};

/* The object behind sluice/sluice.h. Host programs do not see into it. */
struct sl_soc {
    pthread_mutex_t lock; /* recursive; over all that follows (threads.c) */
    unsigned held;        /* how often its owner has it */
    struct sl_config config;
    struct sl_layout layout;
    struct sl_memory memory;
    struct sl_heap heap;
    struct sl_grant grants[SL_GRANTS_MAX];
    unsigned grant_count;
    struct sl_mailbox *mailbox; /* in shared memory; NULL until it is mapped */
    struct sl_process process;
    char qemu_version[SL_QEMU_VERSION_BYTES]; /* as it was asked last */
    struct sl_control control;                /* debug.control */
    /* The message of the last call that failed: left by sl_soc_fail(), or by calls that leave one
     * only where they fail. */
    char error[SL_SOC_ERROR_BYTES];
    enum sl_status failure; /* that sl_soc_fail() left with it last */

    /* What other folders keep with a machine, each its own. */
    struct sl_module *module;        /* that is loaded, or NULL */
    struct sl_graph_builder *graphs; /* the first of all that exist */
    struct sl_run *run;              /* what runs, or ran last */
    bool is_ready;                   /* the firmware has booted; also where it has ended since */
    bool is_running;
    bool has_run; /* a run has begun, whatever came of it */

    /* Of this folder alone. */
    int uart_copy_fd;      /* debug.uart where it is a stream, or -1 */
    bool has_uart_copy;    /* where it is a file */
    size_t console_copied; /* bytes of the console that it has */
    bool has_ended;        /* QEMU was ended with what went wrong: the next run starts it anew */
    bool is_lost;          /* it cannot be: loss_reason says why */
    char *console;         /* what sl_soc_console() returned last */
    char loss_reason[SL_SOC_ERROR_BYTES];
};

/* ---- life ---- */

/* An object without a machine: it has the configuration, and holds messages. NULL when out of
 * memory. */
struct sl_soc *sl_soc_new(const struct sl_config *config);

/* Checks the configuration; opens what QEMU is to share, the control socket and the console's copy.
 */
enum sl_status sl_soc_open_parts(struct sl_soc *soc);

/* Has the file of debug.uart, where one is wanted, take its name with all that the firmware has
 * written; a stream gets it at the end. Where the machine has booted
 * and nothing has run, what is there stays. */
enum sl_status sl_soc_write_console(struct sl_soc *soc);

/* Starts QEMU. Returns when it runs, at the latest after limit_ms. */
enum sl_status sl_soc_start(struct sl_soc *soc, int64_t limit_ms);

/* The firmware or QEMU is beyond use: ends QEMU (SIGKILL after one second) and whatever runs. The
 * next run starts it anew. Returns SL_ERROR_MACHINE. */
enum sl_status sl_soc_end(struct sl_soc *soc);

/* Whether QEMU has ended, by itself or so. */
bool sl_soc_has_ended(struct sl_soc *soc);

/* QEMU has ended: makes the memory what it was at open, but for kernels and heap, which stay.
 * SL_ERROR_MACHINE with a message where the system does not do it. */
enum sl_status sl_soc_reset(struct sl_soc *soc);

/* Ends QEMU, and starts it no more: from here on sl_soc_check_usable() fails with the message that
 * is there now. The memory stays. */
void sl_soc_stop(struct sl_soc *soc);

/* Frees everything but what other folders keep with it. QEMU has ended. */
void sl_soc_free(struct sl_soc *soc);

/* ---- threads.c: calls from several threads ---- */

/* Has the machine for itself up to the end of the block; calls nest. NULL is allowed. */
#define SL_HOLD(soc)                                                                               \
    struct sl_soc *const sl_held __attribute__((cleanup(sl_soc_leave), unused)) = sl_soc_enter(soc)
struct sl_soc *sl_soc_enter(const struct sl_soc *soc);
void sl_soc_leave(struct sl_soc *const *soc);

/* Others may have it while this thread sleeps: between the two nothing of it is looked at but
 * shared memory. */
unsigned sl_soc_step_aside(struct sl_soc *soc);
void sl_soc_come_back(struct sl_soc *soc, unsigned held);

/* 0, or an errno. */
int sl_soc_threads_open(struct sl_soc *soc);
void sl_soc_threads_close(struct sl_soc *soc);

/* ---- messages ---- */

/* Leaves a printf-style message in the object and returns `status`. */
enum sl_status sl_soc_fail(struct sl_soc *soc, enum sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append what QEMU wrote since it was started, and what the firmware wrote to its console, to the
 * message. */
void sl_soc_append_log(struct sl_soc *soc);
void sl_soc_append_console(struct sl_soc *soc);

/* Fails where the machine is beyond use for good. */
enum sl_status sl_soc_check_usable(struct sl_soc *soc);

/* Closed memory of the library's own, zeroed and on a cache line; `owner` says what it is, for
 * messages, and has to stay. NULL with a message where the heap is used up. */
void *sl_soc_alloc_own(struct sl_soc *soc, const char *owner, size_t bytes);

/* A compute unit, as the firmware reads it from registers. */
struct sl_cu_shape sl_soc_cu_shape(const struct sl_soc *soc);

/* The process that simulates: QEMU's own id, also where a script has started it. */
pid_t sl_soc_simulator(const struct sl_soc *soc);

/* A register of the device window, as the plugin wrote it last. */
uint64_t sl_soc_register(const struct sl_soc *soc, uint32_t offset);

/* ---- the control socket of a running program (debug.control): one command per connection ---- */

/* Answers one command with lines of text: line(to, text) for each. */
typedef void (*sl_command_fn)(void *user, const char *command, sl_line_fn line, void *to);

/* Opens a socket at a path, which has to stay; none where it is empty. Returns 0, or -1 with a
 * message and errno. */
int sl_control_open(struct sl_control *control, const char *path, char *error, size_t error_bytes);

/* Answers connections that wait, as far as that can be done at once. Called by every wait of the
 * library, so that it needs no thread. */
void sl_control_serve(struct sl_control *control, sl_command_fn answer, void *user);

/* Closes and removes the socket. */
void sl_control_close(struct sl_control *control);

#endif
