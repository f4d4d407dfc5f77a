/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From words and symbols to functions and instructions. */
#include "host/driver/code/decoded.h"

#include <stdlib.h>
#include <string.h>

/* By address; of those that begin together the longest first. */
static int compare_functions(const void *left, const void *right)
{
    const struct sl_function *x = left;
    const struct sl_function *y = right;
    if (x->address != y->address) {
        return x->address < y->address ? -1 : 1;
    }
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* The part of a function that is inside the code; empty where there is none. */
static struct sl_code_range range_of(const struct sl_function *function, uint64_t base,
                                     size_t parcels)
{
    uint64_t limit = base + 2 * (uint64_t)parcels;
    if (function->address < base || function->address >= limit || function->address % 2 != 0) {
        return (struct sl_code_range){0, 0};
    }
    uint64_t bytes = limit - function->address;
    if (function->bytes < bytes) {
        bytes = function->bytes;
    }
    size_t first = (size_t)((function->address - base) / 2);
    return (struct sl_code_range){first, first + (size_t)(bytes / 2)};
}

/* Decodes the instructions of a function, one behind the other from its beginning. Returns where
 * the last whole one ends. */
static size_t decode(struct sl_insn *insns, const uint32_t *words, struct sl_code_range range)
{
    size_t at = range.first;

    while (at < range.end) {
        uint32_t word = 0;
        memcpy(&word, (const char *)words + 2 * at, range.end - at > 1 ? 4 : 2);
        insns[at] = sl_insn_decode(word);
        if (insns[at].bytes > 2 * (range.end - at)) {
            insns[at] = (struct sl_insn){0};
            break;
        }
        at += insns[at].bytes / 2;
    }
    return at;
}

static void decode_all(struct sl_decoded *decoded, const struct sl_function *sorted)
{
    const struct sl_code *code = decoded->code;
    size_t done = 0;
    for (size_t f = 0; f < code->function_count; f++) {
        struct sl_code_range range = range_of(&sorted[f], code->base, decoded->parcels);
        if (range.first < done || range.first == range.end) {
            continue;
        }
        range.end = decode(decoded->insns, code->words, range);
        if (range.first == range.end) {
            continue;
        }
        decoded->ranges[decoded->range_count++] = range;
        done = range.end;
    }
}

int sl_decoded_open(const struct sl_code *code, struct sl_decoded *decoded)
{
    *decoded = (struct sl_decoded){.code = code, .parcels = 2 * code->word_count};
    decoded->insns = calloc(decoded->parcels + 1, sizeof *decoded->insns);
    decoded->ranges = calloc(code->function_count + 1, sizeof *decoded->ranges);
    struct sl_function *sorted = calloc(code->function_count + 1, sizeof *sorted);
    int status = -1;

    if (decoded->insns != NULL && decoded->ranges != NULL && sorted != NULL) {
        if (code->function_count > 0) {
            memcpy(sorted, code->functions, code->function_count * sizeof *sorted);
            qsort(sorted, code->function_count, sizeof *sorted, compare_functions);
        }
        decode_all(decoded, sorted);
        status = 0;
    }
    free(sorted);
    return status;
}

void sl_decoded_close(struct sl_decoded *decoded)
{
    free(decoded->insns);
    free(decoded->ranges);
    *decoded = (struct sl_decoded){0};
}
