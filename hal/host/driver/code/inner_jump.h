/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Jumps through registers that stay in their function, told from tail calls through pointers by how
 * the register is made, in the code without branches in front of the jump:
 *
 *   table   a word of 32 bits that is loaded, or its sum with something: a `switch` of GCC, or of
 *           Clang with 32-bit entries, wherever the table's address and the bounds of the index are
 *           found. Pointers have 64 bits, and are loaded by ld.
 *   offset  the sum of something and an address near the instruction (auipc): memset() has one,
 *           which links
 *
 * A table of whole addresses (labels of C, `goto *`) looks like a table of pointers to functions,
 * and counts as a jump that may lead anywhere. */
#ifndef SLUICE_HOST_DRIVER_CODE_INNER_JUMP_H
#define SLUICE_HOST_DRIVER_CODE_INNER_JUMP_H

#include <stddef.h>

#include "host/driver/code/decoded.h"

enum sl_inner_jump {
    SL_INNER_JUMP_NONE, /* it may lead anywhere, or the instruction is no such jump */
    SL_INNER_JUMP_TABLE,
    SL_INNER_JUMP_OFFSET,
};

/* What an instruction of a function is. */
enum sl_inner_jump sl_inner_jump_at(const struct sl_decoded *decoded, struct sl_code_range range,
                                    size_t at);

#endif
