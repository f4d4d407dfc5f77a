/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing registers in the active lanes, and what observers are told of that. */
#ifndef SLUICE_SIMT_UNIT_REGISTER_FILE_H
#define SLUICE_SIMT_UNIT_REGISTER_FILE_H

#include "simt/unit/unit.h"

/* The selection words of the active lanes (simt/lanes/lanes.h). */
const uint64_t *wave_select(struct wave *wave);

/* One value in all active lanes, or each lane its own. */
void wave_set(struct wave *wave, uint8_t rd, uint64_t value);
void wave_set_lanes(struct wave *wave, uint8_t rd, const uint64_t *values);

/* Tells observers, if any want to know, that an instruction's result is in its register, in these
 * lanes; is_late: of struct obs_result. */
void wave_tell_result(const struct wave *wave, const struct simt_op *op, uint64_t lanes,
                      bool is_late);

static inline void wave_observe_result(const struct wave *wave, const struct simt_op *op,
                                       uint64_t lanes, bool is_late)
{
    if (probe_enabled(wave_cu(wave)->env->stream, OBS_RESULT) && op->rd != REGISTER_NOWHERE) {
        wave_tell_result(wave, op, lanes, is_late);
    }
}

#endif
