/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is wrong with locks in a file of kernels, for check-convergence. */
#ifndef SLUICE_CONVERGENCE_LOCKS_H
#define SLUICE_CONVERGENCE_LOCKS_H

#include "host/analysis/analysis.h"
#include "host/load/elf.h"

/* As sl_lock_check(), of all code of a file; locks may nest. */
int locks_find(const struct sl_elf *elf, struct sl_lock_finding **findings, size_t *count);

#endif
