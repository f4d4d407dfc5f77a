/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Load/store unit: addresses, checks, and the private aperture; coalescing is in coalesce.c, LDS in
 * lds.c.
 *
 * The instruction takes effect as a whole when its last line reaches its serialization point, lanes
 * in ascending order; lines of one instruction that get there earlier wait for it, which is what
 * the model leaves out. What the same wavefront does to such a line afterwards waits too. */
#include <string.h>

#include "simt/internal.h"

/* What a stack that grows too far touches: 255 MiB below the private aperture, where nothing else
 * is. A frame larger than that which touches none of it ends in an access outside memory. */
#define STACK_GUARD_BYTES SL_MIB(255)

_Static_assert(SL_PRIVATE_BASE - STACK_GUARD_BYTES > SL_LANE_EXIT_PC, "nothing else is there");

static uint64_t private_address(const struct gpu *gpu, const struct wave *wave, uint64_t lane,
                                uint64_t offset)
{
    uint64_t slot = offset / SL_PRIVATE_SLOT;

    return wave->private_base + (slot * gpu->shape.lanes + lane) * SL_PRIVATE_SLOT +
           offset % SL_PRIVATE_SLOT;
}

/* Where an access of a lane lies. */
enum place { PLACE_SHARED, PLACE_PRIVATE, PLACE_LDS, PLACE_STACK_GUARD, PLACE_NONE };

static uint64_t lds_bytes(const struct wave *wave)
{
    return wave->launch.group == NULL ? 0 : wave->launch.group->lds_bytes;
}

static enum place place_of(const struct gpu *gpu, const struct wave *wave, uint64_t address,
                           uint64_t bytes)
{
    uint64_t offset = address - SL_PRIVATE_BASE;

    if (address - SL_KERNEL_BASE <= gpu->layout.top_base - SL_KERNEL_BASE - bytes) {
        return PLACE_SHARED;
    }
    if (offset <= gpu->shape.stack_bytes - bytes) {
        return PLACE_PRIVATE;
    }
    if (address - SL_LDS_BASE < lds_bytes(wave) &&
        address - SL_LDS_BASE + bytes <= lds_bytes(wave)) {
        return PLACE_LDS;
    }
    return 0 - offset <= STACK_GUARD_BYTES ? PLACE_STACK_GUARD : PLACE_NONE;
}

/* Cuts a misaligned access where the next cache line, or slot of the private aperture, begins. */
static void split(const struct gpu *gpu, const struct wave *wave, struct mem_op *memory,
                  enum place place, uint64_t lane)
{
    uint64_t address = memory->address[lane];
    uint64_t grain = place == PLACE_PRIVATE ? SL_PRIVATE_SLOT : SL_CACHE_LINE_BYTES;
    uint64_t head = grain - address % grain;

    if (head >= memory->op->access_bytes) {
        return;
    }
    memory->split |= 1ull << lane;
    memory->head_bytes[lane] = (uint8_t)head;
    memory->tail_address[lane] =
        place == PLACE_PRIVATE ? private_address(gpu, wave, lane, address + head - SL_PRIVATE_BASE)
                               : address + head;
}

static bool may_split(const struct gpu *gpu, const struct simt_op *op)
{
    return gpu->shape.splits_misaligned && !op->acquire && !op->release &&
           (op->class == SL_CLASS_LOAD || op->class == SL_CLASS_STORE);
}

/* The lanes that fault, by what they fault with; the first in this order is reported. */
enum lsu_fault { LSU_MISALIGNED, LSU_STACK, LSU_ACCESS, LSU_FAULTS };

static int report(struct gpu *gpu, struct wave *wave, const struct mem_op *memory,
                  const uint64_t *faulty)
{
    static const enum sl_fault_code codes[LSU_FAULTS] = {SL_FAULT_MISALIGNED, SL_FAULT_STACK,
                                                         SL_FAULT_ACCESS};

    for (unsigned i = 0; i < LSU_FAULTS; i++) {
        if (faulty[i] != 0) {
            wave_fault(gpu, wave, codes[i], faulty[i], memory->op,
                       memory->address[lowest_lane(faulty[i])]);
            return -1;
        }
    }
    return 0;
}

/* Translates the lanes in `odd`, whose addresses are not plain shared memory, and sets the lanes
 * that turn out to be private, and those in LDS, which keep their addresses and are never split.
 * Returns 0, or -1 after a fault. */
static int translate(struct gpu *gpu, struct wave *wave, struct mem_op *memory, uint64_t odd,
                     uint64_t *private_lanes, uint64_t *lds_lanes)
{
    uint64_t bytes = memory->op->access_bytes;
    uint64_t faulty[LSU_FAULTS] = {0};
    uint64_t misaligned = 0;

    FOR_EACH_LANE(lane, odd)
    {
        uint64_t bit = 1ull << lane;
        uint64_t value = memory->address[lane];
        enum place place = place_of(gpu, wave, value, bytes);
        if (memory->op->writes && lsu_is_code(gpu, value, bytes)) {
            faulty[LSU_ACCESS] |= bit;
            continue;
        }
        if (value % bytes != 0) {
            if (place == PLACE_LDS || !may_split(gpu, memory->op)) {
                faulty[LSU_MISALIGNED] |= bit;
                continue;
            }
            misaligned |= bit;
        }
        if (place == PLACE_STACK_GUARD) {
            faulty[LSU_STACK] |= bit;
        } else if (place == PLACE_NONE) {
            faulty[LSU_ACCESS] |= bit;
        } else if (misaligned & bit) {
            split(gpu, wave, memory, place, lane);
        }
        if (place == PLACE_PRIVATE) {
            memory->address[lane] = private_address(gpu, wave, lane, value - SL_PRIVATE_BASE);
            *private_lanes |= bit;
        } else if (place == PLACE_LDS) {
            *lds_lanes |= bit;
        }
    }
    if (report(gpu, wave, memory, faulty) != 0) {
        return -1;
    }
    gpu->counters->misaligned += misaligned != 0;
    gpu->counters->split_lanes += (uint64_t)__builtin_popcountll(memory->split);
    return 0;
}

static void count(struct gpu *gpu, const struct simt_op *op)
{
    switch (op->class) {
    case SL_CLASS_LOAD:
        gpu->counters->loads++;
        break;
    case SL_CLASS_STORE:
        gpu->counters->stores++;
        break;
    default:
        gpu->counters->atomics++;
        break;
    }
}

/* Where plain shared memory begins: for what writes, behind the code. */
static uint64_t shared_base(const struct gpu *gpu, const struct simt_op *op)
{
    return op->writes ? gpu->store_base : SL_KERNEL_BASE;
}

/* Addresses and operands of a single lane, as a leader's are: the vector unit is no gain. Returns
 * the lane if its address is not plain shared memory. */
static uint64_t gather_lane(const struct gpu *gpu, const struct wave *wave,
                            const struct simt_op *op, struct mem_op *memory)
{
    unsigned lane = lowest_lane(memory->lanes);
    uint64_t address = wave->x[op->rs1][lane] + (uint64_t)op->immediate;
    uint64_t base = shared_base(gpu, op);
    bool is_odd =
        address - base >= gpu->layout.top_base - base || (address & (op->access_bytes - 1u)) != 0;

    memory->address[lane] = address;
    memory->value[lane] = wave->x[op->rs2][lane];
    return is_odd ? memory->lanes : 0;
}

static void gather_values(const struct wave *wave, const struct simt_op *op, struct mem_op *memory)
{
    if (op->class != SL_CLASS_LOAD) {
        memcpy(memory->value, wave->x[op->rs2], sizeof(memory->value));
    }
}

/* The same for all lanes. */
static uint64_t gather_lanes(const struct gpu *gpu, const struct wave *wave,
                             const struct simt_op *op, struct mem_op *memory)
{
    uint64_t base = shared_base(gpu, op);

    gather_values(wave, op, memory);
    return memory->lanes & gpu->lanes->address(memory->address, wave->x[op->rs1], op->immediate,
                                               base, gpu->layout.top_base - base,
                                               op->access_bytes - 1u);
}

/* Whether all lanes access the work-group's LDS as they should: the common case, without a look at
 * each lane. Leaves the addresses in the lanes as gather_lanes() does. */
static bool is_all_lds(const struct gpu *gpu, const struct wave *wave, const struct simt_op *op,
                       struct mem_op *memory)
{
    uint64_t bytes = lds_bytes(wave);
    uint64_t first = wave->x[op->rs1][lowest_lane(memory->lanes)] + (uint64_t)op->immediate;

    return first - SL_LDS_BASE < SL_LDS_APERTURE && bytes >= op->access_bytes &&
           (memory->lanes & gpu->lanes->address(memory->address, wave->x[op->rs1], op->immediate,
                                                SL_LDS_BASE, bytes - (op->access_bytes - 1u),
                                                op->access_bytes - 1u)) == 0;
}

/* Whether all of several lanes access their stacks as they should; translates their addresses.
 * Leaves the addresses in the lanes as gather_lanes() does, where they do not. */
static bool is_all_private(const struct gpu *gpu, struct wave *wave, const struct simt_op *op,
                           struct mem_op *memory)
{
    uint64_t bytes = gpu->shape.stack_bytes;
    uint64_t first = wave->x[op->rs1][lowest_lane(memory->lanes)] + (uint64_t)op->immediate;

    if (first - SL_PRIVATE_BASE >= bytes || wave_lane_count(wave) == 1 ||
        (memory->lanes & gpu->lanes->address(memory->address, wave->x[op->rs1], op->immediate,
                                             SL_PRIVATE_BASE, bytes - (op->access_bytes - 1u),
                                             op->access_bytes - 1u)) != 0) {
        return false;
    }
    for (uint64_t lane = 0; lane < LANES; lane++) {
        memory->address[lane] =
            private_address(gpu, wave, lane, memory->address[lane] - SL_PRIVATE_BASE);
    }
    return true;
}

static struct mem_op *take_mem_op(struct gpu *gpu)
{
    struct mem_op *memory = gpu->free_mem_op;

    if (memory != NULL) {
        gpu->free_mem_op = memory->next_free;
    } else {
        memory = &gpu->mem_ops[gpu->mem_ops_taken++];
        memory->event = (struct event){.run = lsu_perform_event, .rank = EVENT_MEMORY};
    }
    return memory;
}

void lsu_release(struct gpu *gpu, struct mem_op *memory)
{
    memory->next_free = gpu->free_mem_op;
    gpu->free_mem_op = memory;
}

/* A wavefront's accesses to one line take effect in program order, though an earlier instruction
 * may have to wait for another line of its own. Loads may pass each other. Lines are compared by
 * their hashed bits: two that share a bit only cost time. Returns when the instruction takes
 * effect. */
static uint64_t keep_order(const struct gpu *gpu, struct wave *wave, struct mem_op *memory,
                           uint64_t perform_cycle)
{
    const bool writes = memory->op->writes;

    for (uint32_t i = 0; perform_cycle < wave->memory_perform_cycle && i < gpu->shape.memory_ops;
         i++) {
        if (wave->memory_order[i].perform_cycle > perform_cycle &&
            (wave->memory_order[i].lines & memory->lines) != 0 &&
            (writes || wave->memory_order[i].writes)) {
            perform_cycle = wave->memory_order[i].perform_cycle;
        }
    }
    if (perform_cycle > wave->memory_perform_cycle) {
        wave->memory_perform_cycle = perform_cycle;
    }
    if (perform_cycle > memory->done_cycle) {
        memory->done_cycle = perform_cycle;
    }
    wave->memory_order[wave->next_memory_slot].perform_cycle = perform_cycle;
    wave->memory_order[wave->next_memory_slot].lines = memory->lines;
    wave->memory_order[wave->next_memory_slot].writes = writes;
    return perform_cycle;
}

void lsu_issue(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct mem_op *memory = take_mem_op(gpu);
    uint64_t private_lanes = 0;
    uint64_t lds_lanes = 0;

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    memory->split = 0;
    memory->lines = 0;
    if (is_all_lds(gpu, wave, op, memory)) {
        gather_values(wave, op, memory);
        lds_lanes = memory->lanes;
    } else if (is_all_private(gpu, wave, op, memory)) {
        gather_values(wave, op, memory);
        private_lanes = memory->lanes;
    } else {
        uint64_t odd = wave_lane_count(wave) == 1 ? gather_lane(gpu, wave, op, memory)
                                                  : gather_lanes(gpu, wave, op, memory);
        if (odd != 0 && translate(gpu, wave, memory, odd, &private_lanes, &lds_lanes) != 0) {
            lsu_release(gpu, memory);
            return;
        }
    }
    count(gpu, op);
    memory->pattern = coalesce_pattern(gpu, memory, private_lanes);
    gpu->counters->pattern[memory->pattern]++;
    uint64_t perform_cycle = lds_lanes == 0 ? coalesce_send(gpu, memory, cycle)
                                            : lds_send(gpu, memory, lds_lanes, cycle);

    perform_cycle = keep_order(gpu, wave, memory, perform_cycle);
    uint32_t next = wave->next_memory_slot + 1;
    wave->memory_slot[wave->next_memory_slot] = memory->done_cycle;
    wave->next_memory_slot = next == gpu->shape.memory_ops ? 0 : next;
    if (memory->done_cycle > wave->memory_done_cycle) {
        wave->memory_done_cycle = memory->done_cycle;
    }
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = memory->done_cycle;
    }
    if (op->acquire && memory->done_cycle > wave->gate_cycle) {
        wave->gate_cycle = memory->done_cycle;
    }
    control_next(wave, op);
    if (perform_cycle <= cycle) {
        lsu_perform_event(&memory->event, gpu);
    } else {
        wheel_insert(&gpu->wheel, &memory->event, perform_cycle);
    }
}
