/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is computed from kernel machine code when it is loaded: where lanes that diverge come
 * together again, which registers are live, and which registers a kernel uses at all.
 *
 * Below the three are functions and instructions (decoded.h), jumps through tables (jump_table.h,
 * jump_values.h) and post-dominators (postdom.h). All of it is pure: code in, tables out; nothing
 * here knows of machines or files. Depends on hal/isa alone. */
#ifndef SLUICE_HOST_ANALYSIS_H
#define SLUICE_HOST_ANALYSIS_H

#include "host/analysis/code.h"
#include "host/analysis/liveness.h"
#include "host/analysis/reconverge.h"
#include "host/analysis/registers_used.h"

#endif
