/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the kernels of a program are. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/text.h"
#include "host/driver/machine/machine.h"
#include "host/driver/machine/paths.h"
#include "sluice/program.h"

/* From the program's folder. A project of one's own has them beside the program; where programs
 * have a folder, kernels have one too. */
static const char *const places[] = {"", "../kernels/"};

#define PLACES (sizeof places / sizeof places[0])

/* Each place that has been tried goes into `error`. */
static int find_beside(const char *file, char *path, size_t path_bytes, char *error,
                       size_t error_bytes)
{
    (void)snprintf(error, error_bytes, "there is no kernel file '%s': looked for", file);
    for (size_t i = 0; i < PLACES; i++) {
        char name[PATH_MAX];
        (void)snprintf(name, sizeof name, "%s%s", places[i], file);
        if (sl_path_beside_program(name, path, path_bytes) != 0) {
            (void)snprintf(error, error_bytes, "cannot look for kernel file '%s': %s", file,
                           strerror(errno));
            return -1;
        }
        if (access(path, F_OK) == 0) {
            return 0;
        }
        sl_text_append(error, error_bytes, i == 0 ? " %s" : " and %s", path);
    }
    sl_text_append(error, error_bytes, "; build it there, or give its path");
    return -1;
}

int sl_app_find_kernels(const char *file, char *path, size_t path_bytes, char *error,
                        size_t error_bytes)
{
    if (strchr(file, '/') == NULL) {
        return find_beside(file, path, path_bytes, error, error_bytes);
    }
    if ((size_t)snprintf(path, path_bytes, "%s", file) >= path_bytes) {
        (void)snprintf(error, error_bytes, "cannot load kernel file '%s': %s", file,
                       strerror(ENAMETOOLONG));
        return -1;
    }
    return 0;
}

enum sl_status sl_app_load(struct sl_soc *soc, const char *file, struct sl_module **module)
{
    char path[PATH_MAX];

    if (sl_app_find_kernels(file, path, sizeof path, soc->error, sizeof soc->error) != 0) {
        return SL_ERROR_USAGE;
    }
    return sl_module_load(soc, path, module);
}
