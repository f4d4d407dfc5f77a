/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Load/store unit: addresses, checks, the private aperture, and coalescing into cache lines.
 *
 * The lanes of an instruction that touch one cache line make one access. Lines go out in the order
 * of the lowest lane that wants each, gpu.lines_per_cycle a cycle and compute unit (core paper,
 * Table 2). The instruction takes effect as a whole when its last line reaches its serialization
 * point, lanes in ascending order; lines of one instruction that get there earlier wait for it,
 * which is what the model leaves out. */
#include <string.h>

#include "simt/internal.h"

/* Lines of an instruction, found through a small hash table. */
struct coalescer {
    uint64_t line[LANES];
    uint8_t *bytes[LANES];
    unsigned count;
    uint8_t table[2 * LANES]; /* 1 + index into line, or 0 */
};

/* Addresses just below the private aperture are what a stack that grows too far touches. */
#define STACK_GUARD_BYTES SL_MIB(1)

static uint64_t private_address(const struct gpu *gpu, const struct wave *wave, uint64_t lane,
                                uint64_t offset)
{
    uint64_t slot = offset / SL_PRIVATE_SLOT;

    return wave->private_base + (slot * gpu->shape.lanes + lane) * SL_PRIVATE_SLOT +
           offset % SL_PRIVATE_SLOT;
}

/* Translates the lanes in `odd`, whose addresses are not plain shared memory. Returns 0, or -1
 * after a fault. */
static int translate(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t odd,
                     uint64_t *address)
{
    uint64_t faulty[SL_FAULT_STACK + 1] = {0};

    FOR_EACH_LANE(lane, odd)
    {
        uint64_t value = address[lane];
        uint64_t offset = value - SL_PRIVATE_BASE;
        if (value % op->access_bytes != 0) {
            faulty[SL_FAULT_MISALIGNED] |= 1ull << lane;
        } else if (offset < gpu->shape.stack_bytes) {
            address[lane] = private_address(gpu, wave, lane, offset);
        } else if (0 - offset <= STACK_GUARD_BYTES) {
            faulty[SL_FAULT_STACK] |= 1ull << lane;
        } else {
            faulty[SL_FAULT_ACCESS] |= 1ull << lane;
        }
    }
    static const enum sl_fault_code order[] = {SL_FAULT_MISALIGNED, SL_FAULT_STACK,
                                               SL_FAULT_ACCESS};
    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        uint64_t lanes = faulty[order[i]];
        if (lanes != 0) {
            wave_fault(gpu, wave, order[i], lanes, op, address[lowest_lane(lanes)]);
            return -1;
        }
    }
    return 0;
}

/* Index of a line, and whether it is a new one. */
static unsigned coalesce(struct coalescer *coalescer, uint64_t line, bool *is_new)
{
    unsigned at = (unsigned)(line ^ line >> 7) % (2 * LANES);

    while (coalescer->table[at] != 0) {
        unsigned index = coalescer->table[at] - 1u;
        if (coalescer->line[index] == line) {
            *is_new = false;
            return index;
        }
        at = (at + 1) % (2 * LANES);
    }
    coalescer->line[coalescer->count] = line;
    coalescer->table[at] = (uint8_t)++coalescer->count;
    *is_new = true;
    return coalescer->count - 1;
}

static uint64_t to_cycle(const struct gpu *gpu, uint64_t time_ps)
{
    return (time_ps + gpu->shape.cycle_ps - 1) / gpu->shape.cycle_ps;
}

static enum mem_kind kind_of(const struct simt_op *op)
{
    switch (op->class) {
    case SL_CLASS_LOAD:
        return MEM_LOAD;
    case SL_CLASS_STORE:
        return MEM_STORE;
    default:
        return MEM_ATOMIC;
    }
}

/* Sends one line to memory; the instruction takes effect and is done with its latest line. */
static uint8_t *send(struct gpu *gpu, struct cu *cu, const struct simt_op *op, uint64_t line,
                     uint64_t cycle, uint64_t *perform_ps, uint64_t *done_ps)
{
    uint64_t slot = cycle * gpu->shape.lines_per_cycle;

    if (cu->port_slot > slot) {
        slot = cu->port_slot;
    }
    cu->port_slot = slot + 1;
    struct mem_request request = {
        .time_ps = slot / gpu->shape.lines_per_cycle * gpu->shape.cycle_ps,
        .address = line * SL_CACHE_LINE_BYTES,
        .requester = cu->number,
        .kind = kind_of(op),
        .scope = op->scope,
        .acquire = op->acquire,
        .release = op->release,
    };
    struct mem_response response = gpu->mem->ops->access(gpu->mem, &request);
    if (response.perform_ps > *perform_ps) {
        *perform_ps = response.perform_ps;
    }
    if (response.done_ps > *done_ps) {
        *done_ps = response.done_ps;
    }
    gpu->counters->line_accesses++;
    return response.bytes;
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

static void send_lines(struct gpu *gpu, struct mem_op *memory, uint64_t cycle,
                       uint64_t *perform_cycle)
{
    struct coalescer coalescer = {.count = 0};
    struct cu *cu = memory->wave->simd->cu;
    uint64_t perform_ps = 0;
    uint64_t done_ps = 0;
    uint64_t last_line = UINT64_MAX;
    uint8_t *last_bytes = NULL;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        uint64_t line = memory->address[lane] / SL_CACHE_LINE_BYTES;
        if (line != last_line) {
            bool is_new;
            unsigned index = coalesce(&coalescer, line, &is_new);
            if (is_new) {
                coalescer.bytes[index] =
                    send(gpu, cu, memory->op, line, cycle, &perform_ps, &done_ps);
            }
            last_line = line;
            last_bytes = coalescer.bytes[index];
        }
        memory->bytes[lane] = last_bytes + memory->address[lane] % SL_CACHE_LINE_BYTES;
    }
    *perform_cycle = to_cycle(gpu, perform_ps);
    memory->done_cycle = to_cycle(gpu, done_ps);
}

/* Addresses and operands of a single lane, as a leader's are: the vector unit is no gain. Returns
 * the lane if its address is not plain shared memory. */
static uint64_t gather_lane(const struct gpu *gpu, const struct wave *wave,
                            const struct simt_op *op, struct mem_op *memory)
{
    unsigned lane = lowest_lane(memory->lanes);
    uint64_t address = wave->x[op->rs1][lane] + (uint64_t)op->immediate;
    bool is_odd = address - SL_KERNEL_BASE >= gpu->layout.top_base - SL_KERNEL_BASE ||
                  (address & (op->access_bytes - 1u)) != 0;

    memory->address[lane] = address;
    memory->value[lane] = wave->x[op->rs2][lane];
    return is_odd ? memory->lanes : 0;
}

/* The same for all lanes. */
static uint64_t gather_lanes(const struct gpu *gpu, const struct wave *wave,
                             const struct simt_op *op, struct mem_op *memory)
{
    if (op->class != SL_CLASS_LOAD) {
        memcpy(memory->value, wave->x[op->rs2], sizeof(memory->value));
    }
    return memory->lanes &
           gpu->lanes->address(memory->address, wave->x[op->rs1], op->immediate, SL_KERNEL_BASE,
                               gpu->layout.top_base - SL_KERNEL_BASE, op->access_bytes - 1u);
}

void lsu_issue(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct mem_op *memory = &wave->memory_ops[wave->next_memory_op];
    uint64_t perform_cycle;

    memory->wave = wave;
    memory->op = op;
    memory->lanes = wave_mask(wave);
    uint64_t odd = wave_lane_count(wave) == 1 ? gather_lane(gpu, wave, op, memory)
                                              : gather_lanes(gpu, wave, op, memory);
    if (odd != 0 && translate(gpu, wave, op, odd, memory->address) != 0) {
        return;
    }
    count(gpu, op);
    send_lines(gpu, memory, cycle, &perform_cycle);

    wave->next_memory_op = (wave->next_memory_op + 1) % gpu->shape.memory_ops;
    if (memory->done_cycle > wave->memory_done_cycle) {
        wave->memory_done_cycle = memory->done_cycle;
    }
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = memory->done_cycle;
    }
    if (op->acquire && memory->done_cycle > wave->gate_cycle) {
        wave->gate_cycle = memory->done_cycle;
    }
    control_next(wave);
    if (perform_cycle <= cycle) {
        lsu_perform_event(&memory->event, gpu);
    } else {
        wheel_insert(&gpu->wheel, &memory->event, perform_cycle);
    }
}
