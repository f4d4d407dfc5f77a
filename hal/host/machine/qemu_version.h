/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which QEMU it is, and which plugin it takes. */
#ifndef SLUICE_HOST_QEMU_VERSION_H
#define SLUICE_HOST_QEMU_VERSION_H

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

#endif
