/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The words of a run: one for each row of hal/contract/statistics.def, named in sl_statistic_table
 * (sluice/sluice.h). */
#ifndef SLUICE_HOST_BASE_RUN_STATISTICS_H
#define SLUICE_HOST_BASE_RUN_STATISTICS_H

#include <stdint.h>

#include "sluice/sluice.h"

/* One of them as a number, whatever its kind. */
double sl_statistics_real(const uint64_t *statistics, enum sl_statistic id);

/* Adds those of another run. */
void sl_statistics_add(uint64_t *statistics, const uint64_t *run);

#endif
