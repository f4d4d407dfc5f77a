/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A trace of instructions as text (trace.file; docs/do/trace.md). */
#ifndef SLUICE_HOST_OBSERVE_TRACE_INSTRUCTION_TRACE_H
#define SLUICE_HOST_OBSERVE_TRACE_INSTRUCTION_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/driver/code/elf.h"
#include "host/observe/trace/output_stream.h"
#include "recordings/instructions.h"
#include "sluice/config.h"

#define SL_PLACE_TEXT_BYTES 232u
#define SL_PLACE_TEXTS      8192u /* a power of two */

/* The text of an instruction at an address: many are executed often. */
struct sl_place_text {
    uint64_t pc;
    uint32_t word;
    uint32_t length; /* 0: the entry is free */
    char text[SL_PLACE_TEXT_BYTES];
};

struct sl_instruction_text {
    struct sl_stream sink;
    uint64_t lines; /* trace.lines */
    /* Where names are looked up, or NULL: in the run that is being written, and in the next one. */
    const struct sl_elf *kernels;
    const struct sl_elf *firmware;
    const struct sl_elf *next_kernels;
    const struct sl_elf *next_firmware;
    uint64_t run; /* from 1 */
    bool is_open; /* the last line may go on */
    uint64_t entry;
    char kernel[128]; /* the name of that one */
    struct sl_place_text *places;
};

/* Creates the file. Returns 0, or -1 with errno. */
int sl_instruction_text_open(struct sl_instruction_text *text, const char *path, uint64_t lines);
void sl_instruction_text_close(struct sl_instruction_text *text);

/* The names of a run that is about to begin: they count from its first record on, as those of an
 * earlier run may still be written by another thread. */
void sl_instruction_text_names(struct sl_instruction_text *text, const struct sl_elf *kernels,
                               const struct sl_elf *firmware);

/* For struct sl_ring_reader_user. */
bool sl_instruction_text_take(void *text, const uint64_t *record);
bool sl_instruction_text_rest(void *text);

/* ---- trace_filter.c: which instructions ---- */

/* What the configuration says, but for names. Returns 0, or -1 with a message. */
int sl_trace_filter_set(struct sl_traced *wanted, const struct sl_config *config, char *error,
                        size_t error_bytes);

/* The names in it: kernels and functions of a program, functions of the firmware, each of which may
 * be NULL. Returns 0, or -1 with a message that says which there are. */
int sl_trace_filter_name(struct sl_traced *wanted, const struct sl_config *config,
                         const struct sl_elf *kernels, const struct sl_elf *firmware, char *error,
                         size_t error_bytes);

#endif
