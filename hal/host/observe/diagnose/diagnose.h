/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for what went wrong: wavefronts faulted, firmware or QEMU ended; and what a wavefront
 * does, for the inspector. Why a graph or a launch is refused is said beside it (graph/graph.h,
 * run/run.h).
 *
 *     fault_text.c, deadlock_text.c, protection_text.c,
 *     failure_text.c, wave_text.c               the sentences
 *     firmware_text.c, firmware_backtrace.c     where the firmware was
 *     memory_text.c                             what lies at an address
 *     names.c                                   names of kernels, lanes, and places in the code
 *
 * Depends on machine, graph, load and text. */
#ifndef SLUICE_HOST_OBSERVE_DIAGNOSE_H
#define SLUICE_HOST_OBSERVE_DIAGNOSE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/sluice.h"

/* What was launched: a launch, the steps of a sequence, or the kernels of a task vector. */
struct sl_launched {
    const struct sl_launch *launches; /* in shared memory */
    uint32_t count;                   /* 0: none, or not described by the library */
    const char *kernels[SL_SEQUENCE_LAUNCHES];
};

/* The name of the kernel of them whose struct sl_kernel is at the address; NULL where it is none.
 */
const char *sl_launched_kernel(const struct sl_launched *launched, uint64_t kernel);

/* What sentences need to name things. Any pointer may be NULL: numbers stand for names then. */
struct sl_message_context {
    const struct sl_config *config;
    const struct sl_module *module;
    const struct sl_graph_builder *graph;
    const struct sl_launched *launched; /* what runs, where it is not a graph */
    struct sl_soc *soc;                 /* whose memory it is */
};

/* "kernel fib_kernel faulted: access outside memory: load of 8 bytes at 0x0, in fib_kernel
 * (fib_kernel.c:17), lanes 0-63 (64 of 64), CU 3, at 12.300 us" */
void sl_fault_text(const struct sl_message_context *context, const struct sl_fault *fault,
                   char *out, size_t bytes);

/* A wavefront of a deadlock, but the first one: "wavefront 1 waits for the word at 0x80800000,
 * which is 4, in wait (x.c:12), lanes 1-63 (63 of 64); lane 3 of wavefront 0 took it in wait
 * (x.c:12) and waits for other lanes of its wavefront in wait (x.c:14)" */
void sl_deadlock_text(const struct sl_message_context *context, const struct sl_fault *fault,
                      char *out, size_t bytes);

/* What it waits for, and who has that, where it is known. */
void sl_text_append_deadlock(const struct sl_fault *fault, char *out, size_t bytes);
void sl_text_append_holder(const struct sl_message_context *context, const struct sl_fault *fault,
                           char *out, size_t bytes);

/* Of an access to protected memory: what lies there. */
void sl_text_append_protected(const struct sl_message_context *context,
                              const struct sl_fault *fault, char *out, size_t bytes);

/* A message FAILED or TRAPPED of the firmware. */
void sl_failure_text(const struct sl_message_context *context, const struct sl_message_agg *message,
                     char *out, size_t bytes);
void sl_trapped_text(const struct sl_message_agg *message, char *out, size_t bytes);

/* Append where the firmware was, and who has called that, by its ELF file: at a trap with this pc,
 * and where the machine has ended with this status because it hung; else nothing. */
void sl_text_append_trap(const struct sl_config *config, uint64_t pc, char *out, size_t bytes);
void sl_text_append_hang(const struct sl_soc *soc, int status, char *out, size_t bytes);

/* Appends what firmware has stored to registers that take no such store; nothing where it has not.
 * `before` goes in front. */
void sl_text_append_stray(const struct sl_soc *soc, const char *before, char *out, size_t bytes);

/* Describes a wavefront line by line: kernel and state, reconvergence stack, registers. */
void sl_wave_describe(const struct sl_message_context *context, const struct sl_wave_state *state,
                      sl_line_fn line, void *user);

/* How an engine ended, "QEMU" for one, from the status that waitpid() gave, or SL_WAIT_LOST. */
void sl_exit_text(const char *engine, int wait_status, char *out, size_t bytes);

/* ---- names ---- */

/* The name of the kernel whose struct sl_kernel is at an address; NULL where it is not known. */
const char *sl_kernel_name(const struct sl_message_context *context, uint64_t kernel);

/* "kernel fib_kernel", or the kernel's address where the name is not known. */
void sl_kernel_text(const struct sl_message_context *context, uint64_t kernel, char *out,
                    size_t bytes);

/* Appends what lies at an address of shared memory: "the done counts of channel 0 'fib' of another
 * graph". The context has a machine. */
void sl_text_append_memory(const struct sl_message_context *context, uint64_t address, char *out,
                           size_t bytes);

/* "function (file.c:12)", or the address where there is no module. */
void sl_place_text(const struct sl_message_context *context, uint64_t pc, char *out, size_t bytes);

/* Appends "BEFORE lanes 0-3,7". */
void sl_text_append_mask(const char *before, uint64_t lanes, char *out, size_t bytes);

/* Appends ", lanes 0-3,7 (5 of 64)"; nothing where there are none. The configuration may be NULL.
 */
void sl_text_append_lanes(uint64_t lanes, const struct sl_config *config, char *out, size_t bytes);

#endif
