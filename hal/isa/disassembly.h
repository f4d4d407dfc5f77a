/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Instructions as text: those of compute units, and what the aggregator's firmware has beside them
 * (CSRs and traps). It is what GNU objdump -M no-aliases prints, with a space for its tab and
 * without symbols and comments: no aliases like `li`, `mv` and `ret`, and registers by their names
 * in the ABI. Xsluice is as in docs/look-up/isa.md. */
#ifndef SLUICE_DISASSEMBLY_H
#define SLUICE_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

#define SL_DISASSEMBLY_BYTES 80 /* enough for any */

/* Writes the text of the instruction that `word` begins with (sl_insn_decode()) and that stands at
 * an address. What is none is `.4byte` or `.2byte`. Returns the length, as snprintf() does. */
size_t sl_disassemble(uint32_t word, uint64_t pc, char *out, size_t bytes);

/* "a0", "ft3": the name of a register, 0 to 63 as in struct sl_insn. */
const char *sl_register_name(unsigned number);

#endif
