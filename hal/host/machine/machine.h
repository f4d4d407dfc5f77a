/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine: QEMU as a process, the memory that it shares with this one, mailbox and heap in it,
 * and the messages of what went wrong. What is loaded on it, and what runs there, is not known
 * here.
 *
 * Other folders have these functions and those of host/sluice.h; struct sl_soc itself is private
 * (soc.h).
 *
 *     lifecycle.c, soc.c               the object: opened and closed, asked
 *     memory.c, heap.c, mailbox.c      what is shared
 *     qemu_process.c, qemu_command.c   QEMU, and what to start it with
 *     qemu_paths.c                     what there is to start
 *     control.c                        the control socket
 *     path.c, futex.h                  helpers, for other folders too
 *
 * Depends on text. */
#ifndef SLUICE_HOST_MACHINE_H
#define SLUICE_HOST_MACHINE_H

#include <stdbool.h>

#include "host/machine/control.h"
#include "host/machine/heap.h"
#include "host/machine/mailbox.h"
#include "host/machine/memory.h"
#include "host/sluice.h"

/* ---- life ---- */

/* An object without a machine: it has the configuration, and holds messages. NULL when out of
 * memory. */
struct sl_soc *sl_soc_new(const struct sl_config *config);

/* Checks the configuration; opens what QEMU is to share, the control socket and the console's copy.
 */
enum sl_status sl_soc_open_parts(struct sl_soc *soc);

/* Starts QEMU. Returns when it runs, at the latest after limit_ms. */
enum sl_status sl_soc_start(struct sl_soc *soc, int64_t limit_ms);

/* Ends QEMU (SIGKILL after one second), which makes the machine unusable. The memory stays. */
void sl_soc_stop(struct sl_soc *soc);

/* Frees everything but the residents. QEMU has ended. */
void sl_soc_free(struct sl_soc *soc);

/* ---- state ---- */

/* Leaves a printf-style message in the object and returns `status`. */
enum sl_status sl_soc_fail(struct sl_soc *soc, enum sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append what QEMU wrote, and what the firmware wrote to its console, to the message. */
void sl_soc_append_log(struct sl_soc *soc);
void sl_soc_append_console(struct sl_soc *soc);

/* The machine is beyond use: from here on sl_soc_check_usable() fails with the message that is
 * there now. Returns SL_ERROR_MACHINE. */
enum sl_status sl_soc_give_up(struct sl_soc *soc);
enum sl_status sl_soc_check_usable(struct sl_soc *soc);

/* Kept by who runs something on it. */
struct sl_soc_state {
    bool is_ready; /* the firmware has booted */
    bool is_running;
};
struct sl_soc_state *sl_soc_state(const struct sl_soc *soc);

/* Whether QEMU has ended; *wait_status is then as waitpid() gives it. */
bool sl_soc_has_ended(struct sl_soc *soc, int *wait_status);

/* ---- parts ---- */

struct sl_memory *sl_soc_memory(struct sl_soc *soc);
const struct sl_heap *sl_soc_heap(const struct sl_soc *soc);
struct sl_mailbox *sl_soc_mailbox(const struct sl_soc *soc);

/* A register of the device window, as the plugin wrote it last. */
uint64_t sl_soc_register(const struct sl_soc *soc, uint32_t offset);

/* Has the control socket's commands answered; returns at once where there are none. */
void sl_soc_serve(struct sl_soc *soc, sl_command_fn answer, void *user);

/* ---- what other folders keep with a machine, each its own ---- */

struct sl_residents {
    struct sl_module *module;        /* that is loaded, or NULL */
    struct sl_graph_builder *graphs; /* the first of all that exist */
    struct sl_run *run;              /* what runs, or ran last */
};
struct sl_residents *sl_soc_residents(const struct sl_soc *soc);

#endif
