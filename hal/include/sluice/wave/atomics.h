/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Atomics for kernels, on 32 and 64 bits (docs/look-up/isa.md, "Xsluice: scoped atomics").
 *
 *     sl_load_ORDER_WIDTH_SCOPE(address)              relaxed, acquire
 *     sl_store_ORDER_WIDTH_SCOPE(address, value)      relaxed, release
 *     sl_atomic_exchange_WIDTH_SCOPE_ORDER(address, value)
 *     sl_atomic_add_..., sub, and, or, xor, min, max  likewise
 *     sl_atomic_compare_exchange_WIDTH_SCOPE_ORDER(address, expected, desired)
 *     sl_fence_ORDER_SCOPE()                          acquire, release, acq_rel
 *
 * Functions named sl_atomic return the old value.
 *
 * - SCOPE is wavefront, workgroup, device (all compute units and the aggregator) or system (also
 *   the host). Wavefronts that synchronize must name the same scope, and both must be in it.
 * - ORDER is relaxed, acquire, release or acq_rel, which is both. sl_atomic functions without ORDER
 *   are relaxed. An acquire is ordered before all later accesses, a release after all earlier ones.
 *   Both order the accesses of all lanes of the wavefront, whichever lane executes them.
 * - WIDTH is u32 or u64. For min and max it may also be i32 or i64, which compare as signed
 *   integers.
 *
 * Functions without a scope in their names have device scope and are relaxed, except sl_fence(). */
#ifndef SLUICE_WAVE_ATOMICS_H
#define SLUICE_WAVE_ATOMICS_H

#include <stdint.h>

/** @defgroup kernel_atomics Atomics and fences
 * @{ */

/** Adds `value` at device scope, relaxed. Returns the old value. */
static inline uint32_t sl_atomic_add_u32(uint32_t *address, uint32_t value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

/** sl_atomic_add_u32() for 64 bits. */
static inline uint64_t sl_atomic_add_u64(uint64_t *address, uint64_t value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

#ifdef SLUICE_DOXYGEN
/** Adds a float or double (WIDTH f32 or f64) at device scope, relaxed. Returns the old value.
 * Rounds to nearest, ties to even, and sets no exception flags. */
TYPE sl_atomic_add_WIDTH(TYPE *address, TYPE value);

/** Adds a float or double (WIDTH f32 or f64) without returning a value, so it does not wait for
 * memory. Otherwise as sl_atomic_add_WIDTH(). */
void sl_atomic_accumulate_WIDTH(TYPE *address, TYPE value);
#endif

/* funct3 = {64 bits, scope[1:0]} */
#define SL_WAVE_ADD_FLOAT(type, width, funct3)                                                     \
    static inline type sl_atomic_add_##width(type *address, type value)                            \
    {                                                                                              \
        type before;                                                                               \
        __asm__ volatile(".insn r 0x0b, " #funct3 ", 12, %0, %1, %2"                               \
                         : "=f"(before)                                                            \
                         : "r"(address), "f"(value)                                                \
                         : "memory");                                                              \
        return before;                                                                             \
    }                                                                                              \
    static inline void sl_atomic_accumulate_##width(type *address, type value)                     \
    {                                                                                              \
        __asm__ volatile(".insn r 0x0b, " #funct3 ", 13, x0, %0, %1"                               \
                         :                                                                         \
                         : "r"(address), "f"(value)                                                \
                         : "memory");                                                              \
    }

SL_WAVE_ADD_FLOAT(float, f32, 2)
SL_WAVE_ADD_FLOAT(double, f64, 6)
#undef SL_WAVE_ADD_FLOAT

/** Acquires and releases at device scope. */
static inline void sl_fence(void)
{
    __asm__ volatile("fence rw, rw" : : : "memory");
}

#ifdef SLUICE_DOXYGEN
/** Loads with sl.load. ORDER is relaxed or acquire. */
TYPE sl_load_ORDER_WIDTH_SCOPE(const TYPE *address);

/** Stores with sl.store. ORDER is relaxed or release. */
void sl_store_ORDER_WIDTH_SCOPE(TYPE *address, TYPE value);

/** Combines the value at `address` with `value`, with an sl.amo instruction, and returns the old
 * value. NAME is exchange, add, sub, and, or, xor, min or max. Without ORDER it is relaxed. */
TYPE sl_atomic_NAME_WIDTH_SCOPE_ORDER(TYPE *address, TYPE value);

/** Stores `desired` at `address` if the value there is `expected`. Returns the old value: the store
 * happened if it equals `expected`. A loop of sl.lr, which acquires if ORDER does, and sl.sc, which
 * releases if ORDER does. It retries if sl.sc fails: in each iteration of such loops on one word
 * some lane's sl.sc succeeds (docs/look-up/isa.md, "Progress of LR and SC"). */
TYPE sl_atomic_compare_exchange_WIDTH_SCOPE_ORDER(TYPE *address, TYPE expected, TYPE desired);

/** Orders accesses with sl.fence. ORDER is acquire, release or acq_rel. */
void sl_fence_ORDER_SCOPE(void);
#endif

/* Instruction fields: funct3 = {64 bits, scope[1:0]}, funct7 = {funct5, acquire, release}. An order
 * is a two-bit number: 2 acquires, 1 releases. */

#define SL_WAVE_LOAD(order, bits, type, width, scope, funct3)                                      \
    static inline type sl_load_##order##_##width##_##scope(const type *address)                    \
    {                                                                                              \
        type value;                                                                                \
        __asm__ volatile(".insn r 0x2b, %2, %3, %0, %1, x0"                                        \
                         : "=r"(value)                                                             \
                         : "r"(address), "i"(funct3), "i"(0x06 << 2 | (bits))                      \
                         : "memory");                                                              \
        return value;                                                                              \
    }

#define SL_WAVE_STORE(order, bits, type, width, scope, funct3)                                     \
    static inline void sl_store_##order##_##width##_##scope(type *address, type value)             \
    {                                                                                              \
        __asm__ volatile(".insn r 0x2b, %2, %3, x0, %0, %1"                                        \
                         :                                                                         \
                         : "r"(address), "r"(value), "i"(funct3), "i"(0x07 << 2 | (bits))          \
                         : "memory");                                                              \
    }

#define SL_WAVE_ATOMIC(_order, bits, _name, funct5, operand, type, width, scope, funct3)           \
    static inline type sl_atomic##_name##_##width##_##scope##_order(type *address, type value)     \
    {                                                                                              \
        type before;                                                                               \
        __asm__ volatile(".insn r 0x2b, %3, %4, %0, %1, %2"                                        \
                         : "=r"(before)                                                            \
                         : "r"(address), "r"((type)(operand)), "i"(funct3),                        \
                           "i"((funct5) << 2 | (bits))                                             \
                         : "memory");                                                              \
        return before;                                                                             \
    }

/* Lanes that are done wait after the loop, where no other lane needs them. sl.lr sign-extends its
 * result, so `expected` is sign-extended for the comparison. */
#define SL_WAVE_COMPARE_EXCHANGE(_order, bits, signed_type, type, width, scope, funct3)            \
    static inline type sl_atomic_compare_exchange_##width##_##scope##_order(                       \
        type *address, type expected, type desired)                                                \
    {                                                                                              \
        type before;                                                                               \
        uint64_t failed;                                                                           \
        __asm__ volatile("0:\n\t"                                                                  \
                         ".insn r 0x2b, %5, %6, %0, %2, x0\n\t"                                    \
                         "bne %0, %3, 1f\n\t"                                                      \
                         ".insn r 0x2b, %5, %7, %1, %2, %4\n\t"                                    \
                         "bnez %1, 0b\n"                                                           \
                         "1:"                                                                      \
                         : "=&r"(before), "=&r"(failed)                                            \
                         : "r"(address), "r"((int64_t)(signed_type)expected), "r"(desired),        \
                           "i"(funct3), "i"(0x02 << 2 | ((bits)&2)), "i"(0x03 << 2 | ((bits)&1))   \
                         : "memory");                                                              \
        return before;                                                                             \
    }

/* The rs2 field has the order. */
#define SL_WAVE_FENCE(order, scope, number, rs2)                                                   \
    static inline void sl_fence_##order##_##scope(void)                                            \
    {                                                                                              \
        __asm__ volatile(".insn r 0x0b, " #number ", 17, x0, x0, " #rs2 : : : "memory");           \
    }

/* A family in all orders. */
#define SL_WAVE_ORDERS(FAMILY, ...)                                                                \
    FAMILY(, 0, __VA_ARGS__)                                                                       \
    FAMILY(_acquire, 2, __VA_ARGS__)                                                               \
    FAMILY(_release, 1, __VA_ARGS__)                                                               \
    FAMILY(_acq_rel, 3, __VA_ARGS__)

/* All operations of one width and scope. */
#define SL_WAVE_WIDTH(bits, scope, funct3)                                                         \
    SL_WAVE_LOAD(relaxed, 0, uint##bits##_t, u##bits, scope, funct3)                               \
    SL_WAVE_LOAD(acquire, 2, uint##bits##_t, u##bits, scope, funct3)                               \
    SL_WAVE_STORE(relaxed, 0, uint##bits##_t, u##bits, scope, funct3)                              \
    SL_WAVE_STORE(release, 1, uint##bits##_t, u##bits, scope, funct3)                              \
    SL_WAVE_OPERATION(_exchange, 0x01, value, uint##bits##_t, u##bits, scope, funct3)              \
    SL_WAVE_OPERATION(_add, 0x00, value, uint##bits##_t, u##bits, scope, funct3)                   \
    SL_WAVE_OPERATION(_sub, 0x00, 0 - value, uint##bits##_t, u##bits, scope, funct3)               \
    SL_WAVE_OPERATION(_xor, 0x04, value, uint##bits##_t, u##bits, scope, funct3)                   \
    SL_WAVE_OPERATION(_or, 0x08, value, uint##bits##_t, u##bits, scope, funct3)                    \
    SL_WAVE_OPERATION(_and, 0x0c, value, uint##bits##_t, u##bits, scope, funct3)                   \
    SL_WAVE_OPERATION(_min, 0x10, value, int##bits##_t, i##bits, scope, funct3)                    \
    SL_WAVE_OPERATION(_max, 0x14, value, int##bits##_t, i##bits, scope, funct3)                    \
    SL_WAVE_OPERATION(_min, 0x18, value, uint##bits##_t, u##bits, scope, funct3)                   \
    SL_WAVE_OPERATION(_max, 0x1c, value, uint##bits##_t, u##bits, scope, funct3)                   \
    SL_WAVE_ORDERS(SL_WAVE_COMPARE_EXCHANGE, int##bits##_t, uint##bits##_t, u##bits, scope, funct3)
/* Names begin with an underscore: and, or and xor may be macros (iso646.h). */
#define SL_WAVE_OPERATION(...) SL_WAVE_ORDERS(SL_WAVE_ATOMIC, __VA_ARGS__)

/* All operations of one scope. */
#define SL_WAVE_SCOPE(scope, number)                                                               \
    SL_WAVE_FENCE(acquire, scope, number, x1)                                                      \
    SL_WAVE_FENCE(release, scope, number, x2)                                                      \
    SL_WAVE_FENCE(acq_rel, scope, number, x3)                                                      \
    SL_WAVE_WIDTH(32, scope, number)                                                               \
    SL_WAVE_WIDTH(64, scope, 4 + number)

SL_WAVE_SCOPE(wavefront, 0)
SL_WAVE_SCOPE(workgroup, 1)
SL_WAVE_SCOPE(device, 2)
SL_WAVE_SCOPE(system, 3)

#undef SL_WAVE_LOAD
#undef SL_WAVE_STORE
#undef SL_WAVE_ATOMIC
#undef SL_WAVE_COMPARE_EXCHANGE
#undef SL_WAVE_FENCE
#undef SL_WAVE_ORDERS
#undef SL_WAVE_WIDTH
#undef SL_WAVE_OPERATION
#undef SL_WAVE_SCOPE

/** @} */

#endif
