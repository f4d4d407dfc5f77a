/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loading of kernel files for component tests. */
#include "soc/kernel_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/liveness.h"
#include "host/reconverge.h"

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
    return elf->segments[elf->code].bytes / 2 * (sizeof(uint32_t) + sizeof(uint64_t));
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
    struct sl_read_only constants[SL_ELF_SEGMENTS_MAX];
    const size_t constant_count = sl_elf_constants(elf, constants);
    assert_int_equal(sl_reconverge_program(dram_at(dram, code->address), code->bytes / 4,
                                           code->address, functions, elf->function_count, constants,
                                           constant_count, dram_at(dram, table)),
                     0);
    const uint64_t live = table + code->bytes / 2 * sizeof(uint32_t);
    assert_int_equal(live % sizeof(uint64_t), 0);
    assert_int_equal(sl_liveness(dram_at(dram, code->address), code->bytes / 4, code->address,
                                 functions, elf->function_count, constants, constant_count,
                                 dram_at(dram, live)),
                     0);
    free(functions);
    return (struct sl_program){
        .code = code->address,
        .code_bytes = code->bytes,
        .reconvergence = table,
        .global_pointer = elf->global_pointer,
        .liveness = live,
    };
}
