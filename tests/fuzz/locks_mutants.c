/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines that lack a rule of locks. */
#include "fuzz/locks_machine.h"
#include "simt/gpu.h"
#include "simt/locks/lock_stack.h"

/* ---- the stack ---- */

static uint32_t lose_nothing(struct simt_stack *stack)
{
    return stack->depth;
}

/* Rotates as if there were nothing below the innermost parent. */
static uint32_t lose_innermost(struct simt_stack *stack)
{
    const uint32_t parent = simt_stack_parent(stack, stack->depth - 1);
    struct simt_stack inner = {
        .entries = &stack->entries[parent],
        .depth = stack->depth - parent,
        .capacity = stack->depth - parent,
    };

    return parent + lock_stack_join.lose(&inner);
}

static void change_rotation(struct gpu *gpu, uint32_t (*lose)(struct simt_stack *stack))
{
    static struct lock_stack_ops changed;

    changed = lock_stack_join;
    changed.lose = lose;
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        gpu->cus[c].locks = &changed;
    }
}

/* ---- memory ---- */

static const struct mem_ops *real;
static bool is_acquire_dropped;

static bool is_dropped(const struct mem_request *request)
{
    return is_acquire_dropped ? request->acquire : request->release;
}

static uint64_t sync_without(struct mem_system *mem, struct mem_request *request)
{
    return request->sync == MEM_SYNC_OPERATION && is_dropped(request) ? request->time_ps
                                                                      : real->sync(mem, request);
}

static struct mem_answer access_without(struct mem_system *mem, struct mem_request *request)
{
    if (request->atomic && is_dropped(request)) {
        request->acquire = false;
        request->release = false;
    }
    return real->access(mem, request);
}

static void drop(struct gpu *gpu, bool is_acquire)
{
    static struct mem_ops changed;

    real = gpu->mem->ops;
    is_acquire_dropped = is_acquire;
    changed = *real;
    changed.access = access_without;
    changed.sync = real->sync != NULL ? sync_without : NULL;
    gpu->mem->ops = &changed;
}

/* ---- which ---- */

void lock_mutate_gpu(enum lock_mutant mutant, struct gpu *gpu)
{
    switch (mutant) {
    case MUTANT_NO_ROTATION:
        change_rotation(gpu, lose_nothing);
        break;
    case MUTANT_INNERMOST_ROTATION:
        change_rotation(gpu, lose_innermost);
        break;
    case MUTANT_NO_ACQUIRE:
    case MUTANT_NO_RELEASE:
        drop(gpu, mutant == MUTANT_NO_ACQUIRE);
        break;
    default:
        break;
    }
}

void lock_mutate_table(enum lock_mutant mutant, const struct sl_code *code, uint32_t *table)
{
    static uint32_t plain[2 * ASM_WORDS];

    if (mutant != MUTANT_PLAIN_BRANCHES) {
        return;
    }
    const int status = sl_reconverge(code, plain);
    assert(status == 0);
    (void)status;
    for (size_t i = 0; i < 2 * code->word_count; i++) {
        if (plain[i] != SL_RECONVERGE_NONE) {
            table[i] = plain[i];
        }
    }
}
