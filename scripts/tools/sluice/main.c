/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice: the command that runs, profiles and looks after machines. It finds the sub-command and
 * hands it the rest of the line. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/programs.h"
#include "config/install_paths.h"
#include "host/base/safe_write.h"
#include "host/base/std_fds.h"
#include "sluice/version.h"

/* In the order in which help shows them. */
static const struct cli_command *const commands[] = {
    &cli_new,    &cli_run,   &cli_cc,     &cli_report, &cli_profile,    &cli_annotate, &cli_sweep,
    &cli_config, &cli_flash, &cli_doctor, &cli_manual, &cli_completion, NULL,
};

static void print_help(FILE *out)
{
    (void)fprintf(out, "usage: sluice COMMAND [ARGUMENT...]\n\n");
    for (size_t i = 0; commands[i] != NULL; i++) {
        (void)fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->sentence);
    }
    (void)fputs(
        "\n`sluice COMMAND --help` shows its options and an example; `sluice --version` "
        "the version,\n`sluice --pkgconfig` the folder of sluice.pc, for "
        "PKG_CONFIG_PATH,\n`sluice --project` the folder of sluice.mk and sluice.cmake, which "
        "build programs.\n",
        out);
}

static const struct cli_command *find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* A folder of this command's Sluice, for those who build programs. */
static int print_folder(const char *folder, const char *what)
{
    char part[PATH_MAX];
    char path[PATH_MAX];

    if (sl_home_path(folder, part, sizeof part) != 0 || realpath(part, path) == NULL) {
        (void)fprintf(stderr, "sluice: there is no %s: %s\n", what, strerror(errno));
        return CLI_FAILED;
    }
    printf("%s\n", path);
    return CLI_DONE;
}

static int print_pkgconfig(void)
{
    const bool is_build = sl_home_kind() == SL_HOME_BUILD;
    return print_folder(is_build ? "lib/pkgconfig" : "../pkgconfig", "sluice.pc");
}

/* Output that nobody could read is none. */
static int finish(int status)
{
    if (ferror(stdout) != 0 || fclose(stdout) != 0) {
        (void)fprintf(stderr, "sluice: cannot write to standard output\n");
        return CLI_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    sl_standard_occupy();
    sl_write_catch_limit();
    sl_standard_children();
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sluice %s\n", SL_VERSION);
        return finish(CLI_DONE);
    }
    if (strcmp(argv[1], "--pkgconfig") == 0) {
        return finish(print_pkgconfig());
    }
    if (strcmp(argv[1], "--project") == 0) {
        return finish(print_folder("share/project", "sluice.mk"));
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return finish(CLI_DONE);
    }
    const struct cli_command *const command = find(argv[1]);
    if (command == NULL) {
        (void)fprintf(stderr, "sluice: there is no command '%s'\n", argv[1]);
        print_help(stderr);
        return CLI_USAGE;
    }
    return finish(command->run_on_all != NULL
                      ? command->run_on_all(command, argc - 1, argv + 1, commands)
                      : command->run(command, argc - 1, argv + 1));
}
