/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for what went wrong: wavefronts faulted, firmware or QEMU ended; and what a wavefront
 * does, for the inspector. Why a graph or a launch is refused is said beside it (graph/refusal.h,
 * run/launch_refusal.h).
 *
 *     fault.c, failure.c, wave.c    the sentences
 *     names.c                       names of kernels, lanes, and places in the code
 *
 * Depends on graph, load and text. */
#ifndef SLUICE_HOST_MESSAGES_H
#define SLUICE_HOST_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "host/messages/launched.h"
#include "host/sluice.h"

/* What sentences need to name things. Any pointer may be NULL: numbers stand for names then. */
struct sl_message_context {
    const struct sl_config *config;
    const struct sl_module *module;
    const struct sl_graph_builder *graph;
    const struct sl_launched *launched; /* what runs, where it is not a graph */
};

/* "kernel fib_kernel faulted: access outside memory: load of 8 bytes at 0x0, in fib_kernel
 * (fib_kernel.c:17), lanes 0-63 (64 of 64), CU 3, at 12.300 us" */
void sl_fault_text(const struct sl_message_context *context, const struct sl_fault *fault,
                   char *out, size_t bytes);

/* A message FAILED of the firmware for SL_FAILURE_STUCK. */
void sl_stuck_text(const struct sl_message_context *context, const struct sl_message_agg *message,
                   char *out, size_t bytes);

/* A message FAILED or TRAPPED of the firmware. */
void sl_failure_text(const struct sl_message_agg *message, char *out, size_t bytes);
void sl_trapped_text(const struct sl_message_agg *message, char *out, size_t bytes);

/* Describes a wavefront line by line: kernel and state, reconvergence stack, registers. */
void sl_wave_describe(const struct sl_message_context *context, const struct sl_wave_state *state,
                      sl_line_fn line, void *user);

/* How QEMU ended, from the status that waitpid() gave. */
void sl_exit_text(int wait_status, char *out, size_t bytes);

#endif
