/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Executes kernels on the model of the device alone: no firmware, no QEMU. */
#ifndef SLUICE_TESTS_CONVERGENCE_LANE_MODEL_H
#define SLUICE_TESTS_CONVERGENCE_LANE_MODEL_H

#include <stdbool.h>

#include "fuzz/convergence/expectation.h"

struct lane_model;

/* A device with the kernels of an ELF file, and the input. Returns NULL with the reason in `error`.
 */
struct lane_model *lane_model_open(const char *path, const struct expectations *all, char *error,
                                   size_t bytes);
void lane_model_close(struct lane_model *model);

/* Executes a kernel. Returns what its work-items have computed, which lasts until the next one; or
 * NULL with the fault in `error`. */
const uint32_t *lane_model_run(struct lane_model *model, const char *name, char *error,
                               size_t bytes);

#endif
