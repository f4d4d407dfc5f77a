/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the program prints of a test: docs/do/write-litmus-tests.md, "The output". */
#ifndef SLUICE_LITMUS_PRINT_H
#define SLUICE_LITMUS_PRINT_H

#include "litmus/outcomes.h"
#include "litmus/places.h"

/* The model, the places, and the table of outcomes, each line with "# " in front. */
void litmus_print(const struct litmus_outcomes *outcomes, const struct litmus_model *model,
                  const struct litmus_places *places);

/* "allowed (SC)" and so on. */
const char *litmus_print_verdict(enum litmus_verdict verdict);

#endif
