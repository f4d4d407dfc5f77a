/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is wrong with locks in a file of kernels, for check-convergence. */
#ifndef SLUICE_CHECK_CONVERGENCE_LOCK_FINDINGS_H
#define SLUICE_CHECK_CONVERGENCE_LOCK_FINDINGS_H

#include "host/driver/code/analysis.h"
#include "host/driver/code/elf.h"

/* As sl_lock_check(), of all code of a file; locks may nest. */
int locks_find(const struct sl_elf *elf, struct sl_lock_finding **findings, size_t *count);

#endif
