/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which registers a kernel needs: those that it and all it can reach by calls name. */
#ifndef SLUICE_HOST_REGISTERS_USED_H
#define SLUICE_HOST_REGISTERS_USED_H

#include <stdbool.h>
#include <stdint.h>

#include "host/analysis/code.h"

/* Sets *mask: bit n for register xn, x0 left out, bit 32 + n for fn. Direct calls and jumps lead to
 * the function that they name (an auipc with a jalr right behind it counts as direct); any other
 * indirect call or jump may lead to every function. An entry in no function gives an empty mask.
 * *yields: whether sl.yield is among the instructions. Returns 0, or -1 when out of memory. */
int sl_registers_used(const struct sl_code *code, uint64_t entry, uint64_t *mask, bool *yields);

#endif
