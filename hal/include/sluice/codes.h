/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* C enumerations of hal/regs/codes.def. */
#ifndef SLUICE_CODES_H
#define SLUICE_CODES_H

#define SL_ENUM_BEGIN(name, PREFIX, text)                                                          \
    enum sl_##name                                                                                 \
    {
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) SL_##PREFIX##_##NAME = (value),
#define SL_ENUM_END(name)                                                                          \
    }                                                                                              \
    ;
#include "regs/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END

/* One more than the largest phase. */
#define SL_PHASE_COUNT 8

#endif
