/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The sentences of hal/regs/codes.def by enumeration and value. */
#ifndef SLUICE_HOST_CODES_H
#define SLUICE_HOST_CODES_H

#include <stdint.h>

enum sl_code_kind {
    SL_CODE_MARK,
    SL_CODE_PHASE,
    SL_CODE_PREDICATE,
    SL_CODE_SCHEDULER,
    SL_CODE_ROLE,
    SL_CODE_KERNEL,
    SL_CODE_CHANNEL,
    SL_CODE_DISPATCH,
    SL_CODE_HOST,
    SL_CODE_AGG,
    SL_CODE_FAILURE,
    SL_CODE_REFUSE,
    SL_CODE_FAULT,
    SL_CODE_TRAP,
    SL_CODE_EXIT,
};

/* NULL where the enumeration has no such value. */
const char *sl_code_sentence(enum sl_code_kind kind, uint64_t value);

#endif
