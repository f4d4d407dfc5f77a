/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A task vector in a shared heap of the test's, and the machine that it is for. */
#ifndef SLUICE_TESTS_FIRMWARE_TREES_H
#define SLUICE_TESTS_FIRMWARE_TREES_H

#include <string.h>

#include "runs/runs.h"
#include "sluice/memory_map.h"
#include "unit/firmware/firmware_mock.h"

#define CAPACITY 64
#define STACK    8

/* What lies in the shared heap. */
static struct {
    _Alignas(64) struct sl_trees trees;
    _Alignas(64) uint32_t vector[2][CAPACITY]; /* entries, and one argument */
    struct sl_trees_epoch stack[STACK];
    struct sl_trees_log log[8];
    struct sl_program program;
    struct sl_program other;
    uint32_t reconvergence[32];
} heap;

static struct machine machine;
static struct sl_message_agg answer;

/* The mock is as at reset, and the vector one that could run. */
static void prepare_vector(void)
{
    mock_reset();
    memset(&answer, 0, sizeof answer);
    memset(&heap, 0, sizeof heap);
    heap.program = heap.other = (struct sl_program){
        .code = SL_KERNEL_BASE, .code_bytes = 64, .reconvergence = (uintptr_t)heap.reconvergence};
    heap.trees = (struct sl_trees){
        .magic = SL_TREES_MAGIC,
        .vector = (uintptr_t)heap.vector,
        .stack = (uintptr_t)heap.stack,
        .capacity = CAPACITY,
        .arguments = 1,
        .functions = 2,
        .maps = 1,
        .stack_entries = STACK,
        .function = 1,
    };
    for (unsigned i = 0; i < 2; i++) {
        heap.trees.launch[i] = (struct sl_launch){
            .magic = SL_LAUNCH_MAGIC,
            .lds_bytes = 256 * i,
            .program = (uintptr_t)&heap.program,
            .grid = {CAPACITY, 1, 1},
            .group = {i == 0 ? 256 : 32, 1, 1},
            .kernel = {.entry = SL_KERNEL_BASE, .registers = 12},
        };
    }
    *mock_register(SL_REG_HEAP_BASE) = (uintptr_t)&heap;
    *mock_register(SL_REG_HEAP_LIMIT) = (uintptr_t)(&heap + 1);
    *mock_register(SL_REG_LANES) = 64;
    *mock_register(SL_REG_SIMDS) = 4;
    *mock_register(SL_REG_CONTEXTS) = 40;
    *mock_register(SL_REG_POOL_BLOCKS) = 40;
    *mock_register(SL_REG_REGISTERS) = 512;
    *mock_register(SL_REG_LDS_BYTES) = 65536;
    *mock_register(SL_REG_WAIT_LIMIT_PS) = 1000000000;
    run_machine_init(&machine);
    mock.log_count = 0;
}

#endif
