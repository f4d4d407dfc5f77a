/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * What a kernel includes: lane and wavefront operations, and the channel interface of the core
 * paper's Table 1.
 *
 * A kernel is a C function marked SL_KERNEL, or one of C++, with C linkage then. Each lane runs it
 * once: a0 is the channel, a1 this lane's index into the channel's control array, constant
 * arguments follow. Returning ends the lane; nothing else calls a kernel. Nothing runs before it:
 * no constructors, no C library start-up.
 *
 * Cross-lane operations work on the lanes that the source brings there together: lanes that part at
 * an if, a loop, a switch or an operator meet behind it, also around break, continue and return
 * (docs/look-up/isa.md, "Where lanes meet"). Kernels are compiled with `sluice cc`, which sees to
 * that. What kernels of an NDRange need is in sluice/wave/group.h, locks are in
 * sluice/wave/locks.h. */
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
#define SL_WAVE_C extern "C" /* its name is what the host calls it by */
#else
#define SL_WAVE_C
#endif

/** A function that a graph can name as a kernel, and nothing calls: what it saves for a caller,
 * scripts/sluice-kernel-cc leaves out, for all that is in this section (docs/look-up/isa.md,
 * "Entries"). The compiler makes no copy of it and knows no caller. It starts on a cache line of
 * its own. @hideinitializer */
#define SL_KERNEL SL_WAVE_C __attribute__((used, noipa, aligned(64), section(".text.kernels")))

/** In a kernel, anywhere: no more than `wavefronts` of it are in flight at once, 1 to
 * SL_KERNEL_RESIDENT_MAX, in a graph; for data that would not fit the caches otherwise. A constant;
 * it costs no instruction. Where it is none of these numbers, or not in a kernel, loading fails
 * (docs/know/scheduling.md, "Throttle"). */
#define SL_KERNEL_RESIDENT(wavefronts)                                                             \
    __asm__ volatile(".pushsection .sluice.kernels, \"\", @progbits\n\t"                           \
                     ".8byte .Lsl_resident%=, %0\n\t.popsection\n.Lsl_resident%=:"                 \
                     :                                                                             \
                     : "i"((uint64_t)(wavefronts)))

/** @} */

/** @defgroup kernel_channels Channels
 * @{ */

/** Reserves `count` contiguous elements of a channel. All active lanes must call it together for
 * the reservation to take one compare-and-swap; channel and count may differ between lanes. NULL in
 * lanes whose count is 0 or less, and in all lanes of one channel when it has no space for all of
 * them; on a channel with SL_CHANNEL_WORKITEM, in those lanes that found no space. More elements
 * than the kernel's edge to the channel declares, a channel to which it has no edge, and a channel
 * that is none, are traps (SL_TRAP_FAN_OUT, SL_TRAP_EDGE, SL_TRAP_CHANNEL_ID). */
void *sl_talloc(int channel, int count);

/** sl_talloc() for a graph that never yields: no space is a trap (SL_TRAP_CHANNEL_FULL), which ends
 * the graph and reports channel and demand. */
void *sl_talloc_or_trap(int channel, int count);

/** sl_talloc() that waits. While there is no space the wavefront yields: it gives up its context
 * until the aggregator has seen enough space, and tries again. Never NULL in lanes whose count is
 * positive. */
void *sl_talloc_or_yield(int channel, int count);

/** Makes `count` contiguous elements that sl_talloc() returned ready for dispatch, after everything
 * that the wavefront has stored so far. Cannot fail; a count of 0 or less does nothing. A channel
 * to which the kernel has no edge, and what is not an element of the channel, are traps
 * (SL_TRAP_EDGE, SL_TRAP_ELEMENT). */
void sl_enq(int channel, void *elements, int count);

/** Gives an element back, after everything that the wavefront has loaded and stored so far. */
void sl_tfree(int channel, int index);

/** @cond */
/* A call of one of these is a cross-lane operation, with its record (lanes.h). The routines use a
 * few registers and no stack, so that the call is assembly which says what it changes: the compiler
 * keeps values in the others, those for floating point among them. Macros, so that the call has its
 * line in the kernel. The label begins a basic block: what computes arguments is in front of it,
 * and nothing comes between the registers that get them and the call. */
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

/** The graph that runs; its channels follow it in memory. */
static inline const struct sl_graph *sl_wave_graph(void)
{
    const struct sl_graph *graph;
    __asm__("mv %0, tp" : "=r"(graph));
    return graph;
}

/** The channel of this number; a number that is none is a trap. */
static inline const struct sl_channel *sl_wave_channel(int channel)
{
    const struct sl_graph *graph = sl_wave_graph();
    uint64_t number = (uint64_t)channel; /* sign-extended, as registers hold it: costs nothing */
    if (number >= graph->channel_count) {
        sl_trap(SL_TRAP_CHANNEL_ID, number, graph->channel_count);
    }
    return (const struct sl_channel *)(graph + 1) + number;
}

/** Of a channel of a channel stack: its level, 0 being the shallowest. A kernel's own channel gives
 * the depth of its recursion. 0 for other channels. */
static inline unsigned sl_stack_level(int channel)
{
    return sl_wave_channel(channel)->level;
}

/** The channel one level deeper in the same stack; below the deepest one is a trap. */
static inline int sl_stack_deeper(int channel)
{
    const struct sl_channel *from = sl_wave_channel(channel);
    if (from->level + 1 >= from->levels) {
        sl_trap(SL_TRAP_STACK_HEIGHT, channel, from->levels);
    }
    return channel + 1;
}

/** The channel of another stack, whose first one is `stack`, at the level of `channel`; a trap
 * where that stack has no such level. */
static inline int sl_stack_beside(int channel, int stack)
{
    const unsigned level = sl_stack_level(channel);
    if (level >= sl_wave_channel(stack)->levels) {
        sl_trap(SL_TRAP_STACK_HEIGHT, channel, sl_wave_channel(stack)->levels);
    }
    return stack + (int)level;
}

/** The element that the control array holds at `index`. Plain loads: dispatch has ordered them
 * after the producer's stores. */
static inline void *sl_deq(int channel, int index)
{
    const struct sl_channel *from = sl_wave_channel(channel);
    const uint32_t *control = (const uint32_t *)(uintptr_t)from->control;
    uint64_t offset = (uint64_t)control[index] * from->stride;
    return (void *)(uintptr_t)(from->data + offset);
}

/** The elements that talloc returned, for SL_FIELD(); `form` is that of the channel, best a
 * constant. */
static inline struct sl_view sl_view(enum sl_form form, int channel, const void *elements)
{
    return sl_view_of(form, form == SL_SOA ? sl_wave_channel(channel) : NULL, elements);
}

/** sl_view() of the element that the control array holds at `index`. */
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

/** Ends the wavefront where the condition does not hold; the report names line and value. */
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
