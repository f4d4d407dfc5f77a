/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the differential tests send to the program that executes lanes in qemu-riscv64
 * (target/runner.c), and what it sends back.
 *
 * Input: a header, the segments (each a struct and its bytes), the lanes. Output: the lanes, as
 * they are afterwards. */
#ifndef SLUICE_TESTS_FUZZ_EXCHANGE_H
#define SLUICE_TESTS_FUZZ_EXCHANGE_H

#include <stdint.h>

#define EXCHANGE_SCRATCH 32 /* 64-bit words of a lane's own memory */

struct exchange_header {
    uint64_t segment_count;
    uint64_t lane_count;
};

/* Memory to have at an address: whole pages, the first `data_bytes` of which follow, the others are
 * zero. */
struct exchange_segment {
    uint64_t address;
    uint64_t bytes;
    uint64_t data_bytes;
};

/* A lane begins at the address in x31 and ends by a jump to where x1 points to at first, and also
 * the word at which x3 points. The runner sets x1 and x3; x3 has to stay. */
struct exchange_lane {
    uint64_t x[32];
    uint64_t f[32];
    uint64_t fcsr;
    uint64_t scratch_address; /* 0: none */
    uint64_t scratch[EXCHANGE_SCRATCH];
};

#endif
