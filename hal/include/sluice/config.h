/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Configuration of a machine: typed values by key, from defaults, files and single settings.
 *
 * hal/include/sluice/config.def lists every key. A file has sections and `key = value` lines with
 * units (inih's dialect); a setting is `section.key=value`. What is wrong is an error that names
 * the place (file and line, or the setting), the key, the value and what would be right. */
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

/** The keys, by the names that docs/look-up/configuration.md gives them: SL_CFG_GPU_CUS is gpu.cus.
 * Each choice has an enumeration of its words: SL_GPU_CONSISTENCY_RMO of enum sl_gpu_consistency.
 */
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
/* What the numbers of choices mean: for each such key an enumeration of its words. */
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

#define SL_CONFIG_TEXT_MAX   512 /**< bytes of a text, with the zero behind it */
#define SL_CONFIG_SOURCE_MAX 256 /**< bytes of a source, likewise */

/** Values by key. Plain data: may be copied. Text keys have their value in text, others in number.
 * A source is "file:line", `--set`, or empty for the default. */
struct sl_config {
    int64_t number[SL_CFG_COUNT];                    /**< in the units of the key's type */
    char text[SL_CFG_COUNT][SL_CONFIG_TEXT_MAX];     /**< of text keys */
    char source[SL_CFG_COUNT][SL_CONFIG_SOURCE_MAX]; /**< where each was set */
};

/** Sets every key to its default (preset isca14; for the keys core.*, those of the default core).
 */
void sl_config_init(struct sl_config *config);

/** Reads a file over the values that are there, or the preset of that name. Returns 0, or -1 with a
 * message in error. */
int sl_config_read(struct sl_config *config, const char *path, char *error, size_t error_bytes);

/** Applies one setting, `section.key=value`. Returns 0, or -1 with a message in error. */
int sl_config_set(struct sl_config *config, const char *setting, char *error, size_t error_bytes);

/** Checks what involves several keys. Returns 0, or -1 with a message that names place and keys. */
int sl_config_check(const struct sl_config *config, char *error, size_t error_bytes);

/** The machine record (at SL_MACHINE_BASE): the numbers of a configuration, from host to plugin. */
struct sl_machine_record {
    uint64_t magic;     /**< says that this is such a record */
    uint32_t key_count; /**< SL_CFG_COUNT */
    uint32_t key_hash;  /**< FNV-1a over the keys' names, types and choices: both have one table */
    int64_t number[SL_CFG_COUNT]; /**< as in struct sl_config */
};

/** Writes the record of a configuration. */
void sl_machine_record_write(struct sl_machine_record *record, const struct sl_config *config);

/** Reads a record into numbers (texts become empty). Returns 0, or -1 if it is not of this build.
 */
int sl_machine_record_read(const struct sl_machine_record *record, struct sl_config *config);

/** Types of keys. */
enum sl_config_type {
    SL_CONFIG_TYPE_COUNT,     /**< a whole number */
    SL_CONFIG_TYPE_POWER,     /**< a power of two */
    SL_CONFIG_TYPE_BYTES,     /**< a size */
    SL_CONFIG_TYPE_TIME,      /**< a time, in ps */
    SL_CONFIG_TYPE_FREQUENCY, /**< a clock, in Hz */
    SL_CONFIG_TYPE_CHOICE,    /**< one of several words, by its number */
    SL_CONFIG_TYPE_TEXT,      /**< a text */
};

/** A key: its default, and the least and the most that it may be, in the units of its type: bytes,
 * ps, Hz; the words of a choice; the default of a text. What does not apply is 0 or NULL. */
struct sl_config_entry {
    const char *key;          /**< section and name */
    enum sl_config_type type; /**< what its value is */
    int64_t initial;          /**< default, but of a text */
    int64_t least;            /**< the least that it may be */
    int64_t most;             /**< the most */
    const char *choices;      /**< words of a choice, with blanks between them */
    const char *initial_text; /**< default of a text */
    const char *sentence;     /**< what it is, for people */
};

/** All keys. */
extern const struct sl_config_entry sl_config_table[SL_CFG_COUNT];

/** Defaults that a choice brings with it (hal/config/cores.def): while `chooser` is `choice`, the
 * default of `key` is `number`. */
struct sl_config_preset {
    enum sl_config_key chooser; /**< the key of the choice */
    int64_t choice;             /**< its value */
    enum sl_config_key key;     /**< the key that gets a default */
    int64_t number;             /**< this default */
};

/** All defaults that choices bring. */
extern const struct sl_config_preset sl_config_presets[];

/** Their number. */
extern const size_t sl_config_preset_count;

/** The preset that gives a key its default in this configuration, or NULL where the default is that
 * of the table. */
const struct sl_config_preset *sl_config_preset_of(const struct sl_config *config,
                                                   enum sl_config_key key);

/** The period of a clock, a key in Hz, in ps: the nearest that is whole, since simulated time is.
 */
static inline uint64_t sl_config_period_ps(const struct sl_config *config, enum sl_config_key key)
{
    const uint64_t frequency = (uint64_t)config->number[key];

    return (1000000000000u + frequency / 2) / frequency;
}

/** Writes a value with the largest unit that divides it ("16 KiB", "1 GHz"). */
void sl_config_format(enum sl_config_key key, const struct sl_config *config, char *out,
                      size_t bytes);

/** sl_config_format() for people: with what becomes of a clock whose period is rounded ("1300 MHz
 * (769 ps: 1300.390 MHz)"). */
void sl_config_tell(enum sl_config_key key, const struct sl_config *config, char *out,
                    size_t bytes);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
