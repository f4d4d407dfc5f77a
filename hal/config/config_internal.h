/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of the configuration know of each other beyond the public interface.
 *
 * All of them leave messages in the same way: a message in error, of error_bytes, and a return
 * of -1. Who calls puts the place (file and line, setting) in front. */
#ifndef SLUICE_CONFIG_INTERNAL_H
#define SLUICE_CONFIG_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/config.h"

#define SL_CONFIG_KEY_MAX 128 /* more than any key has */

/* Writes a printf-style message and returns -1. */
int sl_config_fail(char *error, size_t error_bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a user wrote, fit for a message: short, and without characters that terminals act on. */
struct sl_quoted {
    char text[72];
};
struct sl_quoted sl_config_quote(const char *text);

/* Index of a key in the table (enum sl_config_key), or -1. */
int sl_config_find(const char *key);

/* The known key that was most likely meant; NULL where none is near. */
const char *sl_config_suggest_key(const char *key);

/* Says that there is no such key as was written, and which one was most likely meant by the name in
 * it: NULL where that is too long. */
int sl_config_fail_key(const char *written, const char *name, char *error, size_t error_bytes);

/* For a section: some key in the one that was most likely meant, or NULL. */
const char *sl_config_suggest_section(const char *section);

/* Section of a key as the length of its first part. */
int sl_config_section_length(const char *key);

/* What stands in the line of a section behind its bracket, and is no comment: inih leaves it aside.
 * Empty where there is nothing. */
const char *sl_config_behind_section(const char *text);

/* Whether a key is in this section; whether some key is. */
bool sl_config_is_in_section(const char *key, const char *section);
bool sl_config_is_section(const char *section);

/* Parses a value of the key's type and checks its range. Leaves *number alone for a text. */
int sl_config_parse(enum sl_config_key key, const char *text, int64_t *number, char *error,
                    size_t error_bytes);

/* Parses the value and stores it with its source. The message names the key. */
int sl_config_assign(struct sl_config *config, enum sl_config_key key, const char *value,
                     const char *source, char *error, size_t error_bytes);

/* Copies word number `index` of an entry's choices; false behind the last. */
bool sl_config_choice(const char *choices, int64_t index, char *out, size_t bytes);

/* Gives the keys that were not set the defaults that the present choices bring (cores.def). */
void sl_config_apply_presets(struct sl_config *config);

/* Writes a number of the key's type as sl_config_format() does: least, most, a value. */
void sl_config_format_number(enum sl_config_key key, int64_t number, char *out, size_t bytes);

/* Looks for NAME.ini among the presets (hal/config/install_paths.h). Returns 0 with its path, or -1
 * with a message that lists those there are. */
int sl_preset_find(const char *name, char *path, size_t path_bytes, char *error,
                   size_t error_bytes);

#endif
