/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of configuration keys, the defaults, and the machine record.
 *
 * The record carries the numbers of a configuration from the host library to the plugin through
 * DRAM. Both are built from one table; a hash over it tells when they were not. */
#include "config/config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "sluice/memory_map.h"

#define SL_MACHINE_MAGIC 0x4e4948434d434c53ull /* "SLCMCHIN", first character lowest */

static_assert(sizeof(struct sl_machine_record) <= SL_MACHINE_BYTES, "the machine record fits");

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

void sl_config_init(struct sl_config *config)
{
    memset(config, 0, sizeof *config);
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        config->number[key] = sl_config_table[key].initial;
        snprintf(config->text[key], sizeof config->text[key], "%s",
                 sl_config_table[key].initial_text);
    }
    sl_config_apply_presets(config);
}

static uint32_t hash_byte(uint32_t hash, unsigned char byte)
{
    return (hash ^ byte) * 16777619u;
}

static uint32_t hash_string(uint32_t hash, const char *string)
{
    for (; *string != '\0'; string++) {
        hash = hash_byte(hash, (unsigned char)*string);
    }
    return hash_byte(hash, 0);
}

/* FNV-1a over everything that gives the numbers of a record their meaning. */
static uint32_t table_hash(void)
{
    uint32_t hash = 2166136261u;
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        hash = hash_string(hash, sl_config_table[key].key);
        hash = hash_byte(hash, (unsigned char)sl_config_table[key].type);
        hash = hash_string(hash, sl_config_table[key].choices);
    }
    return hash;
}

void sl_machine_record_write(struct sl_machine_record *record, const struct sl_config *config)
{
    record->magic = SL_MACHINE_MAGIC;
    record->key_count = SL_CFG_COUNT;
    record->key_hash = table_hash();
    memcpy(record->number, config->number, sizeof record->number);
}

static int number_of_choices(const char *choices)
{
    int count = 1;
    for (; *choices != '\0'; choices++) {
        count += *choices == ' ';
    }
    return count;
}

static int number_is_valid(const struct sl_config_entry *entry, int64_t number)
{
    switch (entry->type) {
    case SL_CONFIG_TYPE_TEXT:
        return 1;
    case SL_CONFIG_TYPE_CHOICE:
        return number >= 0 && number < number_of_choices(entry->choices);
    case SL_CONFIG_TYPE_POWER:
        return number >= entry->least && number <= entry->most && (number & (number - 1)) == 0;
    default:
        return number >= entry->least && number <= entry->most;
    }
}

int sl_machine_record_read(const struct sl_machine_record *record, struct sl_config *config)
{
    if (record->magic != SL_MACHINE_MAGIC || record->key_count != SL_CFG_COUNT ||
        record->key_hash != table_hash()) {
        return -1;
    }
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        if (!number_is_valid(&sl_config_table[key], record->number[key])) {
            return -1;
        }
    }
    memset(config, 0, sizeof *config);
    memcpy(config->number, record->number, sizeof config->number);
    return 0;
}
