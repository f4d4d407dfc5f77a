/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sparse matrices from hashed numbers. */
#include "workloads/common/algebra/sparse.h"

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/matrix.h"

static const struct keys random_words = {.pattern = KEYS_RANDOM};

static uint32_t row_length(uint32_t row, uint32_t rows, uint32_t longest)
{
    const uint32_t length = 1 + (keys_at(&random_words, row) >> 8) % longest;
    return length < rows ? length : rows;
}

/* Each column is somewhere in its share of the row. */
static void fill_row(const struct sparse *matrix, uint32_t row, uint64_t *random)
{
    const uint32_t first = matrix->begin[row];
    const uint32_t length = matrix->begin[row + 1] - first;

    matrix_fill(matrix->value + first, length, random);
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t place = keys_at(&random_words, first + i) % matrix->rows;
        matrix->column[first + i] = (uint32_t)(((uint64_t)i * matrix->rows + place) / length);
        matrix->value[first + i] /= (float)length;
    }
}

void sparse_make(struct sl_soc *soc, uint32_t rows, uint32_t longest, size_t align,
                 uint64_t *random, struct sparse *matrix)
{
    uint32_t elements = 0;

    matrix->rows = rows;
    matrix->begin = sl_app_alloc(soc, (rows + 1) * sizeof *matrix->begin, align);
    for (uint32_t row = 0; row < rows; row++) {
        elements += row_length(row, rows, longest);
        matrix->begin[row + 1] = elements;
    }
    matrix->column = sl_app_alloc(soc, elements * sizeof *matrix->column, align);
    matrix->value = sl_app_alloc(soc, elements * sizeof *matrix->value, align);
    for (uint32_t row = 0; row < rows; row++) {
        fill_row(matrix, row, random);
    }
}
