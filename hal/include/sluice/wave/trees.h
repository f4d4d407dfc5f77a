/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Fork/join programs on a task vector, as in papers/000 Figure 5.2 (docs/know/trees.md). The macros
 * replace the compiler of papers/000:
 *
 *     SL_TASKS(kernel, sum, fib)
 *     SL_TASK(sum, unsigned, first)
 *     {
 *         sl_emit_u64(sl_task_u64(first, 0) + sl_task_u64(first + 1, 0));
 *     }
 *
 * SL_TASKS numbers the functions of tasks from 1 and makes the kernel. SL_TASK defines a function
 * with its arguments, up to six of 4 or 8 bytes each. It also makes sl_fork_sum(first), which
 * returns the slot of the new task, and sl_join_sum(first). SL_TASK_DECLARE makes only these two,
 * for functions that fork each other. A task ends with at most one join or emit. SL_MAPS and SL_MAP
 * make maps in the same way, with sl_map_NAME(...). A separate work-group runs each map;
 * sl_local_id(0) numbers its work-items.
 *
 * Tasks need no fences: an epoch begins with an acquire and ends with a release, both at device
 * scope. */
#ifndef SLUICE_WAVE_TREES_H
#define SLUICE_WAVE_TREES_H

#include <assert.h>

#include "sluice/wave/wave.h"

/** @cond */
/* State of a task in registers that the kernel sets and no other code uses, so that functions of
 * tasks have only their own arguments. */
register uint64_t *sl_trees_next_free_ __asm__("s11"); /* in the line of struct sl_trees */
register uint64_t sl_trees_vector_ __asm__("s10");     /* address of the vector */
register uint64_t sl_trees_stride_ __asm__("s9");      /* bytes of all entries; 4 per slot */
register uint64_t sl_trees_base_ __asm__("s8");        /* epoch x functions */
register uint64_t sl_trees_next_base_ __asm__("s7");   /* base of the next epoch */
register uint64_t sl_trees_slot_ __asm__("s6");        /* the task's slot */
register uint64_t sl_trees_words_ __asm__("s5");       /* bytes between the words of an epoch */

#define SL_TREES_INLINE static inline __attribute__((always_inline))

/* The words after next_free that an epoch returns: in its line, or in separate lines. */
SL_TREES_INLINE uint32_t *sl_trees_join_scheduled(void)
{
    return (uint32_t *)((uintptr_t)sl_trees_next_free_ + sl_trees_words_);
}

SL_TREES_INLINE uint32_t *sl_trees_map_scheduled(void)
{
    return (uint32_t *)((uintptr_t)sl_trees_next_free_ + 2 * sl_trees_words_);
}

/* Word `word` of a slot: 0 is its entry, the others are its arguments. */
SL_TREES_INLINE uint32_t *sl_trees_word(uint64_t slot, unsigned word)
{
    return (uint32_t *)(sl_trees_vector_ + 4 * slot + word * sl_trees_stride_);
}

/** @endcond */

/** @defgroup kernel_trees Tasks of a task vector
 * @{ */

/** Argument `i` of the task in a slot, or the value that it has emitted (`i` is then 0). `i` counts
 * from 0 in pieces of 4 bytes. */
SL_TREES_INLINE uint32_t sl_task_u32(uint64_t slot, unsigned i)
{
    return *sl_trees_word(slot, 1 + i);
}

/** Arguments `i` and `i + 1` of the task in a slot, or the value that it has emitted, as 64 bits.
 */
SL_TREES_INLINE uint64_t sl_task_u64(uint64_t slot, unsigned i)
{
    return (uint64_t)sl_task_u32(slot, i + 1) << 32 | sl_task_u32(slot, i);
}

/** Sets argument `i` of the task in a slot. */
SL_TREES_INLINE void sl_task_set_u32(uint64_t slot, unsigned i, uint32_t value)
{
    *sl_trees_word(slot, 1 + i) = value;
}

/** Sets arguments `i` and `i + 1` of the task in a slot; the lower half is `i`. */
SL_TREES_INLINE void sl_task_set_u64(uint64_t slot, unsigned i, uint64_t value)
{
    sl_task_set_u32(slot, i, (uint32_t)value);
    sl_task_set_u32(slot, i + 1, (uint32_t)(value >> 32));
}

/** The running task's slot. */
SL_TREES_INLINE unsigned sl_task_slot(void)
{
    return (unsigned)sl_trees_slot_;
}

/** @cond */
/* The first of `count` adjacent slots, for each active lane. One atomic addition serves all lanes;
 * the upper half of the word counts these additions. `maps` is 1 if the slots are for maps. */
SL_TREES_INLINE uint64_t sl_trees_take(unsigned count, unsigned maps)
{
    const uint64_t before = sl_scan_add(count);
    const uint64_t all = sl_reduce_add(count);
    uint64_t first = 0;

    /* With one slot per lane, a wavefront takes too few to reach the upper half. */
    if (!(__builtin_constant_p(count) && count == 1) && 4 * all > sl_trees_stride_) {
        sl_trap(SL_TRAP_TASK_VECTOR, all, sl_trees_stride_ / 4);
    }
    if (sl_elect()) {
        first = (uint32_t)sl_atomic_add_u64(sl_trees_next_free_, UINT64_C(1) << 32 | all);
        if (maps != 0) {
            (void)sl_atomic_add_u32(sl_trees_map_scheduled(), (uint32_t)all);
        }
    }
    first = sl_first(first);
    if (4 * (first + all) > sl_trees_stride_) {
        sl_trap(SL_TRAP_TASK_VECTOR, first + all, sl_trees_stride_ / 4);
    }
    return first + before;
}

/* A new task for the next epoch; `function` is the function's number. */
SL_TREES_INLINE uint64_t sl_trees_fork(unsigned function)
{
    const uint64_t slot = sl_trees_take(1, 0);

    *sl_trees_word(slot, 0) = (uint32_t)(function + sl_trees_next_base_);
    return slot;
}

/** @endcond */

/** Creates `count` tasks for the next epoch; `function` is the function's number. Returns the first
 * of their adjacent slots, whose arguments the caller must set. A vector without that many free
 * slots is a trap (SL_TRAP_TASK_VECTOR). */
SL_TREES_INLINE unsigned sl_fork(unsigned function, unsigned count)
{
    const uint64_t first = sl_trees_take(count, 0);

    for (unsigned i = 0; i < count; i++) {
        *sl_trees_word(first + i, 0) = (uint32_t)(function + sl_trees_next_base_);
    }
    return (unsigned)first;
}

/** Continues the task as another function, by its number, when all tasks that it has forked are
 * done. The continuation uses the task's slot; the caller must set its arguments. All lanes that
 * join store the same value to a word, relaxed, in one access per wavefront (papers/000 section
 * 5.5.4, "Join"). */
SL_TREES_INLINE void sl_join(unsigned function)
{
    *sl_trees_word(sl_trees_slot_, 0) = (uint32_t)(function + sl_trees_base_);
    sl_store_relaxed_u32_device(sl_trees_join_scheduled(), 1);
}

/** Creates `count` maps, which run before the next epoch; `function` is the function's number.
 * Returns the first of their adjacent slots, whose arguments the caller must set. A vector without
 * that many free slots is a trap (SL_TRAP_TASK_VECTOR). */
SL_TREES_INLINE unsigned sl_maps(unsigned function, unsigned count)
{
    const uint64_t first = sl_trees_take(count, 1);

    for (unsigned i = 0; i < count; i++) {
        *sl_trees_word(first + i, 0) = (uint32_t)(function + sl_trees_base_ - sl_trees_next_base_);
    }
    return (unsigned)first;
}

/** Creates one map, as sl_maps(). */
SL_TREES_INLINE unsigned sl_map(unsigned function)
{
    return sl_maps(function, 1);
}

/** Stores a value for the task's parent, as argument 0 of the task's slot. The kernel has already
 * set the slot's entry to 0. */
SL_TREES_INLINE void sl_emit_u32(uint32_t value)
{
    sl_task_set_u32(sl_trees_slot_, 0, value);
}

/** sl_emit_u32() for 64 bits: arguments 0 and 1. */
SL_TREES_INLINE void sl_emit_u64(uint64_t value)
{
    sl_task_set_u64(sl_trees_slot_, 0, value);
}

/** @} */

/** @cond */
/* ---- arguments of any type ---- */

#define SL_TREES_PIECES(type) (sizeof(type) / 4)

#define SL_TREES_LOAD(type, i)                                                                     \
    ({                                                                                             \
        static_assert(sizeof(type) == 4 || sizeof(type) == 8, "arguments have 4 or 8 bytes");      \
        union {                                                                                    \
            uint64_t bits;                                                                         \
            uint32_t half;                                                                         \
            type value;                                                                            \
        } sl_argument_ = {0};                                                                      \
        if (sizeof(type) == 4) {                                                                   \
            sl_argument_.half = sl_task_u32(sl_trees_slot_, i);                                    \
        } else {                                                                                   \
            sl_argument_.bits = sl_task_u64(sl_trees_slot_, i);                                    \
        }                                                                                          \
        sl_argument_.value;                                                                        \
    })

#define SL_TREES_STORE(slot, type, i, argument)                                                    \
    do {                                                                                           \
        union {                                                                                    \
            uint64_t bits;                                                                         \
            uint32_t half;                                                                         \
            type value;                                                                            \
        } sl_argument_ = {0};                                                                      \
        sl_argument_.value = (argument);                                                           \
        if (sizeof(type) == 4) {                                                                   \
            sl_task_set_u32(slot, i, sl_argument_.half);                                           \
        } else {                                                                                   \
            sl_task_set_u64(slot, i, sl_argument_.bits);                                           \
        }                                                                                          \
    } while (0)

/* Up to six pairs of type and name: as parameters, as arguments loaded from the task's slot from
 * piece `i` on, and stored in a slot. */
#define SL_TREES_COUNT(...)                                                                        \
    SL_TREES_COUNT_(__VA_ARGS__, 6, error, 5, error, 4, error, 3, error, 2, error, 1, error)
#define SL_TREES_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, count, ...) count
#define SL_TREES_PASTE(a, b)                                            SL_TREES_PASTE_(a, b)
#define SL_TREES_PASTE_(a, b)                                           a##b

#define SL_TREES_PARAMETERS(...)                                                                   \
    SL_TREES_PASTE(SL_TREES_PARAMETERS_, SL_TREES_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define SL_TREES_PARAMETERS_1(type, name)      type name
#define SL_TREES_PARAMETERS_2(type, name, ...) type name, SL_TREES_PARAMETERS_1(__VA_ARGS__)
#define SL_TREES_PARAMETERS_3(type, name, ...) type name, SL_TREES_PARAMETERS_2(__VA_ARGS__)
#define SL_TREES_PARAMETERS_4(type, name, ...) type name, SL_TREES_PARAMETERS_3(__VA_ARGS__)
#define SL_TREES_PARAMETERS_5(type, name, ...) type name, SL_TREES_PARAMETERS_4(__VA_ARGS__)
#define SL_TREES_PARAMETERS_6(type, name, ...) type name, SL_TREES_PARAMETERS_5(__VA_ARGS__)

#define SL_TREES_LOADED(...)                                                                       \
    SL_TREES_PASTE(SL_TREES_LOADED_, SL_TREES_COUNT(__VA_ARGS__))(0, __VA_ARGS__)
#define SL_TREES_LOADED_1(i, type, name) SL_TREES_LOAD(type, i)
#define SL_TREES_LOADED_2(i, type, name, ...)                                                      \
    SL_TREES_LOAD(type, i), SL_TREES_LOADED_1((i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_LOADED_3(i, type, name, ...)                                                      \
    SL_TREES_LOAD(type, i), SL_TREES_LOADED_2((i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_LOADED_4(i, type, name, ...)                                                      \
    SL_TREES_LOAD(type, i), SL_TREES_LOADED_3((i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_LOADED_5(i, type, name, ...)                                                      \
    SL_TREES_LOAD(type, i), SL_TREES_LOADED_4((i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_LOADED_6(i, type, name, ...)                                                      \
    SL_TREES_LOAD(type, i), SL_TREES_LOADED_5((i) + SL_TREES_PIECES(type), __VA_ARGS__)

#define SL_TREES_STORED(slot, ...)                                                                 \
    SL_TREES_PASTE(SL_TREES_STORED_, SL_TREES_COUNT(__VA_ARGS__))(slot, 0, __VA_ARGS__)
#define SL_TREES_STORED_1(slot, i, type, name) SL_TREES_STORE(slot, type, i, name)
#define SL_TREES_STORED_2(slot, i, type, name, ...)                                                \
    SL_TREES_STORE(slot, type, i, name);                                                           \
    SL_TREES_STORED_1(slot, (i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_STORED_3(slot, i, type, name, ...)                                                \
    SL_TREES_STORE(slot, type, i, name);                                                           \
    SL_TREES_STORED_2(slot, (i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_STORED_4(slot, i, type, name, ...)                                                \
    SL_TREES_STORE(slot, type, i, name);                                                           \
    SL_TREES_STORED_3(slot, (i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_STORED_5(slot, i, type, name, ...)                                                \
    SL_TREES_STORE(slot, type, i, name);                                                           \
    SL_TREES_STORED_4(slot, (i) + SL_TREES_PIECES(type), __VA_ARGS__)
#define SL_TREES_STORED_6(slot, i, type, name, ...)                                                \
    SL_TREES_STORE(slot, type, i, name);                                                           \
    SL_TREES_STORED_5(slot, (i) + SL_TREES_PIECES(type), __VA_ARGS__)

/* A function's body, and the function that the kernel calls: it passes the arguments of the task's
 * slot to the body. */
#define SL_TREES_FUNCTION(name, ...)                                                               \
    SL_TREES_INLINE void sl_body_##name(SL_TREES_PARAMETERS(__VA_ARGS__));                         \
    SL_TREES_INLINE void sl_run_##name(void)                                                       \
    {                                                                                              \
        sl_body_##name(SL_TREES_LOADED(__VA_ARGS__));                                              \
    }
/** @endcond */

/** @defgroup kernel_trees_functions Functions of tasks and maps
 * @{ */

/** Makes `sl_fork_NAME` and `sl_join_NAME` for a function that SL_TASK_BODY() defines. */
#define SL_TASK_DECLARE(name, ...)                                                                 \
    SL_TREES_FUNCTION(name, __VA_ARGS__)                                                           \
    SL_TREES_INLINE unsigned sl_fork_##name(SL_TREES_PARAMETERS(__VA_ARGS__))                      \
    {                                                                                              \
        const uint64_t sl_new_ = sl_trees_fork(sl_task_##name);                                    \
        SL_TREES_STORED(sl_new_, __VA_ARGS__);                                                     \
        return (unsigned)sl_new_;                                                                  \
    }                                                                                              \
    SL_TREES_INLINE void sl_join_##name(SL_TREES_PARAMETERS(__VA_ARGS__))                          \
    {                                                                                              \
        sl_join(sl_task_##name);                                                                   \
        SL_TREES_STORED(sl_trees_slot_, __VA_ARGS__);                                              \
    }

/** The head of a function that SL_TASK_DECLARE() has declared; its body follows. @hideinitializer
 */
#define SL_TASK_BODY(name, ...)                                                                    \
    SL_TREES_INLINE void sl_body_##name(SL_TREES_PARAMETERS(__VA_ARGS__))

/** SL_TASK_DECLARE() followed by the head of the function. */
#define SL_TASK(name, ...)                                                                         \
    SL_TASK_DECLARE(name, __VA_ARGS__)                                                             \
    SL_TASK_BODY(name, __VA_ARGS__)

/** SL_TASK() for a continuation that forks or maps. Slots then stay taken until their parents are
 * done, so that the continuation does not overwrite slots that its siblings still read
 * (docs/know/trees.md, "Choices"). One use in a program is enough. */
#define SL_TASK_FORKS_AGAIN(name, ...)                                                             \
    SL_WAVE_C void sl_trees_forks_again(void);                                                     \
    __attribute__((used)) void sl_trees_forks_again(void)                                          \
    {                                                                                              \
    }                                                                                              \
    SL_TASK(name, __VA_ARGS__)

/** A function of maps, with `sl_map_NAME`; its body follows. */
#define SL_MAP(name, ...)                                                                          \
    SL_TREES_FUNCTION(name, __VA_ARGS__)                                                           \
    SL_TREES_INLINE unsigned sl_map_##name(SL_TREES_PARAMETERS(__VA_ARGS__))                       \
    {                                                                                              \
        const unsigned sl_new_ = sl_map(sl_task_##name);                                           \
        SL_TREES_STORED(sl_new_, __VA_ARGS__);                                                     \
        return sl_new_;                                                                            \
    }                                                                                              \
    SL_TREES_INLINE void sl_body_##name(SL_TREES_PARAMETERS(__VA_ARGS__))

/** @cond */
/* Up to eight functions, each through a macro. */
#define SL_TREES_EACH(each, ...)                                                                   \
    SL_TREES_PASTE(SL_TREES_EACH_, SL_TREES_NAMES(__VA_ARGS__))(each, __VA_ARGS__)
#define SL_TREES_NAMES(...)                                 SL_TREES_NAMES_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SL_TREES_NAMES_(a, b, c, d, e, f, g, h, count, ...) count
#define SL_TREES_EACH_1(each, name)                         each(name)
#define SL_TREES_EACH_2(each, name, ...)                    each(name) SL_TREES_EACH_1(each, __VA_ARGS__)
#define SL_TREES_EACH_3(each, name, ...)                    each(name) SL_TREES_EACH_2(each, __VA_ARGS__)
#define SL_TREES_EACH_4(each, name, ...)                    each(name) SL_TREES_EACH_3(each, __VA_ARGS__)
#define SL_TREES_EACH_5(each, name, ...)                    each(name) SL_TREES_EACH_4(each, __VA_ARGS__)
#define SL_TREES_EACH_6(each, name, ...)                    each(name) SL_TREES_EACH_5(each, __VA_ARGS__)
#define SL_TREES_EACH_7(each, name, ...)                    each(name) SL_TREES_EACH_6(each, __VA_ARGS__)
#define SL_TREES_EACH_8(each, name, ...)                    each(name) SL_TREES_EACH_7(each, __VA_ARGS__)

#define SL_TREES_NUMBER(name)  sl_task_##name,
#define SL_TREES_FORWARD(name) SL_TREES_INLINE void sl_run_##name(void);
#define SL_TREES_CASE(name)                                                                        \
    if (sl_function_ == sl_task_##name) {                                                          \
        sl_run_##name();                                                                           \
    } else

/* The head of both kernels: constant arguments, as the firmware sets them. */
#define SL_TREES_KERNEL(kernel)                                                                    \
    SL_KERNEL void kernel(struct sl_trees *shared, uint64_t base, uint64_t first,                  \
                          uint64_t functions, uint64_t vector, uint64_t capacity, uint64_t words)
/* The registers are set while the entry loads; it is used after them. */
#define SL_TREES_BEGIN(own_slot)                                                                   \
    const uint64_t sl_own_slot_ = first + (own_slot);                                              \
    uint32_t *const sl_entry_ = (uint32_t *)(vector + 4 * sl_own_slot_);                           \
    int64_t sl_loaded_ = (int32_t)*sl_entry_;                                                      \
    sl_trees_next_free_ = &shared->next_free;                                                      \
    sl_trees_vector_ = vector;                                                                     \
    sl_trees_stride_ = 4 * capacity;                                                               \
    sl_trees_base_ = base;                                                                         \
    sl_trees_next_base_ = base + functions;                                                        \
    sl_trees_words_ = words;                                                                       \
    sl_trees_slot_ = sl_own_slot_;                                                                 \
    __asm__(""                                                                                     \
            : "+r"(sl_loaded_)                                                                     \
            : "r"(sl_trees_next_free_), "r"(sl_trees_vector_), "r"(sl_trees_stride_),              \
              "r"(sl_trees_base_), "r"(sl_trees_next_base_), "r"(sl_trees_slot_),                  \
              "r"(sl_trees_words_))

/** @endcond */

/** Numbers up to eight functions of tasks from 1 and makes the kernel of epochs. Each work-item has
 * a slot and runs its task if the task belongs to this epoch. Before that the kernel sets the entry
 * to 0, because the epoch may run again for other tasks. A join stores another entry. */
#define SL_TASKS(kernel, ...)                                                                      \
    enum { sl_tasks_from_, SL_TREES_EACH(SL_TREES_NUMBER, __VA_ARGS__) sl_tasks_behind_ };         \
    SL_TREES_EACH(SL_TREES_FORWARD, __VA_ARGS__)                                                   \
    SL_TREES_KERNEL(kernel)                                                                        \
    {                                                                                              \
        SL_TREES_BEGIN(sl_global_id(0));                                                           \
        const int64_t sl_function_ = sl_loaded_ - (int64_t)sl_trees_base_;                         \
                                                                                                   \
        if (sl_function_ < 1 || sl_function_ >= sl_tasks_behind_) {                                \
            return;                                                                                \
        }                                                                                          \
        *sl_entry_ = 0;                                                                            \
        SL_TREES_EACH(SL_TREES_CASE, __VA_ARGS__)                                                  \
        {                                                                                          \
        }                                                                                          \
    }

/** Numbers the functions of maps from 1, fewer than those of tasks, and makes the kernel of maps.
 * Each slot has a work-group, which returns at once if the slot has no map. */
#define SL_MAPS(kernel, ...)                                                                       \
    enum { sl_maps_from_, SL_TREES_EACH(SL_TREES_NUMBER, __VA_ARGS__) sl_maps_behind_ };           \
    static_assert((int)sl_maps_behind_ < (int)sl_tasks_behind_,                                    \
                  "there are fewer functions of maps than of tasks");                              \
    SL_TREES_EACH(SL_TREES_FORWARD, __VA_ARGS__)                                                   \
    SL_TREES_KERNEL(kernel)                                                                        \
    {                                                                                              \
        SL_TREES_BEGIN(sl_group_id(1));                                                            \
        const int64_t sl_function_ = sl_loaded_ + (int64_t)functions;                              \
                                                                                                   \
        if (sl_loaded_ >= 0) {                                                                     \
            return;                                                                                \
        }                                                                                          \
        SL_TREES_EACH(SL_TREES_CASE, __VA_ARGS__)                                                  \
        {                                                                                          \
        }                                                                                          \
    }

/** @} */

#endif
