/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU's command line. */
#ifndef SLUICE_HOST_QEMU_COMMAND_H
#define SLUICE_HOST_QEMU_COMMAND_H

#include <stdbool.h>

#include "config/config.h"
#include "host/machine/memory.h"
#include "host/machine/qemu_paths.h"

#define SL_QEMU_ARGUMENTS_MAX 48

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

#endif
