/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Decoding for a core in machine mode. */
#ifndef SLUICE_NATIVE_DECODE_H
#define SLUICE_NATIVE_DECODE_H

#include <stdint.h>

#include "native/translated_insn.h"

/* The bytes of the instruction whose first 16 bits these are: 2 or 4. */
static inline unsigned decode_bytes(uint16_t parcel)
{
    return (parcel & 3) == 3 ? 4 : 2;
}

/* The instruction at pc; of a compressed one the upper half of the word is 0. */
struct qemu_plugin_insn decode(uint64_t pc, uint32_t word);

#endif
