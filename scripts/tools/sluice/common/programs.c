/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is beside the command in build/bin. */
#define _GNU_SOURCE 1
#include "common/programs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/machine/path.h"

int cli_has_program(const char *name)
{
    char path[PATH_MAX];

    return strchr(name, '/') == NULL && name[0] != '\0' && name[0] != '.' &&
           sl_path_beside_program(name, path, sizeof path) == 0 && access(path, X_OK) == 0;
}

int cli_check_program(const struct cli_command *command, const char *name)
{
    return cli_has_program(name)
               ? CLI_DONE
               : cli_fail(command, CLI_USAGE,
                          "there is no program '%s'; `sluice run --list` lists those there are",
                          name);
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
        if (cli_has_program(files[i]->d_name)) {
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
