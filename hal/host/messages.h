/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for what went wrong: graphs refused, wavefronts faulted, firmware or QEMU ended. */
#ifndef SLUICE_HOST_MESSAGES_H
#define SLUICE_HOST_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "graph/check.h"
#include "host/launched.h"
#include "host/sluice.h"

/* What sentences need to name things. Any pointer may be NULL: numbers stand for names then. */
struct sl_message_context {
    const struct sl_config *config;
    const struct sl_module *module;
    const struct sl_graph_builder *graph;
    const struct sl_launched *launched; /* what runs, where it is not a graph */
};

/* Appends printf-style to a string of capacity `bytes`; what does not fit is cut off. */
void sl_text_append(char *out, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "channel 0 'fib': width 100 is not a power of two from 64 to 16777216; 128 would be one" */
void sl_refusal_text(const struct sl_message_context *context,
                     const struct sl_graph_refusal *refusal, char *out, size_t bytes);

/* The same for a launch, without naming its kernel. "a work-group of 2048 work-items (group is 64 x
 * 32 x 1)..." */
void sl_launch_refusal_text(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                            char *out, size_t bytes);

/* "kernel fib_kernel faulted: access outside memory: load of 8 bytes at 0x0, in fib_kernel
 * (fib_kernel.c:17), lanes 0-63 (64 of 64), CU 3, at 12.300 us" */
void sl_fault_text(const struct sl_message_context *context, const struct sl_fault *fault,
                   char *out, size_t bytes);

/* "kernel fib_kernel", or the kernel's address where the graph is not the library's. */
void sl_kernel_text(const struct sl_message_context *context, uint64_t kernel, char *out,
                    size_t bytes);

/* Appends ", lanes 0-3,7 (5 of 64)"; nothing where there are none. The configuration may be NULL.
 */
void sl_text_append_lanes(uint64_t lanes, const struct sl_config *config, char *out, size_t bytes);

/* A message FAILED of the firmware for SL_FAILURE_STUCK. */
void sl_stuck_text(const struct sl_message_context *context, const struct sl_message_agg *message,
                   char *out, size_t bytes);

/* A message FAILED or TRAPPED of the firmware. */
void sl_failure_text(const struct sl_message_agg *message, char *out, size_t bytes);
void sl_trapped_text(const struct sl_message_agg *message, char *out, size_t bytes);

/* How QEMU ended, from the status that waitpid() gave. */
void sl_exit_text(int wait_status, char *out, size_t bytes);

#endif
