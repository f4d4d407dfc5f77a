/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What core_measure.c leaves in memory for test_agg_cores.c. */
#ifndef SLUICE_TESTS_CORE_KERNELS_H
#define SLUICE_TESTS_CORE_KERNELS_H

#include <stdint.h>

#include "sluice/memory_map.h"

enum core_kernel {
#define CORE_KERNEL(name, iterations) CORE_KERNEL_##name,
#include "core_kernels.def"
#undef CORE_KERNEL
    CORE_KERNELS,
};

/* Statistics of a run of a kernel. */
struct core_measurement {
    uint64_t cycles;
    uint64_t instructions;
    uint64_t branches;
    uint64_t mispredictions;
};

/* Of each kernel: over its iterations, and over twice as many. */
struct core_measurements {
    struct core_measurement kernel[CORE_KERNELS][2];
    uint64_t wall_s; /* of what was requested: bits of a double */
};

/* What the firmware is to measure: zero for all kernels, else one of them, over so many iterations,
 * which goes to kernel[kernel][0]. */
struct core_request {
    uint64_t iterations;
    uint64_t kernel;
};

#define CORE_MEASUREMENTS_BASE SL_HEAP_BASE
#define CORE_REQUEST_BASE      (SL_HEAP_BASE + 0x8000)
#define CORE_DATA_BASE         (SL_HEAP_BASE + 0x10000)

#endif
