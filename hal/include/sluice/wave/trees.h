/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Fork/join programs on a task vector, as papers/000 Figure 5.2 writes them (docs/know/trees.md).
 * The macros stand for the paper's compiler:
 *
 *     SL_TASKS(kernel, sum, fib)
 *     SL_TASK(sum, unsigned, first)
 *     {
 *         sl_emit_u64(sl_task_u64(first, 0) + sl_task_u64(first + 1, 0));
 *     }
 *
 * SL_TASKS numbers the functions of tasks from 1, and makes the kernel. SL_TASK is a function with
 * its arguments, each of 4 or 8 bytes; it also makes sl_fork_sum(first), which returns the slot of
 * the new task, and sl_join_sum(first). SL_TASK_DECLARE makes these alone, for functions that fork
 * each other. A task ends by at most one join or emit. Maps are made the same way, by SL_MAPS and
 * SL_MAP, which makes sl_map_NAME(...): a work-group for each, whose work-items sl_local_id(0)
 * numbers.
 *
 * There are no fences: an epoch begins with an acquire and ends in a release, of the device. */
#ifndef SLUICE_WAVE_TREES_H
#define SLUICE_WAVE_TREES_H

#include <assert.h>

#include "sluice/wave/wave.h"

/** @cond */
/* What a task knows without being told: registers that the kernel sets and nobody else uses, so
 * that functions of tasks have arguments of their own alone. */
register uint64_t *sl_trees_next_free_ __asm__("s11"); /* in the line of struct sl_trees */
register uint64_t sl_trees_vector_ __asm__("s10");     /* its address */
register uint64_t sl_trees_stride_ __asm__("s9");      /* bytes of all its entries: 4 for a slot */
register uint64_t sl_trees_base_ __asm__("s8");        /* epoch x functions */
register uint64_t sl_trees_next_base_ __asm__("s7");   /* of the next epoch */
register uint64_t sl_trees_slot_ __asm__("s6");        /* the task's own slot */
register uint64_t sl_trees_words_ __asm__("s5");       /* bytes between the words of an epoch */

#define SL_TREES_INLINE static inline __attribute__((always_inline))

/* What an epoch gives back behind next_free: in its line, or in lines of their own. */
SL_TREES_INLINE uint32_t *sl_trees_join_scheduled(void)
{
    return (uint32_t *)((uintptr_t)sl_trees_next_free_ + sl_trees_words_);
}

SL_TREES_INLINE uint32_t *sl_trees_map_scheduled(void)
{
    return (uint32_t *)((uintptr_t)sl_trees_next_free_ + 2 * sl_trees_words_);
}

/* Word `word` of a slot: 0 is its entry, those from 1 on its arguments. */
SL_TREES_INLINE uint32_t *sl_trees_word(uint64_t slot, unsigned word)
{
    return (uint32_t *)(sl_trees_vector_ + 4 * slot + word * sl_trees_stride_);
}

/** @endcond */

/** @defgroup kernel_trees Tasks of a task vector
 * @{ */

/** Argument `i` of a task, or what it has emitted. */
SL_TREES_INLINE uint32_t sl_task_u32(uint64_t slot, unsigned i)
{
    return *sl_trees_word(slot, 1 + i);
}

/** Arguments `i` and `i + 1` of a task, or what it has emitted, as 64 bits. */
SL_TREES_INLINE uint64_t sl_task_u64(uint64_t slot, unsigned i)
{
    return (uint64_t)sl_task_u32(slot, i + 1) << 32 | sl_task_u32(slot, i);
}

/** Sets argument `i` of a task. */
SL_TREES_INLINE void sl_task_set_u32(uint64_t slot, unsigned i, uint32_t value)
{
    *sl_trees_word(slot, 1 + i) = value;
}

/** Sets arguments `i` and `i + 1` of a task. */
SL_TREES_INLINE void sl_task_set_u64(uint64_t slot, unsigned i, uint64_t value)
{
    sl_task_set_u32(slot, i, (uint32_t)value);
    sl_task_set_u32(slot, i + 1, (uint32_t)(value >> 32));
}

/** The task's own slot. */
SL_TREES_INLINE unsigned sl_task_slot(void)
{
    return (unsigned)sl_trees_slot_;
}

/** @cond */
/* The first of `count` neighbouring slots, for each active lane: one atomic add for all of them,
 * which is counted in the upper half of the word. `maps` is 1 where they are for maps. */
SL_TREES_INLINE uint64_t sl_trees_take(unsigned count, unsigned maps)
{
    const uint64_t before = sl_scan_add(count);
    const uint64_t all = sl_reduce_add(count);
    uint64_t first = 0;

    /* Of one slot each, a wavefront's are too few to reach the upper half. */
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

/* A new task of a function, by its number, for the next epoch. */
SL_TREES_INLINE uint64_t sl_trees_fork(unsigned function)
{
    const uint64_t slot = sl_trees_take(1, 0);

    *sl_trees_word(slot, 0) = (uint32_t)(function + sl_trees_next_base_);
    return slot;
}

/** @endcond */

/** `count` new tasks of a function, by its number, for the next epoch. Returns the first of their
 * neighbouring slots, whose arguments are to be set. */
SL_TREES_INLINE unsigned sl_fork(unsigned function, unsigned count)
{
    const uint64_t first = sl_trees_take(count, 0);

    for (unsigned i = 0; i < count; i++) {
        *sl_trees_word(first + i, 0) = (uint32_t)(function + sl_trees_next_base_);
    }
    return (unsigned)first;
}

/** The task goes on as another function, by its number, when everything that it has forked is done:
 * in its own slot, whose arguments are to be set. That one has joined is a relaxed store of the
 * same value by all: one access of a wavefront (papers/000 section 5.5.4, "Join"). */
SL_TREES_INLINE void sl_join(unsigned function)
{
    *sl_trees_word(sl_trees_slot_, 0) = (uint32_t)(function + sl_trees_base_);
    sl_store_relaxed_u32_device(sl_trees_join_scheduled(), 1);
}

/** `count` new maps of a function, by its number, which run before the next epoch. Returns the
 * first of their neighbouring slots, whose arguments are to be set. */
SL_TREES_INLINE unsigned sl_maps(unsigned function, unsigned count)
{
    const uint64_t first = sl_trees_take(count, 1);

    for (unsigned i = 0; i < count; i++) {
        *sl_trees_word(first + i, 0) = (uint32_t)(function + sl_trees_base_ - sl_trees_next_base_);
    }
    return (unsigned)first;
}

/** One map, otherwise as sl_maps(). */
SL_TREES_INLINE unsigned sl_map(unsigned function)
{
    return sl_maps(function, 1);
}

/** Leaves a value for the task's parent. The kernel has set the entry to 0 already. */
SL_TREES_INLINE void sl_emit_u32(uint32_t value)
{
    sl_task_set_u32(sl_trees_slot_, 0, value);
}

/** sl_emit_u32() of 64 bits. */
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

/* Up to six pairs of type and name: as parameters, as arguments out of the task's own slot from
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

/* A function's body, and what the kernel calls: it with the arguments of the task's own slot. */
#define SL_TREES_FUNCTION(name, ...)                                                               \
    SL_TREES_INLINE void sl_body_##name(SL_TREES_PARAMETERS(__VA_ARGS__));                         \
    SL_TREES_INLINE void sl_run_##name(void)                                                       \
    {                                                                                              \
        sl_body_##name(SL_TREES_LOADED(__VA_ARGS__));                                              \
    }
/** @endcond */

/** @defgroup kernel_trees_functions Functions of tasks and maps
 * @{ */

/** Makes `sl_fork_NAME` and `sl_join_NAME`, for a function that SL_TASK_BODY() defines. */
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

/** The head of a function that SL_TASK_DECLARE() has declared: a body follows. @hideinitializer */
#define SL_TASK_BODY(name, ...)                                                                    \
    SL_TREES_INLINE void sl_body_##name(SL_TREES_PARAMETERS(__VA_ARGS__))

/** Both at once: SL_TASK_DECLARE(), and the head of the function. */
#define SL_TASK(name, ...)                                                                         \
    SL_TASK_DECLARE(name, __VA_ARGS__)                                                             \
    SL_TASK_BODY(name, __VA_ARGS__)

/** SL_TASK() for a continuation that forks or maps: slots stay taken until their parents are done,
 * so that it overwrites nothing that its siblings have yet to read (docs/know/trees.md,
 * "Choices"). Once in a program is enough. */
#define SL_TASK_FORKS_AGAIN(name, ...)                                                             \
    SL_WAVE_C void sl_trees_forks_again(void);                                                     \
    __attribute__((used)) void sl_trees_forks_again(void)                                          \
    {                                                                                              \
    }                                                                                              \
    SL_TASK(name, __VA_ARGS__)

/** A function of maps, with `sl_map_NAME`: a body follows. */
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

/* What both kernels begin with: their constant arguments, as the firmware sets them. */
#define SL_TREES_KERNEL(kernel)                                                                    \
    SL_KERNEL void kernel(struct sl_trees *shared, uint64_t base, uint64_t first,                  \
                          uint64_t functions, uint64_t vector, uint64_t capacity, uint64_t words)
/* Registers are set while the entry is under way: it is used behind them. */
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

/** The functions of tasks, numbered from 1, and the kernel of epochs: each work-item has a slot,
 * and runs its task where that is of this epoch. The entry is 0 then, unless the task joins: its
 * epoch may run again for others. */
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

/** The functions of maps, numbered from 1, and the kernel of maps: a work-group for each slot,
 * which does nothing where that has no map. */
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
