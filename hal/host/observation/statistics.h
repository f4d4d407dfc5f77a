/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The statistics of a run as the device keeps them: one word for each row of
 * hal/regs/statistics.def. */
#ifndef SLUICE_HOST_STATISTICS_H
#define SLUICE_HOST_STATISTICS_H

#include <stdint.h>

#include "host/sluice.h"

/* One of them as a number, whatever its kind. */
double sl_statistics_real(const uint64_t *statistics, enum sl_statistic id);

/* Adds those of another run. */
void sl_statistics_add(uint64_t *statistics, const uint64_t *run);

#endif
