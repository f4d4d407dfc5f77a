/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Gives the analysis what it reads: words that are aligned, which those of a file need not be. */
#include "lock_findings.h"

#include <stdlib.h>
#include <string.h>

int locks_find(const struct sl_elf *elf, struct sl_lock_finding **findings, size_t *count)
{
    const struct sl_elf_segment *code = &elf->segments[elf->code];
    uint32_t *words = malloc(code->bytes);
    struct sl_function *functions = calloc(elf->function_count, sizeof *functions);
    int status = -1;

    if (words != NULL && functions != NULL) {
        memcpy(words, code->data, code->bytes);
        for (size_t i = 0; i < elf->function_count; i++) {
            functions[i] = (struct sl_function){elf->functions[i].address, elf->functions[i].bytes};
        }
        const struct sl_code analysed = {
            .words = words,
            .word_count = code->bytes / sizeof *words,
            .base = code->address,
            .functions = functions,
            .function_count = elf->function_count,
        };
        status = sl_lock_check(&analysed, true, findings, count);
    }
    free(words);
    free(functions);
    return status;
}
