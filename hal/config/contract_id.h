/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The contract id of what this is linked to: a hash of the tables that firmware, plugin and host
 * library are built from (scripts/contract-id.sh). The plugin's file has it in an ELF note, where
 * the host library reads it before it starts a machine. */
#ifndef SLUICE_CONFIG_CONTRACT_ID_H
#define SLUICE_CONFIG_CONTRACT_ID_H

#include <stdint.h>

#define SL_CONTRACT_NOTE_NAME "Sluice" /* of 8 bytes with zeros */
#define SL_CONTRACT_NOTE_TYPE 1u       /* the note's content is the id, lowest byte first */

uint64_t sl_contract_id(void);

#endif
