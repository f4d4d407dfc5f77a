/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random instruction sequences over all of RV64IMAFDC, and operands that are near the edges. */
#ifndef SLUICE_TESTS_FUZZ_GENERATE_H
#define SLUICE_TESTS_FUZZ_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz/exchange.h"

/* A generator: the same seed makes the same code and the same lanes. */
struct generator {
    uint64_t state;
    uint16_t *code; /* parcels */
    size_t parcels;
    size_t capacity;
    bool is_counted; /* what is emitted now is executed by all lanes of the wavefront */
    uint64_t lanes;  /* how many that are */
};

/* Emits a sequence of about `length` instructions, which ends the lane, and counts them as executed
 * by `lanes` lanes. Starts and ends at whole words. */
void generate_sequence(struct generator *g, unsigned length, uint64_t lanes);

/* Fills a lane's registers, fcsr and scratch memory. With is_nearest, frm says ties to even. */
void generate_lane(struct generator *g, struct exchange_lane *lane, uint64_t scratch_address,
                   bool is_nearest);

uint64_t generate_random(struct generator *g);

/* The instructions that sequences are made of: those of hal/isa/riscv.def but Xsluice's, then the
 * compressed ones. Mnemonic, and the lanes that have executed it; NULL behind the last. */
const char *generate_coverage(size_t index, uint64_t *lanes);

#endif
