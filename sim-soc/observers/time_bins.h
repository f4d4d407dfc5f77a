/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The bins of a report (recordings/observation.h): sums over equal parts of a time whose length is
 * not known beforehand, in memory that is. Times are of all runs behind each other, in ps. */
#ifndef SLUICE_OBSERVERS_TIME_BINS_H
#define SLUICE_OBSERVERS_TIME_BINS_H

#include <stdint.h>

#include "recordings/observation.h"

/* Empty bins, for a machine of so many compute units. */
void bins_init(struct sl_report *report, uint64_t cus);

/* Makes room up to a time: bins are merged until there is. */
void bins_reach(struct sl_report *report, uint64_t end_ps);

/* A quantity had this value from a time up to another: its integral is added, exactly. */
void bins_hold(struct sl_report *report, uint32_t series, uint64_t value, uint64_t from_ps,
               uint64_t to_ps);

/* So much of a quantity came up between two times: evenly, as far as is known, and in whole numbers
 * whose sum is exact. Where they are one time, it came then. */
void bins_spread(struct sl_report *report, uint32_t series, uint64_t amount, uint64_t from_ps,
                 uint64_t to_ps);

/* Time has ended: what a series has in bins behind that is put into the last one. */
void bins_end(struct sl_report *report, uint32_t series, uint64_t end_ps);

#endif
