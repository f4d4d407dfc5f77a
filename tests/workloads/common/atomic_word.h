/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a function of common/atomics.def is given, and what it gives, for each lane; an array of
 * them, in the order of the functions, is what kernel scoped_atomics works on. */
#ifndef SLUICE_WORKLOADS_COMMON_ATOMIC_WORD_H
#define SLUICE_WORKLOADS_COMMON_ATOMIC_WORD_H

#include <stdint.h>

#define ATOMIC_LANES 64

struct atomic_word {
    uint64_t word[ATOMIC_LANES];     /* its low half, for widths of 32 bits */
    uint64_t value[ATOMIC_LANES];    /* operand; of compare-exchange: what is desired */
    uint64_t expected[ATOMIC_LANES]; /* of compare-exchange */
    uint64_t result[ATOMIC_LANES];   /* where there is one: converted to 64 bits */
};

#endif
