/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Overwrites dead registers of wavefronts in the middle of what they do: whatever the analysis of
 * live registers (host/driver/code/analysis.h) says nobody reads any more must make no difference.
 */
#ifndef SLUICE_TESTS_FUZZ_DEAD_H
#define SLUICE_TESTS_FUZZ_DEAD_H

#include <stdint.h>

#include "simt/gpu.h"

/* In all lanes of all wavefronts that execute, now; but registers in `kept`, bit i for xi, bit
 * 32 + i for fi. The program has to have a table of live registers. Returns how many registers of
 * wavefronts were overwritten. */
uint64_t dead_overwrite(struct gpu *gpu, uint64_t kept);

#endif
