/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine of the accelerator's parts, and the code that is put around that of a test. */
#include "litmus/bare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/asm.h"
#include "host/driver/code/analysis.h"
#include "litmus/code.h"
#include "soc/systems.h"

/* Longer than any test takes: 12 operations of 64 lanes each, in each of the wavefronts. */
#define CYCLES_MAX 100000000u

static enum sl_status fail(struct litmus_bare *bare, enum sl_status status, const char *message)
{
    (void)snprintf(bare->error, sizeof bare->error, "%s", message);
    return status;
}

/* ---- code ---- */

/* a1: instance, a2: variables, a3: bytes between them, a4: loads, a5: owns. */
static void put_warm(struct asm_code *code, const struct litmus_test *test)
{
    asm_put(code, asm_SLLI(A1, A1, 6));
    asm_put(code, asm_ADD(A2, A2, A1));
    for (unsigned i = 0; i < test->variable_count; i++) {
        asm_put(code, asm_OR(T0, A4, A5));
        asm_put(code, asm_ANDI(T0, T0, 1 << i));
        asm_to(code, asm_BEQ(T0, ZERO, 0), i);
        asm_put(code, asm_LD(T1, A2, 0));
        asm_put(code, asm_ANDI(T0, A5, 1 << i));
        asm_to(code, asm_BEQ(T0, ZERO, 0), i);
        asm_put(code, asm_SD(T1, A2, 0));
        asm_label(code, i);
        asm_put(code, asm_ADD(A2, A2, A3));
    }
    asm_put(code, ASM_RET);
    asm_finish(code);
}
_Static_assert(LITMUS_BARE_INSTANCE_BYTES == 1 << 6, "instances are a shift apart");

/* a1: lane, a2: variables, a3: bytes between them, a4: results, a5: pause, and busy in its upper
 * half, a6: threads in the wavefront, a7: their codes. Goes on as the test's code, with what that
 * expects. */
static void put_test(struct asm_code *code, const struct litmus_test *test)
{
    enum { LOOP, TEST };
    uint32_t word[LITMUS_CODE_WORDS];
    const unsigned words = litmus_code_make(test, word);

    asm_put(code, asm_DIVU(T0, A1, A6)); /* instance */
    asm_put(code, asm_REMU(T1, A1, A6));
    asm_put(code, asm_SLLI(T1, T1, 2));
    asm_put(code, asm_SRL(A0, A7, T1));
    asm_put(code, asm_ANDI(A0, A0, 15)); /* its code */
    asm_put(code, asm_ADDI(T1, ZERO, (int32_t)test->thread_count));
    asm_put(code, asm_REMU(T1, A0, T1)); /* thread */
    asm_put(code, asm_SLLI(T2, T0, 6));
    asm_put(code, asm_ADD(A1, A2, T2));
    asm_put(code, asm_ADDI(A2, A3, 0));
    asm_put(code, asm_SLLI(T0, T0, 2));
    asm_put(code, asm_ADD(T0, T0, T1));
    asm_put(code, asm_SLLI(T0, T0, 6));
    asm_put(code, asm_ADD(A3, A4, T0));
    asm_put(code, asm_SRLI(T1, A5, 16));
    asm_put(code, asm_SLLI(A5, A5, 48));
    asm_put(code, asm_SRLI(A5, A5, 48));
    asm_put(code, asm_SL_PAUSE(A5));
    asm_label(code, LOOP);
    asm_to(code, asm_BEQ(T1, ZERO, 0), TEST);
    asm_put(code, asm_SD(ZERO, A3, LITMUS_REGISTERS * sizeof(int64_t)));
    asm_put(code, asm_ADDI(T1, T1, -1));
    asm_to(code, asm_JAL(ZERO, 0), LOOP);
    asm_label(code, TEST);
    for (unsigned i = 0; i < words; i++) {
        asm_put(code, word[i]);
    }
}
_Static_assert(LITMUS_REGISTERS * sizeof(int64_t) < SL_CACHE_LINE_BYTES,
               "there is room behind the results");
_Static_assert(LITMUS_THREADS_MAX == 1 << 2 && SL_CACHE_LINE_BYTES == 1 << 6,
               "results are shifts apart");
_Static_assert(2 * LITMUS_THREADS_MAX <= 16, "the number of a code has 4 bits");

static enum sl_status load(struct litmus_bare *bare, const struct litmus_test *test)
{
    struct asm_code code;

    asm_begin(&code);
    put_warm(&code, test);
    bare->pc[LITMUS_BARE_TEST] = asm_here(&code);
    asm_function(&code);
    put_test(&code, test);
    asm_finish(&code);
    const uint64_t bytes = asm_here(&code);
    for (uint32_t i = 0; i < code.function_count; i++) {
        code.functions[i].address += SL_KERNEL_BASE;
    }
    memcpy(dram_at(&bare->dram, SL_KERNEL_BASE), code.word, bytes);
    const uint64_t descriptor = litmus_bare_take(bare, sizeof(struct sl_program));
    const uint64_t reconvergence = litmus_bare_take(bare, bytes / 2 * sizeof(uint32_t));
    const uint64_t liveness = litmus_bare_take(bare, bytes / 2 * sizeof(uint64_t));
    const struct sl_code analysed = {.words = code.word,
                                     .word_count = code.count,
                                     .base = SL_KERNEL_BASE,
                                     .functions = code.functions,
                                     .function_count = code.function_count};
    if (liveness == 0 || sl_reconverge(&analysed, litmus_bare_at(bare, reconvergence)) != 0 ||
        sl_liveness(&analysed, litmus_bare_at(bare, liveness)) != 0) {
        return fail(bare, SL_ERROR_USAGE, "no memory for the test's code");
    }
    *(struct sl_program *)litmus_bare_at(bare, descriptor) = (struct sl_program){
        .code = SL_KERNEL_BASE,
        .code_bytes = bytes,
        .reconvergence = reconvergence,
        .liveness = liveness,
    };
    return gpu_load_program(bare->gpu, descriptor) == 0
               ? SL_OK
               : fail(bare, SL_ERROR_MACHINE, "the compute units refuse the test's code");
}

/* ---- the machine ---- */

static void on_end(void *owner, const struct wave *wave)
{
    (void)owner;
    (void)wave;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    struct litmus_bare *const bare = owner;

    (void)wave;
    if (bare->faults++ == 0) {
        bare->fault = *fault;
    }
}

static enum sl_status assemble(struct litmus_bare *bare, const struct sl_config *config)
{
    if (sl_layout_compute(config, &bare->layout) != 0) {
        return fail(bare, SL_ERROR_USAGE, "dram.size is too small for this machine");
    }
    bare->dram.size = bare->layout.dram_bytes;
    void *const bytes = mmap(NULL, bare->dram.size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bare->dram.bytes = bytes == MAP_FAILED ? NULL : bytes;
    event_queue_init(&bare->event_queue, sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    bare->mem = bare->dram.bytes == NULL ? NULL
                                         : systems_create(&(struct mem_parts){
                                               .config = config,
                                               .dram = &bare->dram,
                                               .event_queue = &bare->event_queue,
                                               .stream = &bare->stream,
                                           });
    bare->gpu = bare->mem == NULL ? NULL
                                  : gpu_create(&(struct gpu_parts){
                                        .config = config,
                                        .layout = &bare->layout,
                                        .dram = &bare->dram,
                                        .mem = bare->mem,
                                        .event_queue = &bare->event_queue,
                                        .activity = &bare->activity,
                                        .stream = &bare->stream,
                                    });
    return bare->gpu != NULL ? SL_OK
                             : fail(bare, SL_ERROR_USAGE, "the host has no memory for the machine");
}

enum sl_status litmus_bare_create(struct litmus_bare *bare, const struct sl_config *config,
                                  const struct litmus_test *test)
{
    *bare = (struct litmus_bare){.next = SL_HEAP_BASE};
    const enum sl_status status = assemble(bare, config);
    if (status != SL_OK) {
        return status;
    }
    bare->gpu->env.listener =
        (struct cu_listener){.owner = bare, .wave_ended = on_end, .faulted = on_fault};
    bare->mem->ops->reset(bare->mem);
    gpu_begin(bare->gpu);
    return load(bare, test);
}

void litmus_bare_destroy(struct litmus_bare *bare)
{
    if (bare->gpu != NULL) {
        gpu_destroy(bare->gpu);
    }
    if (bare->mem != NULL) {
        bare->mem->ops->destroy(bare->mem);
    }
    if (bare->dram.bytes != NULL) {
        (void)munmap(bare->dram.bytes, bare->dram.size);
    }
}

uint64_t litmus_bare_take(struct litmus_bare *bare, uint64_t bytes)
{
    const uint64_t address = bare->next;
    const uint64_t lines = (bytes + SL_CACHE_LINE_BYTES - 1) / SL_CACHE_LINE_BYTES;

    if (lines * SL_CACHE_LINE_BYTES > bare->layout.heap_limit - address) {
        return 0;
    }
    bare->next += lines * SL_CACHE_LINE_BYTES;
    return address;
}

void *litmus_bare_at(const struct litmus_bare *bare, uint64_t address)
{
    return dram_at(&bare->dram, address);
}

/* ---- wavefronts ---- */

void litmus_bare_launch(struct litmus_bare *bare, const struct litmus_bare_wave *wave)
{
    const bool is_warm = wave->code == LITMUS_BARE_WARM;
    const struct wave_launch launch = {
        .pc = bare->pc[wave->code],
        .index_mask = UINT32_MAX,
        .count = wave->lanes,
        .argument_count = SL_KERNEL_ARGUMENTS,
        .arguments = {wave->variables, wave->variable_bytes, is_warm ? wave->loads : wave->results,
                      is_warm ? wave->owns : wave->delay_cycles | (uint32_t)wave->busy << 16,
                      wave->threads, wave->codes},
    };

    cu_launch(&bare->gpu->cus[wave->cu], &launch);
}

enum sl_status litmus_bare_run(struct litmus_bare *bare)
{
    struct event_queue *const event_queue = &bare->event_queue;
    const uint64_t limit = event_queue->now + CYCLES_MAX;

    while (bare->activity.resident > 0 && event_queue->next <= limit) {
        event_queue_run(event_queue, (event_queue->next + 1) * event_queue->cycle_ps - 1);
    }
    if (bare->faults > 0) {
        (void)snprintf(bare->error, sizeof bare->error,
                       "the test faulted: fault %" PRIu32 ", %" PRIu64
                       " bytes behind its beginning",
                       bare->fault.code, bare->fault.pc - (uint64_t)SL_KERNEL_BASE);
        return SL_ERROR_MACHINE;
    }
    return bare->activity.resident == 0
               ? SL_OK
               : fail(bare, SL_ERROR_MACHINE, "wavefronts of the test do not end");
}

void litmus_bare_settle(struct litmus_bare *bare)
{
    if (bare->mem->ops->drain != NULL) {
        bare->mem->ops->drain(bare->mem);
    }
}
