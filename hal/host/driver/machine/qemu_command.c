/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU's command line (docs/know/design.md, facts 5, 8, 11 and 12): a stock `virt` machine with
 * DRAM in a memfd, the firmware in its flash, the console in a file, instruction-counted virtual
 * time, and the plugin. It is an array of arguments: no shell sees it. Nothing here starts
 * anything. */
#define _GNU_SOURCE 1
#include "host/driver/machine/qemu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "sluice/memory_map.h"

void sl_qemu_command_destroy(struct sl_qemu_command *command)
{
    for (int i = 0; i < command->count; i++) {
        free(command->argument[i]);
    }
    *command = (struct sl_qemu_command){.count = 0};
}

/* QEMU's option syntax separates by commas; one inside a value is written twice. NULL where memory
 * is used up. */
static char *escape_commas(const char *value)
{
    char *const out = malloc(2 * strlen(value) + 1);
    if (out == NULL) {
        return NULL;
    }
    char *to = out;
    for (const char *from = value; *from != '\0'; from++) {
        *to++ = *from;
        if (*from == ',') {
            *to++ = ',';
        }
    }
    *to = '\0';
    return out;
}

static void add_argument(struct sl_qemu_command *command, char *argument)
{
    if (argument == NULL || command->count >= SL_QEMU_ARGUMENTS_MAX) {
        free(argument);
        command->has_failed = true;
        return;
    }
    command->argument[command->count++] = argument;
    command->argument[command->count] = NULL;
}

__attribute__((format(printf, 2, 0))) static void
add_formatted(struct sl_qemu_command *command, const char *format, va_list arguments)
{
    char *argument = NULL;
    if (vasprintf(&argument, format, arguments) < 0) {
        argument = NULL;
    }
    add_argument(command, argument);
}

void sl_qemu_command_add(struct sl_qemu_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(command, format, arguments);
    va_end(arguments);
}

/* Appends an option and its printf-style value. */
__attribute__((format(printf, 3, 4))) static void add(struct sl_qemu_command *command,
                                                      const char *option, const char *format, ...)
{
    add_argument(command, strdup(option));
    if (format == NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    add_formatted(command, format, arguments);
    va_end(arguments);
}

/* A value with a path in it, whose commas are doubled. */
static void add_path(struct sl_qemu_command *command, const char *option, const char *before,
                     const char *path, const char *after)
{
    char *const escaped = escape_commas(path);
    if (escaped == NULL) {
        command->has_failed = true;
        return;
    }
    add(command, option, "%s%s%s", before, escaped, after);
    free(escaped);
}

bool sl_qemu_gdb_is_path(const char *where)
{
    return strchr(where, '/') != NULL || strchr(where, ':') == NULL;
}

static void add_gdb(struct sl_qemu_command *command, const char *where)
{
    const char *const colon = strrchr(where, ':');
    const char *const tail = ",server=on,wait=off";
    if (!sl_qemu_gdb_is_path(where)) {
        char host[SL_CONFIG_TEXT_MAX];
        (void)snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
        char rest[SL_CONFIG_TEXT_MAX + 64];
        /* Packets of a few bytes go back and forth: without nodelay each waits for the one before.
         */
        (void)snprintf(rest, sizeof rest, ",port=%s,nodelay=on%s", colon + 1, tail);
        add_path(command, "-chardev", "socket,id=gdb0,host=", host, rest);
    } else {
        add_path(command, "-chardev", "socket,id=gdb0,path=", where, tail);
    }
    add(command, "-gdb", "chardev:gdb0");
}

static void plugin_arguments(const struct sl_memory *memory, int lifeline_fd, char *out,
                             size_t bytes)
{
    (void)snprintf(out, bytes, ",dram_fd=%d", memory->dram_fd);
    if (lifeline_fd >= 0) {
        sl_text_append(out, bytes, ",lifeline_fd=%d", lifeline_fd);
    }
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        if (memory->block_fd[block] >= 0) {
            sl_text_append(out, bytes, ",%s_fd=%d", sl_memory_block_name[block],
                           memory->block_fd[block]);
        }
    }
}

int sl_qemu_command_build(struct sl_qemu_command *command, const struct sl_config *config,
                          const struct sl_qemu_paths *paths, const struct sl_memory *memory,
                          int lifeline_fd)
{
    const unsigned long long bytes = memory->dram_bytes;
    *command = (struct sl_qemu_command){.count = 0};
    add(command, paths->qemu, NULL);
    add(command, "-machine", "virt,memory-backend=dram");
    add(command, "-object",
        "memory-backend-file,id=dram,size=%llu,mem-path=/proc/self/fd/%d,share=on", bytes,
        memory->dram_fd);
    add(command, "-m", "%lluM", bytes >> 20);
    add(command, "-smp", "1");
    add(command, "-icount", "shift=0,sleep=off");
    add(command, "-bios", "none");
    add(command, "-display", "none");
    add(command, "-nodefaults", NULL);
    add(command, "-no-user-config", NULL);
    add(command, "-no-reboot", NULL);
    add(command, "-monitor", "none");
    /* A QEMU that takes the place of another one goes on where that has ended. */
    add(command, "-chardev", "file,id=uart0,path=/proc/self/fd/%d,append=on", memory->uart_fd);
    add(command, "-serial", "chardev:uart0");
    /* As much of flash as the image has, and the CPU begins there: a drive would read all of it. */
    char device[64];
    (void)snprintf(device, sizeof device, "loader,addr=0x%llx,cpu-num=0,force-raw=on,file=",
                   (unsigned long long)SL_FLASH_BASE);
    add_path(command, "-device", device, paths->flash, "");
    char tail[256];
    plugin_arguments(memory, lifeline_fd, tail, sizeof tail);
    add_path(command, "-plugin", "file=", paths->plugin, tail);
    if (config->text[SL_CFG_DEBUG_GDB][0] != '\0') {
        add_gdb(command, config->text[SL_CFG_DEBUG_GDB]);
    }
    return command->has_failed ? -1 : 0;
}
