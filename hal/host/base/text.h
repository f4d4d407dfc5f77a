/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts that are put together piece by piece, for messages; the names and sentences of
 * the tables in hal/contract.
 *
 * The bottom of the host library: depends on none of its folders. */
#ifndef SLUICE_HOST_BASE_TEXT_H
#define SLUICE_HOST_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/config.h"

/* Appends printf-style to a string of capacity `bytes`; what does not fit is cut off. */
void sl_text_append(char *out, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a word as a shell takes it: in quotes where it has what could mean something there. */
void sl_text_append_quoted(char *out, size_t bytes, const char *word);

/* Appends "gpu.lds is 64 KiB", or the key alone where the configuration is NULL. */
void sl_text_append_setting(const struct sl_config *config, enum sl_config_key key, char *out,
                            size_t bytes);

/* The sentences of hal/contract/codes.def by enumeration and value. NULL where the enumeration has
 * no such value. */
enum sl_code_kind {
#define SL_ENUM_BEGIN(name, PREFIX, text) SL_CODE_##PREFIX,
#define SL_ENUM_VALUE(PREFIX, NAME, value, text)
#define SL_ENUM_END(name)
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};
const char *sl_code_sentence(enum sl_code_kind kind, uint64_t value);

#endif
