/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loading of kernel files for component tests. */
#include "soc/common/kernel_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"

void kernel_file_open(struct sl_elf *elf, const char *file, const struct dram *dram)
{
    const char *build = getenv("SLUICE_BUILD");
    char path[1024];
    char error[512];
    (void)snprintf(path, sizeof path, "%s/kernels/%s", build == NULL ? "build" : build, file);
    if (sl_elf_open(elf, path, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct sl_elf_segment *segment = &elf->segments[i];
        memcpy(dram_at(dram, segment->address), segment->data, segment->file_bytes);
    }
}

uint64_t kernel_file_table_bytes(const struct sl_elf *elf)
{
    return fixture_table_bytes(elf->segments[elf->code].bytes);
}

struct sl_program kernel_file_analyse(const struct sl_elf *elf, const struct dram *dram,
                                      uint64_t table)
{
    const struct sl_elf_segment *code = &elf->segments[elf->code];
    struct sl_function *functions = calloc(elf->function_count, sizeof *functions);
    assert_non_null(functions);
    for (size_t i = 0; i < elf->function_count; i++) {
        functions[i] = (struct sl_function){elf->functions[i].address, elf->functions[i].bytes};
    }
    const struct fixture_code description = {
        .address = code->address,
        .bytes = code->bytes,
        .functions = functions,
        .function_count = elf->function_count,
    };
    struct sl_program program = fixture_analyse(dram, &description, table);
    program.global_pointer = elf->global_pointer;
    free(functions);
    return program;
}

uint64_t kernel_file_function(const struct sl_elf *elf, const char *name)
{
    for (size_t i = 0; i < elf->function_count; i++) {
        if (strcmp(elf->functions[i].name, name) == 0) {
            return elf->functions[i].address;
        }
    }
    fail_msg("no function %s", name);
    return 0;
}

uint32_t kernel_file_entry(const struct sl_elf *elf, const char *name)
{
    return (uint32_t)(kernel_file_function(elf, name) - elf->segments[elf->code].address);
}
