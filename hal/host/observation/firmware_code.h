/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's ELF file: its functions and source lines. */
#ifndef SLUICE_HOST_FIRMWARE_CODE_H
#define SLUICE_HOST_FIRMWARE_CODE_H

#include <elfutils/libdw.h>

#include "config/config.h"
#include "host/load/elf.h"
#include "host/observation/callgrind.h"

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
