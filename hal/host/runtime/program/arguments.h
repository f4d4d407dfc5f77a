/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A program's table of arguments as an argp parser. */
#ifndef SLUICE_HOST_RUNTIME_PROGRAM_ARGUMENTS_H
#define SLUICE_HOST_RUNTIME_PROGRAM_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/program.h"

/* ---- one row (argument_values.c) ---- */

/* Reads `text` into the row's field, or ends the program. */
void sl_argument_read(const struct sl_argument *row, const char *what, const char *text,
                      void *field);

/* The row's greatest number, and the number that its field holds. */
uint64_t sl_argument_largest(const struct sl_argument *row);
uint64_t sl_argument_load(const struct sl_argument *row, const void *field);

/* A size with the largest unit that divides it; "a|b|c" as "a, b and c". */
#define SL_SIZE_TEXT_BYTES 32
#define SL_WORDS_BYTES     512
const char *sl_argument_size(uint64_t bytes, char out[SL_SIZE_TEXT_BYTES]);
const char *sl_argument_words(const char *words, char list[SL_WORDS_BYTES]);

/* ---- texts of --help (argument_help.c) ---- */

#define SL_HELP_BYTES 1024

/* Whether the row is an argument, not an option; whether it may be missing; whether it takes all
 * that follow. */
bool sl_argument_is_positional(const struct sl_argument *row);
bool sl_argument_is_optional(const struct sl_argument *row);
bool sl_argument_repeats(const struct sl_argument *row);

/* What messages call the row: `--width`, or `N` without brackets and dots. */
const char *sl_argument_name(const struct sl_argument *row, char out[SL_HELP_BYTES]);

/* What an argument's value is, "a number from 1 to 9"; empty where the row does not say. */
const char *sl_argument_value(const struct sl_argument *row, char out[SL_HELP_BYTES]);

/* An option's sentence, with range and default. */
const char *sl_argument_help(const struct sl_argument *row, const void *field,
                             char out[SL_HELP_BYTES]);

/* "N is from 1 to 9, 3 where it is not given. ", or nothing where the row does not say. */
const char *sl_argument_sentence(const struct sl_argument *row, const void *field,
                                 char out[SL_HELP_BYTES]);

/* ---- all rows (arguments.c) ---- */

struct sl_arguments;

/* NULL when out of memory. */
struct sl_arguments *sl_arguments_new(const struct sl_app *app);
void sl_arguments_free(struct sl_arguments *arguments);

/* Its `state->input` is the struct sl_arguments. */
const struct argp *sl_arguments_argp(const struct sl_arguments *arguments);

#endif
