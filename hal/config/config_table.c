/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of configuration keys. */
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/config_internal.h"

const struct sl_config_entry sl_config_table[SL_CFG_COUNT] = {
#define SL_CONFIG(ID, name, kind, value, low, high, text)                                          \
    [SL_CFG_##ID] = {.key = (name),                                                                \
                     .type = SL_CONFIG_TYPE_##kind,                                                \
                     .initial = (value),                                                           \
                     .least = (low),                                                               \
                     .most = (high),                                                               \
                     .choices = "",                                                                \
                     .initial_text = "",                                                           \
                     .sentence = (text)},
#define SL_WORD(KEY, NAME, word) " " word
#define SL_CONFIG_CHOICE(ID, tag, name, value, words, text)                                        \
    [SL_CFG_##ID] = {.key = (name),                                                                \
                     .type = SL_CONFIG_TYPE_CHOICE,                                                \
                     .initial = SL_##ID##_##value,                                                 \
                     .choices = &(words)[1], /* without the first space */                         \
                     .initial_text = "",                                                           \
                     .sentence = (text)},
#define SL_CONFIG_TEXT(ID, name, value, text)                                                      \
    [SL_CFG_##ID] = {.key = (name),                                                                \
                     .type = SL_CONFIG_TYPE_TEXT,                                                  \
                     .choices = "",                                                                \
                     .initial_text = (value),                                                      \
                     .sentence = (text)},
#include "config/config.def"
#undef SL_WORD
#undef SL_CONFIG
#undef SL_CONFIG_CHOICE
#undef SL_CONFIG_TEXT
};

/* The choices are words separated by one space. */
bool sl_config_choice(const char *choices, int64_t index, char *out, size_t bytes)
{
    for (; index > 0; index--) {
        choices = strchr(choices, ' ');
        if (choices == NULL) {
            return false;
        }
        choices++;
    }
    snprintf(out, bytes, "%.*s", (int)strcspn(choices, " "), choices);
    return true;
}
