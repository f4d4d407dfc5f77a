/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The ELF file that a machine's firmware was made from: it has the names and lines. */
#ifndef SLUICE_HOST_DRIVER_CODE_FIRMWARE_ELF_H
#define SLUICE_HOST_DRIVER_CODE_FIRMWARE_ELF_H

#include <stdbool.h>

#include "host/driver/code/elf.h"
#include "sluice/config.h"

/* Opens the file that profile.firmware names, or the one beside the flash image. Returns SL_OK, or
 * as sl_elf_open() with a message that names the key, too. */
enum sl_status sl_firmware_elf_open(struct sl_elf *elf, const struct sl_config *config, char *error,
                                    size_t error_bytes);

/* Whether the flash image was made from it; where not, with a message that says what would be
 * right. */
bool sl_firmware_elf_fits(const struct sl_elf *elf, const struct sl_config *config, char *error,
                          size_t error_bytes);

#endif
