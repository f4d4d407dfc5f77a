/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Profiles as files: a writer of Callgrind's format (manual of Valgrind, "Callgrind Format
 * Specification"), which callgrind_annotate and KCachegrind read, and what becomes such a file.
 *
 *     callgrind.c                              the format
 *     code_names.c                             functions and lines of an ELF file's code
 *     firmware_code.c, firmware_profile.c      the firmware (firmware_profile.h)
 *     kernel_costs.c, kernel_sums.c            what kernels have cost, of several runs together
 *     kernel_profile.c                         their file (kernel_profile.h)
 *
 * Depends on load and machine. */
#ifndef SLUICE_HOST_OBSERVE_PROFILE_CALLGRIND_H
#define SLUICE_HOST_OBSERVE_PROFILE_CALLGRIND_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"

/* What the code at an address is in the source. Names may be NULL, where they are not known; they
 * live as long as what they are asked of. */
struct sl_source {
    const char *function;
    const char *function_file; /* of its first instruction */
    const char *file; /* of the instruction: another one where it is of an inlined function */
    int line;         /* in `file` */
};

#define SL_CALLGRIND_EVENTS 32

struct sl_callgrind_event {
    const char *name; /* of letters, digits and '_' */
    const char *words;
    const char *group; /* or NULL: a derived event, which adds up the events of this group, which
                          follow each other */
};

/* A file that is being written: the first part is the user's, who zeroes the other one. */
struct sl_callgrind {
    FILE *stream;
    const struct sl_callgrind_event *events;
    size_t event_count; /* SL_CALLGRIND_EVENTS at most */
    void *code;
    struct sl_source (*source)(void *code, uint64_t pc);
    /* The line of function_file that it is on, or inlined into: wanted with calls only. */
    int (*outer_line)(void *code, uint64_t pc);

    /* What was written last. */
    const char *object;
    const char *file;
    struct sl_source last; /* of the line that is being added up, or was last */
    bool has_function;
    bool has_line;
    uint64_t line_cost[SL_CALLGRIND_EVENTS];
    uint64_t total[SL_CALLGRIND_EVENTS];
};

/* What stands before all costs: the command, what the file is, and what could not be counted (NULL:
 * nothing). */
void sl_callgrind_begin(const struct sl_callgrind *callgrind, const char *command,
                        const char *description, const char *lost);

/* From here on code is that of an object, of several in the file. The name has to stay. */
void sl_callgrind_object(struct sl_callgrind *callgrind, const char *object);

/* The costs of an instruction, one of each event. Instructions come in the order of their
 * addresses, in each object anew; those of a line that follow each other are added up. */
void sl_callgrind_cost(struct sl_callgrind *callgrind, uint64_t pc, const uint64_t *cost);

/* Calls from an instruction, whose costs were given before, to a function, with all that these have
 * cost. */
struct sl_callgrind_call {
    uint64_t site;
    uint64_t callee;
    uint64_t count;
    const uint64_t *cost;
};
void sl_callgrind_call(struct sl_callgrind *callgrind, const struct sl_callgrind_call *call);

/* Writes the end. Returns 0; -1 with errno where the stream did not take all of the file. */
int sl_callgrind_end(struct sl_callgrind *callgrind);

/* ---- functions and lines of the code of an ELF file ---- */

struct sl_code_names {
    const struct sl_elf *elf;
    Dwarf *lines;                       /* NULL without debug information */
    const struct sl_elf_function *last; /* function that was asked for last, */
    const char *last_file;              /* and its file: many instructions are of one */
};

/* For struct sl_callgrind; `names` is a struct sl_code_names. */
struct sl_source sl_code_source(void *names, uint64_t pc);
int sl_code_outer_line(void *names, uint64_t pc);

/* The function that contains the instruction; or the one whose source it is, which may be inlined
 * into that. */
struct sl_debug_function sl_code_function(struct sl_code_names *names, uint64_t pc);
struct sl_debug_function sl_code_function_of_source(struct sl_code_names *names, uint64_t pc);

#endif
