/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of a program's arguments as an argp parser. */
#include "host/runtime/program/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"

#define KEY_FIRST 0x100 /* of options without a letter */

#define EXIT_STATUSES                                                                              \
    "The exit status is 0 where the result is right, 1 where it is wrong, 2 for a wrong usage or " \
    "configuration, 3 where the machine failed."

/* A row, and the field of the program's arguments that it is about. */
struct entry {
    const struct sl_argument *row;
    void *field;
};

struct sl_arguments {
    const struct sl_app *app;
    struct entry *options; /* in the order of the table, as the next */
    size_t option_count;
    struct entry *positional;
    size_t positional_count;
    struct argp_option *table;
    struct argp argp;
    char usage[SL_HELP_BYTES];
    char doc[4 * SL_HELP_BYTES];
};

/* ---- rows ---- */

static size_t count_rows(const struct sl_argument *rows)
{
    size_t count = 0;
    for (; rows != NULL && (rows->name != NULL || rows->rows != NULL); rows++) {
        count += rows->rows != NULL ? count_rows(rows->rows) : 1;
    }
    return count;
}

static void add_rows(struct sl_arguments *arguments, const struct sl_argument *rows, char *base)
{
    for (; rows != NULL && (rows->name != NULL || rows->rows != NULL); rows++) {
        const struct entry entry = {rows, base + rows->offset};
        if (rows->rows != NULL) {
            add_rows(arguments, rows->rows, base + rows->offset);
        } else if (sl_argument_is_positional(rows)) {
            arguments->positional[arguments->positional_count++] = entry;
        } else {
            arguments->options[arguments->option_count++] = entry;
        }
    }
}

/* ---- help ---- */

static const char *value_name(const struct sl_argument *row)
{
    switch (row->kind) {
    case SL_FLAG:
        return NULL;
    case SL_SIZE:
        return row->words != NULL ? row->words : "SIZE";
    case SL_SEED:
        return row->words != NULL ? row->words : "SEED";
    case SL_INPUT:
    case SL_OUTPUT:
        return row->words != NULL ? row->words : "FILE";
    case SL_TEXT:
        return row->words != NULL ? row->words : "TEXT";
    default:
        return row->words != NULL ? row->words : "NUMBER";
    }
}

static bool make_options(struct sl_arguments *arguments)
{
    char help[SL_HELP_BYTES];
    for (size_t i = 0; i < arguments->option_count; i++) {
        const struct entry *const entry = &arguments->options[i];
        const struct sl_argument *const row = entry->row;
        struct argp_option *const option = &arguments->table[i];
        option->name = row->name;
        if (row->help == NULL) {
            option->flags = OPTION_ALIAS;
            continue;
        }
        option->key = row->letter != 0 ? row->letter : KEY_FIRST + (int)i;
        option->arg = value_name(row);
        option->doc = strdup(sl_argument_help(row, entry->field, help));
        if (option->doc == NULL) {
            return false;
        }
    }
    return true;
}

/* The program's text, with what arguments are before the rest that --help has below. */
static void make_doc(struct sl_arguments *arguments)
{
    const char *const text = arguments->app->doc != NULL ? arguments->app->doc : "";
    const size_t length = strcspn(text, "\v");
    const char *const rest = text + length + (text[length] != '\0' ? 1 : 0);
    char sentence[SL_HELP_BYTES];

    sl_text_append(arguments->doc, sizeof arguments->doc, "%.*s\v", (int)length, text);
    for (size_t i = 0; i < arguments->positional_count; i++) {
        const struct entry *const entry = &arguments->positional[i];
        sl_text_append(arguments->usage, sizeof arguments->usage, "%s%s", i == 0 ? "" : " ",
                       entry->row->name);
        sl_text_append(arguments->doc, sizeof arguments->doc, "%s",
                       sl_argument_sentence(entry->row, entry->field, sentence));
    }
    sl_text_append(arguments->doc, sizeof arguments->doc, "%s%s%s", rest,
                   rest[0] != '\0' ? " " : "", EXIT_STATUSES);
}

/* ---- reading ---- */

static error_t read_option(const struct sl_arguments *arguments, int key, const char *text)
{
    char name[SL_HELP_BYTES];
    for (size_t i = 0; i < arguments->option_count; i++) {
        const struct entry *const entry = &arguments->options[i];
        if (arguments->table[i].key == key && entry->row->help != NULL) {
            const char *const what = sl_argument_name(entry->row, name);
            sl_argument_read(entry->row, what, text, entry->field);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

static void too_many(const struct sl_arguments *arguments, const struct argp_state *state,
                     const char *text)
{
    const size_t count = arguments->positional_count;
    if (count == 0) {
        argp_error(state, "no argument is expected, and '%s' is one", text);
    } else if (count == 1) {
        char name[SL_HELP_BYTES];
        argp_error(state, "one argument, %s, is expected, and '%s' is another",
                   sl_argument_name(arguments->positional[0].row, name), text);
    } else {
        argp_error(state, "%zu arguments are expected, %s, and '%s' is another", count,
                   arguments->usage, text);
    }
}

static void read_positional(const struct sl_arguments *arguments, const struct argp_state *state,
                            const char *text)
{
    const size_t count = arguments->positional_count;
    const bool repeats = count > 0 && sl_argument_repeats(arguments->positional[count - 1].row);
    size_t number = state->arg_num;
    char name[SL_HELP_BYTES];

    if (number >= count && !repeats) {
        too_many(arguments, state, text);
    }
    number = number < count ? number : count - 1;
    const struct entry *const entry = &arguments->positional[number];
    sl_argument_read(entry->row, sl_argument_name(entry->row, name), text, entry->field);
}

static void check_missing(const struct sl_arguments *arguments, const struct argp_state *state)
{
    if (state->arg_num >= arguments->positional_count ||
        sl_argument_is_optional(arguments->positional[state->arg_num].row)) {
        return;
    }
    const struct sl_argument *const row = arguments->positional[state->arg_num].row;
    char name[SL_HELP_BYTES];
    char value[SL_HELP_BYTES];
    const char *const wanted = sl_argument_value(row, value);
    argp_error(state, "the argument %s is missing%s%s", sl_argument_name(row, name),
               wanted[0] != '\0' ? ": " : "", wanted);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    const struct sl_arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        read_positional(arguments, state, text);
        return 0;
    case ARGP_KEY_END:
        check_missing(arguments, state);
        if (arguments->app->check != NULL) {
            arguments->app->check(arguments->app->arguments);
        }
        return 0;
    default:
        return read_option(arguments, key, text);
    }
}

/* ---- life ---- */

struct sl_arguments *sl_arguments_new(const struct sl_app *app)
{
    const size_t count = count_rows(app->table);
    struct sl_arguments *const arguments = calloc(1, sizeof *arguments);
    if (arguments == NULL) {
        return NULL;
    }
    arguments->app = app;
    arguments->options = calloc(count + 1, sizeof *arguments->options);
    arguments->positional = calloc(count + 1, sizeof *arguments->positional);
    arguments->table = calloc(count + 1, sizeof *arguments->table);
    if (arguments->options == NULL || arguments->positional == NULL || arguments->table == NULL) {
        sl_arguments_free(arguments);
        return NULL;
    }
    add_rows(arguments, app->table, app->arguments);
    if (!make_options(arguments)) {
        sl_arguments_free(arguments);
        return NULL;
    }
    make_doc(arguments);
    arguments->argp =
        (struct argp){.options = arguments->table,
                      .parser = parse,
                      .args_doc = arguments->usage[0] != '\0' ? arguments->usage : NULL,
                      .doc = arguments->doc};
    return arguments;
}

void sl_arguments_free(struct sl_arguments *arguments)
{
    for (size_t i = 0; arguments->table != NULL && i < arguments->option_count; i++) {
        free((char *)arguments->table[i].doc);
    }
    free(arguments->table);
    free(arguments->positional);
    free(arguments->options);
    free(arguments);
}

const struct argp *sl_arguments_argp(const struct sl_arguments *arguments)
{
    return &arguments->argp;
}
