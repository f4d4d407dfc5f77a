/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Trace and samples of a machine: their rings in shared memory, and the files that they become
 * while runs are on (ring_reader.h). */
#ifndef SLUICE_HOST_OBSERVE_TRACE_H
#define SLUICE_HOST_OBSERVE_TRACE_H

#include "host/observe/trace/instruction_trace.h"
#include "host/observe/trace/ring_reader.h"
#include "host/observe/trace/sample_table.h"

struct sl_record_trace {
    struct sl_instructions *shared; /* NULL where none is wanted */
    struct sl_instruction_text text;
    struct sl_ring_reader drain;
    bool is_named; /* `wanted` has the names of the program that was there last */
    const struct sl_elf *kernels;
};

struct sl_record_samples {
    struct sl_samples *shared; /* NULL where none are wanted */
    struct sl_sample_text text;
    struct sl_ring_reader drain;
};

/* Fills in what the configuration asks for, creates the file, and begins to read. `shared` is
 * zeroed memory that the simulator will have; it is noted whatever comes of the rest. Both return
 * 0; -1 with a message that begins with the key; or an errno, of the file. */
int sl_record_trace_open(struct sl_record_trace *trace, struct sl_instructions *shared,
                         const struct sl_config *config, char *error, size_t error_bytes);
int sl_record_samples_open(struct sl_record_samples *samples, struct sl_samples *shared,
                           const struct sl_config *config, char *error, size_t error_bytes);

/* A run is about to begin, of a program (NULL: none), with this firmware (NULL: nobody asks for
 * it). Returns 0, or -1 with a message. */
int sl_record_trace_begin(struct sl_record_trace *trace, const struct sl_config *config,
                          const struct sl_elf *kernels, const struct sl_elf *firmware, char *error,
                          size_t error_bytes);

/* Waits until the file has all records. Allowed on zeroed objects. The shared memory is the
 * caller's. */
void sl_record_trace_close(struct sl_record_trace *trace);
void sl_record_samples_close(struct sl_record_samples *samples);

#endif
