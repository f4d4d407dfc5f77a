/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the core paper says of a program's run, beside what has come of it here. */
#ifndef SLUICE_WORKLOADS_COMMON_PAPER_H
#define SLUICE_WORKLOADS_COMMON_PAPER_H

#include <stdint.h>

#include "sluice/sluice.h"

/* A line below the table: the wavefronts that Table 3 of the core paper counts for this input, and
 * those that were launched here. Prints nothing on a machine whose wavefronts do not have the
 * paper's 64 lanes. */
void paper_wavefronts(const struct sl_soc *soc, uint64_t wavefronts);

#endif
