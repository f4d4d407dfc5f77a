/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The header that every kernel includes: lane and wavefront operations, and the channel interface
 * of papers/001 Table 1.
 *
 * A kernel is a C function marked SL_KERNEL; in C++ it has C linkage. Each lane runs it once: a0 is
 * the channel, a1 this lane's index into the channel's control array, and constant arguments
 * follow. Returning ends the lane. Code must not call a kernel. No code runs before a kernel: no
 * constructors, no C library start-up.
 *
 * Cross-lane operations work on the lanes that the source brings there together. Lanes that part at
 * an if, a loop, a switch or an operator meet after it, also around break, continue and return
 * (docs/look-up/isa.md, "Where lanes meet"). Compile kernels with `sluice cc`, which keeps lanes
 * together. NDRange kernels also use sluice/wave/group.h; locks are in sluice/wave/locks.h. */
#ifndef SLUICE_WAVE_WAVE_H
#define SLUICE_WAVE_WAVE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/view.h"
#include "sluice/wave/atomics.h"
#include "sluice/wave/changes.h"
#include "sluice/wave/group.h"
#include "sluice/wave/lanes.h"
#include "sluice/wave/locks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup kernel_functions Kernels
 * @{ */

#ifdef __cplusplus
#define SL_WAVE_C extern "C" /* the host finds it by this name */
#else
#define SL_WAVE_C
#endif

/** Marks a function that a graph can name as a kernel. Code cannot call it:
 * scripts/sluice-kernel-cc removes the saving of registers for a caller from all functions in this
 * section (docs/look-up/isa.md, "Entries"). The compiler does not copy the function and makes no
 * assumption about its callers. It starts on a separate cache line. @hideinitializer */
#define SL_KERNEL SL_WAVE_C __attribute__((used, noipa, aligned(64), section(".text.kernels")))

/** Limits the wavefronts of this kernel that are in flight at once in a graph to `wavefronts`, a
 * constant of 1 to SL_KERNEL_RESIDENT_MAX. Use it if more wavefronts would not fit their data into
 * the caches. It may stand anywhere in a kernel and costs no instruction. With another number, or
 * outside a kernel, loading fails (docs/know/scheduling.md, "Throttle"). */
#define SL_KERNEL_RESIDENT(wavefronts)                                                             \
    __asm__ volatile(".pushsection .sluice.kernels, \"\", @progbits\n\t"                           \
                     ".8byte .Lsl_resident%=, %0\n\t.popsection\n.Lsl_resident%=:"                 \
                     :                                                                             \
                     : "i"((uint64_t)(wavefronts)))

/** @} */

/** @defgroup kernel_channels Channels
 * @{ */

/** Reserves `count` contiguous elements of a channel. If all active lanes call it together, the
 * wavefront reserves with one compare-and-swap for each channel; channel and count may differ
 * between lanes. Returns NULL in lanes whose count is 0 or less. If a channel lacks space for all
 * its lanes together, they all get NULL; with SL_CHANNEL_WORKITEM, only lanes that found no space
 * do. Traps: SL_TRAP_FAN_OUT if count exceeds the declared fan-out of the kernel's edge,
 * SL_TRAP_EDGE without an edge to the channel, SL_TRAP_CHANNEL_ID for an invalid channel
 * (papers/001 section 3.2). */
void *sl_talloc(int channel, int count);

/** sl_talloc() for graphs that never yield. A lack of space is a trap (SL_TRAP_CHANNEL_FULL), which
 * ends the graph and reports channel and demand. */
void *sl_talloc_or_trap(int channel, int count);

/** sl_talloc() that waits for space. If space is lacking, the wavefront yields: it gives up its
 * context until the aggregator has seen enough space, then tries again. Never returns NULL in lanes
 * whose count is positive (papers/001 section 6). */
void *sl_talloc_or_yield(int channel, int count);

/** Publishes `count` contiguous elements that sl_talloc() returned: they become ready for dispatch,
 * after all earlier stores of the wavefront. Always succeeds; a count of 0 or less has no effect.
 * Traps: SL_TRAP_CHANNEL_ID for an invalid channel, SL_TRAP_EDGE without an edge to the channel,
 * SL_TRAP_ELEMENT if `elements` is not in the channel. */
void sl_enq(int channel, void *elements, int count);

/** Frees the element that the control array holds at `index`, after all earlier loads and stores of
 * the wavefront. SL_TRAP_CHANNEL_ID for an invalid channel. */
void sl_tfree(int channel, int index);

/** @cond */
/* A call of one of these is a cross-lane operation with a record (lanes.h). The routines use a few
 * registers and no stack. The call is therefore assembly that lists the registers it changes; the
 * compiler keeps values in the others, including floating-point registers. They are macros, so that
 * a call has its line in the kernel. The label begins a basic block: arguments are computed before
 * it, and no code separates loading their registers from the call. */
#define SL_WAVE_CALL(routine)  SL_WAVE_CALL_(routine)
#define SL_WAVE_CALL_(routine) SL_WAVE_SITE(routine) "call " #routine
#ifdef SL_STAMPED
#define SL_WAVE_ROUTINE(routine) routine##_stamped
#else
#define SL_WAVE_ROUTINE(routine) routine
#endif
#define SL_WAVE_TALLOC(routine, channel, count)                                                    \
    ({                                                                                             \
        __label__ here;                                                                            \
        const int sl_channel_ = (channel);                                                         \
        const int sl_count_ = (count);                                                             \
    here:;                                                                                         \
        register uintptr_t sl_a0_ __asm__("a0") = (uintptr_t)(intptr_t)sl_channel_;                \
        register intptr_t sl_a1_ __asm__("a1") = sl_count_;                                        \
        __asm__ volatile(SL_WAVE_CALL(routine)                                                     \
                         : "+r"(sl_a0_)                                                            \
                         : "r"(sl_a1_), SL_WAVE_HERE                                               \
                         : SL_TALLOC_CHANGES, "ra", "memory");                                     \
        (void *)sl_a0_;                                                                            \
    })
#define sl_talloc(channel, count) SL_WAVE_TALLOC(SL_WAVE_ROUTINE(sl_talloc), channel, count)
#define sl_talloc_or_trap(channel, count)                                                          \
    SL_WAVE_TALLOC(SL_WAVE_ROUTINE(sl_talloc_or_trap), channel, count)
#define sl_talloc_or_yield(channel, count)                                                         \
    SL_WAVE_TALLOC(SL_WAVE_ROUTINE(sl_talloc_or_yield), channel, count)
#define SL_WAVE_ENQ(routine, channel, elements, count)                                             \
    ({                                                                                             \
        __label__ here;                                                                            \
        const int sl_channel_ = (channel);                                                         \
        void *const sl_elements_ = (elements);                                                     \
        const int sl_count_ = (count);                                                             \
    here:;                                                                                         \
        register intptr_t sl_a0_ __asm__("a0") = sl_channel_;                                      \
        register void *sl_a1_ __asm__("a1") = sl_elements_;                                        \
        register intptr_t sl_a2_ __asm__("a2") = sl_count_;                                        \
        __asm__ volatile(SL_WAVE_CALL(routine)                                                     \
                         : "+r"(sl_a1_), "+r"(sl_a2_)                                              \
                         : "r"(sl_a0_), SL_WAVE_HERE                                               \
                         : SL_ENQ_CHANGES, "ra", "memory");                                        \
    })
#define SL_WAVE_TFREE(routine, channel, index)                                                     \
    ({                                                                                             \
        __label__ here;                                                                            \
        const int sl_channel_ = (channel);                                                         \
        const int sl_index_ = (index);                                                             \
    here:;                                                                                         \
        register intptr_t sl_a0_ __asm__("a0") = sl_channel_;                                      \
        register intptr_t sl_a1_ __asm__("a1") = sl_index_;                                        \
        __asm__ volatile(SL_WAVE_CALL(routine)                                                     \
                         :                                                                         \
                         : "r"(sl_a0_), "r"(sl_a1_), SL_WAVE_HERE                                  \
                         : SL_TFREE_CHANGES, "ra", "memory");                                      \
    })
#define sl_enq(channel, elements, count)                                                           \
    SL_WAVE_ENQ(SL_WAVE_ROUTINE(sl_enq), channel, elements, count)
#define sl_tfree(channel, index) SL_WAVE_TFREE(sl_tfree, channel, index)
/** @endcond */

/** The running graph; its channels follow it in memory. */
static inline const struct sl_graph *sl_wave_graph(void)
{
    const struct sl_graph *graph;
    __asm__("mv %0, tp" : "=r"(graph));
    return graph;
}

/** The channel with this number. An invalid number is a trap (SL_TRAP_CHANNEL_ID). */
static inline const struct sl_channel *sl_wave_channel(int channel)
{
    const struct sl_graph *graph = sl_wave_graph();
    uint64_t number = (uint64_t)channel; /* sign-extended, as registers hold it: no cost */
    if (number >= graph->channel_count) {
        sl_trap(SL_TRAP_CHANNEL_ID, number, graph->channel_count);
    }
    return (const struct sl_channel *)(graph + 1) + number;
}

/** The level of a channel in its channel stack; 0 is the shallowest. For a kernel's own channel
 * this is its recursion depth. 0 for channels outside stacks. */
static inline unsigned sl_stack_level(int channel)
{
    return sl_wave_channel(channel)->level;
}

/** The channel one level deeper in the same stack. A trap (SL_TRAP_STACK_HEIGHT) from the deepest
 * level. */
static inline int sl_stack_deeper(int channel)
{
    const struct sl_channel *from = sl_wave_channel(channel);
    if (from->level + 1 >= from->levels) {
        sl_trap(SL_TRAP_STACK_HEIGHT, channel, from->levels);
    }
    return channel + 1;
}

/** The channel of another stack at the level of `channel`; `stack` is that stack's first channel. A
 * trap (SL_TRAP_STACK_HEIGHT) if the other stack lacks this level. */
static inline int sl_stack_beside(int channel, int stack)
{
    const unsigned level = sl_stack_level(channel);
    if (level >= sl_wave_channel(stack)->levels) {
        sl_trap(SL_TRAP_STACK_HEIGHT, channel, sl_wave_channel(stack)->levels);
    }
    return stack + (int)level;
}

/** The element that the control array holds at `index`. Uses plain loads: dispatch has ordered them
 * after the producer's stores. */
static inline void *sl_deq(int channel, int index)
{
    const struct sl_channel *from = sl_wave_channel(channel);
    const uint32_t *control = (const uint32_t *)(uintptr_t)from->control;
    uint64_t offset = (uint64_t)control[index] * from->stride;
    return (void *)(uintptr_t)(from->data + offset);
}

/** A view of the elements that talloc returned, for SL_FIELD(). `form` must be the channel's form;
 * a constant is fastest. */
static inline struct sl_view sl_view(enum sl_form form, int channel, const void *elements)
{
    return sl_view_of(form, form == SL_SOA ? sl_wave_channel(channel) : NULL, elements);
}

/** A view of the element that the control array holds at `index`; `form` as for sl_view(). */
static inline struct sl_view sl_view_deq(enum sl_form form, int channel, int index)
{
    if (form == SL_SOA) {
        const struct sl_channel *from = sl_wave_channel(channel);
        return sl_view_soa(from, ((const uint32_t *)(uintptr_t)from->control)[index]);
    }
    return (struct sl_view){form, (uintptr_t)sl_deq(channel, index), 0, 0};
}

/** @} */

/** @defgroup kernel_assertions Assertions
 * @{ */

/** Ends the wavefront with a trap (SL_TRAP_ASSERT) if the condition is false. The report names the
 * line and the value. */
#define SL_ASSERT(condition, value)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            sl_trap(SL_TRAP_ASSERT, __LINE__, value);                                              \
        }                                                                                          \
    } while (0)

/** @} */

#ifdef __cplusplus
}
#endif

#endif
