/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is beside the command, and what the user has elsewhere. */
#define _GNU_SOURCE 1
#include "common/programs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/driver/machine/paths.h"

bool cli_is_path(const char *name)
{
    return strchr(name, '/') != NULL;
}

/* Beside the command. */
static bool find_own(const char *name, char *out, size_t bytes)
{
    char beside[PATH_MAX];

    return name[0] != '\0' && name[0] != '.' && !cli_is_path(name) &&
           sl_path_beside_program(name, beside, sizeof beside) == 0 &&
           sl_path_find_program(beside, out, bytes) == 0;
}

bool cli_is_own_program(const char *name)
{
    char path[PATH_MAX];

    return find_own(name, path, sizeof path);
}

int cli_find_program(const char *name, char *out, size_t bytes)
{
    return find_own(name, out, bytes) || sl_path_find_program(name, out, bytes) == 0 ? 0 : -1;
}

/* Why a path is no program. */
static int fail_path(const struct cli_command *command, const char *path)
{
    struct stat state;

    if (stat(path, &state) != 0) {
        return cli_fail(command, CLI_USAGE, "there is no program '%s': %s", path, strerror(errno));
    }
    return cli_fail(command, CLI_USAGE, "'%s' is no program: it is %s", path,
                    S_ISREG(state.st_mode)   ? "a file that cannot be executed"
                    : S_ISDIR(state.st_mode) ? "a folder"
                                             : "no regular file");
}

int cli_check_program(const struct cli_command *command, const char *name)
{
    char path[PATH_MAX];

    if (cli_find_program(name, path, sizeof path) == 0) {
        return CLI_DONE;
    }
    if (cli_is_path(name)) {
        return fail_path(command, name);
    }
    return cli_fail(
        command, CLI_USAGE,
        "there is no program '%s', neither of Sluice's nor in PATH; `sluice run --list` "
        "lists Sluice's, and one of yours has its path, as in ./%s",
        name, name);
}

/* Host programs are told from tools by the kernel files that they were built with. */
static int is_kernel_file(const struct dirent *entry)
{
    const char *const dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".elf") == 0;
}

void cli_list_programs(FILE *out)
{
    char folder[PATH_MAX];
    struct dirent **files;

    if (sl_path_beside_program("../kernels", folder, sizeof folder) != 0) {
        return;
    }
    const int count = scandir(folder, &files, is_kernel_file, alphasort);
    for (int i = 0; i < count; i++) {
        *strrchr(files[i]->d_name, '.') = '\0';
        if (cli_is_own_program(files[i]->d_name)) {
            (void)fprintf(out, "%s\n", files[i]->d_name);
        }
        free(files[i]);
    }
    if (count >= 0) {
        free(files);
    }
}

int cli_become(const struct cli_command *command, const char *path, char *const *argv)
{
    (void)fflush(stdout);
    (void)execv(path, argv);
    return cli_fail(command, CLI_FAILED, "cannot run %s: %s", path, strerror(errno));
}
