/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice config: lists and explains keys, checks files, and shows how machines differ. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "config/config_internal.h"
#include "sluice/config.h"

#define ERROR_BYTES 1024

struct words {
    char **word;
    unsigned count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct words *const words = state->input;

    (void)argument;
    if (key == ARGP_KEY_ARGS) {
        words->word = state->argv + state->next;
        words->count = (unsigned)(state->argc - state->next);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp config_argp = {
    .parser = parse,
    .args_doc = "list [MACHINE]\nexplain KEY...\ncheck MACHINE...\ndiff MACHINE MACHINE",
    .doc =
        "A MACHINE is a configuration file, the name of a preset, or a setting section.key=VALUE. "
        "`list` prints all keys with their values, `explain` what a key (or all keys of a section) "
        "means, `check` whether a machine can be built, `diff` the keys in which two "
        "differ.\v`check` ends with status 1 where a machine is bad, `diff` where two differ.",
};

static int read_machine(const struct cli_command *command, const char *name,
                        struct sl_config *config)
{
    char error[ERROR_BYTES];
    sl_config_init(config);
    const int status = strchr(name, '=') != NULL
                           ? sl_config_set(config, name, error, sizeof error)
                           : sl_config_read(config, name, error, sizeof error);

    if (status != 0 || sl_config_check(config, error, sizeof error) != 0) {
        return cli_fail(command, CLI_WRONG, "%s", error);
    }
    return CLI_DONE;
}

static void value_of(enum sl_config_key key, const struct sl_config *config, char *out,
                     size_t bytes)
{
    sl_config_tell(key, config, out, bytes);
    if (out[0] == '\0') {
        (void)snprintf(out, bytes, "(none)");
    }
}

/* Column of the values: behind the longest key. */
static int key_width(void)
{
    size_t width = 0;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        const size_t length = strlen(sl_config_table[i].key);
        width = length > width ? length : width;
    }
    return (int)width;
}

static int list(const struct cli_command *command, const struct words *words)
{
    static struct sl_config config;
    char value[SL_CONFIG_TEXT_MAX];

    sl_config_init(&config);
    if (words->count == 2 && read_machine(command, words->word[1], &config) != CLI_DONE) {
        return CLI_USAGE;
    }
    const int width = key_width();
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        value_of((enum sl_config_key)i, &config, value, sizeof value);
        const char *const source = config.source[i];
        const bool is_set = source[0] != '\0';
        printf("%-*s  %-*s%s%s\n", width, sl_config_table[i].key, is_set ? 14 : 0, value,
               is_set ? " " : "", source);
    }
    return CLI_DONE;
}

static void explain_key(enum sl_config_key key)
{
    static struct sl_config defaults;
    const struct sl_config_entry *const entry = &sl_config_table[key];
    char text[SL_CONFIG_TEXT_MAX];
    char most[64];

    sl_config_init(&defaults);
    value_of(key, &defaults, text, sizeof text);
    printf("%s\n    default  %s\n", entry->key, text);
    if (entry->type == SL_CONFIG_TYPE_CHOICE) {
        printf("    choices  %s\n", entry->choices);
    } else if (entry->type != SL_CONFIG_TYPE_TEXT) {
        sl_config_format_number(key, entry->least, text, sizeof text);
        sl_config_format_number(key, entry->most, most, sizeof most);
        printf("    range    %s to %s%s\n", text, most,
               entry->type == SL_CONFIG_TYPE_POWER ? ", a power of two" : "");
    }
    printf("    %s\n", entry->sentence);
}

static int explain_section(const char *section)
{
    int explained = 0;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (sl_config_is_in_section(sl_config_table[i].key, section)) {
            explain_key((enum sl_config_key)i);
            explained++;
        }
    }
    return explained;
}

static int explain(const struct cli_command *command, const struct words *words)
{
    int status = CLI_DONE;
    for (unsigned i = 1; i < words->count; i++) {
        const char *const word = words->word[i];
        const int key = sl_config_find(word);
        if (key >= 0) {
            explain_key((enum sl_config_key)key);
        } else if (explain_section(word) == 0) {
            const char *const near = sl_config_suggest_key(word);
            status = cli_fail(command, CLI_WRONG, "%s: no such key or section%s%s%s", word,
                              near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                              near != NULL ? "?" : "");
        }
    }
    return status;
}

static int check(const struct cli_command *command, const struct words *words)
{
    static struct sl_config config;
    int status = CLI_DONE;

    for (unsigned i = 1; i < words->count; i++) {
        if (read_machine(command, words->word[i], &config) == CLI_DONE) {
            printf("%s: good\n", words->word[i]);
        } else {
            status = CLI_WRONG;
        }
    }
    return status;
}

static int diff(const struct cli_command *command, const struct words *words)
{
    static struct sl_config machine[2];
    char value[2][SL_CONFIG_TEXT_MAX];
    int status = CLI_DONE;
    const int width = key_width();

    for (unsigned i = 0; i < 2; i++) {
        if (read_machine(command, words->word[1 + i], &machine[i]) != CLI_DONE) {
            return CLI_USAGE;
        }
    }
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        for (unsigned m = 0; m < 2; m++) {
            value_of((enum sl_config_key)i, &machine[m], value[m], sizeof value[m]);
        }
        if (strcmp(value[0], value[1]) != 0) {
            printf("%-*s  %-14s %s\n", width, sl_config_table[i].key, value[0], value[1]);
            status = CLI_WRONG;
        }
    }
    return status;
}

static const struct {
    const char *name;
    unsigned least;
    unsigned most;
    int (*run)(const struct cli_command *command, const struct words *words);
} actions[] = {
    {"list", 1, 2, list},
    {"explain", 2, ~0u, explain},
    {"check", 2, ~0u, check},
    {"diff", 3, 3, diff},
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct words words = {.count = 0};

    cli_parse(command, argc, argv, 0, &words);
    for (size_t i = 0; words.count > 0 && i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(actions[i].name, words.word[0]) == 0 && words.count >= actions[i].least &&
            words.count <= actions[i].most) {
            return actions[i].run(command, &words);
        }
    }
    return cli_fail(command, CLI_USAGE,
                    "expected `list [MACHINE]`, `explain KEY...`, `check MACHINE...` or `diff "
                    "MACHINE MACHINE`");
}

const struct cli_command cli_config = {
    .name = "config",
    .sentence = "list, explain, check and compare configurations",
    .example = "sluice config explain gpu.cus",
    .words = "list explain check diff",
    .argp = &config_argp,
    .run = run,
};
