/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The profile of the firmware: a file in Callgrind's format (manual of Valgrind, "Callgrind Format
 * Specification"), which callgrind_annotate and KCachegrind read; and the firmware's ELF file,
 * which has the names in it. */
#ifndef SLUICE_HOST_PROFILE_H
#define SLUICE_HOST_PROFILE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "host/load/elf.h"
#include "observed/observation.h"
#include "sluice/config.h"

/* What the code at an address is in the source. Names may be NULL, where they are not known; they
 * live as long as what they are asked of. */
struct sl_source {
    const char *function;
    const char *function_file; /* of its first instruction */
    const char *file; /* of the instruction: another one where it is of an inlined function */
    int line;         /* in `file` */
};

struct sl_callgrind {
    const struct sl_profile *profile;
    uint64_t places;   /* so many are looked at, and the last one of all */
    uint64_t cycle_ps; /* of the aggregator */
    const char *command;
    void *code;
    struct sl_source (*source)(void *code, uint64_t pc);
    /* The line of function_file that it is on, or inlined into: wanted with calls only. */
    int (*outer_line)(void *code, uint64_t pc);
};

/* Writes it. Returns 0; -1 with errno where the stream took not all of it, or memory is used up. */
int sl_callgrind_write(const struct sl_callgrind *callgrind, FILE *stream);

/* ---- the firmware's functions and source lines ---- */

struct sl_firmware_code {
    struct sl_elf elf;                  /* `code` is the segment that runs from RAM */
    Dwarf *lines;                       /* NULL without debug information */
    const struct sl_elf_function *last; /* function that was asked for last, */
    const char *last_file;              /* and its file: many instructions are of one */
};

/* Opens the file that profile.firmware names. Returns 0; -1 with a message that names the key, the
 * file and what is wrong, and then nothing is open. */
int sl_firmware_code_open(struct sl_firmware_code *code, const struct sl_config *config,
                          char *error, size_t error_bytes);
void sl_firmware_code_close(struct sl_firmware_code *code);

/* Whether `image`, SL_FIRMWARE_BYTES of firmware in memory, was loaded from this file. */
bool sl_firmware_code_is(const struct sl_firmware_code *code, const void *image);

/* Writes into each place of a profile which function it is of. */
void sl_firmware_code_mark(const struct sl_firmware_code *code, struct sl_profile *profile);

/* For struct sl_callgrind: so many places have code, and what is where. */
uint64_t sl_firmware_code_places(const struct sl_firmware_code *code);
struct sl_source sl_firmware_code_source(void *code, uint64_t pc);
int sl_firmware_code_outer_line(void *code, uint64_t pc);

#endif
