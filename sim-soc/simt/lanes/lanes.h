/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Operations on all lanes of a wavefront at once.
 *
 * A register of a wavefront is an array of 64 values, one per lane, so that the compiler vectorizes
 * the loops of lanes_exec.c. That file is compiled once per instruction set of the host (baseline,
 * AVX2, AVX-512), and lanes_select() chooses at run time. Results are the same in all of them. */
#ifndef SLUICE_SIMT_LANES_H
#define SLUICE_SIMT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"
#include "sluice/limits.h"

#define LANES SL_LANES_MAX

typedef uint64_t lane_vector[LANES] __attribute__((aligned(64)));

static inline unsigned lowest_lane(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* Lanes of a mask in ascending order. */
#define FOR_EACH_LANE(lane, mask)                                                                  \
    for (uint64_t lane, rest_ = (mask); rest_ != 0 && (lane = lowest_lane(rest_), 1);              \
         rest_ &= rest_ - 1)

/* d = a OP b, or a OP immediate, in every lane. */
typedef void (*lanes_alu_fn)(uint64_t *d, const uint64_t *a, const uint64_t *b, int64_t immediate);

/* The same only in lanes whose word of `select` is all ones; it is zero in the others. */
typedef void (*lanes_alu_masked_fn)(uint64_t *d, const uint64_t *a, const uint64_t *b,
                                    int64_t immediate, const uint64_t *select);

/* An instruction of the F or D extension on operands a, b, c in all lanes, with the processor's
 * rounding mode. Lanes whose word of `select` is zero compute on operands that raise no flag; what
 * they get is not specified. Returns false where the result or the flags that the processor raised
 * may be wrong, as they differ from RISC-V's or are not the processor's at all. d may be no
 * operand. */
typedef bool (*lanes_float_fn)(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                               const uint64_t *select);

/* For an instruction whose result is d, with no flag but NX raised in any lane. Bit i: lane i may
 * be inexact. Where it is zero, the lane is exact, if it was selected. */
typedef uint64_t (*lanes_doubtful_fn)(const uint64_t *d, const uint64_t *a, const uint64_t *b,
                                      const uint64_t *c);

/* Bit i: whether lane i takes the branch. */
typedef uint64_t (*lanes_branch_fn)(const uint64_t *a, const uint64_t *b);

/* d[i] = place i of an array of the access's type, extended */
typedef void (*lanes_load_fn)(uint64_t *d, const uint8_t *bytes);

/* place i of the array = value[i] */
typedef void (*lanes_store_fn)(uint8_t *bytes, const uint64_t *value);

#define LANES_LOADS  18
#define LANES_STORES 9

struct lanes_ops {
    const char *name;
    lanes_alu_fn alu[SL_INSN_COUNT];
    lanes_alu_masked_fn alu_masked[SL_INSN_COUNT];
    lanes_branch_fn branch[SL_INSN_COUNT];
    const lanes_float_fn *compute;     /* by instruction; float_exec.c */
    const lanes_doubtful_fn *doubtful; /* the same; float_exact.c; NULL where NX is never raised */

    /* select[i] = bit i of mask, as all ones or zero */
    void (*expand)(uint64_t *select, uint64_t mask);

    /* d[i] = s[i] where selected */
    void (*copy)(uint64_t *d, const uint64_t *s, const uint64_t *select);

    /* d[i] = value where selected */
    void (*set)(uint64_t *d, uint64_t value, const uint64_t *select);

    /* address[i] = a[i] + immediate, in every lane. Bit i of the result: the address is outside
     * [base, base + size) or has a bit of `misaligned` set. */
    uint64_t (*address)(uint64_t *address, const uint64_t *a, int64_t immediate, uint64_t base,
                        uint64_t size, uint64_t misaligned);

    /* Bit i: cycles[i] is at most `cycle`; and the least of all but those whose bit is set in
     * `except`. `cycles` is aligned to 64 bytes, and read up to the next multiple of 8 from
     * `count`.
     */
    uint64_t (*due)(const uint64_t *cycles, uint32_t count, uint64_t cycle);
    uint64_t (*earliest)(const uint64_t *cycles, uint32_t count, uint64_t except);

    /* Bit i of the result: address[i] is not base + i x stride. */
    uint64_t (*off_stride)(const uint64_t *address, uint64_t base, uint64_t stride);

    /* All lanes from or to consecutive places; by access_bytes x 2 + is_signed, and by
     * access_bytes. */
    lanes_load_fn load[LANES_LOADS];
    lanes_store_fn store[LANES_STORES];
};

/* The fastest variant that this processor executes. */
const struct lanes_ops *lanes_select(void);

/* Every variant that this processor executes, for tests; index from 0, NULL past the last. */
const struct lanes_ops *lanes_variant(unsigned index);

#endif
