/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A program of libFuzzer for one of those that read input (FUZZ_TARGET). */
#include "fuzz/input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return FUZZ_TARGET(data, bytes);
}
