/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of configuration keys, and defaults that depend on a choice: agg.core gives the keys
 * core.* theirs. A key that was set keeps its value, whatever is chosen before or after; one that
 * was not follows the choice. */
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "sluice/config.h"

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
#include "sluice/config.def"
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

const struct sl_config_preset sl_config_presets[] = {
#define SL_PRESET(CHOOSER, NAME, KEY, value)                                                       \
    {SL_CFG_##CHOOSER, SL_##CHOOSER##_##NAME, SL_CFG_##KEY, value},
#include "config/cores.def"
#undef SL_PRESET
};

const size_t sl_config_preset_count = sizeof sl_config_presets / sizeof sl_config_presets[0];

static bool is_chosen(const struct sl_config *config, const struct sl_config_preset *preset)
{
    return config->number[preset->chooser] == preset->choice;
}

const struct sl_config_preset *sl_config_preset_of(const struct sl_config *config,
                                                   enum sl_config_key key)
{
    for (size_t i = 0; i < sl_config_preset_count; i++) {
        if (sl_config_presets[i].key == key && is_chosen(config, &sl_config_presets[i])) {
            return &sl_config_presets[i];
        }
    }
    return NULL;
}

void sl_config_apply_presets(struct sl_config *config)
{
    for (size_t i = 0; i < sl_config_preset_count; i++) {
        enum sl_config_key key = sl_config_presets[i].key;
        if (config->source[key][0] == '\0') {
            config->number[key] = sl_config_table[key].initial;
        }
    }
    for (size_t i = 0; i < sl_config_preset_count; i++) {
        const struct sl_config_preset *preset = &sl_config_presets[i];
        if (config->source[preset->key][0] == '\0' && is_chosen(config, preset)) {
            config->number[preset->key] = preset->number;
        }
    }
}
