/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The profile of the firmware, and the firmware's ELF file, which has the names in it. */
#ifndef SLUICE_HOST_OBSERVE_PROFILE_FIRMWARE_PROFILE_H
#define SLUICE_HOST_OBSERVE_PROFILE_FIRMWARE_PROFILE_H

#include "host/observe/profile/callgrind.h"
#include "recordings/observation.h"
#include "sluice/config.h"

/* Profile, and what is needed to write it. */
struct sl_firmware_profile {
    const struct sl_profile *profile;
    uint64_t places; /* so many are looked at, and the last one of all */
    const char *command;
    void *code; /* for the two: struct sl_callgrind */
    struct sl_source (*source)(void *code, uint64_t pc);
    int (*outer_line)(void *code, uint64_t pc);
};

/* Writes it. Returns 0; -1 with errno where the stream took not all of it, or memory is used up. */
int sl_firmware_profile_write(const struct sl_firmware_profile *firmware, FILE *stream);

/* ---- the firmware's functions and source lines ---- */

struct sl_firmware_code {
    struct sl_elf elf; /* `code` is the segment that runs from RAM */
    struct sl_code_names names;
};

/* Opens the file that profile.firmware names. Returns SL_OK, or as sl_elf_open()
 * with a message that names the key, too; then nothing is open. The object may not be moved. */
enum sl_status sl_firmware_code_open(struct sl_firmware_code *code, const struct sl_config *config,
                                     char *error, size_t error_bytes);
void sl_firmware_code_close(struct sl_firmware_code *code);

/* Whether `image`, SL_FIRMWARE_BYTES of firmware in memory, was loaded from this file. */
bool sl_firmware_code_is(const struct sl_firmware_code *code, const void *image);

/* Writes into each place of a profile which function it is of. */
void sl_firmware_code_mark(const struct sl_firmware_code *code, struct sl_profile *profile);

/* So many places have code. */
uint64_t sl_firmware_code_places(const struct sl_firmware_code *code);

#endif
