/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine record: it carries the numbers of a configuration from the host library to the plugin
 * through DRAM. Both are built from one table; a hash over it tells when they were not. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "config/config_internal.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

#define SL_MACHINE_MAGIC 0x4e4948434d434c53ull /* "SLCMCHIN", first character lowest */

static_assert(sizeof(struct sl_machine_record) <= SL_MACHINE_BYTES, "the machine record fits");

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

static bool number_is_valid(const struct sl_config_entry *entry, int64_t number)
{
    char word[64];
    switch (entry->type) {
    case SL_CONFIG_TYPE_TEXT:
        return true;
    case SL_CONFIG_TYPE_CHOICE:
        return number >= 0 && sl_config_choice(entry->choices, number, word, sizeof word);
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
