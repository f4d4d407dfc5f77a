/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Wavefront operations of Xsluice as C functions: identities, votes, broadcasts, scans, reductions,
 * trap, yield and pause (docs/look-up/isa.md). The "first lane" is the active lane with the lowest
 * number.
 *
 * Operations whose result depends on the set of active lanes are volatile and clobber memory, so
 * the compiler keeps their order and place. Identities do not depend on it and may be moved. */
#ifndef SLUICE_WAVE_LANES_H
#define SLUICE_WAVE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/** @defgroup kernel_identity Identity
 * @{ */

/* Identities of a lane (sl.id; the rs2 field selects one, enum sl_id_kind in isa.h). */
#define SL_WAVE_ID(name, kind)                                                                     \
    static inline unsigned sl_##name(void)                                                         \
    {                                                                                              \
        unsigned long value;                                                                       \
        __asm__(".insn r 0x0b, 0, 0, %0, x0, x" #kind : "=r"(value));                              \
        return (unsigned)value;                                                                    \
    }

SL_WAVE_ID(lane_id, 0)      /**< number of the lane in its wavefront */
SL_WAVE_ID(lane_count, 1)   /**< lanes of a wavefront */
SL_WAVE_ID(wavefront_id, 2) /**< number of the wavefront, counted from the graph's start */
SL_WAVE_ID(cu_id, 3)        /**< number of the compute unit */
SL_WAVE_ID(context_id, 4)   /**< number of the wavefront's context in its compute unit */
SL_WAVE_ID(cu_count, 5)     /**< number of compute units */
#undef SL_WAVE_ID

/** @} */

/* Each cross-lane operation leaves a record, which is not loaded: the routine that it calls (0 for
 * an instruction) and the operation's address. The header puts it into section .sluice.sites. The
 * plugin of `sluice cc` compares each operation with the source and moves its record to
 * .sluice.checked. build/bin/check-convergence refuses operations whose records were not moved. The
 * label `here` before an operation makes operations at different places different, so the compiler
 * does not merge them. */
#define SL_WAVE_SITE(routine)                                                                      \
    ".pushsection .sluice.sites, \"\", @progbits\n\t.balign 8\n\t.8byte " #routine                 \
    ", .Lsl_site%=\n\t.popsection\n.Lsl_site%=:\n\t"
#define SL_WAVE_HERE [here] "i"(&&here)

/** @defgroup kernel_cross_lane Votes, broadcasts, scans and reductions
 * @{ */

/** A mask of the active lanes whose value is not zero; bit 0 is lane 0. */
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

/** True in the first lane, false in the others. */
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

/** The value of lane `lane`; 0 if that lane is inactive or does not exist. */
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
/** A scan: combines the values of active lanes with lower numbers. The first lane gets the
 * operation's neutral element. 64-bit arithmetic that wraps. OPERATION is add, minu, maxu, and, or,
 * xor with TYPE uint64_t, or min, max with int64_t. */
TYPE sl_scan_OPERATION(TYPE value);

/** A reduction: combines the values of all active lanes; each gets the result. OPERATION and TYPE
 * as for scans. */
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

/** Ends the wavefront with a fault that reports `code` and two values of the first lane. `code` is
 * a constant: one of enum sl_trap_code, or a kernel's own from SL_TRAP_USER to 31. Does not return.
 */
#define sl_trap(code, a, b)                                                                        \
    do {                                                                                           \
        __asm__ volatile(".insn r 0x0b, 0, 11, x%0, %1, %2"                                        \
                         :                                                                         \
                         : "i"(code), "r"((uint64_t)(a)), "r"((uint64_t)(b))                       \
                         : "memory");                                                              \
        __builtin_unreachable();                                                                   \
    } while (0)

/** Gives up the wavefront's context until the aggregator has seen `demand` free elements in the
 * channel (both from the first lane). A restart may come earlier: check again in a loop. All state
 * is kept except reservations of lr, the context number, and the LDS of a channel's wavefront. In
 * an NDRange kernel it only lets other wavefronts run first: LDS is kept, and the rest of the
 * work-group waits for the wavefront at barriers (papers/001 section 6). */
static inline void sl_yield(int channel, unsigned demand)
{
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 8, x0, %0, %1"
                     :
                     : "r"((uint64_t)channel), "r"((uint64_t)demand), SL_WAVE_HERE
                     : "memory");
}

/** Lets other wavefronts of the compute unit issue first, for gpu.pause_cycles. Use it in the body
 * of a waiting loop. */
static inline void sl_pause(void)
{
    __asm__ volatile(".insn i 0x0f, 0, x0, x0, 0x010" : : : "memory");
}

/** sl_pause() for about `cycles` CU cycles (the first lane's value, at most 4096). Use it if the
 * length of a wait is known. */
static inline void sl_pause_for(uint64_t cycles)
{
    __asm__ volatile(".insn r 0x0b, 0, 16, x0, %0, x0" : : "r"(cycles) : "memory");
}

/** @} */

#endif
