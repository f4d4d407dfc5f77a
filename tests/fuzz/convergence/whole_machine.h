/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Executes kernels on the whole machine, through the public interface of the host library. */
#ifndef SLUICE_TESTS_CONVERGENCE_WHOLE_MACHINE_H
#define SLUICE_TESTS_CONVERGENCE_WHOLE_MACHINE_H

#include "fuzz/convergence/expectation.h"

struct whole_machine;

/* As lane_model.h has it. */
struct whole_machine *whole_machine_open(const char *path, const struct expectations *all,
                                         char *error, size_t bytes);
void whole_machine_close(struct whole_machine *machine);
const uint32_t *whole_machine_run(struct whole_machine *machine, const char *name, char *error,
                                  size_t bytes);

#endif
