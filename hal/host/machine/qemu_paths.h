/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where QEMU, the plugins and the firmware are. */
#ifndef SLUICE_HOST_QEMU_PATHS_H
#define SLUICE_HOST_QEMU_PATHS_H

#include <limits.h>
#include <stddef.h>

#include "config/config.h"
#include "host/machine/qemu_version.h"

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
