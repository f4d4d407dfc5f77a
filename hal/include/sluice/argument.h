/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * A program's options and arguments as a table. sl_app_main() reads the command line by it, writes
 * `--help` from it, and ends the program with a message if a value is not one that the table
 * allows. */
#ifndef SLUICE_ARGUMENT_H
#define SLUICE_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/sluice.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* libsluice.so has what is declared here */

/** @defgroup program_arguments Options and arguments
 * A table of rows ends with an empty row, `{0}`. Each row names a field of the program's struct of
 * arguments (SL_INTO()); the field's value before the command line is read is the default.
 *
 *     static const struct sl_argument table[] = {
 *         {"N", 0, SL_NUMBER, 1, 1000, SL_INTO(struct arguments, n)},
 *         {"steps", 't', SL_NUMBER, 1, 64, SL_INTO(struct arguments, steps), "Steps in time"},
 *         {0},
 *     };
 * @{ */

/** What a row takes. */
enum sl_argument_kind {
    SL_NUMBER,       /**< a whole number: decimal, even with leading zeros, or hexadecimal after 0x;
                        an integer field */
    SL_POWER_OF_TWO, /**< an SL_NUMBER that is a power of two */
    SL_SIZE,         /**< bytes, with or without a unit: 64KiB; an integer field */
    SL_SEED,         /**< any number that the integer field holds */
    SL_REAL,         /**< a number with or without a fraction; a field of type double */
    SL_CHOICE,       /**< one of `words`; the integer field gets its number, from 0 */
    SL_FLAG,         /**< nothing: the option sets the bool or integer field to 1, or to `maximum`
                        if that is not 0 */
    SL_INPUT,        /**< a file to read; a field of type const char * */
    SL_OUTPUT,       /**< a file to write, which is checked before the run; likewise */
    SL_TEXT,         /**< any text; likewise */
    SL_TAKE,         /**< what `take` takes */
};

/** Reads the value `text` of the option or argument `what` (`--width`) into a field, or ends the
 * program by sl_argument_fail(). `text` is NULL for SL_FLAG. */
typedef void sl_argument_take(const char *what, const char *text, void *field);

/** A row of the table: an option, an argument, or all rows of another table. */
struct sl_argument {
    /** Of an option, without hyphens; a row with a name only is another name of the option before
     * it. Arguments are in capitals, in the order of the table: `N`, `[N]` for one that may be
     * missing. The last may be `CASE...`, which takes all that follow. */
    const char *name;
    int letter;                 /**< the option's letter, or 0 */
    enum sl_argument_kind kind; /**< what its value is */
    long double minimum;        /**< least value of numbers */
    long double maximum; /**< greatest value of numbers; 0 for integers: what the field holds */
    size_t offset;       /**< of the field in the program's arguments: SL_INTO() */
    size_t bytes;        /**< of the field: SL_INTO() */
    /** What `--help` says of an option; it adds range and default, except a default that `help`
     * speaks of itself. */
    const char *help;
    const char *words;      /**< of SL_CHOICE, "grid|random"; else the value's name in `--help` */
    sl_argument_take *take; /**< of SL_TAKE and, if not NULL, of SL_FLAG */
    const struct sl_argument *rows; /**< if not NULL, the row stands for this table */
};

/** The field of a row: two members of struct sl_argument. In C++, where a row cannot name members
 * after this, the row has values for all that follow, such as nullptr. */
#ifdef __cplusplus
#define SL_INTO(type, field) offsetof(type, field), sizeof(((type *)nullptr)->field)
#else
#define SL_INTO(type, field) .offset = offsetof(type, field), .bytes = sizeof(((type *)0)->field)
#endif

/** All rows of a table whose struct of arguments is a field of this program's. */
#define SL_ROWS(type, field, table)                                                                \
    {                                                                                              \
        NULL, 0, SL_NUMBER, 0, 0, SL_INTO(type, field), NULL, NULL, NULL, table                    \
    }

/** `--width`, of a channel or all of them; a field of type uint32_t. sl_graph_prepare() reports a
 * width that the graph cannot have. */
#define SL_WIDTH_ROW(type, field)                                                                  \
    {                                                                                              \
        "width", 'w', SL_NUMBER, 1, 0, SL_INTO(type, field),                                       \
            "Elements of each channel, a power of two", "ELEMENTS", NULL, NULL                     \
    }

/** `--policy`; a field of type struct sl_app_policy. */
#define SL_POLICY_ROW(type, field)                                                                 \
    {                                                                                              \
        "policy", 0, SL_TAKE, 0, 0, SL_INTO(type, field),                                          \
            "Scheduling policy (default: flat, levelized for stacks)", "NAME[:FLAG,...]",          \
            sl_app_take_policy, NULL                                                               \
    }

/** `--predicate`; a field of type struct sl_channel_options. */
#define SL_PREDICATE_ROW(type, field)                                                              \
    {                                                                                              \
        "predicate", 0, SL_TAKE, 0, 0, SL_INTO(type, field),                                       \
            "When elements are dispatched (default full; the argument's is 0)", "NAME[:ARGUMENT]", \
            sl_app_take_predicate, NULL                                                            \
    }

/** The policy of `--policy`. */
struct sl_app_policy {
    bool is_given;            /**< the option stands on the command line */
    enum sl_scheduler policy; /**< its NAME */
    uint32_t flags;           /**< enum sl_policy_flag */
};

/** Reads a policy and its flags, `NAME[:FLAG,...]`, into a struct sl_app_policy. */
void sl_app_take_policy(const char *what, const char *text, void *field);

/** Gives the policy to a graph, if the option was given. */
void sl_app_use_policy(struct sl_graph_builder *graph, const struct sl_app_policy *policy);

/** Reads a predicate and its argument, `NAME[:ARGUMENT]`, into a struct sl_channel_options. */
void sl_app_take_predicate(const char *what, const char *text, void *field);

/** A whole number from `least` to `most`, for functions of type sl_argument_take. */
uint64_t sl_argument_number(const char *what, const char *text, uint64_t least, uint64_t most);

/** A word's number in `words`, "grid|random", likewise. */
unsigned sl_argument_choice(const char *what, const char *text, const char *words);

/** Ends the program: prints what is wrong with the command line, by a format of printf() without
 * newline, on standard error. The exit status is SL_APP_USAGE. */
void sl_argument_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
