/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs the measuring firmware (soc/aggregator/target/core_measure.c) in QEMU with the plugin,
 * without the host library's machine: DRAM is mapped anywhere, so that AddressSanitizer can be
 * used. */
#ifndef SLUICE_TESTS_CORE_MACHINE_H
#define SLUICE_TESTS_CORE_MACHINE_H

#include <stddef.h>

#include "sluice/config.h"
#include "soc/aggregator/target/core_kernels.h"

/* Starts it with this configuration, from the build folder `build` (plugins in lib/, flash image in
 * firmware/), and waits for its end. Does what `request` says, all kernels where it is NULL.
 * Returns 0 with the results in `out`, or -1 with a message in `error`. */
int core_machine_run(struct sl_config *config, const char *build,
                     const struct core_request *request, struct core_measurements *out, char *error,
                     size_t error_bytes);

#endif
