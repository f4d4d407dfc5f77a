/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The compute units as a whole: SIMD units, wavefront contexts, and the clock that drives them. */
#ifndef SLUICE_SIMT_GPU_H
#define SLUICE_SIMT_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "mem/mem.h"
#include "mem/reservation.h"
#include "obs/counters.h"
#include "obs/timeline.h"
#include "simt/scheduler.h"
#include "simt/timing.h"
#include "simt/wave.h"
#include "sluice/layouts.h"
#include "time/wheel.h"

#define GPU_SIMDS_MAX    8
#define GPU_CONTEXTS_MAX 64
#define SIMD_NO_SLOT     UINT32_MAX

/* A SIMD unit: the wavefronts that it holds and when it issues next. */
struct simd {
    struct event issue;
    struct cu *cu;
    uint32_t slots;
    uint32_t resident;
    uint32_t free_registers;
    bool has_changed;    /* wavefronts other than the one that issues were scheduled */
    uint32_t turn;       /* slot that issued last */
    uint32_t last;       /* the same, or SIMD_NO_SLOT where it paused or ended since */
    uint64_t free_cycle; /* the instruction before occupies it until then */
    uint64_t unit_free_cycle[UNIT_COUNT]; /* each execution unit takes its next instruction */
    uint64_t units_free_cycle;            /* the latest of them */
    uint64_t stamps;                      /* given so far */

    /* Per slot: when its next instruction is ready (WHEEL_NEVER without a wavefront), that
     * instruction (NULL outside the code) and its execution unit, and the stamp that launches and
     * pauses renew: older is smaller. */
    uint64_t next_cycle[GPU_CONTEXTS_MAX] __attribute__((aligned(64)));
    const struct simt_op *next_op[GPU_CONTEXTS_MAX];
    uint8_t next_unit[GPU_CONTEXTS_MAX];
    uint64_t stamp[GPU_CONTEXTS_MAX];
    struct wave *waves[GPU_CONTEXTS_MAX];
};

struct cu {
    struct gpu *gpu;
    uint32_t number;
    uint32_t resident;
    uint64_t port_slot;      /* next free slot of the port to memory, gpu.lines_per_cycle a cycle */
    uint64_t lds_free_cycle; /* its LDS takes an instruction again */
    uint64_t lds_taken[SL_LDS_BYTES_MAX / SL_LDS_GRANULE / 64]; /* one bit per granule */
    struct simd simds[GPU_SIMDS_MAX];
};

/* What the front end wants to know. */
struct gpu_listener {
    void *owner;
    void (*wave_ended)(void *owner, const struct wave *wave);
    void (*faulted)(void *owner, const struct sl_fault *fault);
    /* Its state is saved; it holds its context until gpu_yield_release(). */
    void (*wave_yielded)(void *owner, struct wave *wave);
    /* Whether restart contexts can be written, somewhere and some time; NULL: always. */
    bool (*takes_yields)(void *owner);
};

/* The numbers of the configuration that the hot path needs. */
struct gpu_shape {
    uint32_t cus;
    uint32_t simds;
    uint32_t contexts;
    uint32_t lanes;
    uint64_t full_mask;
    uint32_t pass_cycles; /* a wavefront instruction goes over the lanes of a SIMD unit once */
    uint32_t memory_ops;
    uint32_t lines_per_cycle;
    uint32_t pause_cycles;
    uint32_t registers; /* of each SIMD unit */
    uint32_t lds_bytes;
    uint32_t lds_banks;
    uint32_t lds_cycles;
    uint32_t barrier_cycles;
    uint64_t cycle_ps;
    uint64_t stack_bytes;
    uint32_t stack_hardware; /* entries in hardware */
    uint32_t stack_capacity; /* and in memory */
    bool splits_misaligned;
    bool saves_live; /* yields save live registers alone */
    struct simt_timing timing;
    const struct simt_scheduler *scheduler;
};

/* Wavefronts that were written to their blocks of the pool (struct sl_wave_state). */
struct gpu_dump {
    enum sl_debug_dump on_fault;
    bool has_registers;
    uint64_t first;
    uint32_t wavefronts;
};

/* What the device keeps of a yielded wavefront besides its save area, by the number of its block.
 * Its reconvergence stack is here as that of a resident one is in its context: memory has a copy,
 * which nothing reads. */
struct gpu_yielded {
    struct wave_launch launch;
    uint64_t number;
    uint32_t cu;
    uint32_t stack_depth;
    uint32_t stack_spilled;
    uint32_t next;        /* the front end's: block of the next one to be restarted */
    uint64_t ready_cycle; /* the front end's: not restarted before */
    bool is_used;         /* a wavefront has yielded with this block */
    bool is_restarting;   /* and firmware wants it back */
};

struct gpu {
    struct wheel wheel;
    struct gpu_shape shape;
    const struct lanes_ops *lanes;
    struct simt_program program;
    uint64_t store_base; /* behind its code: no store from here on writes into it */
    struct mem_system *mem;
    struct dram dram;
    struct reservations reservations;
    struct counters *counters;
    struct gpu_listener listener;
    struct timeline *timeline; /* NULL where there is none */
    struct sl_layout layout;

    struct cu *cus;
    struct wave *waves;         /* cus x contexts, grouped by compute unit */
    struct stack_entry *stacks; /* their reconvergence stacks */
    struct mem_op *mem_ops;     /* cus x contexts x shape.memory_ops: their memory instructions */
    struct mem_op *free_mem_op; /* those given back */
    size_t mem_ops_taken;       /* the others from here on were never in use */
    struct workgroup *groups;   /* cus x contexts, grouped by compute unit */
    uint8_t *lds;               /* cus x shape.lds_bytes */
    uint32_t *free_blocks;      /* wavefront state pool: a stack of block numbers */
    uint32_t free_block_count;
    struct gpu_yielded *yielded;        /* one for each block */
    struct stack_entry *yielded_stacks; /* likewise, shape.stack_capacity entries each */

    struct gpu_dump dump;

    uint64_t graph;    /* address of the struct sl_graph: tp of every lane */
    uint64_t cas_base; /* the channels' counters: their compare-and-swaps are counted */
    uint64_t cas_limit;

    uint32_t resident;
    uint64_t wave_count;
    uint64_t accounted_cycle; /* active, stalled and blocked time is known up to here */
    uint64_t active_until_cycle;
};

/* Makes the compute units of a configuration. NULL when out of memory. */
struct gpu *gpu_create(const struct sl_config *config, const struct sl_layout *layout,
                       const struct dram *dram, struct mem_system *mem, struct counters *counters);
void gpu_destroy(struct gpu *gpu);

/* Ends all wavefronts without further effect and empties the event queue; time goes on. */
void gpu_reset(struct gpu *gpu);

/* Sets the clock to cycle zero for the run of a graph; nothing may be resident. */
void gpu_begin(struct gpu *gpu);

/* Runs all events up to and including a cycle. */
void gpu_run(struct gpu *gpu, uint64_t cycle);

/* Takes the program that a descriptor describes. Returns 0, or -1 where it is bad or wavefronts are
 * resident. */
int gpu_load_program(struct gpu *gpu, uint64_t descriptor);

/* Whether some compute unit has a free context and the pool a free block. */
bool gpu_has_context(const struct gpu *gpu);

/* What wavefronts that are to be placed together need. */
struct gpu_demand {
    uint32_t waves;
    uint32_t registers; /* of each */
    uint32_t lds_bytes; /* of all */
    bool is_group;      /* they are a work-group */
};

/* The first resource that a compute unit has too little of now; GPU_RESOURCE_COUNT where all fits.
 */
enum gpu_resource gpu_lacks(const struct gpu *gpu, uint32_t cu, const struct gpu_demand *demand);

/* Launches a wavefront on compute unit `cu`, which has room for it, now. */
struct wave *gpu_launch(struct gpu *gpu, uint32_t cu, const struct wave_launch *launch);

/* Frees the context of a wavefront that has yielded and whose restart context was written. Its
 * block stays with it. */
void gpu_yield_release(struct gpu *gpu, struct wave *wave);

/* The number of the block at an address, if a wavefront has yielded with it and is not being
 * restarted; else UINT32_MAX. */
uint32_t gpu_yielded_block(const struct gpu *gpu, uint64_t address);

/* Whether the compute unit of a yielded wavefront has a context and registers for it now. */
bool gpu_can_restart(const struct gpu *gpu, uint32_t block);

/* Restarts it there, now. */
void gpu_restart(struct gpu *gpu, uint32_t block);

/* Places work-group `id` of an NDRange on compute unit `cu`, which has room for it. `launch` says
 * what its wavefronts have in common; they start launch_cycles apart. Returns how many there are.
 */
uint32_t gpu_launch_group(struct gpu *gpu, uint32_t cu, const struct group_range *range,
                          const uint32_t id[3], uint32_t lds_bytes,
                          const struct wave_launch *launch, uint32_t launch_cycles);

/* The shape of each compute unit. */
struct sl_cu_shape gpu_cu_shape(const struct gpu *gpu);

/* The first cycle that is not before a time. The usual clock has a division by a constant. */
static inline uint64_t gpu_cycle_at(const struct gpu *gpu, uint64_t time_ps)
{
    uint64_t cycle_ps = gpu->shape.cycle_ps;

    return cycle_ps == 1000 ? (time_ps + 999) / 1000 : (time_ps + cycle_ps - 1) / cycle_ps;
}

/* Whether a compute unit has a free context. */
static inline bool cu_has_context(const struct gpu *gpu, uint32_t cu)
{
    return gpu->cus[cu].resident < gpu->shape.contexts;
}

/* Attributes the time up to a cycle to active, stalled or blocked. */
void gpu_account(struct gpu *gpu, uint64_t cycle);

/* Writes the state of all resident wavefronts to their blocks of the wavefront state pool, and
 * notes in gpu->dump where. Changes nothing that the wavefronts or firmware could notice. */
void gpu_dump_all(struct gpu *gpu, bool with_registers);

/* Ends the oldest resident wavefront with a cycle-limit fault; without one, reports the fault
 * alone. */
void gpu_fault_cycle_limit(struct gpu *gpu, uint64_t limit_cycles);

#endif
