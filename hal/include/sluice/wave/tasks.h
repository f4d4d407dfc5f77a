/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Programs on the work-sharing task runtime (docs/know/tasks.md; papers/002 section 7): functions
 * over tasks of one type, which may create tasks. Wavefronts, work-groups and queues are hidden.
 *
 *     struct node {
 *         uint32_t key, depth;
 *     };
 *     struct sums {
 *         uint64_t nodes;
 *     };
 *     SL_WORK_TYPES(struct node, struct sums, struct tree);
 *     SL_WORK(tree_kernel, visit)
 *     SL_WORK_FUNCTION(visit)
 *     {
 *         lane->nodes++;
 *         if (task.depth < program->depth) {
 *             sl_spawn(visit, (struct node){.key = 2 * task.key, .depth = task.depth + 1});
 *         }
 *     }
 *     SL_WORK_END()
 *     {
 *         (void)sl_atomic_add_u64(&program->nodes, lane->nodes);
 *     }
 *
 * SL_WORK numbers up to eight functions from 0 and makes the kernel; the host chooses the version.
 * A function has three parameters: `task`, the task; `lane`, data that its lane keeps between
 * tasks, initially zero; and `program`, the pointer that the host gave to sl_tasks_create(). Each
 * lane runs SL_WORK_END when no task is left.
 *
 * Lanes that call sl_spawn() together put their tasks into adjacent places of a front. A task may
 * run when the front that created it is done, and sees the stores of the task that created it. The
 * program must synchronize all other data that tasks of different fronts share. */
#ifndef SLUICE_WAVE_TASKS_H
#define SLUICE_WAVE_TASKS_H

#include <assert.h>

#include "sluice/tasks.h"
#include "sluice/wave/group.h"
#include "sluice/wave/wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @cond */
#define SL_TASKS_INLINE static inline __attribute__((always_inline))

/* The front of a function that a wavefront collects; `block` is the address of its block. */
struct sl_tasks_pending {
    uint64_t block;
    uint64_t tasks;
};

/* State of a wavefront, in LDS, where acquires and releases have no effect. Private to the
 * wavefront. */
struct sl_tasks_state {
    struct sl_tasks_pending pending[SL_TASKS_FUNCTIONS];
    uint64_t pool;
    uint32_t *places; /* of the private queue */
    uint32_t lanes;
    uint32_t mask;     /* the private queue's capacity - 1 */
    uint32_t head;     /* of the private queue */
    uint32_t tail;     /* including fronts that the running front has filled */
    uint32_t enqueued; /* the tail without these fronts */
    uint32_t spare;    /* entry of the block that runs, or is free */
    uint32_t running;  /* tasks of the running front */
    uint32_t waiting;  /* tasks of the fronts being collected when the running front began */
    struct sl_tasks *shared;
    struct sl_tasks_wavefront *wavefront;
    struct sl_tasks_shared_queue *group;
    uint32_t functions;
    uint32_t version;
    uint32_t capacity[SL_TASKS_QUEUES];
    uint32_t threshold[SL_TASKS_QUEUES];
    uint32_t counts[SL_TASKS_COUNTS];
};

/* One for each wavefront of the work-group. */
extern struct sl_tasks_state sl_tasks_states[SL_TASKS_WAVEFRONTS];

/* In tasks_fronts.c, for one lane of each wavefront. sl_tasks_begin() sets up the state.
 * sl_tasks_next() counts what the last front has done and created, publishes the fronts that it has
 * filled, and chooses the next one. It returns the front's entry in the lower half and the number
 * of its tasks above; 0 tasks mean the end. sl_tasks_end() stores the counts. */
void sl_tasks_begin(struct sl_tasks *shared);
uint64_t sl_tasks_next(void);
void sl_tasks_end(void);

/* sl_lane_id() and sl_group_wavefront_id(), computed at each use. The compiler would compute those
 * once and keep them, and values derived from them, on the lane's stack across a program's
 * function. That is half a kilobyte each for a wavefront, through caches that acquires invalidate.
 */
#define SL_TASKS_ID(name, kind)                                                                    \
    SL_TASKS_INLINE unsigned sl_tasks_##name(void)                                                 \
    {                                                                                              \
        unsigned long value;                                                                       \
        __asm__ volatile(".insn r 0x0b, 0, 0, %0, x0, x" #kind : "=r"(value));                     \
        return (unsigned)value;                                                                    \
    }
SL_TASKS_ID(lane, 0)
SL_TASKS_ID(wavefront, 24)
#undef SL_TASKS_ID

SL_TASKS_INLINE struct sl_tasks_state *sl_tasks_own(void)
{
    return &sl_tasks_states[sl_tasks_wavefront()];
}

/* For each active lane, the address of the first word of its new task. If the lanes make more tasks
 * than fit, some continue in the next block: the free block at the place that the full block then
 * takes. */
SL_TASKS_INLINE char *sl_tasks_take(unsigned function)
{
    struct sl_tasks_state *const own = sl_tasks_own();
    struct sl_tasks_pending *const pending = &own->pending[function];
    const uint64_t before = sl_scan_add(1);
    const uint64_t all = sl_reduce_add(1);
    const uint64_t lanes = own->lanes;
    const uint64_t block = pending->block;
    const uint64_t lane = pending->tasks + before;
    const uint64_t tasks = pending->tasks + all;
    uint64_t address = block + 4 * lane;

    if (tasks >= lanes) {
        uint32_t *const place = own->places + (own->tail & own->mask);
        const uint64_t next = own->pool + (*place & ~SL_TASKS_FUNCTION_MASK);

        if (lane >= lanes) {
            address = next + 4 * (lane - lanes);
        }
        if (sl_elect()) {
            if (own->tail - own->head > own->mask) {
                sl_trap(SL_TRAP_TASK_QUEUE, SL_TASKS_OWN, own->mask + 1);
            }
            *place = (uint32_t)(block - own->pool) | function;
            own->tail++;
            pending->block = next;
            pending->tasks = tasks - lanes;
        }
    } else if (sl_elect()) {
        pending->tasks = tasks;
    }
    return (char *)(uintptr_t)address;
}

/* Word by word, at constant places, so that a task stays in registers. */
#define SL_TASKS_EACH_WORD(each)                                                                   \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10)       \
        each(11) each(12) each(13) each(14) each(15)

#define SL_TASKS_STORE_WORD(i)                                                                     \
    if (bytes > 4 * (i)) {                                                                         \
        uint32_t word_;                                                                            \
        __builtin_memcpy(&word_, (const char *)task + 4 * (i), 4);                                 \
        *(uint32_t *)(first + (i)*stride) = word_;                                                 \
    }
#define SL_TASKS_LOAD_WORD(i)                                                                      \
    if (bytes > 4 * (i)) {                                                                         \
        const uint32_t word_ = *(const uint32_t *)(first + (i)*stride);                            \
        __builtin_memcpy((char *)task + 4 * (i), &word_, 4);                                       \
    }

SL_TASKS_INLINE void sl_tasks_spawn(unsigned function, const void *task, size_t bytes)
{
    char *const first = sl_tasks_take(function);
    const uint64_t stride = 4 * (uint64_t)sl_tasks_own()->lanes;
    SL_TASKS_EACH_WORD(SL_TASKS_STORE_WORD)
}

SL_TASKS_INLINE void sl_tasks_load(uint32_t entry, void *task, size_t bytes)
{
    const char *const first =
        (const char *)(uintptr_t)(sl_tasks_own()->pool + (entry & ~SL_TASKS_FUNCTION_MASK) +
                                  4 * sl_tasks_lane());
    const uint64_t stride = 4 * (uint64_t)sl_tasks_own()->lanes;
    SL_TASKS_EACH_WORD(SL_TASKS_LOAD_WORD)
}
/** @endcond */

/** @defgroup kernel_tasks Work-sharing tasks
 * @{ */

/** Declares the types of tasks, of the data that each lane keeps, and of the data that the host
 * gives to all lanes. A task has 4 to 64 bytes, a multiple of 4. */
#define SL_WORK_TYPES(task_type, lane_type, program_type)                                          \
    typedef task_type sl_work_task_;                                                               \
    typedef lane_type sl_work_lane_;                                                               \
    typedef program_type sl_work_program_;                                                         \
    static_assert(sizeof(sl_work_task_) % 4 == 0 && sizeof(sl_work_task_) >= 4 &&                  \
                      sizeof(sl_work_task_) <= 4 * SL_TASKS_WORDS,                                 \
                  "a task has 4 to 64 bytes, a multiple of 4")

/** @cond */
#define SL_WORK_EACH(each, ...)                                                                    \
    SL_WORK_PASTE(SL_WORK_EACH_, SL_WORK_NAMES(__VA_ARGS__))(each, __VA_ARGS__)
#define SL_WORK_PASTE(a, b)                                SL_WORK_PASTE_(a, b)
#define SL_WORK_PASTE_(a, b)                               a##b
#define SL_WORK_NAMES(...)                                 SL_WORK_NAMES_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SL_WORK_NAMES_(a, b, c, d, e, f, g, h, count, ...) count
#define SL_WORK_EACH_1(each, name)                         each(name)
#define SL_WORK_EACH_2(each, name, ...)                    each(name) SL_WORK_EACH_1(each, __VA_ARGS__)
#define SL_WORK_EACH_3(each, name, ...)                    each(name) SL_WORK_EACH_2(each, __VA_ARGS__)
#define SL_WORK_EACH_4(each, name, ...)                    each(name) SL_WORK_EACH_3(each, __VA_ARGS__)
#define SL_WORK_EACH_5(each, name, ...)                    each(name) SL_WORK_EACH_4(each, __VA_ARGS__)
#define SL_WORK_EACH_6(each, name, ...)                    each(name) SL_WORK_EACH_5(each, __VA_ARGS__)
#define SL_WORK_EACH_7(each, name, ...)                    each(name) SL_WORK_EACH_6(each, __VA_ARGS__)
#define SL_WORK_EACH_8(each, name, ...)                    each(name) SL_WORK_EACH_7(each, __VA_ARGS__)

#define SL_WORK_NUMBER(name)  sl_work_number_##name,
#define SL_WORK_FORWARD(name) SL_WORK_FUNCTION(name);
#define SL_WORK_CASE(name)                                                                         \
    if (sl_function_ == sl_work_number_##name) {                                                   \
        sl_work_run_##name(sl_task_, &sl_lane_, program);                                          \
    } else
/** @endcond */

/** The head of a function; its body follows. Parameters: `task`, `lane`, `program`. */
#define SL_WORK_FUNCTION(name)                                                                     \
    SL_TASKS_INLINE void sl_work_run_##name(__attribute__((unused)) const sl_work_task_ task,      \
                                            __attribute__((unused)) sl_work_lane_ *lane,           \
                                            __attribute__((unused)) sl_work_program_ *program)

/** The head of the code that each lane runs when no task is left; its body follows. Parameters:
 * `lane`, `program`. */
#define SL_WORK_END()                                                                              \
    SL_TASKS_INLINE void sl_work_at_end_(__attribute__((unused)) sl_work_lane_ *lane,              \
                                         __attribute__((unused)) sl_work_program_ *program)

/** @cond */
/* Tells the host the kernel's functions and task size (hal/host/driver/code/elf_records.c). Costs
 * no instruction. */
#define SL_WORK_RECORD(functions, bytes)                                                           \
    __asm__ volatile(".pushsection .sluice.work, \"\", @progbits\n\t"                              \
                     ".8byte .Lsl_work%=, %0\n\t.popsection\n.Lsl_work%=:"                         \
                     :                                                                             \
                     : "i"((uint64_t)(bytes) << 32 | (functions)))
/** @endcond */

/** Numbers up to eight functions from 0 and makes the kernel, whose wavefronts run one front after
 * the other. */
#define SL_WORK(kernel, ...)                                                                       \
    enum { SL_WORK_EACH(SL_WORK_NUMBER, __VA_ARGS__) sl_work_functions_ };                         \
    SL_WORK_EACH(SL_WORK_FORWARD, __VA_ARGS__)                                                     \
    SL_WORK_END();                                                                                 \
    SL_KERNEL void kernel(struct sl_tasks *shared, sl_work_program_ *program)                      \
    {                                                                                              \
        sl_work_lane_ sl_lane_ = {};                                                               \
                                                                                                   \
        SL_WORK_RECORD(sl_work_functions_, sizeof(sl_work_task_));                                 \
        if (sl_tasks_lane() == 0) {                                                                \
            sl_tasks_begin(shared);                                                                \
        }                                                                                          \
        for (;;) {                                                                                 \
            uint64_t sl_front_ = 0;                                                                \
            if (sl_tasks_lane() == 0) {                                                            \
                sl_front_ = sl_tasks_next();                                                       \
            }                                                                                      \
            sl_front_ = sl_first(sl_front_);                                                       \
            const uint32_t sl_tasks_ = (uint32_t)(sl_front_ >> 32);                                \
            if (sl_tasks_ == 0) {                                                                  \
                break;                                                                             \
            }                                                                                      \
            if (sl_tasks_lane() < sl_tasks_) {                                                     \
                const uint32_t sl_function_ = (uint32_t)sl_front_ & SL_TASKS_FUNCTION_MASK;        \
                sl_work_task_ sl_task_;                                                            \
                sl_tasks_load((uint32_t)sl_front_, &sl_task_, sizeof sl_task_);                    \
                SL_WORK_EACH(SL_WORK_CASE, __VA_ARGS__)                                            \
                {                                                                                  \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        sl_work_at_end_(&sl_lane_, program);                                                       \
        if (sl_tasks_lane() == 0) {                                                                \
            sl_tasks_end();                                                                        \
        }                                                                                          \
    }

/** Creates a task of the function `name`; it runs at some later time. The other arguments are the
 * task's value. A full queue is a trap (SL_TRAP_TASK_QUEUE). */
#define sl_spawn(name, ...)                                                                        \
    do {                                                                                           \
        const sl_work_task_ sl_new_ = (__VA_ARGS__);                                               \
        sl_tasks_spawn(sl_work_number_##name, &sl_new_, sizeof sl_new_);                           \
    } while (0)

/** @} */

#ifdef __cplusplus
}
#endif

#endif
