/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the parts of Sluice are that a program needs when it runs: plugin, flash image, presets,
 * what pages are made of.
 *
 * All of them are in one folder, home, which looks the same wherever it is: the build folder of a
 * source tree, or lib/sluice of an installation (docs/do/install.md, "What is installed"). Nothing
 * absolute is compiled in: home is found by where the code of this file was loaded from, a program
 * or libsluice.so, so that an installation can be moved. SLUICE_HOME in the environment is above
 * that. */
#ifndef SLUICE_CONFIG_INSTALL_PATHS_H
#define SLUICE_CONFIG_INSTALL_PATHS_H

#include <stddef.h>

/* What home is found to be, which decides what a user can do where a part is missing. */
enum sl_home_kind {
    SL_HOME_BUILD,
    SL_HOME_INSTALLED,
    SL_HOME_NONE, /* a program with libsluice.a in it that is somewhere else */
};

/* The folder of the running program, however it was called. Returns 0, or -1 with errno. */
int sl_program_directory(char *out, size_t bytes);

/* The path of a part in home: "firmware/sluice.flash". Whether it exists is not looked at. Returns
 * 0, or -1 with errno. */
int sl_home_path(const char *part, char *out, size_t bytes);

/* The same for the home of code that was loaded from `file`: the folder `sluice` beside a library
 * that is installed, else the one around the file's folder. */
int sl_home_of(const char *file, const char *part, char *out, size_t bytes);

enum sl_home_kind sl_home_kind(void);

/* The end of a message that a part is missing: how to get it. `target` is what makes it in a source
 * tree ("flash"). Returns `out`. */
const char *sl_home_advice(const char *target, char *out, size_t bytes);

/* A part's path, and whether it can be read: 0, or -1 with a message, which begins with the path
 * and ends with advice. */
int sl_home_find(const char *part, const char *target, char *out, size_t bytes, char *error,
                 size_t error_bytes);

#endif
