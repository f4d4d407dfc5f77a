/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Indices of hal/contract/statistics.def in the statistics block (SL_REG_STATISTICS). Each is named
 * as the statistic is in JSON, in capitals and with underlines for dots: gpu.stalled_pct is
 * SL_STAT_GPU_STALLED_PCT. */
#ifndef SLUICE_STATISTICS_H
#define SLUICE_STATISTICS_H

/* The statistics of docs/look-up/statistics.md. */
enum sl_statistic {
#define SL_STATISTIC(ID, name, kind, unit, together, text) SL_STAT_##ID,
#include "contract/statistics.def"
#undef SL_STATISTIC
    SL_STAT_COUNT,
};

/* How the 64 bits of a statistic are to be read. */
enum sl_statistic_kind { SL_STAT_KIND_COUNT, SL_STAT_KIND_REAL };

#endif
