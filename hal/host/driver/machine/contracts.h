/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether the parts of a machine are built from the same tables. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_CONTRACTS_H
#define SLUICE_HOST_DRIVER_MACHINE_CONTRACTS_H

#include <stddef.h>
#include <stdint.h>

#include "host/driver/machine/qemu.h"

/* Compares the contract ids of firmware image, plugin and host library. SL_ERROR_USAGE has a
 * message with all three and what would be right. */
enum sl_status sl_contracts_check(const struct sl_qemu_paths *paths, char *error,
                                  size_t error_bytes);

/* The contract id in a plugin's file (config/contract_id.h), or 0 where it has none. */
uint64_t sl_contract_of_plugin(const char *path);

#endif
