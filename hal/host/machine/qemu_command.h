/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What to start: the paths of QEMU, plugin and firmware, and QEMU's command line. */
#ifndef SLUICE_HOST_QEMU_COMMAND_H
#define SLUICE_HOST_QEMU_COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "host/machine/memory.h"

#define SL_QEMU_ARGUMENTS_MAX 48

struct sl_qemu_version {
    char line[128]; /* the first line of `qemu --version` */
    int major;
    int minor;
};

/* Reads the output of `qemu --version`. Returns 0, or -1 where it is not that of a QEMU. */
int sl_qemu_version_parse(const char *text, struct sl_qemu_version *version);

/* The plugin for a QEMU: 1 is built against plugin API 1 (up to QEMU 8.1), 2 against 2 and later.
 */
int sl_qemu_plugin_number(const struct sl_qemu_version *version);

struct sl_qemu_paths {
    char qemu[PATH_MAX];
    char plugin_directory[PATH_MAX];
    char flash[PATH_MAX];
};

/* Finds QEMU (by path, or in PATH), the plugin directory and the flash image. Returns 0, or -1 with
 * a message that names the key and what to do. */
int sl_qemu_paths_find(const struct sl_config *config, struct sl_qemu_paths *paths, char *error,
                       size_t error_bytes);

/* The plugin's file for a QEMU. Returns 0, or -1 with a message. */
int sl_qemu_plugin_path(const struct sl_qemu_paths *paths, const struct sl_qemu_version *version,
                        char *out, size_t out_bytes, char *error, size_t error_bytes);

/* An argument array for execv(), NULL at its end. */
struct sl_qemu_command {
    char *argument[SL_QEMU_ARGUMENTS_MAX + 1];
    int count;
};

/* Builds it; the descriptors of `memory` but the log's are those that QEMU inherits. Returns 0, or
 * -1 where memory is used up. sl_qemu_command_destroy() is to be called in either case. */
int sl_qemu_command_build(struct sl_qemu_command *command, const struct sl_config *config,
                          const struct sl_qemu_paths *paths, const char *plugin,
                          const struct sl_memory *memory);
void sl_qemu_command_destroy(struct sl_qemu_command *command);

/* Whether a value of debug.gdb is the path of a Unix socket; else it is host:port. */
bool sl_qemu_gdb_is_path(const char *where);

/* `path` taken from the directory of the running program: "../lib". Returns 0, or -1 with errno. */
int sl_path_beside_program(const char *path, char *out, size_t bytes);

#endif
