/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Creation of the compute units, launch of wavefronts, and the account of time. */
#include "simt/gpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "simt/internal.h"

static uint32_t number(const struct sl_config *config, enum sl_config_key key)
{
    return (uint32_t)config->number[key];
}

static struct gpu_shape shape_of(const struct sl_config *config)
{
    uint32_t lanes = number(config, SL_CFG_GPU_LANES);
    uint32_t simd_lanes = number(config, SL_CFG_GPU_SIMD_LANES);
    uint32_t pass_cycles = lanes > simd_lanes ? lanes / simd_lanes : 1;

    return (struct gpu_shape){
        .cus = number(config, SL_CFG_GPU_CUS),
        .simds = number(config, SL_CFG_GPU_SIMDS),
        .contexts = number(config, SL_CFG_GPU_CONTEXTS),
        .lanes = lanes,
        .full_mask = lanes == LANES ? ~0ull : (1ull << lanes) - 1,
        .pass_cycles = pass_cycles,
        .memory_ops = number(config, SL_CFG_GPU_MEMORY_OPS),
        .lines_per_cycle = number(config, SL_CFG_GPU_LINES_PER_CYCLE),
        .pause_cycles = number(config, SL_CFG_GPU_PAUSE_CYCLES),
        .registers = number(config, SL_CFG_GPU_REGISTERS),
        .lds_bytes = number(config, SL_CFG_GPU_LDS),
        .lds_banks = number(config, SL_CFG_GPU_LDS_BANKS),
        .lds_cycles = number(config, SL_CFG_GPU_LDS_CYCLES),
        .barrier_cycles = number(config, SL_CFG_GPU_BARRIER_CYCLES),
        .cycle_ps = 1000000000000ull / (uint64_t)config->number[SL_CFG_GPU_CLOCK],
        .stack_bytes = (uint64_t)config->number[SL_CFG_GPU_STACK],
        .stack_hardware = number(config, SL_CFG_GPU_DIVERGENCE_DEPTH),
        .stack_capacity = number(config, SL_CFG_GPU_DIVERGENCE_DEPTH) +
                          number(config, SL_CFG_GPU_DIVERGENCE_SPILL),
        .splits_misaligned = number(config, SL_CFG_GPU_MISALIGNED) == SL_GPU_MISALIGNED_SPLIT,
        .saves_live = number(config, SL_CFG_GPU_YIELD_SAVES) == SL_GPU_YIELD_SAVES_LIVE,
        .timing = simt_timing_of(config, pass_cycles),
        .scheduler = simt_scheduler_of(config),
    };
}

/* Spreads the contexts of a compute unit over its SIMD units, and wires everything that does not
 * change. */
static void wire(struct gpu *gpu)
{
    for (uint32_t c = 0; c < gpu->shape.cus; c++) {
        struct cu *cu = &gpu->cus[c];
        cu->gpu = gpu;
        cu->number = c;
        for (uint32_t s = 0; s < gpu->shape.simds; s++) {
            cu->simds[s].cu = cu;
            cu->simds[s].issue.run = simd_issue_event;
            cu->simds[s].issue.rank = EVENT_OTHER;
        }
        for (uint32_t k = 0; k < gpu->shape.contexts; k++) {
            uint32_t index = c * gpu->shape.contexts + k;
            struct simd *simd = &cu->simds[k % gpu->shape.simds];
            struct wave *wave = &gpu->waves[index];
            wave->simd = simd;
            wave->context = k;
            wave->slot = simd->slots;
            simd->waves[simd->slots++] = wave;
            wave->stack.entries = &gpu->stacks[(size_t)index * gpu->shape.stack_capacity];
            wave->stack.capacity = gpu->shape.stack_capacity;
            wave->stack.hardware = gpu->shape.stack_hardware;
            wave->end.run = wave_end_event;
            wave->end.rank = EVENT_OTHER;
        }
    }
}

/* Zeroed, page-aligned memory whose pages stay untouched until they are used; NULL when out of
 * memory. */
static void *pages_allocate(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void pages_free(void *memory, size_t bytes)
{
    if (memory != NULL) {
        munmap(memory, bytes);
    }
}

static size_t context_count(const struct gpu *gpu)
{
    return (size_t)gpu->shape.cus * gpu->shape.contexts;
}

static size_t mem_ops_bytes(const struct gpu *gpu)
{
    return context_count(gpu) * gpu->shape.memory_ops * sizeof(struct mem_op);
}

static size_t lds_total_bytes(const struct gpu *gpu)
{
    return (size_t)gpu->shape.cus * gpu->shape.lds_bytes;
}

static size_t yielded_bytes(const struct gpu *gpu)
{
    return gpu->layout.pool_blocks * sizeof(struct gpu_yielded);
}

static size_t yielded_stacks_bytes(const struct gpu *gpu)
{
    return gpu->layout.pool_blocks * gpu->shape.stack_capacity * sizeof(struct stack_entry);
}

struct sl_cu_shape gpu_cu_shape(const struct gpu *gpu)
{
    return (struct sl_cu_shape){
        .lanes = gpu->shape.lanes,
        .simds = gpu->shape.simds,
        .contexts = gpu->shape.contexts < gpu->layout.pool_blocks
                        ? gpu->shape.contexts
                        : (uint32_t)gpu->layout.pool_blocks,
        .registers = gpu->shape.registers,
        .lds_bytes = gpu->shape.lds_bytes,
    };
}

struct gpu *gpu_create(const struct sl_config *config, const struct sl_layout *layout,
                       const struct dram *dram, struct mem_system *mem, struct counters *counters)
{
    struct gpu *gpu = calloc(1, sizeof(*gpu));

    if (gpu == NULL) {
        return NULL;
    }
    gpu->shape = shape_of(config);
    gpu->lanes = lanes_select();
    gpu->mem = mem;
    gpu->dram = *dram;
    gpu->layout = *layout;
    gpu->counters = counters;
    gpu->dump.on_fault = (enum sl_debug_dump)number(config, SL_CFG_DEBUG_DUMP);
    gpu->dump.has_registers =
        number(config, SL_CFG_DEBUG_DUMP_REGISTERS) == SL_DEBUG_DUMP_REGISTERS_TRUE;

    gpu->cus = pages_allocate(gpu->shape.cus * sizeof(struct cu));
    gpu->waves = pages_allocate(context_count(gpu) * sizeof(struct wave));
    gpu->stacks =
        calloc(context_count(gpu) * gpu->shape.stack_capacity, sizeof(struct stack_entry));
    gpu->mem_ops = pages_allocate(mem_ops_bytes(gpu));
    gpu->groups = pages_allocate(context_count(gpu) * sizeof(struct workgroup));
    gpu->lds = pages_allocate(lds_total_bytes(gpu));
    gpu->free_blocks = calloc(layout->pool_blocks, sizeof(uint32_t));
    gpu->yielded = pages_allocate(yielded_bytes(gpu));
    gpu->yielded_stacks = pages_allocate(yielded_stacks_bytes(gpu));
    if (gpu->yielded == NULL || gpu->yielded_stacks == NULL || gpu->cus == NULL ||
        gpu->waves == NULL || gpu->stacks == NULL || gpu->mem_ops == NULL || gpu->groups == NULL ||
        gpu->lds == NULL || gpu->free_blocks == NULL) {
        gpu_destroy(gpu);
        return NULL;
    }
    wire(gpu);
    gpu_reset(gpu);
    return gpu;
}

void gpu_destroy(struct gpu *gpu)
{
    if (gpu == NULL) {
        return;
    }
    simt_program_unload(&gpu->program);
    pages_free(gpu->cus, gpu->shape.cus * sizeof(struct cu));
    pages_free(gpu->waves, context_count(gpu) * sizeof(struct wave));
    free(gpu->stacks);
    pages_free(gpu->mem_ops, mem_ops_bytes(gpu));
    pages_free(gpu->groups, context_count(gpu) * sizeof(struct workgroup));
    pages_free(gpu->lds, lds_total_bytes(gpu));
    free(gpu->free_blocks);
    pages_free(gpu->yielded, yielded_bytes(gpu));
    pages_free(gpu->yielded_stacks, yielded_stacks_bytes(gpu));
    free(gpu);
}

static void reset_wave(struct wave *wave)
{
    if (wave->state == WAVE_FREE) {
        return;
    }
    wave->state = WAVE_FREE;
    wave->reserved = 0;
    if (wave->launch.group != NULL) {
        wave->launch.group->waves = 0;
    }
    wave->end.queued = false;
}

void gpu_reset(struct gpu *gpu)
{
    uint64_t now = gpu->wheel.now;

    wheel_init(&gpu->wheel);
    gpu->wheel.now = now;
    gpu_account(gpu, now);
    for (uint32_t c = 0; c < gpu->shape.cus; c++) {
        struct cu *cu = &gpu->cus[c];
        cu->resident = 0;
        memset(cu->lds_taken, 0, sizeof(cu->lds_taken));
        for (uint32_t s = 0; s < gpu->shape.simds; s++) {
            struct simd *simd = &cu->simds[s];
            simd->issue.queued = false;
            simd->resident = 0;
            simd->free_registers = gpu->shape.registers;
            simd->turn = simd->slots - 1;
            simd->last = SIMD_NO_SLOT;
            memset(simd->next_cycle, 0xff, sizeof(simd->next_cycle));
            for (uint32_t slot = 0; slot < simd->slots; slot++) {
                reset_wave(simd->waves[slot]);
            }
        }
    }
    gpu->resident = 0;
    gpu->free_mem_op = NULL;
    gpu->mem_ops_taken = 0;
    gpu->reservations.held = 0;
    gpu->active_until_cycle = now;

    /* Block 0 on top, so that launches take blocks in ascending order. */
    gpu->free_block_count = (uint32_t)gpu->layout.pool_blocks;
    for (uint32_t i = 0; i < gpu->free_block_count; i++) {
        gpu->free_blocks[i] = gpu->free_block_count - 1 - i;
        if (gpu->yielded[i].is_used) { /* else its page stays untouched */
            gpu->yielded[i].is_used = false;
            if (gpu->yielded[i].launch.group != NULL) {
                gpu->yielded[i].launch.group->waves = 0;
            }
        }
    }
}

void gpu_begin(struct gpu *gpu)
{
    gpu_reset(gpu);
    wheel_init(&gpu->wheel);
    memset(gpu->reservations.epoch, 0, sizeof(gpu->reservations.epoch));
    gpu->accounted_cycle = 0;
    gpu->active_until_cycle = 0;
    gpu->wave_count = 0;
    gpu->dump.first = 0;
    gpu->dump.wavefronts = 0;
    for (uint32_t c = 0; c < gpu->shape.cus; c++) {
        gpu->cus[c].port_slot = 0;
        gpu->cus[c].lds_free_cycle = 0;
        for (uint32_t s = 0; s < gpu->shape.simds; s++) {
            struct simd *simd = &gpu->cus[c].simds[s];
            simd->free_cycle = 0;
            simd->stamps = 0;
            simd->units_free_cycle = 0;
            memset(simd->unit_free_cycle, 0, sizeof(simd->unit_free_cycle));
        }
    }
}

void gpu_run(struct gpu *gpu, uint64_t cycle)
{
    wheel_run(&gpu->wheel, cycle, gpu);
}

int gpu_load_program(struct gpu *gpu, uint64_t descriptor)
{
    if (gpu->resident > 0) {
        return -1;
    }
    const int status = simt_program_load(&gpu->program, &gpu->dram, descriptor, gpu->lanes);
    const uint64_t end = gpu->program.base + gpu->program.bytes;
    gpu->store_base = end < SL_KERNEL_BASE         ? SL_KERNEL_BASE
                      : end > gpu->layout.top_base ? gpu->layout.top_base
                                                   : end;
    return status;
}

bool gpu_has_context(const struct gpu *gpu)
{
    return gpu->free_block_count > 0 && gpu->resident < gpu->shape.cus * gpu->shape.contexts;
}

static void fill(uint64_t *vector, uint64_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        vector[lane] = value;
    }
}

/* Zeroes what may be other than zero: registers that no instruction of the program names stay so
 * from one launch of a context to the next. */
static void clear_registers(const struct gpu *gpu, struct wave *wave)
{
    const uint64_t integers = (1ull << SL_F_REGISTERS) - 1;
    uint64_t named = gpu->program.named;

    if (wave->program != gpu->program.number) {
        wave->program = gpu->program.number;
        named = ~0ull;
    }
    FOR_EACH_LANE(r, wave->has_float ? named : named & integers)
    {
        memset(wave->x[r], 0, sizeof(wave->x[r]));
    }
    wave->has_float = false;
}

/* The kernel ABI (DESIGN section 4): channel and index before the arguments, or the arguments
 * alone.
 */
static void set_registers(const struct gpu *gpu, struct wave *wave)
{
    const struct wave_launch *launch = &wave->launch;

    clear_registers(gpu, wave);
    wave->fcsr = (struct fcsr){0};
    fill(wave->x[1], SL_LANE_EXIT_PC);
    fill(wave->x[2], SL_PRIVATE_BASE + gpu->shape.stack_bytes);
    fill(wave->x[3], gpu->program.global_pointer);
    fill(wave->x[4], gpu->graph);
    if (launch->group != NULL) {
        for (uint32_t i = 0; i < launch->argument_count; i++) {
            fill(wave->x[10 + i], launch->arguments[i]);
        }
        return;
    }
    fill(wave->x[10], launch->channel);
    for (unsigned lane = 0; lane < launch->count; lane++) {
        wave->x[11][lane] = (launch->first + lane) & launch->index_mask;
    }
    for (uint32_t i = 0; i < launch->argument_count; i++) {
        fill(wave->x[12 + i], launch->arguments[i]);
    }
}

void wave_begin(struct gpu *gpu, struct wave *wave, const struct wave_launch *launch,
                uint64_t gate_cycle)
{
    gpu_account(gpu, gpu->wheel.now);
    wave->state = WAVE_RUNNING;
    wave->launch = *launch;
    wave->gate_cycle = gate_cycle;
    wave->waits_at_barrier = false;
    wave->fetched_line = PC_NONE;
    wave->memory_done_cycle = 0;
    wave->next_memory_slot = 0;
    memset(wave->memory_slot, 0, sizeof(wave->memory_slot));
    wave->memory_perform_cycle = 0;
    memset(wave->memory_order, 0, sizeof(wave->memory_order));
    memset(wave->ready_cycle, 0, sizeof(wave->ready_cycle));
    wave->simd->cu->resident++;
    wave->simd->resident++;
    gpu->resident++;
    if (gpu->resident > gpu->counters->resident_max) {
        gpu->counters->resident_max = gpu->resident;
    }
}

struct wave *gpu_launch(struct gpu *gpu, uint32_t cu_number, const struct wave_launch *launch)
{
    struct cu *cu = &gpu->cus[cu_number];
    struct wave *wave = occupancy_take(gpu, cu, launch->registers);
    uint64_t cycle = gpu->wheel.now;

    wave_begin(gpu, wave, launch, cycle + 1 + launch->delay_cycles);
    wave_trace(gpu, wave, SL_TRACE_LAUNCH, wave_lanes(wave), launch->kernel);
    wave->number = gpu->wave_count++;
    uint64_t block = gpu->free_blocks[--gpu->free_block_count];
    uint64_t used = gpu->layout.pool_blocks - gpu->free_block_count;
    if (used > gpu->counters->blocks_max) {
        gpu->counters->blocks_max = used;
    }
    wave->private_base =
        gpu->layout.pool_base + block * gpu->layout.pool_block_bytes + gpu->layout.save_area_bytes;
    set_registers(gpu, wave);
    uint64_t first_lanes = launch->count == LANES ? ~0ull : (1ull << launch->count) - 1;
    simt_stack_begin(&wave->stack, launch->pc, launch->group != NULL ? launch->mask : first_lanes);

    gpu->counters->wavefronts++;
    simd_stamp(wave);
    simd_schedule(gpu, wave, cycle);
    return wave;
}

void gpu_account(struct gpu *gpu, uint64_t cycle)
{
    if (cycle <= gpu->accounted_cycle) {
        return;
    }
    uint64_t from = gpu->accounted_cycle;
    uint64_t active_until = gpu->active_until_cycle < cycle ? gpu->active_until_cycle : cycle;

    if (active_until > from) {
        gpu->counters->active_cycles += active_until - from;
        from = active_until;
    }
    if (gpu->resident > 0) {
        gpu->counters->stalled_cycles += cycle - from;
    } else {
        gpu->counters->blocked_cycles += cycle - from;
    }
    gpu->accounted_cycle = cycle;
}

static struct wave *oldest_wave(struct gpu *gpu)
{
    struct wave *oldest = NULL;

    for (size_t i = 0; i < context_count(gpu); i++) {
        struct wave *wave = &gpu->waves[i];
        if (wave->state == WAVE_RUNNING && (oldest == NULL || wave->number < oldest->number)) {
            oldest = wave;
        }
    }
    return oldest;
}

void gpu_fault_cycle_limit(struct gpu *gpu, uint64_t limit_cycles)
{
    struct wave *wave = oldest_wave(gpu);

    if (wave != NULL) {
        wave_fault(gpu, wave, SL_FAULT_CYCLE_LIMIT, wave_mask(wave), NULL, limit_cycles);
        return;
    }
    struct sl_fault fault = {
        .code = SL_FAULT_CYCLE_LIMIT,
        .value0 = limit_cycles,
        .time_ps = gpu->wheel.now * gpu->shape.cycle_ps,
    };
    gpu->counters->faults++;
    gpu->listener.faulted(gpu->listener.owner, &fault);
}
