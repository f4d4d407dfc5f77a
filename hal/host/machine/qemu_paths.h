/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where QEMU, the plugins and the firmware are, and which plugin a QEMU takes. */
#ifndef SLUICE_HOST_QEMU_PATHS_H
#define SLUICE_HOST_QEMU_PATHS_H

#include <limits.h>
#include <stddef.h>

#include "config/config.h"

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

#endif
