/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Indices of statistics in the statistics block (SL_REG_STATISTICS), from
 * hal/contract/statistics.def. Their names are those in JSON, in capitals and with underscores for
 * dots: gpu.stalled_pct is SL_STAT_GPU_STALLED_PCT. */
#ifndef SLUICE_STATISTICS_H
#define SLUICE_STATISTICS_H

/** @defgroup host_statistic_ids Numbers of statistics
 * @{ */

/** The statistics of docs/look-up/statistics.md. */
enum sl_statistic {
/** @cond */
#define SL_STATISTIC(ID, name, kind, unit, together, text) SL_STAT_##ID,
#include "contract/statistics.def"
#undef SL_STATISTIC
    /** @endcond */
    SL_STAT_COUNT, /**< their number */
};

/** How to read the 64 bits of a statistic. */
enum sl_statistic_kind {
    SL_STAT_KIND_COUNT, /**< a whole number */
    SL_STAT_KIND_REAL,  /**< a double */
};

/** @} */

#endif
