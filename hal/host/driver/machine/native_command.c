/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The native engine's command line (sim-soc/native/main.c): its memory, its flash, its console, and
 * the plugin with its arguments. */
#include "host/driver/machine/qemu.h"

int sl_native_command_build(struct sl_qemu_command *command, const struct sl_qemu_paths *paths,
                            const struct sl_memory *memory, int lifeline_fd)
{
    *command = (struct sl_qemu_command){.count = 0};
    sl_qemu_command_add(command, "%s", paths->qemu);
    sl_qemu_command_add(command, "--dram-fd=%d", memory->dram_fd);
    sl_qemu_command_add(command, "--uart-fd=%d", memory->uart_fd);
    sl_qemu_command_add(command, "--flash=%s", paths->flash);
    sl_qemu_command_add(command, "--plugin=%s", paths->plugin);
    sl_qemu_command_add(command, "--");
    sl_qemu_command_add(command, "dram_fd=%d", memory->dram_fd);
    if (lifeline_fd >= 0) {
        sl_qemu_command_add(command, "lifeline_fd=%d", lifeline_fd);
    }
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        if (memory->block_fd[block] >= 0) {
            sl_qemu_command_add(command, "%s_fd=%d", sl_memory_block_name[block],
                                memory->block_fd[block]);
        }
    }
    return command->has_failed ? -1 : 0;
}
