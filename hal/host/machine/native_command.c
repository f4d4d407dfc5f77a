/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The native engine's command line (sim-soc/native/main.c): its memory, its flash, its console, and
 * the plugin with its arguments. */
#define _GNU_SOURCE 1
#include "host/machine/qemu.h"

#include <stdarg.h>
#include <stdio.h>

/* Appends a printf-style argument. */
__attribute__((format(printf, 2, 3))) static void add(struct sl_qemu_command *command,
                                                      const char *format, ...)
{
    va_list arguments;
    char *argument = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&argument, format, arguments);
    va_end(arguments);
    if (length < 0) {
        command->has_failed = true;
        return;
    }
    command->argument[command->count++] = argument;
    command->argument[command->count] = NULL;
}

int sl_native_command_build(struct sl_qemu_command *command, const struct sl_qemu_paths *paths,
                            const struct sl_memory *memory, int lifeline_fd)
{
    _Static_assert(SL_MEMORY_BLOCKS + 8 <= SL_QEMU_ARGUMENTS_MAX, "room for all arguments");
    *command = (struct sl_qemu_command){.count = 0};
    add(command, "%s", paths->qemu);
    add(command, "--dram-fd=%d", memory->dram_fd);
    add(command, "--uart-fd=%d", memory->uart_fd);
    add(command, "--flash=%s", paths->flash);
    add(command, "--plugin=%s", paths->plugin);
    add(command, "--");
    add(command, "dram_fd=%d", memory->dram_fd);
    if (lifeline_fd >= 0) {
        add(command, "lifeline_fd=%d", lifeline_fd);
    }
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        if (memory->block_fd[block] >= 0) {
            add(command, "%s_fd=%d", sl_memory_block_name[block], memory->block_fd[block]);
        }
    }
    return command->has_failed ? -1 : 0;
}
