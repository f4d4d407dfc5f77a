/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernel machine code, as all of its analyses take it. */
#ifndef SLUICE_HOST_CODE_H
#define SLUICE_HOST_CODE_H

#include <stddef.h>
#include <stdint.h>

/* A function of the code. Those that begin inside an earlier one are part of it. */
struct sl_function {
    uint64_t address;
    uint64_t bytes;
};

/* Bytes that nobody writes while kernels run. */
struct sl_read_only {
    uint64_t address;
    uint64_t bytes;
    const void *data;
};

struct sl_code {
    const uint32_t *words;
    size_t word_count;
    uint64_t base;                       /* address of the first word */
    const struct sl_function *functions; /* in any order */
    size_t function_count;
    const struct sl_read_only *constants; /* that jump tables are looked for in */
    size_t constant_count;
};

#endif
