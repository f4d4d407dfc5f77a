/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A random sequence of instructions, with the state it starts in. It depends on the seed, the kind
 * and the number alone. */
#ifndef SLUICE_TESTS_FUZZ_NATIVE_SEQUENCE_H
#define SLUICE_TESTS_FUZZ_NATIVE_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#define SEQUENCE_INSTRUCTIONS 72 /* at most, with the jump to the end */

enum sequence_kind {
    SEQUENCE_ARITHMETIC, /* computes, and nothing traps */
    SEQUENCE_OPEN,       /* everything, but PMP entries */
    SEQUENCE_PROTECTED,  /* with PMP entries that are not locked, but by chance */
    SEQUENCE_LOCKED,     /* with locked entries on the kept area, the same for all of a seed */
    SEQUENCE_KINDS,
};

extern const char *const sequence_kind_name[SEQUENCE_KINDS];

struct sequence {
    uint32_t word[SEQUENCE_INSTRUCTIONS]; /* a compressed instruction has 16 bits */
    unsigned count;
    uint64_t code_at; /* the address of the first one */
    uint32_t landing; /* where a trap from elsewhere goes on, in bytes behind code_at */
    uint64_t x[32];
    uint64_t pmpaddr[16];
    uint64_t pmpcfg[2];
    uint64_t mstatus;
    uint64_t mie;
    uint64_t mscratch;
    uint64_t fill;
};

void sequence_make(struct sequence *sequence, enum sequence_kind kind, uint64_t seed,
                   uint64_t number);

/* Locked PMP entries that all sequences of a seed have; none unless the kind is SEQUENCE_LOCKED. */
void sequence_make_locks(uint64_t pmpaddr[16], uint64_t pmpcfg[2], enum sequence_kind kind,
                         uint64_t seed);

/* The kept area as it is at first: data in its first half, short pieces of code in the second. */
void sequence_make_kept(void *area, uint64_t seed);

/* Bytes of an instruction. */
static inline unsigned sequence_bytes(uint32_t word)
{
    return (word & 3) == 3 ? 4 : 2;
}

#endif
