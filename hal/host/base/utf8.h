/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts of the outside, names and paths, which need not be UTF-8, as JSON. A byte that is not is
 * written as a terminal would show it: \xNN. */
#ifndef SLUICE_HOST_BASE_UTF8_H
#define SLUICE_HOST_BASE_UTF8_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character in UTF-8 that a text begins with, and its code; 0 where none does. */
size_t sl_utf8_character(const char *text, size_t bytes, uint32_t *code);

bool sl_utf8_is(const char *text);

/* Characters that steer a terminal or end a line. */
bool sl_utf8_is_control(uint32_t code);

/* Whether a text of a file that is not trusted may go as it is to a terminal, or into a line of
 * another file: UTF-8 without controls. */
bool sl_utf8_is_plain(const char *text);

/* Such a text with all else as \xNN, as much of it as fits. */
void sl_utf8_show(const char *text, char *out, size_t bytes);

/* A string of a text. NULL where that is NULL, or memory is out. */
json_t *sl_json_text(const char *text);

/* json_object_set_new() under such a name. */
int sl_json_set_new(json_t *object, const char *name, json_t *value);

#endif
