/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Finds the firmware's ELF file beside the flash image, and asks it for names. */
#include "host/observe/profile/firmware_profile.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "host/driver/code/debug_lines.h"
#include "host/driver/machine/qemu.h"

/* Beside the flash image: "sluice.flash" gives "sluice.elf". */
static enum sl_status find_path(const struct sl_config *config, char *out, size_t bytes,
                                char *error, size_t error_bytes)
{
    struct sl_qemu_paths paths;
    if (config->text[SL_CFG_PROFILE_FIRMWARE][0] != '\0') {
        (void)snprintf(out, bytes, "%s", config->text[SL_CFG_PROFILE_FIRMWARE]);
        return SL_OK;
    }
    const enum sl_status status = sl_qemu_paths_find(config, &paths, error, error_bytes);
    if (status != SL_OK) {
        return status;
    }
    const char *const tail = ".flash";
    const size_t length = strlen(paths.flash);
    const bool has_tail =
        length > strlen(tail) && strcmp(paths.flash + length - strlen(tail), tail) == 0;
    (void)snprintf(out, bytes, "%.*s.elf", (int)(has_tail ? length - strlen(tail) : length),
                   paths.flash);
    return SL_OK;
}

enum sl_status sl_firmware_code_open(struct sl_firmware_code *code, const struct sl_config *config,
                                     char *error, size_t error_bytes)
{
    char path[PATH_MAX + 8];
    *code = (struct sl_firmware_code){.names = {.lines = NULL}};
    enum sl_status status = find_path(config, path, sizeof path, error, error_bytes);
    if (status == SL_OK) {
        status = sl_elf_open_firmware(&code->elf, path, error, error_bytes);
    }
    if (status != SL_OK) {
        return status;
    }
    code->names = (struct sl_code_names){
        .elf = &code->elf,
        .lines = sl_debug_lines_open(code->elf.elf),
    };
    return SL_OK;
}

void sl_firmware_code_close(struct sl_firmware_code *code)
{
    sl_debug_lines_close(code->names.lines);
    sl_elf_close(&code->elf);
    code->names.lines = NULL;
}

bool sl_firmware_code_is(const struct sl_firmware_code *code, const void *image)
{
    const struct sl_elf_segment *const segment = &code->elf.segments[code->elf.code];
    return memcmp(segment->data, image, segment->file_bytes) == 0;
}

uint64_t sl_firmware_code_places(const struct sl_firmware_code *code)
{
    return code->elf.segments[code->elf.code].bytes / 2;
}

void sl_firmware_code_mark(const struct sl_firmware_code *code, struct sl_profile *profile)
{
    for (size_t i = 0; i < code->elf.function_count; i++) {
        const struct sl_elf_function *const function = &code->elf.functions[i];
        const uint64_t first = (function->address - SL_FIRMWARE_BASE) / 2;
        for (uint64_t place = first; place < first + function->bytes / 2; place++) {
            if (profile->places[place].function == 0) {
                profile->places[place].function = (uint32_t)first + 1;
            }
        }
    }
}
