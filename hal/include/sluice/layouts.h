/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* C structures of hal/contract/layouts.def. Sizes and offsets are asserted, so that host,
 * aggregator, device and kernels cannot disagree. */
#ifndef SLUICE_LAYOUTS_H
#define SLUICE_LAYOUTS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/limits.h"

#define SL_LAYOUT_BEGIN(name, bytes, text)                      struct sl_##name {
#define SL_LAYOUT_FIELD(name, offset, type, field, text)        type field;
#define SL_LAYOUT_ARRAY(name, offset, type, field, count, text) type field[count];
#define SL_LAYOUT_GAP(name, offset, bytes)                      uint8_t gap_##offset[bytes];
#define SL_LAYOUT_END(name)                                                                        \
    }                                                                                              \
    ;
#include "contract/layouts.def"
#undef SL_LAYOUT_BEGIN
#undef SL_LAYOUT_FIELD
#undef SL_LAYOUT_ARRAY
#undef SL_LAYOUT_GAP
#undef SL_LAYOUT_END

#define SL_LAYOUT_BEGIN(name, bytes, text)                                                         \
    static_assert(sizeof(struct sl_##name) == (bytes), "size of struct sl_" #name);
#define SL_LAYOUT_FIELD(name, offset, type, field, text)                                           \
    static_assert(offsetof(struct sl_##name, field) == (offset), "sl_" #name "." #field);
#define SL_LAYOUT_ARRAY(name, offset, type, field, count, text)                                    \
    SL_LAYOUT_FIELD(name, offset, type, field, text)
#define SL_LAYOUT_GAP(name, offset, bytes)
#define SL_LAYOUT_END(name)
#include "contract/layouts.def"
#undef SL_LAYOUT_BEGIN
#undef SL_LAYOUT_FIELD
#undef SL_LAYOUT_ARRAY
#undef SL_LAYOUT_GAP
#undef SL_LAYOUT_END

#endif
