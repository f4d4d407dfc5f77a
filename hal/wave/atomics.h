/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Atomics for kernels. Plain ones are the A extension's, at device scope and relaxed; those with a
 * scope in their name are the scoped instructions of Xsluice (docs/isa.md).
 *
 * Scopes: wavefront, workgroup, device (all compute units and the aggregator), system (the host
 * too). An acquire or release by any lane orders the accesses of all lanes of its wavefront. */
#ifndef SLUICE_WAVE_ATOMICS_H
#define SLUICE_WAVE_ATOMICS_H

#include <stdint.h>

/* Each adds and returns the value from before. */
static inline uint32_t sl_atomic_add_u32(uint32_t *address, uint32_t value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

static inline uint64_t sl_atomic_add_u64(uint64_t *address, uint64_t value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

/* The same for floating point, at device scope and relaxed; rounds to the nearest, ties to even,
 * and raises no exception flags. sl_atomic_accumulate adds without a result, which waits for
 * nothing. funct3 = {64 bits, scope[1:0]} */
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

/* Orders everything before it before everything after it, for all observers. */
static inline void sl_fence(void)
{
    __asm__ volatile("fence rw, rw" : : : "memory");
}

/* sl.load: ordered before everything that follows it. */
#define SL_WAVE_LOAD_ACQUIRE(type, width, scope, funct3)                                           \
    static inline type sl_load_acquire_##width##_##scope(const type *address)                      \
    {                                                                                              \
        uint64_t value;                                                                            \
        __asm__ volatile(".insn r 0x2b, " #funct3 ", 0x1a, %0, %1, x0"                             \
                         : "=r"(value)                                                             \
                         : "r"(address)                                                            \
                         : "memory");                                                              \
        return (type)value;                                                                        \
    }

/* sl.store: ordered after everything that precedes it. */
#define SL_WAVE_STORE_RELEASE(type, width, scope, funct3)                                          \
    static inline void sl_store_release_##width##_##scope(type *address, type value)               \
    {                                                                                              \
        __asm__ volatile(".insn r 0x2b, " #funct3 ", 0x1d, x0, %0, %1"                             \
                         :                                                                         \
                         : "r"(address), "r"((uint64_t)value)                                      \
                         : "memory");                                                              \
    }

/* sl.amoadd, relaxed; the suffix _acq_rel has both orders. */
#define SL_WAVE_ADD(type, width, scope, funct3)                                                    \
    static inline type sl_atomic_add_##width##_##scope(type *address, type value)                  \
    {                                                                                              \
        uint64_t before;                                                                           \
        __asm__ volatile(".insn r 0x2b, " #funct3 ", 0x00, %0, %1, %2"                             \
                         : "=r"(before)                                                            \
                         : "r"(address), "r"((uint64_t)value)                                      \
                         : "memory");                                                              \
        return (type)before;                                                                       \
    }                                                                                              \
    static inline type sl_atomic_add_##width##_##scope##_acq_rel(type *address, type value)        \
    {                                                                                              \
        uint64_t before;                                                                           \
        __asm__ volatile(".insn r 0x2b, " #funct3 ", 0x03, %0, %1, %2"                             \
                         : "=r"(before)                                                            \
                         : "r"(address), "r"((uint64_t)value)                                      \
                         : "memory");                                                              \
        return (type)before;                                                                       \
    }

/* funct3 = {64 bits, scope[1:0]} */
#define SL_WAVE_SCOPE(scope, number32, number64)                                                   \
    SL_WAVE_LOAD_ACQUIRE(uint32_t, u32, scope, number32)                                           \
    SL_WAVE_LOAD_ACQUIRE(uint64_t, u64, scope, number64)                                           \
    SL_WAVE_STORE_RELEASE(uint32_t, u32, scope, number32)                                          \
    SL_WAVE_STORE_RELEASE(uint64_t, u64, scope, number64)                                          \
    SL_WAVE_ADD(uint32_t, u32, scope, number32)                                                    \
    SL_WAVE_ADD(uint64_t, u64, scope, number64)

SL_WAVE_SCOPE(wavefront, 0, 4)
SL_WAVE_SCOPE(workgroup, 1, 5)
SL_WAVE_SCOPE(device, 2, 6)
SL_WAVE_SCOPE(system, 3, 7)

#undef SL_WAVE_LOAD_ACQUIRE
#undef SL_WAVE_STORE_RELEASE
#undef SL_WAVE_ADD
#undef SL_WAVE_SCOPE

#endif
