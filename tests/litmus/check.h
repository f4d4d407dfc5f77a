/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether all is as the model and the file say, after a test has run. */
#ifndef SLUICE_LITMUS_CHECK_H
#define SLUICE_LITMUS_CHECK_H

#include <stdbool.h>

#include "litmus/outcomes.h"

/* Says on standard error what is not. `path` is the file, `system` the memory system. */
bool litmus_check(const struct litmus_outcomes *outcomes, const char *path, const char *system);

#endif
