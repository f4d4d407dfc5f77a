/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing registers in the active lanes. */
#ifndef SLUICE_SIMT_CU_REGISTERS_H
#define SLUICE_SIMT_CU_REGISTERS_H

#include "simt/cu/cu.h"

/* The selection words of the active lanes (simt/lanes/lanes.h). */
const uint64_t *wave_select(struct wave *wave);

/* One value in all active lanes, or each lane its own. */
void wave_set(struct wave *wave, uint8_t rd, uint64_t value);
void wave_set_lanes(struct wave *wave, uint8_t rd, const uint64_t *values);

#endif
