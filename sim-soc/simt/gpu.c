/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Making compute units, and the beginning and end of their runs. */
#include "simt/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "simt/issue/issue.h"
#include "simt/lifecycle/sync.h"
#include "simt/locks/lock_stack.h"
#include "simt/locks/locks.h"
#include "simt/lsu/lsu.h"
#include "simt/ordering/consistency_model.h"
#include "simt/schedule/issue_scheduler.h"
#include "simt/schedule/stall.h"
#include "simt/unit/mem_instr.h"
#include "simt/unit/pages.h"
#include "sluice/config.h"

/* ---- arrays of a compute unit ---- */

static size_t mem_instrs_bytes(const struct cu *cu)
{
    return cu_mem_instrs(cu) * sizeof(struct mem_instr);
}

/* Lines of memory instructions, of one more from a write buffer, and, for each context, of a move
 * and of spilled entries: nothing of a save area is on its way twice. */
static size_t pieces_bytes(const struct cu *cu)
{
    const size_t save_lines = cu->env->layout.save_area_bytes / cu->shape.line_bytes;
    const size_t of_context = (size_t)(cu->shape.memory_ops + 1) * MEM_INSTR_LINES + 2 * save_lines;

    return cu->mem->backdoor != NULL
               ? 0
               : cu->shape.contexts * of_context * sizeof(struct line_request);
}

static size_t groups_bytes(const struct cu *cu)
{
    return cu->shape.contexts * sizeof(struct workgroup);
}

static bool create_arrays(struct cu *cu)
{
    cu->mem_instrs = pages_allocate(mem_instrs_bytes(cu));
    cu->groups = pages_allocate(groups_bytes(cu));
    cu->lds = pages_allocate(cu->shape.lds_bytes);
    if (cu->mem->backdoor == NULL) {
        cu->pieces = pages_allocate(pieces_bytes(cu));
    }
    return cu->mem_instrs != NULL && cu->groups != NULL && cu->lds != NULL &&
           (cu->pieces != NULL || cu->mem->backdoor != NULL);
}

static void destroy_arrays(struct cu *cu)
{
    mem_instr_trim(cu);
    pages_free(cu->mem_instrs, mem_instrs_bytes(cu));
    pages_free(cu->groups, groups_bytes(cu));
    pages_free(cu->lds, cu->shape.lds_bytes);
    pages_free(cu->pieces, pieces_bytes(cu));
}

/* ---- making them ---- */

static size_t context_count(const struct gpu *gpu)
{
    return (size_t)gpu->cu_count * gpu->cus[0].shape.contexts;
}

static size_t cus_bytes(const struct gpu *gpu)
{
    return gpu->cu_count * sizeof(struct cu);
}

static size_t waves_bytes(const struct gpu *gpu)
{
    return context_count(gpu) * sizeof(struct wave);
}

static size_t stacks_bytes(const struct gpu *gpu)
{
    return context_count(gpu) * gpu->cus[0].shape.stack_capacity * sizeof(struct stack_entry);
}

/* Wires what of a context does not change. */
static void wire_wave(struct wave *wave, struct simd *simd, uint32_t context,
                      struct stack_entry *stack)
{
    const struct cu_shape *shape = &simd->cu->shape;

    wave->simd = simd;
    wave->context = context;
    wave->slot = simd->slots;
    simd->waves[simd->slots++] = wave;
    wave->stack.entries = stack;
    wave->stack.capacity = shape->stack_capacity;
    wave->stack.hardware = shape->stack_hardware;
    wave->end = (struct event){.run = wave_end_event, .rank = EVENT_OTHER};
    wave->sync.over = (struct event){.run = sync_over_event, .rank = EVENT_MEMORY};
    wave->locks.next = (struct event){.run = lock_next_event, .rank = EVENT_MEMORY};
    wave->order.drained = (struct event){.run = ordered_drained_event, .rank = EVENT_MEMORY};
    wave->fetch[0].wave = wave;
    wave->fetch[1].wave = wave;
}

/* The contexts of a compute unit are spread over its SIMD units. */
static void wire_cu(struct gpu *gpu, struct cu *cu)
{
    const size_t first = (size_t)cu->number * cu->shape.contexts;

    cu->waves = &gpu->waves[first];
    for (uint32_t s = 0; s < cu->shape.simds; s++) {
        cu->simds[s].cu = cu;
        cu->simds[s].issue = (struct event){.run = issue_event, .rank = EVENT_OTHER};
    }
    for (uint32_t k = 0; k < cu->shape.contexts; k++) {
        wire_wave(&cu->waves[k], &cu->simds[k % cu->shape.simds], k,
                  &gpu->stacks[(first + k) * cu->shape.stack_capacity]);
    }
}

static bool create_cus(struct gpu *gpu, const struct sl_config *config)
{
    const struct cu_shape shape = cu_shape_of(config, gpu->mem->line_bytes);
    bool is_whole = true;

    gpu->cus = pages_allocate(cus_bytes(gpu));
    if (gpu->cus == NULL) {
        return false;
    }
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        struct cu *cu = &gpu->cus[c];
        *cu = (struct cu){
            .shape = shape,
            .lanes = lanes_select(),
            .scheduler = simt_scheduler_of(config),
            .order = order_model_of(config),
            .locks = lock_stack_of(config),
            .env = &gpu->env,
            .mem = gpu->mem,
            .event_queue = gpu->event_queue,
            .number = c,
        };
        is_whole = create_arrays(cu) && is_whole;
    }
    gpu->waves = pages_allocate(waves_bytes(gpu));
    gpu->stacks = pages_allocate(stacks_bytes(gpu));
    if (!is_whole || gpu->waves == NULL || gpu->stacks == NULL) {
        return false;
    }
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        wire_cu(gpu, &gpu->cus[c]);
    }
    return true;
}

struct gpu *gpu_create(const struct gpu_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct gpu *gpu = calloc(1, sizeof(*gpu));

    if (gpu == NULL) {
        return NULL;
    }
    gpu->mem = parts->mem;
    gpu->event_queue = parts->event_queue;
    gpu->cu_count = (uint32_t)config->number[SL_CFG_GPU_CUS];
    gpu->dump.on_fault = config->number[SL_CFG_DEBUG_DUMP];
    gpu->dump.has_registers =
        config->number[SL_CFG_DEBUG_DUMP_REGISTERS] == SL_DEBUG_DUMP_REGISTERS_TRUE;
    gpu->env = (struct cu_environment){
        .dram = *parts->dram,
        .layout = *parts->layout,
        .stream = parts->stream,
        .pool = &gpu->pool,
        .activity = parts->activity,
        .detector = &gpu->detector,
        .last_writers = &gpu->detector.last_writers,
        .lost_often = detector_on_lock_retries,
        .queues = detector_on_lock_queue,
        .cus = gpu->cu_count,
    };
    protection_init(&gpu->env.protection, parts->layout);
    if (!create_cus(gpu, config) ||
        !pool_create(&gpu->pool, parts->layout, gpu->cus[0].shape.stack_capacity) ||
        !detector_create(&gpu->detector, &gpu->env, gpu->waves, (uint32_t)context_count(gpu))) {
        gpu_destroy(gpu);
        return NULL;
    }
    gpu_reset(gpu);
    return gpu;
}

void gpu_destroy(struct gpu *gpu)
{
    if (gpu == NULL) {
        return;
    }
    simt_program_unload(&gpu->env.program);
    pool_destroy(&gpu->pool);
    detector_destroy(&gpu->detector);
    if (gpu->cus != NULL) {
        pages_free(gpu->waves, waves_bytes(gpu));
        pages_free(gpu->stacks, stacks_bytes(gpu));
        for (uint32_t c = 0; c < gpu->cu_count; c++) {
            destroy_arrays(&gpu->cus[c]);
        }
        pages_free(gpu->cus, cus_bytes(gpu));
    }
    free(gpu);
}

/* ---- runs ---- */

static void reset_wave(struct wave *wave)
{
    if (wave->state == WAVE_FREE) {
        return;
    }
    wave->state = WAVE_FREE;
    wave->reserved = 0;
    wave->end.queued = false;
    wave->sync.over.queued = false;
    wave->order.drained.queued = false;
}

static void reset_simd(struct simd *simd)
{
    simd->issue.queued = false;
    simd->resident = 0;
    simd->free_registers = simd->cu->shape.registers;
    simd->turn = simd->slots - 1;
    simd->last = SIMD_NO_SLOT;
    memset(simd->next_cycle, 0xff, sizeof(simd->next_cycle));
    for (uint32_t slot = 0; slot < simd->slots; slot++) {
        reset_wave(simd->waves[slot]);
    }
}

static void reset_cu(struct cu *cu)
{
    cu->resident = 0;
    memset(cu->lds_taken, 0, sizeof(cu->lds_taken));
    memset(cu->packets, 0, sizeof(cu->packets));
    for (uint32_t i = 0; i < cu->shape.contexts; i++) {
        cu->groups[i].waves = 0; /* also of one whose wavefronts have all yielded */
    }
    cu->lds_reservations.held = 0;
    cu->free_mem_instr = NULL;
    cu->mem_instrs_taken = 0;
    mem_instr_trim(cu);
    cu->free_line_request = NULL;
    cu->pieces_taken = 0;
    for (uint32_t s = 0; s < cu->shape.simds; s++) {
        reset_simd(&cu->simds[s]);
    }
}

void gpu_stop(const struct gpu *gpu)
{
    for (size_t i = 0; i < context_count(gpu); i++) {
        if (gpu->waves[i].state != WAVE_FREE) {
            stall_end_run(&gpu->waves[i], gpu->event_queue->now);
        }
    }
}

/* What is open has changed. */
static void forget_open(struct gpu *gpu)
{
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        memset(gpu->cus[c].open, 0, sizeof(gpu->cus[c].open));
    }
}

static void reset(struct gpu *gpu)
{
    activity_empty(gpu->env.activity, gpu->event_queue->now);
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        reset_cu(&gpu->cus[c]);
    }
    gpu->mem->reservations.held = 0;
    pool_reset(&gpu->pool);
    detector_reset(&gpu->detector);
}

int gpu_protect(struct gpu *gpu, uint64_t address)
{
    struct cu_environment *env = &gpu->env;
    int status = 0;

    if (address == 0) {
        protection_open(&env->protection);
    } else {
        status = protection_load(&env->protection, &env->dram, address);
    }
    forget_open(gpu);
    return status;
}

void gpu_reset(struct gpu *gpu)
{
    gpu_stop(gpu);
    reset(gpu);
    (void)gpu_protect(gpu, 0);
}

static void begin_simd(struct simd *simd)
{
    simd->free_cycle = 0;
    simd->stamps = 0;
    simd->units_free_cycle = 0;
    memset(simd->unit_free_cycle, 0, sizeof(simd->unit_free_cycle));
}

void gpu_begin(struct gpu *gpu)
{
    reset(gpu);
    pool_begin(&gpu->pool);
    gpu->dump.first = 0;
    gpu->dump.wavefronts = 0;
    memset(&gpu->mem->reservations, 0, sizeof(gpu->mem->reservations));
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        struct cu *cu = &gpu->cus[c];
        cu->counters = (struct cu_counters){0};
        cu->port_slot = 0;
        cu->lds_free_cycle = 0;
        memset(&cu->lds_reservations, 0, sizeof(cu->lds_reservations));
        for (uint32_t s = 0; s < cu->shape.simds; s++) {
            begin_simd(&cu->simds[s]);
        }
    }
}

static void observe_program(const struct cu_environment *env)
{
    const struct obs_event event = {.kind = OBS_PROGRAM,
                                    .program = {env->program.base, env->program.bytes}};

    if (probe_enabled(env->stream, OBS_PROGRAM)) {
        probe_emit(env->stream, &event);
    }
}

int gpu_load_program(struct gpu *gpu, uint64_t descriptor)
{
    struct cu_environment *env = &gpu->env;

    if (env->activity->resident > 0) {
        return -1;
    }
    const int status = simt_program_load(&env->program, &env->dram, descriptor, gpu->cus[0].lanes);
    protection_set_code(&env->protection, env->program.base, env->program.bytes);
    forget_open(gpu);
    observe_program(env);
    return status;
}

/* ---- questions ---- */

bool gpu_has_context(const struct gpu *gpu)
{
    return gpu->pool.free_count > 0 && gpu->env.activity->resident < context_count(gpu);
}

struct sl_cu_shape gpu_cu_shape(const struct gpu *gpu)
{
    const struct cu_shape *shape = &gpu->cus[0].shape;

    return (struct sl_cu_shape){
        .lanes = shape->lanes,
        .simds = shape->simds,
        .contexts =
            shape->contexts < gpu->pool.blocks ? shape->contexts : (uint32_t)gpu->pool.blocks,
        .registers = shape->registers,
        .lds_bytes = shape->lds_bytes,
    };
}

struct cu_counters gpu_counters(const struct gpu *gpu)
{
    struct cu_counters sum = {0};

    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        cu_counters_add(&sum, &gpu->cus[c].counters);
    }
    return sum;
}

struct wave *gpu_oldest_wave(struct gpu *gpu)
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
