/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice manual and sluice completion: the manual page and the completion for bash, made from the
 * same tables as the help. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "sluice/version.h"

/* Text for troff: backslashes and dashes that are to be copied, no line that is a request. */
static void print_text(const char *text)
{
    bool at_start = true;
    for (; *text != '\0'; text++) {
        if (at_start && (*text == '.' || *text == '\'')) {
            (void)fputs("\\&", stdout);
        }
        at_start = *text == '\n';
        if (*text == '\\') {
            (void)fputs("\\e", stdout);
        } else if (*text == '-') {
            (void)fputs("\\-", stdout);
        } else if (*text == '\v') {
            (void)fputs("\n.PP\n", stdout);
            at_start = true;
        } else {
            (void)putchar(*text);
        }
    }
}

static void print_option(const struct argp_option *option)
{
    (void)fputs(".TP\n.B ", stdout);
    if (isprint(option->key)) {
        printf("\\-%c, ", option->key);
    }
    (void)fputs("\\-\\-", stdout);
    print_text(option->name);
    if (option->arg != NULL) {
        printf("=\\fI%s\\fR", option->arg);
    }
    (void)putchar('\n');
    print_text(option->doc);
    (void)putchar('\n');
}

static void print_command(const struct cli_command *command)
{
    const struct argp *const argp = command->argp;
    const char *line = argp->args_doc != NULL ? argp->args_doc : "";

    printf(".SS \"sluice %s\"\n", command->name);
    do {
        const size_t length = strcspn(line, "\n");
        printf(".B sluice %s\n.I %.*s\n.br\n", command->name, (int)length, line);
        line += length + (line[length] == '\n');
    } while (*line != '\0');
    (void)fputs(".PP\n", stdout);
    print_text(argp->doc);
    (void)putchar('\n');
    for (const struct argp_option *o = argp->options; o != NULL && o->name != NULL; o++) {
        print_option(o);
    }
    (void)fputs(".PP\nExample:\n.PP\n.RS\n.nf\n", stdout);
    print_text(command->example);
    (void)fputs("\n.fi\n.RE\n", stdout);
}

static int print_manual(const struct cli_command *command, int argc, char **argv,
                        const struct cli_command *const *commands)
{
    cli_parse(command, argc, argv, 0, NULL);
    (void)fputs(".TH SLUICE 1 \"\" \"Sluice " SL_VERSION
                "\" \"User commands\"\n.SH NAME\nsluice \\- run, profile and "
                "look after GPU control processors\n.SH SYNOPSIS\n.B sluice\n.I COMMAND\n.RI [ "
                "ARGUMENT ...]\n.br\n.B sluice \\-\\-version\n.br\n.B sluice \\-\\-pkgconfig\n"
                ".br\n.B sluice \\-\\-project\n.SH COMMANDS\n",
                stdout);
    for (size_t i = 0; commands[i] != NULL; i++) {
        print_command(commands[i]);
    }
    (void)fputs(
        ".SH OPTIONS\n.TP\n.B \\-\\-version\nPrint the version.\n.TP\n.B \\-\\-pkgconfig\nPrint "
        "the folder of the sluice.pc that belongs to this command, for PKG_CONFIG_PATH.\n"
        ".TP\n.B \\-\\-project\nPrint the folder of sluice.mk and sluice.cmake, which build "
        "programs.\n"
        ".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nwhat was checked is not as it should be, or "
        "a result is wrong\n.TP\n.B 2\nthe usage or a configuration is wrong\n.TP\n.B 3\na machine "
        "failed, or something that was needed could not be had\n",
        stdout);
    return CLI_DONE;
}

/* Words that may follow a command: its sub-commands and options. */
static void print_words(const struct cli_command *command)
{
    printf("    %s) words='%s --help", command->name, command->words != NULL ? command->words : "");
    for (const struct argp_option *o = command->argp->options; o != NULL && o->name != NULL; o++) {
        printf(" --%s", o->name);
    }
    (void)fputs("' ;;\n", stdout);
}

static int print_completion(const struct cli_command *command, int argc, char **argv,
                            const struct cli_command *const *commands)
{
    cli_parse(command, argc, argv, 0, NULL);
    (void)fputs("# bash completion for sluice; made by `sluice completion`\n"
                "_sluice() {\n"
                "    local current=${COMP_WORDS[COMP_CWORD]} words=\n"
                "    if ((COMP_CWORD == 1)); then\n"
                "        words='",
                stdout);
    for (size_t i = 0; commands[i] != NULL; i++) {
        printf("%s%s", i == 0 ? "" : " ", commands[i]->name);
    }
    (void)fputs("'\n"
                "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                "        return\n"
                "    fi\n"
                "    case ${COMP_WORDS[1]} in\n",
                stdout);
    for (size_t i = 0; commands[i] != NULL; i++) {
        print_words(commands[i]);
    }
    (void)fputs("    esac\n"
                "    if [[ ${COMP_WORDS[1]} == run ]] && ((COMP_CWORD == 2)); then\n"
                "        words+=\" $(\"${COMP_WORDS[0]}\" run --list 2>/dev/null)\"\n"
                "    fi\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                "    if ((${#COMPREPLY[@]} == 0)); then\n"
                "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
                "    fi\n"
                "}\n"
                "complete -o filenames -F _sluice sluice\n",
                stdout);
    return CLI_DONE;
}

static const struct argp manual_argp = {
    .doc = "Print the manual page, for man -l and for a folder of MANPATH.",
};

static const struct argp completion_argp = {
    .doc = "Print the completion for bash: source it, or put it into "
           "~/.local/share/bash-completion/completions/sluice.",
};

const struct cli_command cli_manual = {
    .name = "manual",
    .sentence = "print the manual page",
    .example = "sluice manual > sluice.1",
    .argp = &manual_argp,
    .run_on_all = print_manual,
};

const struct cli_command cli_completion = {
    .name = "completion",
    .sentence = "print the completion for bash",
    .example = "source <(sluice completion)",
    .argp = &completion_argp,
    .run_on_all = print_completion,
};
