/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts of the outside, names and paths, which need not be UTF-8, as JSON. A byte that is not is
 * written as a terminal would show it: \xNN. */
#ifndef SLUICE_HOST_UTF8_H
#define SLUICE_HOST_UTF8_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character in UTF-8 that a text begins with, and its code; 0 where none does. */
size_t sl_utf8_character(const char *text, size_t bytes, uint32_t *code);

bool sl_utf8_is(const char *text);

/* A string of a text. NULL where that is NULL, or memory is out. */
json_t *sl_json_text(const char *text);

/* json_object_set_new() under such a name. */
int sl_json_set_new(json_t *object, const char *name, json_t *value);

#endif
