/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One table over all enumerations that the parts share, so that messages say what the register
 * documentation says. */
#include "host/text/codes.h"

#include <stddef.h>

static const struct {
    enum sl_code_kind kind;
    uint64_t value;
    const char *sentence;
} table[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) {SL_CODE_##PREFIX, value, text},
#define SL_ENUM_END(name)
#include "regs/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

const char *sl_code_sentence(enum sl_code_kind kind, uint64_t value)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].kind == kind && table[i].value == value) {
            return table[i].sentence;
        }
    }
    return NULL;
}
