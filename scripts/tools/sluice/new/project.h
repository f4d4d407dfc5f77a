/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Projects made of a template: share/templates/common and share/templates/NAME among the parts of
 * Sluice (hal/config/install_paths.h). In the names and texts of their files, the_program,
 * THE_PROGRAM, the_template and the_sentence stand for what is different in each project; so
 * templates compile as they are. The lines at the top that say whose they are do not go along. */
#ifndef SLUICE_CLI_PROJECT_H
#define SLUICE_CLI_PROJECT_H

#include <stddef.h>

#define PROJECT_FILES     32 /* at most */
#define PROJECT_NAME_MAX  32 /* characters */
#define PROJECT_ERROR_MAX 8192

struct project_template {
    const char *name;
    const char *sentence; /* what a program of it is, without a full stop */
};

struct project {
    const struct project_template *template;
    const char *path; /* of its folder */
    const char *name; /* of its program */
    char *files[PROJECT_FILES];
    size_t count; /* of files */
    char error[PROJECT_ERROR_MAX];
};

/* Makes the folder, where it is not there, and the files in it, whose names are then in `files`
 * until project_free(). Returns CLI_DONE; CLI_USAGE where the folder has files in it, or is none;
 * or CLI_FAILED, and then what it made is gone again. Both with a message in `error`. What was
 * there before is never touched. */
int project_make(struct project *project);

void project_free(struct project *project);

#endif
