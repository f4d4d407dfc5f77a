/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The wavefront operations of Xsluice as C functions: identity, votes, broadcasts, scans,
 * reductions, trap and pause (docs/look-up/isa.md). "First lane" is the active lane with the lowest
 * number.
 *
 * Everything that depends on which lanes are active is volatile and clobbers memory, so that the
 * compiler keeps it in order and in its place. Identities depend on nothing and may be moved. */
#ifndef SLUICE_WAVE_LANES_H
#define SLUICE_WAVE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/** @defgroup kernel_identity Identity
 * @{ */

/* What a lane is and where it runs (sl.id; the rs2 field says which, enum sl_id_kind in isa.h). */
#define SL_WAVE_ID(name, kind)                                                                     \
    static inline unsigned sl_##name(void)                                                         \
    {                                                                                              \
        unsigned long value;                                                                       \
        __asm__(".insn r 0x0b, 0, 0, %0, x0, x" #kind : "=r"(value));                              \
        return (unsigned)value;                                                                    \
    }

SL_WAVE_ID(lane_id, 0)      /**< number of this lane in its wavefront */
SL_WAVE_ID(lane_count, 1)   /**< lanes of a wavefront */
SL_WAVE_ID(wavefront_id, 2) /**< number of the wavefront, counted from the graph's start */
SL_WAVE_ID(cu_id, 3)        /**< number of the compute unit */
SL_WAVE_ID(context_id, 4)   /**< number of the wavefront's context in the compute unit */
SL_WAVE_ID(cu_count, 5)     /**< compute units of the device */
#undef SL_WAVE_ID

/** @} */

/* Each cross-lane operation leaves a record, which is not loaded: the routine that is called (0 for
 * an instruction), and the operation's address. The header puts it into section .sluice.sites. The
 * plugin of `sluice cc`, which compares each operation with the source, moves it to
 * .sluice.checked; build/bin/check-convergence refuses operations whose record it has not moved.
 * The label `here` in front of an operation makes those of different places different to the
 * compiler, which then has no reason to merge them. */
#define SL_WAVE_SITE(routine)                                                                      \
    ".pushsection .sluice.sites, \"\", @progbits\n\t.balign 8\n\t.8byte " #routine                 \
    ", .Lsl_site%=\n\t.popsection\n.Lsl_site%=:\n\t"
#define SL_WAVE_HERE [here] "i"(&&here)

/** @defgroup kernel_cross_lane Votes, broadcasts, scans and reductions
 * @{ */

/** One bit for each active lane whose value is not zero, lane 0 in bit 0. */
static inline uint64_t sl_ballot(uint64_t value)
{
    uint64_t mask;
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 1, %0, %1, x0"
                     : "=r"(mask)
                     : "r"(value), SL_WAVE_HERE
                     : "memory");
    return mask;
}

/** True in the first lane alone. */
static inline bool sl_elect(void)
{
    uint64_t elected;
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 2, %0, x0, x0"
                     : "=r"(elected)
                     : SL_WAVE_HERE
                     : "memory");
    return elected != 0;
}

/** The first lane's value, in all active lanes. */
static inline uint64_t sl_first(uint64_t value)
{
    uint64_t first;
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 3, %0, %1, x0"
                     : "=r"(first)
                     : "r"(value), SL_WAVE_HERE
                     : "memory");
    return first;
}

/** The value of lane `lane`; 0 where that lane is not active, or is none. */
static inline uint64_t sl_shuffle(uint64_t value, unsigned lane)
{
    uint64_t other;
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 4, %0, %1, %2"
                     : "=r"(other)
                     : "r"(value), "r"((uint64_t)lane), SL_WAVE_HERE
                     : "memory");
    return other;
}

#ifdef SLUICE_DOXYGEN
/** A scan: over the active lanes of a lower number, the operation's neutral element in the first
 * lane. 64-bit arithmetic, wrapping. OPERATION and TYPE are add, minu, maxu, and, or, xor of
 * uint64_t, and min, max of int64_t. */
TYPE sl_scan_OPERATION(TYPE value);

/** A reduction: over all active lanes, the same result in each. OPERATION and TYPE are those of
 * scans. */
TYPE sl_reduce_OPERATION(TYPE value);
#endif

#define SL_WAVE_CROSS(name, type, operation)                                                       \
    static inline type sl_scan_##name(type value)                                                  \
    {                                                                                              \
        type result;                                                                               \
    here:                                                                                          \
        __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, " #operation ", 5, %0, %1, x0"             \
                         : "=r"(result)                                                            \
                         : "r"(value), SL_WAVE_HERE                                                \
                         : "memory");                                                              \
        return result;                                                                             \
    }                                                                                              \
    static inline type sl_reduce_##name(type value)                                                \
    {                                                                                              \
        type result;                                                                               \
    here:                                                                                          \
        __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, " #operation ", 6, %0, %1, x0"             \
                         : "=r"(result)                                                            \
                         : "r"(value), SL_WAVE_HERE                                                \
                         : "memory");                                                              \
        return result;                                                                             \
    }

SL_WAVE_CROSS(add, uint64_t, 0)
SL_WAVE_CROSS(min, int64_t, 1)
SL_WAVE_CROSS(max, int64_t, 2)
SL_WAVE_CROSS(minu, uint64_t, 3)
SL_WAVE_CROSS(maxu, uint64_t, 4)
SL_WAVE_CROSS(and, uint64_t, 5)
SL_WAVE_CROSS(or, uint64_t, 6)
SL_WAVE_CROSS(xor, uint64_t, 7)
#undef SL_WAVE_CROSS

/** @} */

/** @defgroup kernel_yields Trap, yield and pause
 * @{ */

/** Ends the wavefront with a fault that reports `code` (a constant of enum sl_trap_code, or a
 * kernel's own from SL_TRAP_USER to 31) and two values of the first lane. Does not return. */
#define sl_trap(code, a, b)                                                                        \
    do {                                                                                           \
        __asm__ volatile(".insn r 0x0b, 0, 11, x%0, %1, %2"                                        \
                         :                                                                         \
                         : "i"(code), "r"((uint64_t)(a)), "r"((uint64_t)(b))                       \
                         : "memory");                                                              \
        __builtin_unreachable();                                                                   \
    } while (0)

/** Gives up the wavefront's context until the aggregator has seen `demand` free elements in the
 * channel (both of the first lane), or thinks that it is time; then all is as it was but for
 * reservations of lr. Of a kernel that the host launched over an NDRange, it only lets others go
 * first; LDS stays as it is, and others of the work-group wait for the wavefront at barriers. */
static inline void sl_yield(int channel, unsigned demand)
{
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 8, x0, %0, %1"
                     :
                     : "r"((uint64_t)channel), "r"((uint64_t)demand), SL_WAVE_HERE
                     : "memory");
}

/** Lets other wavefronts of the compute unit go first. For the body of a wait. */
static inline void sl_pause(void)
{
    __asm__ volatile(".insn i 0x0f, 0, x0, x0, 0x010" : : : "memory");
}

/** sl_pause() for about `cycles` CU cycles (the first lane's, at most 4096): for waits whose length
 * is known. */
static inline void sl_pause_for(uint64_t cycles)
{
    __asm__ volatile(".insn r 0x0b, 0, 16, x0, %0, x0" : : "r"(cycles) : "memory");
}

/** @} */

#endif
