/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Instructions of F and D, and those on fcsr. */
#ifndef SLUICE_SIMT_FLOAT_FLOAT_H
#define SLUICE_SIMT_FLOAT_FLOAT_H

#include "simt/unit/unit.h"

/* Returns false after a fault. */
bool float_execute(struct wave *wave, const struct simt_op *op);
void csr_execute(struct wave *wave, const struct simt_op *op);

#endif
