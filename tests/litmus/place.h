/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the threads of a test are, without regard to what its file says. */
#ifndef SLUICE_LITMUS_PLACE_H
#define SLUICE_LITMUS_PLACE_H

#include "litmus/test.h"

/* Each in a work-group of its own: on different compute units. */
void litmus_place_apart(struct litmus_test *test);

/* Each in a wavefront of its own, in one work-group: on one compute unit. */
void litmus_place_in_group(struct litmus_test *test);

/* All in lanes of one wavefront. */
void litmus_place_in_wave(struct litmus_test *test);

#endif
