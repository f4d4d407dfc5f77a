/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Versions of QEMU. */
#include "host/machine/qemu_version.h"

#include <stdio.h>
#include <string.h>

int sl_qemu_version_parse(const char *text, struct sl_qemu_version *version)
{
    *version = (struct sl_qemu_version){.major = 0};
    const size_t length = strcspn(text, "\r\n");
    (void)snprintf(version->line, sizeof version->line, "%.*s", (int)length, text);
    if (strncmp(text, "QEMU", 4) != 0) {
        return -1;
    }
    const char *const at = strstr(version->line, "version ");
    if (at == NULL || sscanf(at, "version %d.%d", &version->major, &version->minor) != 2) {
        return -1;
    }
    return 0;
}

int sl_qemu_plugin_number(const struct sl_qemu_version *version)
{
    /* API 2 came with QEMU 8.2 and is the least that 9.0 and later accept. */
    const int at_least_8_2 = version->major > 8 || (version->major == 8 && version->minor >= 2);
    return at_least_8_2 ? 2 : 1;
}
