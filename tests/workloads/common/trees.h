/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host programs on task vectors (docs/know/trees.md) have in common: options, and a vector's
 * life from its kernel file to its result. */
#ifndef SLUICE_WORKLOADS_COMMON_TREES_H
#define SLUICE_WORKLOADS_COMMON_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"

/* What the command line says of the vector. */
struct trees_options {
    uint32_t capacity;  /* 0: as many slots as the program takes */
    uint32_t group;     /* 0: the library's, as of stack */
    uint32_t map_group; /* set by programs, not by an option; 0 as above */
    uint32_t stack;
    bool is_apart;      /* --words apart */
    bool skips_empty;   /* --skip-empty */
    const char *epochs; /* file, or NULL */
};

/* Rows of a program's table, whose struct of arguments is a struct trees_options: SL_ROWS(). The
 * second has --skip-empty besides, for programs with maps. */
extern const struct sl_argument trees_rows[];
extern const struct sl_argument trees_map_rows[];

/* Arguments of a task, in pieces of 4 bytes. */
struct trees_arguments {
    uint32_t piece[SL_TREES_ARGUMENTS];
    unsigned count;
};

void trees_put_u32(struct trees_arguments *arguments, uint32_t value);
void trees_put_u64(struct trees_arguments *arguments, uint64_t value);
void trees_put_pointer(struct trees_arguments *arguments, const void *pointer);

/* A program on a task vector. */
struct trees_program {
    const char *name;       /* the kernel; its file is this with ".elf" behind it */
    const char *map_kernel; /* in the same file, or NULL */
    uint32_t capacity;      /* slots that it takes, for this input */
    uint32_t arguments;     /* of a task, in pieces */
    uint32_t functions;     /* of tasks */
    uint32_t maps;          /* functions of maps */
    uint32_t lds;           /* bytes of each work-group of an epoch */
    uint32_t log;           /* epochs at most, for --epochs; 0 is 65536 */
};

/* Loads the kernel file and makes a vector, as the program and the command line say. */
SL_MUST_USE enum sl_status trees_create(struct sl_soc *soc, const struct trees_program *program,
                                        const struct trees_options *options,
                                        struct sl_task_vector **trees);

/* Starts with one task, waits for the end, writes the epochs where a file is wanted, and gives what
 * the first task has emitted (`result` may be NULL). */
SL_MUST_USE enum sl_status trees_execute(struct sl_soc *soc, struct sl_task_vector *trees,
                                         const struct trees_options *options, uint32_t function,
                                         const struct trees_arguments *arguments, uint64_t *result);

/* Both. */
SL_MUST_USE enum sl_status trees_run(struct sl_soc *soc, const struct trees_program *program,
                                     const struct trees_options *options, uint32_t function,
                                     const struct trees_arguments *arguments, uint64_t *result);

#endif
