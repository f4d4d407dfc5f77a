/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One floating-point instruction of one lane in integer arithmetic: the reference that host
 * hardware is checked against, and what executes where that does not fit. */
#ifndef SLUICE_SIMT_SOFT_FLOAT_H
#define SLUICE_SIMT_SOFT_FLOAT_H

#include <stdint.h>

#include "isa/isa.h"

/* The result of an instruction of classes FP32 to FPSQRT on 64-bit register contents. `mode` is one
 * of the five rounding modes. Sets in *flags what it raises (enum sl_fflag). */
uint64_t soft_float(enum sl_insn_id id, uint64_t a, uint64_t b, uint64_t c, enum sl_rounding mode,
                    unsigned *flags);

#endif
