/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A litmus file from its first line to its last: header, initial state, table, and the sections
 * behind it. */
#include "litmus/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/parse_parts.h"
#include "litmus/place.h"

#define FILE_BYTES 65536
#define RUNS_MAX   1000000000

unsigned litmus_parse_variable(struct litmus_scan *scan, const struct litmus_test *test)
{
    for (unsigned i = 0; i < test->variable_count; i++) {
        if (litmus_scan_take(scan, test->variable[i].name)) {
            return i;
        }
    }
    litmus_scan_fail(scan, scan->line,
                     "'%s' where a variable belongs; the initial state in braces names them all",
                     litmus_scan_shown(scan));
    return 0;
}

unsigned litmus_parse_register(struct litmus_scan *scan)
{
    const char number = scan->word[0] == 'r' && scan->word[1] != '\0' && scan->word[2] == '\0'
                            ? scan->word[1]
                            : '0';

    if (number < '1' || number > '0' + LITMUS_REGISTERS) {
        litmus_scan_fail(scan, scan->line, "'%s' where a register belongs, r1 to r%d",
                         litmus_scan_shown(scan), LITMUS_REGISTERS);
        return 0;
    }
    litmus_scan_next(scan);
    return (unsigned)(number - '1');
}

static void parse_header(struct litmus_scan *scan, struct litmus_test *test)
{
    if (!litmus_scan_is(scan, "Sluice")) {
        litmus_scan_fail(scan, scan->line, "'%s' where a header belongs: Sluice NAME",
                         litmus_scan_shown(scan));
        return;
    }
    litmus_scan_line(scan, test->name, sizeof test->name);
    if (test->name[0] == '\0') {
        litmus_scan_fail(scan, 1, "the header has no name: Sluice NAME");
    }
}

/* A word that can be told from a register and a number. */
static bool is_name(const struct litmus_scan *scan)
{
    const char *word = scan->word;
    const bool is_register = word[0] == 'r' && word[1] >= '0' && word[1] <= '9';

    return scan->token == LITMUS_TOKEN_WORD && !is_register && strchr(word, '.') == NULL;
}

static void parse_initial(struct litmus_scan *scan, struct litmus_test *test)
{
    litmus_scan_expect(scan, "{", "the initial state, { x=0; y=0; },");
    while (!litmus_scan_failed(scan) && !litmus_scan_take(scan, "}")) {
        struct litmus_variable *const variable = &test->variable[test->variable_count];
        if (test->variable_count == LITMUS_VARIABLES_MAX) {
            litmus_scan_fail(scan, scan->line,
                             "'%s' is one variable too many; there are %d at most",
                             litmus_scan_shown(scan), LITMUS_VARIABLES_MAX);
        } else if (!is_name(scan)) {
            litmus_scan_fail(scan, scan->line,
                             "'%s' where a variable's name or '}' belongs: { x=0; y=0; }",
                             litmus_scan_shown(scan));
        }
        for (unsigned i = 0; i < test->variable_count; i++) {
            if (litmus_scan_is(scan, test->variable[i].name)) {
                litmus_scan_fail(scan, scan->line, "variable '%s' is there twice", scan->word);
            }
        }
        if (litmus_scan_failed(scan)) {
            return;
        }
        memcpy(variable->name, scan->word, sizeof variable->name);
        litmus_scan_next(scan);
        litmus_scan_expect(scan, "=", "'=' and the variable's first value");
        variable->initial =
            litmus_scan_number(scan, "a value", -LITMUS_VALUE_MAX, LITMUS_VALUE_MAX);
        litmus_scan_expect(scan, ";", "';'");
        test->variable_count++;
    }
    if (!litmus_scan_failed(scan) && test->variable_count == 0) {
        litmus_scan_fail(scan, scan->line, "the initial state has no variable: { x=0; y=0; }");
    }
}

/* P0 | P1 ; */
static void parse_heads(struct litmus_scan *scan, struct litmus_test *test)
{
    char name[4] = "P0";

    do {
        if (test->thread_count == LITMUS_THREADS_MAX) {
            litmus_scan_fail(scan, scan->line, "too many threads; there are %d at most",
                             LITMUS_THREADS_MAX);
            return;
        }
        name[1] = (char)('0' + test->thread_count++);
        litmus_scan_expect(scan, name, "the head of a column, P0, P1 and so on,");
    } while (litmus_scan_take(scan, "|"));
    litmus_scan_expect(scan, ";", "'|' or ';'");
}

static bool is_section(const struct litmus_scan *scan)
{
    static const char *const words[] = {"scopes", "lines",  "observe", "never",
                                        "exists", "forall", "~"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (litmus_scan_is(scan, words[i])) {
            return true;
        }
    }
    return scan->token == LITMUS_TOKEN_END;
}

static void parse_table(struct litmus_scan *scan, struct litmus_test *test)
{
    struct litmus_labels labels[LITMUS_THREADS_MAX] = {0};

    parse_heads(scan, test);
    while (!is_section(scan)) {
        for (unsigned i = 0; i < test->thread_count; i++) {
            if (i > 0) {
                litmus_scan_expect(scan, "|", "'|' and the next column");
            }
            litmus_parse_cell(scan, test, &test->thread[i], &labels[i]);
        }
        litmus_scan_expect(scan, ";", "';' at the end of a row");
    }
    for (unsigned i = 0; i < test->thread_count && !litmus_scan_failed(scan); i++) {
        litmus_parse_targets(scan, &test->thread[i], &labels[i]);
    }
}

/* The systems of `observe N:` and `never:`, to the end of the line. */
static void parse_expectations(struct litmus_scan *scan, struct litmus_test *test, uint64_t runs)
{
    const unsigned line = scan->line;

    litmus_scan_expect(scan, ":", "':' and names of memory systems");
    if (scan->line != line || scan->token == LITMUS_TOKEN_END) {
        litmus_scan_fail(scan, line, "no memory system is named on this line; '*' is all of them");
    }
    while (scan->line == line && scan->token != LITMUS_TOKEN_END) {
        struct litmus_expectation *const expectation = &test->expectation[test->expectation_count];
        if (test->expectation_count == LITMUS_EXPECTATIONS_MAX) {
            litmus_scan_fail(scan, line, "too many memory systems; there are %d at most in a file",
                             LITMUS_EXPECTATIONS_MAX);
        } else if (scan->token != LITMUS_TOKEN_WORD && !litmus_scan_is(scan, "*")) {
            litmus_scan_fail(scan, line, "'%s' where the name of a memory system belongs, or '*'",
                             litmus_scan_shown(scan));
        } else {
            memcpy(expectation->system, scan->word, sizeof expectation->system);
            expectation->runs = runs;
            expectation->line = line;
            test->expectation_count++;
            litmus_scan_next(scan);
        }
    }
}

static void parse_lines(struct litmus_scan *scan, struct litmus_test *test)
{
    litmus_scan_expect(scan, ":", "':'");
    if (litmus_scan_take(scan, "one")) {
        test->one_line = true;
    } else {
        litmus_scan_expect(scan, "apart", "'one' (all variables in one cache line) or 'apart'");
    }
}

static void parse_sections(struct litmus_scan *scan, struct litmus_test *test)
{
    bool is_placed = false;

    for (;;) {
        const unsigned line = scan->line;
        if (litmus_scan_take(scan, "scopes")) {
            if (is_placed) {
                litmus_scan_fail(scan, line, "scopes are there twice");
            }
            is_placed = true;
            litmus_scan_expect(scan, ":", "':' and a tree of scopes");
            litmus_parse_scopes(scan, test);
        } else if (litmus_scan_take(scan, "lines")) {
            parse_lines(scan, test);
        } else if (litmus_scan_take(scan, "never")) {
            parse_expectations(scan, test, 0);
        } else if (litmus_scan_take(scan, "observe")) {
            const int64_t runs = litmus_scan_number(scan, "a number of runs", 1, RUNS_MAX);
            parse_expectations(scan, test, (uint64_t)runs);
        } else {
            break;
        }
    }
    if (!is_placed) {
        litmus_place_apart(test);
    }
    litmus_parse_condition(scan, test);
}

bool litmus_parse(const char *path, const char *text, struct litmus_test *test, char *error)
{
    struct litmus_scan scan;

    *test = (struct litmus_test){0};
    litmus_scan_begin(&scan, path, text, error);
    parse_header(&scan, test);
    if (!litmus_scan_failed(&scan)) {
        parse_initial(&scan, test);
    }
    if (!litmus_scan_failed(&scan)) {
        parse_table(&scan, test);
    }
    if (!litmus_scan_failed(&scan)) {
        parse_sections(&scan, test);
    }
    if (!litmus_scan_failed(&scan) && scan.token != LITMUS_TOKEN_END) {
        litmus_scan_fail(&scan, scan.line, "'%s' behind the condition, which ends the file",
                         scan.word);
    }
    return !litmus_scan_failed(&scan);
}

bool litmus_parse_file(const char *path, struct litmus_test *test, char *error)
{
    char text[FILE_BYTES];

    errno = 0;
    FILE *const file = fopen(path, "r");
    const size_t bytes = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    if (file == NULL || ferror(file)) {
        (void)snprintf(error, LITMUS_ERROR_BYTES, "cannot read '%s': %s", path, strerror(errno));
    } else if (bytes == sizeof text) {
        (void)snprintf(error, LITMUS_ERROR_BYTES, "%s: not a litmus file: longer than %d bytes",
                       path, FILE_BYTES - 1);
    } else if (memchr(text, '\0', bytes) != NULL) {
        (void)snprintf(error, LITMUS_ERROR_BYTES, "%s: not a litmus file: it is not text", path);
    } else {
        text[bytes] = '\0';
        (void)fclose(file);
        return litmus_parse(path, text, test, error);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return false;
}
