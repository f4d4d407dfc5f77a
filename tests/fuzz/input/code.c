/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernel code and its functions, from what is computed when it is loaded. The last byte says how
 * many functions there are; where each begins and how long it is, in parcels, is in the bytes
 * before it, two each; the rest is code. Without functions, all of it is one. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/input/input.h"
#include "host/driver/code/analysis.h"
#include "sluice/memory_map.h"

#define FUNCTIONS_MAX  8
#define FUNCTION_BYTES 4
#define PARCEL_BYTES   2

static uint64_t number_at(const uint8_t *data)
{
    return ((uint64_t)data[0] | (uint64_t)data[1] << 8) * PARCEL_BYTES;
}

/* Those inside the code, which is what a file's symbols have been checked for. */
static size_t read_functions(const uint8_t *data, size_t count, uint64_t bytes,
                             struct sl_function functions[FUNCTIONS_MAX])
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t first = number_at(data + i * FUNCTION_BYTES);
        const uint64_t length = number_at(data + i * FUNCTION_BYTES + 2);
        if (first < bytes && length <= bytes - first) {
            functions[used++] = (struct sl_function){SL_KERNEL_BASE + first, length};
        }
    }
    if (used == 0) {
        functions[used++] = (struct sl_function){SL_KERNEL_BASE, bytes};
    }
    return used;
}

static void analyse(const struct sl_code *code)
{
    const size_t parcels = code->word_count * 2;
    uint32_t *const table = calloc(parcels, sizeof *table);
    uint64_t *const live = calloc(parcels, sizeof *live);

    input_check(table != NULL && live != NULL);
    input_check(sl_reconverge(code, table) == 0);
    input_check(sl_lock_joins(code, table) == 0);
    for (size_t i = 0; i < parcels; i++) {
        input_check(table[i] == UINT32_MAX || table[i] / PARCEL_BYTES < parcels);
    }
    input_check(sl_liveness(code, live) == 0);
    for (int may_nest = 0; may_nest <= 1; may_nest++) {
        struct sl_lock_finding *findings = NULL;
        size_t count = 0;
        input_check(sl_lock_check(code, may_nest != 0, &findings, &count) == 0);
        free(findings);
    }
    for (size_t i = 0; i < code->function_count; i++) {
        size_t scratch[2 * FUNCTIONS_MAX];
        uint64_t mask;
        bool yields;
        sl_registers_used(code, code->functions[i].address, scratch, &mask, &yields);
    }
    free(live);
    free(table);
}

int input_code(const uint8_t *data, size_t bytes)
{
    struct sl_function functions[FUNCTIONS_MAX];
    size_t count = bytes > 0 ? data[bytes - 1] % FUNCTIONS_MAX : 0;

    count = bytes > count * FUNCTION_BYTES ? count : 0;
    const size_t word_count = bytes > 0 ? (bytes - 1 - count * FUNCTION_BYTES) / 4 : 0;
    if (word_count == 0) {
        return 0;
    }
    uint32_t *const words = malloc(word_count * sizeof *words);
    input_check(words != NULL);
    memcpy(words, data, word_count * sizeof *words);
    const struct sl_code code = {
        .words = words,
        .word_count = word_count,
        .base = SL_KERNEL_BASE,
        .functions = functions,
        .function_count = read_functions(data + bytes - 1 - count * FUNCTION_BYTES, count,
                                         word_count * sizeof *words, functions),
    };
    analyse(&code);
    free(words);
    return 0;
}
