/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Configuration of a machine: typed values by key, from defaults, files and single settings.
 *
 * hal/include/sluice/config.def lists all keys. A file has sections and `key = value` lines with
 * units (inih's dialect); a setting is `section.key=value`. Error messages name the place (file and
 * line, or the setting), the key, the value and the valid values. */
#ifndef SLUICE_CONFIG_H
#define SLUICE_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/machine_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* libsluice.so has what is declared here */

/** @defgroup host_config Configuration
 * @{ */

/** The keys, named as in docs/look-up/configuration.md: SL_CFG_GPU_CUS is gpu.cus. Each choice has
 * an enumeration of its words: SL_GPU_CONSISTENCY_RMO of enum sl_gpu_consistency. */
enum sl_config_key {
/** @cond */
#define SL_CONFIG(ID, key, type, value, least, most, text)  SL_CFG_##ID,
#define SL_CONFIG_CHOICE(ID, name, key, value, words, text) SL_CFG_##ID,
#define SL_CONFIG_TEXT(ID, key, value, text)                SL_CFG_##ID,
#include "sluice/config.def"
#undef SL_CONFIG
#undef SL_CONFIG_CHOICE
#undef SL_CONFIG_TEXT
    /** @endcond */
    SL_CFG_COUNT, /**< their number */
};

/** @cond */
/* The numbers of choices: an enumeration of the words of each such key. */
#define SL_WORD(KEY, NAME, word) SL_##KEY##_##NAME,
#define SL_CONFIG(ID, key, type, value, least, most, text)
#define SL_CONFIG_CHOICE(ID, name, key, value, words, text) enum sl_##name{words};
#define SL_CONFIG_TEXT(ID, key, value, text)
#include "sluice/config.def"
#undef SL_WORD
#undef SL_CONFIG
#undef SL_CONFIG_CHOICE
#undef SL_CONFIG_TEXT
/** @endcond */

#define SL_CONFIG_TEXT_MAX   512 /**< bytes of a text, with its terminating zero */
#define SL_CONFIG_SOURCE_MAX 256 /**< bytes of a source, with its terminating zero */

/** Values by key. Plain data that may be copied. Text keys have their value in text, others in
 * number. A source is "file:line", `--set`, or empty for the default. */
struct sl_config {
    int64_t number[SL_CFG_COUNT];                    /**< in the units of the key's type */
    char text[SL_CFG_COUNT][SL_CONFIG_TEXT_MAX];     /**< of text keys */
    char source[SL_CFG_COUNT][SL_CONFIG_SOURCE_MAX]; /**< source of each value */
};

/** Sets every key to its default, which is preset isca14. The defaults of core.* keys are those of
 * the default core. */
void sl_config_init(struct sl_config *config);

/** Reads a file, or the preset of that name, over the present values. Returns 0, or -1 with a
 * message in error and an unchanged configuration. */
int sl_config_read(struct sl_config *config, const char *path, char *error, size_t error_bytes);

/** Applies one setting, `section.key=value`. Returns 0, or -1 with a message in error. */
int sl_config_set(struct sl_config *config, const char *setting, char *error, size_t error_bytes);

/** Checks conditions that involve several keys. Returns 0, or -1 with a message that names place
 * and keys. */
int sl_config_check(const struct sl_config *config, char *error, size_t error_bytes);

/** The machine record (at SL_MACHINE_BASE) passes the numbers of a configuration from host to
 * plugin. */
struct sl_machine_record {
    uint64_t magic;               /**< identifies a machine record */
    uint32_t key_count;           /**< SL_CFG_COUNT */
    uint32_t key_hash;            /**< FNV-1a over the keys' names, types and choices; must match */
    int64_t number[SL_CFG_COUNT]; /**< as in struct sl_config */
};

/** Writes the record of a configuration. */
void sl_machine_record_write(struct sl_machine_record *record, const struct sl_config *config);

/** Reads a record into numbers (texts become empty). Returns 0, or -1 if the record is of another
 * build or has an invalid number. */
int sl_machine_record_read(const struct sl_machine_record *record, struct sl_config *config);

/** Types of keys. */
enum sl_config_type {
    SL_CONFIG_TYPE_COUNT,     /**< a whole number */
    SL_CONFIG_TYPE_POWER,     /**< a power of two */
    SL_CONFIG_TYPE_BYTES,     /**< a size */
    SL_CONFIG_TYPE_TIME,      /**< a time, in ps */
    SL_CONFIG_TYPE_FREQUENCY, /**< a clock, in Hz */
    SL_CONFIG_TYPE_CHOICE,    /**< one of several words, by its number */
    SL_CONFIG_TYPE_TEXT,      /**< a string */
};

/** A key: its default and range in the units of its type (bytes, ps, Hz), the words of a choice,
 * and the default of a text. Members that do not apply are 0 or NULL. */
struct sl_config_entry {
    const char *key;          /**< section and name */
    enum sl_config_type type; /**< type of its value */
    int64_t initial;          /**< default of a number or choice */
    int64_t least;            /**< least valid value */
    int64_t most;             /**< greatest valid value */
    const char *choices;      /**< words of a choice, separated by blanks */
    const char *initial_text; /**< default of a text */
    const char *sentence;     /**< description of the key */
};

/** All keys. */
extern const struct sl_config_entry sl_config_table[SL_CFG_COUNT];

/** Defaults that depend on a choice (hal/config/cores.def): if `chooser` is `choice`, the default
 * of `key` is `number`. */
struct sl_config_preset {
    enum sl_config_key chooser; /**< the key of the choice */
    int64_t choice;             /**< its value */
    enum sl_config_key key;     /**< the key that gets a default */
    int64_t number;             /**< the default */
};

/** All defaults that depend on choices. */
extern const struct sl_config_preset sl_config_presets[];

/** The number of entries of sl_config_presets. */
extern const size_t sl_config_preset_count;

/** The entry that gives a key its default in this configuration, or NULL if the default is that of
 * sl_config_table. */
const struct sl_config_preset *sl_config_preset_of(const struct sl_config *config,
                                                   enum sl_config_key key);

/** The period in ps of a clock, which is a key in Hz, rounded to the nearest whole number. */
static inline uint64_t sl_config_period_ps(const struct sl_config *config, enum sl_config_key key)
{
    const uint64_t frequency = (uint64_t)config->number[key];

    return (1000000000000u + frequency / 2) / frequency;
}

/** Formats a value with the largest unit that divides it ("16 KiB", "1 GHz"), into `bytes` bytes.
 */
void sl_config_format(enum sl_config_key key, const struct sl_config *config, char *out,
                      size_t bytes);

/** sl_config_format() for reports: also shows the effect of a rounded period of a clock ("1300 MHz
 * (769 ps: 1300.390 MHz)"). */
void sl_config_tell(enum sl_config_key key, const struct sl_config *config, char *out,
                    size_t bytes);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
