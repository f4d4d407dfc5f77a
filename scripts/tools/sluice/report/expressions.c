/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Panels' expressions, which are jq's (https://jqlang.org, libjq): a value's is applied to each
 * point, a check's to all of them.
 *
 * A point is its statistics as nested objects (.gpu.cycles), its coordinates (.at["gpu.cus"]), the
 * values worked out before (.value.speedup), and .report where the runs have one. Expressions can
 * use
 *     at(key; value)  the point that differs from this one in that coordinate alone
 *     point(where)    the first point with these coordinates: point({program: "Sort"})
 *     $facts          what is known of the programs' sources (share/lines.json) */
#define _GNU_SOURCE 1
#include "report/expressions.h"

#include <jq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands in front of each pass over the points, which are its input. */
#define PRELUDE                                                                                    \
    ". as $all"                                                                                    \
    " | def point($where): first($all[] | . as $p"                                                 \
    "     | select(all($where | to_entries[]; $p.at[.key] == .value)));"                           \
    " def at($key; $value): .at as $at | point($at + {($key): $value});\n"

/* Values pass by pass, so that one can use those before it; then the checks. What fails is an
 * object with the message. */
static char *program_of(const struct panel *panel)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    size_t i;
    const json_t *section;

    if (out == NULL) {
        return NULL;
    }
    (void)fputs(".facts as $facts | .points\n", out);
    json_array_foreach(panel_sections(panel, "value"), i, section)
    {
        const char *const runs = section_text(section, "runs");
        (void)fputs("| " PRELUDE "map(", out);
        if (runs != NULL) {
            (void)fprintf(out, "if (.at.runs as $r | \"%s\" | split(\" \") | index($r)) then ",
                          runs);
        }
        (void)fprintf(out, ".value[\"%s\"] = (try ([%s\n][0]) catch {error: tostring})",
                      section_text(section, "name"), section_text(section, "is"));
        (void)fprintf(out, "%s)\n", runs != NULL ? " else . end" : "");
    }
    (void)fputs("| " PRELUDE "{values: map(.value), checks: [", out);
    json_array_foreach(panel_sections(panel, "check"), i, section)
    {
        (void)fprintf(out, "%s(try ([%s\n][0]) catch {error: tostring})", i > 0 ? ", " : "",
                      section_text(section, "is"));
    }
    (void)fputs("]}\n", out);
    return fclose(out) == 0 ? text : NULL;
}

/* jq's own words, the first of them. */
static void take_message(void *data, jv message)
{
    char *const out = data;

    if (out[0] == '\0') {
        jv text = jq_format_error(message);
        (void)snprintf(out, EXPRESSION_MESSAGE_BYTES, "%s", jv_string_value(text));
        out[strcspn(out, "\n")] = '\0';
        jv_free(text);
    } else {
        jv_free(message);
    }
}

/* Whether a program is one; else why, in jq's words. Takes the program, NULL when out of memory. */
static bool compiles(char *program, char message[EXPRESSION_MESSAGE_BYTES])
{
    jq_state *jq = jq_init();

    message[0] = '\0';
    jq_set_error_cb(jq, take_message, message);
    const bool is_good = program != NULL && jq_compile(jq, program);
    free(program);
    jq_teardown(&jq);
    return is_good;
}

/* An expression by itself, so that a message can name it: jq's places are those of the program. */
static int check_expression(const struct cli_command *command, const struct panel *panel,
                            const json_t *section, const char *kind)
{
    char message[EXPRESSION_MESSAGE_BYTES];
    char *program = NULL;

    if (asprintf(&program, "null as $facts | " PRELUDE "[%s\n]", section_text(section, "is")) < 0) {
        program = NULL;
    }
    return compiles(program, message)
               ? CLI_DONE
               : cli_fail(command, CLI_USAGE, "%s: [%s %s] is = %s: %s", panel->path, kind,
                          section_text(section, "name"), section_text(section, "is"), message);
}

/* jq takes its time for each program, since it compiles its own library with it: expressions are
 * tried one by one only where they are not right together. */
int expressions_check(const struct cli_command *command, const struct panel *panel)
{
    static const char *const kinds[] = {"value", "check"};
    char message[EXPRESSION_MESSAGE_BYTES];

    if (compiles(program_of(panel), message)) {
        return CLI_DONE;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t i;
        const json_t *section;
        json_array_foreach(panel_sections(panel, kinds[k]), i, section)
        {
            if (check_expression(command, panel, section, kinds[k]) != CLI_DONE) {
                return CLI_USAGE;
            }
        }
    }
    return cli_fail(command, CLI_USAGE, "%s: %s", panel->path, message);
}

void expressions_open(struct expressions *expressions, const struct panel *panel)
{
    char *const text = program_of(panel);

    *expressions = (struct expressions){.jq = jq_init()};
    jq_set_error_cb(expressions->jq, take_message, expressions->message);
    expressions->is_compiled = text != NULL && jq_compile(expressions->jq, text);
    free(text);
}

void expressions_close(struct expressions *expressions)
{
    jq_teardown(&expressions->jq);
}

json_t *expressions_apply(struct expressions *expressions, const json_t *input)
{
    jq_state *const jq = expressions->jq;
    char *const text = json_dumps(input, JSON_COMPACT);
    json_t *result = NULL;

    if (!expressions->is_compiled) {
        free(text);
        return json_null();
    }
    jq_start(jq, text != NULL ? jv_parse(text) : jv_null(), 0);
    free(text);
    jv output = jq_next(jq);
    if (jv_is_valid(output)) {
        jv dumped = jv_dump_string(output, 0);
        /* jq writes large numbers without an exponent, which would be integers of no size */
        result = json_loads(jv_string_value(dumped), JSON_DECODE_INT_AS_REAL, NULL);
        jv_free(dumped);
    } else if (jv_invalid_has_msg(jv_copy(output))) {
        take_message(expressions->message, jv_invalid_get_msg(output));
    } else {
        jv_free(output);
    }
    return result != NULL ? result : json_null();
}
