/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of the campaign: graphs, Cilk graphs, task vectors and launches whose results are known,
 * and in each of which a wavefront does what the host has written down (wild.h). Without that they
 * are ordinary programs. relay_kernel is for the good graph after each run. */
#include "attack/wild.h"
#include "sluice/wave/locks.h"
#include "sluice/wave/printf.h"
#include "sluice/wave/trees.h"
#include "workloads/common/relay_kernel.h"
#include "workloads/fib/cilk_fib.h"

static struct wild *wild_list;

/* A launch of one work-item: where the list is. */
SL_KERNEL void attack_set(struct wild *list)
{
    wild_list = list;
}

static void access_narrow(const struct wild_access *access)
{
    const uint64_t address = access->address;
    const uint64_t value = access->value;
    switch (access->kind) {
    case WILD_SB:
        *(volatile uint8_t *)address = (uint8_t)value;
        break;
    case WILD_SH:
        *(volatile uint16_t *)address = (uint16_t)value;
        break;
    case WILD_SW:
        *(volatile uint32_t *)address = (uint32_t)value;
        break;
    case WILD_AMO_W:
        __asm__ volatile("amoswap.w zero, %0, (%1)" : : "r"(value), "r"(address) : "memory");
        break;
    case WILD_SC_W:
        __asm__ volatile("lr.w t0, (%1)\n\tsc.w t0, %0, (%1)"
                         :
                         : "r"(value), "r"(address)
                         : "t0", "memory");
        break;
    case WILD_LOCK:
        sl_lock((sl_lock_t *)address);
        sl_unlock((sl_lock_t *)address);
        break;
    case WILD_TRYLOCK:
        if (sl_trylock((sl_lock_t *)address, 2)) {
            sl_tryunlock((sl_lock_t *)address);
        }
        break;
    default:
        (void)*(volatile uint8_t *)address;
        break;
    }
}

static void access_wide(const struct wild_access *access)
{
    const uint64_t address = access->address;
    const uint64_t value = access->value;
    switch (access->kind) {
    case WILD_SD:
        *(volatile uint64_t *)address = value;
        break;
    case WILD_FSD:
        __asm__ volatile("fmv.d.x ft0, %0\n\tfsd ft0, 0(%1)"
                         :
                         : "r"(value), "r"(address)
                         : "ft0", "memory");
        break;
    case WILD_AMO_D:
        __asm__ volatile("amoxor.d zero, %0, (%1)" : : "r"(value), "r"(address) : "memory");
        break;
    case WILD_SC_D:
        __asm__ volatile("lr.d t0, (%1)\n\tsc.d t0, %0, (%1)"
                         :
                         : "r"(value), "r"(address)
                         : "t0", "memory");
        break;
    case WILD_RELEASE:
        sl_store_release_u64_system((uint64_t *)address, value);
        break;
    default:
        (void)*(volatile uint64_t *)address;
        break;
    }
}

static __attribute__((noinline)) void wild_access(struct wild_access *access)
{
    const uint32_t kind = access->kind;
    if (kind == WILD_SD || kind == WILD_FSD || kind == WILD_AMO_D || kind == WILD_SC_D ||
        kind == WILD_RELEASE || kind == WILD_LD) {
        access_wide(access);
    } else {
        access_narrow(access);
    }
    access->is_done = 1;
}

/* Loads all registers that a channel routine may use and calls. What comes back, comes back here.
 */
static __attribute__((noinline)) void wild_gadget(const struct wild *wild)
{
    __asm__ volatile("mv s1, %0\n\tmv s2, tp\n\tmv s3, %1\n\t"
                     "ld a0, 0(s1)\n\tld a1, 8(s1)\n\tld a2, 16(s1)\n\tld a3, 24(s1)\n\t"
                     "ld a4, 32(s1)\n\tld a5, 40(s1)\n\tld a6, 48(s1)\n\tld a7, 56(s1)\n\t"
                     "ld t0, 64(s1)\n\tld t1, 72(s1)\n\tld t2, 80(s1)\n\tld t3, 88(s1)\n\t"
                     "ld t4, 96(s1)\n\tld t5, 104(s1)\n\tld t6, 112(s1)\n\t"
                     "ld tp, 120(s1)\n\t"
                     "jalr ra, 0(s3)\n\t"
                     "mv tp, s2"
                     :
                     : "r"(wild->value), "r"(wild->target)
                     : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4",
                       "t5", "t6", "s1", "s2", "s3", "ra", "memory");
}

static __attribute__((noinline)) void wild_call(const struct wild *wild)
{
    const int channel = (int)wild->value[0];
    const int count = (int)wild->value[1];
    switch (wild->call) {
    case WILD_TALLOC:
        (void)sl_talloc(channel, count);
        break;
    case WILD_TALLOC_OR_TRAP:
        (void)sl_talloc_or_trap(channel, count);
        break;
    case WILD_TALLOC_OR_YIELD:
        (void)sl_talloc_or_yield(channel, count);
        break;
    case WILD_ENQ:
        sl_enq(channel, (void *)(uintptr_t)wild->value[2], count);
        break;
    case WILD_TFREE:
        sl_tfree(channel, count);
        break;
    case WILD_YIELD:
        sl_yield(channel, (unsigned)count);
        break;
    default:
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
        sl_printf(wild->format, wild->value[0], wild->value[1], wild->value[2], wild->value[3],
                  wild->value[4], wild->value[5]);
        break;
    }
}

/* All lanes of a wavefront come here together, and for one wavefront of the run it is its turn. */
static __attribute__((noinline)) void wild(void)
{
    struct wild *const list = wild_list;
    uint64_t turn = 0;
    if (list == NULL) {
        return;
    }
    const uint64_t rank = sl_scan_add(1);
    if (rank == 0) {
        turn = sl_atomic_add_u32(&list->turn, 1);
    }
    turn = sl_reduce_maxu(turn);
    if (turn != list->moment || rank >= list->count) {
        return;
    }
    (void)sl_atomic_add_u32(&list->begun, 1);
    if (list->action == WILD_ACCESS) {
        wild_access(&list->access[rank]);
    } else if (list->action == WILD_GADGET) {
        wild_gadget(list);
    } else if (list->action == WILD_CALL) {
        wild_call(list);
    }
}

/* ---- graphs ---- */

/* Elements hop through the channel and end in the sum. */
SL_KERNEL void attack_flat(int source, int index, int destination, struct attack_result *result)
{
    wild();
    const struct attack_element *const element = sl_deq(source, index);
    const uint32_t left = element->left;
    const uint32_t value = element->value;
    if (left > 0) {
        struct attack_element *const next = sl_talloc_or_trap(destination, 1);
        *next = (struct attack_element){.left = left - 1, .value = attack_next(value)};
        sl_enq(destination, next, 1);
    } else {
        sl_atomic_add_u64(&result->sum, value);
    }
    sl_atomic_add_u64(&result->elements, 1);
    sl_tfree(source, index);
}

/* The same into a channel that is too narrow for all: wavefronts yield. */
SL_KERNEL void attack_produce(int source, int index, int destination, struct attack_result *result)
{
    const struct attack_element *const element = sl_deq(source, index);
    struct attack_element *const next = sl_talloc_or_yield(destination, 1);
    *next = (struct attack_element){.left = 0, .value = attack_next(element->value)};
    sl_enq(destination, next, 1);
    wild();
    sl_atomic_add_u64(&result->elements, 1);
    sl_tfree(source, index);
}

SL_KERNEL void attack_spawn(int source, int index, int continuations)
{
    wild();
    const struct fib_task *const task = sl_deq(source, index);
    const uint32_t n = task->n;
    uint64_t *const result = task->result;
    if (n <= 2) {
        *result = 1;
    } else {
        const int level = sl_stack_beside(source, continuations);
        const int deeper = sl_stack_deeper(source);
        struct fib_join *const join = sl_talloc_or_yield(level, 1);
        struct fib_task *const children = sl_talloc_or_yield(deeper, 2);
        join->result = result;
        children[0] = (struct fib_task){.n = n - 1, .result = &join->value[0]};
        children[1] = (struct fib_task){.n = n - 2, .result = &join->value[1]};
        sl_enq(deeper, children, 2);
        sl_enq(level, join, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void attack_sync(int source, int index)
{
    wild();
    const struct fib_join *const join = sl_deq(source, index);
    *join->result = join->value[0] + join->value[1];
    sl_tfree(source, index);
}

/* ---- task vectors ---- */

SL_TASKS(attack_trees, fib, sum)

SL_TASK(sum, uint32_t, first)
{
    sl_emit_u64(sl_task_u64(first, 0) + sl_task_u64(first + 1, 0));
}

SL_TASK(fib, uint32_t, n)
{
    wild();
    if (n <= 2) {
        sl_emit_u64(n > 0);
        return;
    }
    const unsigned first = sl_fork(sl_task_fib, 2);
    sl_task_set_u32(first, 0, n - 1);
    sl_task_set_u32(first + 1, 0, n - 2);
    sl_join_sum(first);
}

/* ---- launches ---- */

static SL_LDS uint32_t passed[ATTACK_GROUP];

/* Neighbours exchange their numbers through LDS. */
SL_KERNEL void attack_group(uint32_t *out)
{
    const uint32_t local = sl_local_id(0);
    passed[local] = sl_global_id(0);
    sl_barrier();
    wild();
    out[sl_global_id(0)] += passed[local ^ 1];
}
