/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Samples of the statistics while a run is on (docs/do/trace.md): all that there are, as they would
 * be if the run ended now. What of them is shown, and as what, is the host's. */
#ifndef SLUICE_RECORDINGS_SAMPLES_H
#define SLUICE_RECORDINGS_SAMPLES_H

#include <assert.h>
#include <stdint.h>

#include "recordings/ring.h"
#include "sluice/statistics.h"

enum sl_gauge {
#define SL_GAUGE(ID, name, unit, text) SL_GAUGE_##ID,
#include "recordings/gauges.def"
#undef SL_GAUGE
    SL_GAUGE_COUNT
};

enum sl_sample_kind {
    SL_SAMPLE_BEGIN, /* of a run */
    SL_SAMPLE_TAKEN, /* after an interval */
    SL_SAMPLE_LAST,  /* at the end of a run */
};

struct sl_sample {
    uint16_t words;
    uint8_t kind; /* enum sl_sample_kind */
    uint8_t reserved[5];
    uint64_t time_ps; /* of the run */
    uint64_t gauges[SL_GAUGE_COUNT];
    uint64_t statistics[SL_STAT_COUNT];
};

#define SL_SAMPLE_WORDS (sizeof(struct sl_sample) / 8)

static_assert(SL_SAMPLE_WORDS <= SL_RING_RECORD_WORDS, "a record");

struct sl_samples {
    uint64_t interval_cycles; /* the host's, before the machine starts: of the compute units */
    uint64_t reserved[7];
    struct sl_ring ring;
};

#endif
