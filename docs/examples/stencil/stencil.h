/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Heat on a square plate, for host and kernel: in each step a cell takes its neighbours' share. The
 * plate's edge keeps its temperature. */
#ifndef STENCIL_H
#define STENCIL_H

#define STEPS_AT_ONCE 4  /* of a launch, in LDS */
#define TILE          32 /* cells of a work-group's tile, in x and in y: a work-item each */
#define RESULT        (TILE - 2 * STEPS_AT_ONCE) /* of these, the ones that are right at the end */

/* A cell's temperature in the next step. */
static inline float next_step(float cell, float left, float right, float above, float below)
{
    return cell + 0.2f * (left + right + above + below - 4.0f * cell);
}

#endif
