/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What holds of every profile of kernels, whatever runs: its rows add up to what the machine itself
 * counts, and each cycle in which a wavefront holds a context is in one of them. */
#ifndef SLUICE_TESTS_COMMON_KERNEL_LAWS_H
#define SLUICE_TESTS_COMMON_KERNEL_LAWS_H

#include "recordings/kernel_profile.h"
#include "simt/gpu.h"
#include "sluice/config.h"

struct kernel_laws;

/* The compute units are observed from here on. The test fails without memory. */
struct kernel_laws *kernel_laws_create(struct gpu *gpu, const struct sl_config *config);

/* The machine's counters are about to be cleared: what they have counted is part of the sums. */
void kernel_laws_keep(struct kernel_laws *laws);

/* A run is over, or is broken off: its counters are those of the compute units now. */
void kernel_laws_end_run(struct kernel_laws *laws);

/* Fails the test where a sum is not what it has to be. */
void kernel_laws_check(const struct kernel_laws *laws);

/* The rows, and all of them together. */
const struct sl_kernel_profile *kernel_laws_profile(const struct kernel_laws *laws);
struct sl_kernel_cost kernel_laws_sum(const struct kernel_laws *laws);

void kernel_laws_destroy(struct kernel_laws *laws);

#endif
