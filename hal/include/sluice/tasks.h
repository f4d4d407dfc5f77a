/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Shared memory of the work-sharing task runtime (docs/know/tasks.md; papers/002 section 7). The
 * host lays it out (hal/host/runtime/run/tasks_memory.c); kernels use it (sluice/wave/tasks.h).
 *
 * A task front is a block of the pool: word w of lane l's task is at (w * lanes + l) * 4. An entry
 * names a front: its byte offset in the pool, with the number of its function in the low bits. Each
 * place in a queue always has a block: a waiting front or a free block. A wavefront that puts a
 * front in takes the free block out, and vice versa. Each wavefront therefore ends with the number
 * of blocks it began with. */
#ifndef SLUICE_TASKS_H
#define SLUICE_TASKS_H

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/** @defgroup host_tasks Work-sharing tasks in shared memory
 * @{ */

#define SL_TASKS_FUNCTIONS  8     /**< most functions of a program */
#define SL_TASKS_WORDS      16    /**< most words of a task, of 4 bytes each */
#define SL_TASKS_WAVEFRONTS 8     /**< most wavefronts of a work-group */
#define SL_TASKS_CAPACITY   65536 /**< most fronts of a queue */

#define SL_TASKS_FUNCTION_MASK 63u /* of an entry; blocks are whole cache lines */

/** Properties of an SL_WORK kernel, from its ELF file. */
struct sl_tasks_kernel {
    uint32_t functions;  /**< number of functions */
    uint32_t task_bytes; /**< bytes of a task */
};

/** Scopes in which queues synchronize (docs/know/tasks.md, "Scopes"). */
enum sl_tasks_version {
    SL_TASKS_DIRECT,   /**< device scope for all, as HRF-direct requires */
    SL_TASKS_INDIRECT, /**< each queue's scope, as HRF-indirect allows */
    SL_TASKS_VERSIONS, /**< number of versions */
};

/** Kinds of queues, in which fronts wait. */
enum sl_tasks_queue {
    SL_TASKS_OWN,    /**< of the wavefront */
    SL_TASKS_GROUP,  /**< of its work-group */
    SL_TASKS_DEVICE, /**< of the device */
    SL_TASKS_QUEUES, /**< number of kinds */
};

/** Counts of a wavefront. Those with MAX are maxima of occupancy, in fronts. */
enum sl_tasks_count {
    SL_TASKS_FULL,         /**< full fronts that it has run */
    SL_TASKS_PARTIAL,      /**< partial fronts that it has run */
    SL_TASKS_RUN,          /**< tasks in full and partial fronts */
    SL_TASKS_ENQUEUES,     /**< fronts that it put into its private queue */
    SL_TASKS_TO_GROUP,     /**< fronts moved from there to its work-group's queue */
    SL_TASKS_TO_DEVICE,    /**< fronts moved from there to the device's queue */
    SL_TASKS_GROUP_DEVICE, /**< fronts moved from its work-group's to the device's queue */
    SL_TASKS_FROM_OWN,     /**< fronts taken from its private queue to run */
    SL_TASKS_FROM_GROUP,   /**< fronts taken from its work-group's queue to run */
    SL_TASKS_FROM_DEVICE,  /**< fronts taken from the device's queue to run */
    SL_TASKS_IDLE,         /**< polls that found no front */
    SL_TASKS_MAX_OWN,      /**< most fronts in its private queue */
    SL_TASKS_MAX_GROUP,    /**< most fronts in its work-group's queue */
    SL_TASKS_MAX_DEVICE,   /**< most fronts in the device's queue */
    SL_TASKS_COUNTS        /**< number of counts */
};

/* The word with the bounds of a wavefront's private queue: fronts are in the places from head to
 * tail - 1. Both only grow, modulo 2^32; a place is its number modulo the capacity, a power of two.
 */
static inline uint32_t sl_tasks_tail(uint64_t bounds)
{
    return (uint32_t)(bounds >> 32);
}

static inline uint32_t sl_tasks_head(uint64_t bounds)
{
    return (uint32_t)bounds;
}

static inline uint32_t sl_tasks_occupancy(uint64_t bounds)
{
    return sl_tasks_tail(bounds) - sl_tasks_head(bounds);
}

static inline uint64_t sl_tasks_bounds(uint32_t tail, uint32_t head)
{
    return (uint64_t)tail << 32 | head;
}

/* The counts of a queue that several wavefronts share, to which each only adds. The lower 32 bits
 * count the fronts that were put in. The upper bits count those that wait, which may briefly be
 * below 0. At most 2^32 fronts therefore pass through a queue in one execution (docs/know/tasks.md,
 * "Choices"); with one front per microsecond that is more than an hour. */
static inline uint32_t sl_tasks_put(uint64_t puts)
{
    return (uint32_t)puts;
}

static inline int32_t sl_tasks_waiting(uint64_t puts)
{
    return (int32_t)(puts >> 32);
}

static inline uint64_t sl_tasks_puts(uint32_t waiting, uint32_t put)
{
    return (uint64_t)waiting << 32 | put;
}

/* A place in a shared queue is one word: the turn that it is for, and an entry. Turn n is for the
 * wavefront that puts front n in, turn n + 1 for the one that takes it out. */
static inline uint64_t sl_tasks_place(uint32_t turn, uint32_t entry)
{
    return (uint64_t)turn << 32 | entry;
}

/** The queue of a work-group or of the device, on a separate cache line. */
struct sl_tasks_shared_queue {
    alignas(64) uint64_t puts; /**< fronts put in; above 32 bits those that wait */
    uint64_t taken;            /**< fronts taken out */
    uint64_t places;           /**< address of its places, words of 64 bits */
};

/** Shared memory of one wavefront. */
struct sl_tasks_wavefront {
    alignas(64) uint64_t bounds; /**< of its private queue */
    uint64_t places;             /**< address of its entries, of 32 bits */
    uint32_t spare;              /**< entry of the block that belongs to no place and no function */
    uint32_t reserved;           /**< 0 */
    alignas(64) uint32_t pending[SL_TASKS_FUNCTIONS]; /**< by function: entry of its new front */
    uint32_t tasks[SL_TASKS_FUNCTIONS];               /**< by function: tasks in it at the start */
    alignas(64) uint64_t counts[SL_TASKS_COUNTS];     /**< written at its end */
};

/** Data common to all wavefronts; sl_tasks_shared() returns it. */
struct sl_tasks {
    alignas(64) uint64_t outstanding; /**< tasks that were created and are not done */
    alignas(64) uint64_t pool;        /**< address of the blocks */
    uint64_t wavefronts;              /**< address of the array of struct sl_tasks_wavefront */
    uint64_t groups;    /**< address of the work-groups' array of struct sl_tasks_shared_queue */
    uint32_t version;   /**< enum sl_tasks_version */
    uint32_t functions; /**< number of functions */
    uint32_t capacity[SL_TASKS_QUEUES];  /**< fronts of each kind of queue */
    uint32_t threshold[SL_TASKS_QUEUES]; /**< group, device: gets fronts if below */
    uint32_t lanes;                      /**< lanes of a wavefront */
    uint32_t group_wavefronts;           /**< wavefronts of a work-group */
    struct sl_tasks_shared_queue device; /**< the device's queue */
};

/** @} */

static_assert(sizeof(struct sl_tasks_wavefront) == 256, "a wavefront has whole cache lines");
static_assert(sizeof(struct sl_tasks_shared_queue) == 64, "a queue has a cache line of its own");
static_assert(offsetof(struct sl_tasks, pool) == 64, "what is read is apart from what is counted");
static_assert(offsetof(struct sl_tasks, device) == 128, "the device's queue has its own line");

#endif
