/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What sl_lock_check() finds, in words: for the loader, and for the compiler driver's checker. */
#ifndef SLUICE_HOST_DRIVER_CODE_LOCK_TEXT_H
#define SLUICE_HOST_DRIVER_CODE_LOCK_TEXT_H

#include <stddef.h>

#include "host/driver/code/analysis.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"

/* Says what is wrong and what would be right; not where, but for the other way of two. `lines` may
 * be NULL. */
void sl_lock_text(const struct sl_elf *elf, Dwarf *lines, const struct sl_lock_finding *finding,
                  char *out, size_t bytes);

#endif
