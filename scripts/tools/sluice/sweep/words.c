/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts that are lists of words, and command lines. */
#define _GNU_SOURCE 1
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

json_t *sweep_split(const char *text, const char *separators)
{
    json_t *const words = json_array();

    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        const size_t length = strcspn(text, separators);
        json_array_append_new(words, json_stringn(text, length));
        text += length;
    }
    return words;
}

json_t *sweep_values(const char *text)
{
    const size_t length = strlen(text);
    const bool has_empty =
        length == 0 || text[0] == ',' || text[length - 1] == ',' || strstr(text, ",,") != NULL;

    return has_empty ? NULL : sweep_split(text, ",");
}

/* One word from *text on, without its quotes; NULL where one is not closed. */
static json_t *take_word(const char **text)
{
    const char *at = *text;
    char *const word = malloc(strlen(at) + 1);
    size_t length = 0;
    char quote = '\0';

    for (; word != NULL && *at != '\0' && (quote != '\0' || *at != ' '); at++) {
        if (quote == '\0' ? *at == '\'' || *at == '"' : *at == quote) {
            quote = quote == '\0' ? *at : '\0';
        } else {
            at += *at == '\\' && quote != '\'' && at[1] != '\0' ? 1 : 0;
            word[length++] = *at;
        }
    }
    *text = at;
    json_t *const taken = word != NULL && quote == '\0' ? json_stringn(word, length) : NULL;
    free(word);
    return taken;
}

json_t *sweep_words(const char *line)
{
    json_t *const words = json_array();

    for (line += strspn(line, " "); *line != '\0'; line += strspn(line, " ")) {
        json_t *const word = take_word(&line);
        if (word == NULL) {
            json_decref(words);
            return NULL;
        }
        json_array_append_new(words, word);
    }
    return words;
}

/* A word as sweep_words() reads it. */
static void print_word(FILE *out, const char *word)
{
    if (word[0] != '\0' && strpbrk(word, " '\"\\") == NULL) {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('"', out);
    for (; *word != '\0'; word++) {
        (void)fprintf(out, "%s%c", *word == '"' || *word == '\\' ? "\\" : "", *word);
    }
    (void)fputc('"', out);
}

void sweep_join(const json_t *words, char *out, size_t bytes)
{
    FILE *const line = fmemopen(out, bytes, "w");
    size_t i;
    const json_t *word;

    out[0] = '\0';
    if (line == NULL) {
        return;
    }
    json_array_foreach(words, i, word)
    {
        (void)fputs(i > 0 ? " " : "", line);
        print_word(line, json_string_value(word));
    }
    (void)fclose(line);
    out[bytes - 1] = '\0';
}
