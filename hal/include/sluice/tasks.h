/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * What the work-sharing task runtime (docs/know/tasks.md; papers/002 section 7) keeps in shared
 * memory. The host lays it out (hal/host/runtime/run/tasks.c); kernels work on it
 * (sluice/wave/tasks.h).
 *
 * A task front is a block of the pool: word w of the task of lane l is at (w * lanes + l) * 4. An
 * entry names one: its byte offset in the pool, in whose low bits is the number of its function.
 * Each place in a queue has a block at all times: a front that waits, or one that is free. Who puts
 * a front in takes the free block out, and the other way round, so that each wavefront has as many
 * blocks at the end as at the beginning. */
#ifndef SLUICE_TASKS_H
#define SLUICE_TASKS_H

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/** @defgroup host_tasks Work-sharing tasks in shared memory
 * @{ */

#define SL_TASKS_FUNCTIONS  8     /**< functions of a program, at most */
#define SL_TASKS_WORDS      16    /**< words of a task, at most, of 4 bytes each */
#define SL_TASKS_WAVEFRONTS 8     /**< wavefronts of a work-group, at most */
#define SL_TASKS_CAPACITY   65536 /**< fronts of a queue, at most */

#define SL_TASKS_FUNCTION_MASK 63u /* of an entry; blocks are whole cache lines */

/** What a kernel of SL_WORK has, as its ELF file says. */
struct sl_tasks_kernel {
    uint32_t functions;  /**< their number */
    uint32_t task_bytes; /**< of each task */
};

/** In which scopes its queues synchronize (docs/know/tasks.md, "Scopes"). */
enum sl_tasks_version {
    SL_TASKS_DIRECT,   /**< all in that of the device, as HRF-direct needs it */
    SL_TASKS_INDIRECT, /**< each in its own, as HRF-indirect allows it */
    SL_TASKS_VERSIONS, /**< number of versions */
};

/** Where fronts wait: queues. */
enum sl_tasks_queue {
    SL_TASKS_OWN,    /**< of the wavefront */
    SL_TASKS_GROUP,  /**< of its work-group */
    SL_TASKS_DEVICE, /**< of the device */
    SL_TASKS_QUEUES, /**< number of kinds */
};

/** What a wavefront counts; those named MAX are maxima, of occupancies in fronts. */
enum sl_tasks_count {
    SL_TASKS_FULL,         /**< full fronts that it has run */
    SL_TASKS_PARTIAL,      /**< partial fronts that it has run */
    SL_TASKS_RUN,          /**< tasks in full and partial fronts */
    SL_TASKS_ENQUEUES,     /**< fronts that it put into its own queue */
    SL_TASKS_TO_GROUP,     /**< fronts that it gave from there to its work-group's */
    SL_TASKS_TO_DEVICE,    /**< fronts that it gave from there to the device's */
    SL_TASKS_GROUP_DEVICE, /**< fronts that it gave from its work-group's to the device's */
    SL_TASKS_FROM_OWN,     /**< fronts that it took from its own queue to run */
    SL_TASKS_FROM_GROUP,   /**< from its work-group's */
    SL_TASKS_FROM_DEVICE,  /**< from the device's */
    SL_TASKS_IDLE,         /**< times that it found nothing, and looked again */
    SL_TASKS_MAX_OWN,      /**< most fronts in its own queue */
    SL_TASKS_MAX_GROUP,    /**< most fronts in its work-group's */
    SL_TASKS_MAX_DEVICE,   /**< most fronts in the device's */
    SL_TASKS_COUNTS        /**< number of counts */
};

/* The word that says which places of a wavefront's own queue have fronts: those from head on, tail
 * being the place behind the last. Both count on for ever, modulo 2^32; a place is its number
 * modulo the capacity, a power of two. */
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

/* The same of a queue that several wavefronts share, by counts that each of them only adds to: how
 * many fronts were put in, and above 32 bits how many of them wait, which may be less than 0 for a
 * moment. So no more than 2^32 go through one in an execution (docs/know/tasks.md, "Choices"); with
 * a front in a microsecond that is more than an hour. */
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

/* A place in a queue that several wavefronts share is one word: the turn that it is for, and an
 * entry. Turn n is for who puts front n in, turn n + 1 for who takes it out. */
static inline uint64_t sl_tasks_place(uint32_t turn, uint32_t entry)
{
    return (uint64_t)turn << 32 | entry;
}

/** The queue of a work-group or of the device, in a cache line of its own. */
struct sl_tasks_shared_queue {
    alignas(64) uint64_t puts; /**< fronts that were put in, and above 32 bits how many wait */
    uint64_t taken;            /**< fronts that were taken out */
    uint64_t places;           /**< address of its words */
};

/** What one wavefront has in shared memory. */
struct sl_tasks_wavefront {
    alignas(64) uint64_t bounds; /**< of its own queue */
    uint64_t places;             /**< address of its entries, of 32 bits */
    uint32_t spare;              /**< entry of the block that no place and no function has */
    uint32_t reserved;           /**< 0 */
    alignas(64) uint32_t pending[SL_TASKS_FUNCTIONS]; /**< entries of what it collects, of each */
    uint32_t tasks[SL_TASKS_FUNCTIONS];               /**< how many it begins with in each */
    alignas(64) uint64_t counts[SL_TASKS_COUNTS];     /**< when it has ended */
};

/** What all wavefronts know, which sl_tasks_shared() returns. */
struct sl_tasks {
    alignas(64) uint64_t outstanding; /**< tasks that were created and are not done */
    alignas(64) uint64_t pool;        /**< address of blocks */
    uint64_t wavefronts;              /**< address of each struct sl_tasks_wavefront */
    uint64_t groups;    /**< address of each work-group's struct sl_tasks_shared_queue */
    uint32_t version;   /**< enum sl_tasks_version */
    uint32_t functions; /**< their number */
    uint32_t capacity[SL_TASKS_QUEUES];  /**< fronts of each queue */
    uint32_t threshold[SL_TASKS_QUEUES]; /**< of the two queues that are donated to */
    uint32_t lanes;                      /**< of a wavefront */
    uint32_t group_wavefronts;           /**< of a work-group */
    struct sl_tasks_shared_queue device; /**< the device's queue */
};

/** @} */

static_assert(sizeof(struct sl_tasks_wavefront) == 256, "a wavefront has whole cache lines");
static_assert(sizeof(struct sl_tasks_shared_queue) == 64, "a queue has a cache line of its own");
static_assert(offsetof(struct sl_tasks, pool) == 64, "what is read is apart from what is counted");
static_assert(offsetof(struct sl_tasks, device) == 128, "the device's queue has its own line");

#endif
