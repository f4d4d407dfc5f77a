/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host put into an open graph. */
#ifndef SLUICE_OBSERVERS_FEED_COUNTERS_H
#define SLUICE_OBSERVERS_FEED_COUNTERS_H

#include <stdint.h>

struct host_store_counters {
    uint64_t messages; /* whose elements were put in */
    uint64_t elements;
    uint64_t wait_ps; /* from the time that the host named until then, of all messages */
    uint64_t full;    /* messages that found no space at first */
    uint64_t dropped; /* elements */
};

#endif
