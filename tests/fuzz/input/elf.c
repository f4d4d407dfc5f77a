/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A file of kernels, or the firmware's: segments, symbols, what kernels say of themselves. */
#include "host/driver/code/elf.h"

#include "fuzz/input/input.h"
#include "sluice/memory_map.h"

static void look_up(const struct sl_elf *elf)
{
    struct sl_elf_variable variable;
    const struct sl_elf_segment *const code = &elf->segments[elf->code];

    for (size_t i = 0; i < elf->function_count; i++) {
        const struct sl_elf_function *const function = &elf->functions[i];
        input_check(function->address >= code->address &&
                    function->address - code->address <= code->bytes &&
                    function->bytes <= code->bytes - (function->address - code->address));
        (void)sl_elf_function_at(elf, function->address + function->bytes / 2);
    }
    for (size_t i = 0; i < elf->segment_count; i++) {
        (void)sl_elf_variable_at(elf, elf->segments[i].address, &variable);
    }
}

int input_elf(const uint8_t *data, size_t bytes)
{
    struct input_file file = input_file_open(data, bytes);
    struct sl_elf elf;
    char error[512] = "";

    if (sl_elf_open(&elf, file.path, error, sizeof error) == 0) {
        look_up(&elf);
        sl_elf_close(&elf);
    } else {
        input_check(error[0] != '\0');
    }
    if (sl_elf_open_firmware(&elf, file.path, error, sizeof error) == 0) {
        look_up(&elf);
        sl_elf_close(&elf);
    }
    input_file_close(&file);
    return 0;
}
