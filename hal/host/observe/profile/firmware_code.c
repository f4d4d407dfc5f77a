/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Asks the firmware's ELF file for names. */
#include "host/observe/profile/firmware_profile.h"

#include <string.h>

#include "host/driver/code/debug_lines.h"
#include "host/driver/code/firmware_elf.h"

enum sl_status sl_firmware_code_open(struct sl_firmware_code *code, const struct sl_config *config,
                                     char *error, size_t error_bytes)
{
    *code = (struct sl_firmware_code){.names = {.lines = NULL}};
    const enum sl_status status = sl_firmware_elf_open(&code->elf, config, error, error_bytes);
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
