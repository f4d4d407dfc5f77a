/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The contract id, as a note for those who read the file, and for the program. The build defines
 * SL_CONTRACT_ID for this file alone (mk/host.mk). */
#include "config/contract_id.h"

/* As Elf64_Nhdr; words, because notes are aligned to 4 bytes. */
struct contract_note {
    uint32_t name_bytes;
    uint32_t id_bytes;
    uint32_t type;
    char name[8];
    uint32_t id[2];
};

__attribute__((section(".note.sluice"), used,
               aligned(4))) static const struct contract_note note = {
    .name_bytes = sizeof SL_CONTRACT_NOTE_NAME,
    .id_bytes = sizeof note.id,
    .type = SL_CONTRACT_NOTE_TYPE,
    .name = SL_CONTRACT_NOTE_NAME,
    .id = {(uint32_t)SL_CONTRACT_ID, (uint32_t)((uint64_t)SL_CONTRACT_ID >> 32)},
};

uint64_t sl_contract_id(void)
{
    return SL_CONTRACT_ID;
}
