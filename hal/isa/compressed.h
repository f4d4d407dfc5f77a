/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compressed instructions (RISC-V Unprivileged ISA, chapter C). */
#ifndef SLUICE_COMPRESSED_H
#define SLUICE_COMPRESSED_H

#include <stdint.h>

/* The instruction word that a compressed instruction stands for, or 0 where it is reserved. */
uint32_t sl_insn_expand(uint16_t parcel);

/* Which entry of compressed.def that is, from 0 on; of one that is not reserved. */
unsigned sl_insn_compressed(uint16_t parcel);

#endif
