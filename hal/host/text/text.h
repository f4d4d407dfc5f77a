/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts that are put together piece by piece, for messages. Beside it are the sentences of the
 * codes that the parts share (codes.h), and explanations of refusals (refusal.h).
 *
 * The bottom of the host library: depends on none of its folders. */
#ifndef SLUICE_HOST_TEXT_H
#define SLUICE_HOST_TEXT_H

#include <stddef.h>

#include "config/config.h"

/* Appends printf-style to a string of capacity `bytes`; what does not fit is cut off. */
void sl_text_append(char *out, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends "gpu.lds is 64 KiB", or the key alone where the configuration is NULL. */
void sl_text_append_setting(const struct sl_config *config, enum sl_config_key key, char *out,
                            size_t bytes);

#endif
