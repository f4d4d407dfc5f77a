/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Coalescing: the lanes of a memory instruction that touch one cache line make one access.
 *
 * Lines go out in the order of the lowest lane that wants each, gpu.lines_per_cycle a cycle and
 * compute unit (core paper, Table 2). How the addresses lie (hal/regs/statistics.def, simt.pattern)
 * is counted, and spares the search for lines in the common cases: the lines of addresses that only
 * grow, or only fall, never come again. */
#include <string.h>

#include "simt/internal.h"

/* Lines of an instruction, found through a small hash table. Lanes in two pieces have two. */
#define LINES_MAX (2 * LANES)
#define TABLE     (4 * LANES)

struct coalescer {
    uint64_t line[LINES_MAX];
    uint8_t *bytes[LINES_MAX];
    unsigned count;
    uint8_t table[TABLE]; /* 1 + index into line, or 0 */
};

_Static_assert(LINES_MAX < 256, "an index fits a byte");

/* The accesses of an instruction on their way. */
struct sender {
    struct gpu *gpu;
    struct mem_op *memory;
    struct cu *cu;
    struct mem_request request; /* but for time and address */
    uint64_t cycle;
    uint64_t perform_ps;
    uint64_t done_ps;
    uint8_t *origin; /* where address 0 would be, were all lines like the first */
    bool is_linear;
};

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

/* The next free slot of the port to memory, as a cycle. */
static uint64_t take_port(const struct gpu *gpu, struct cu *cu, uint64_t cycle)
{
    uint64_t per_cycle = gpu->shape.lines_per_cycle;
    uint64_t slot = cycle * per_cycle;

    if (cu->port_slot > slot) {
        slot = cu->port_slot;
    }
    cu->port_slot = slot + 1;
    return per_cycle == 1 ? slot : slot / per_cycle;
}

/* Sends one line to memory; the instruction takes effect and is done with its latest line. */
static uint8_t *send(struct sender *sender, uint64_t line)
{
    struct gpu *gpu = sender->gpu;
    struct mem_request *request = &sender->request;

    sender->memory->lines |= 1ull << (line * 0x9e3779b97f4a7c15ull >> 58);
    request->time_ps = take_port(gpu, sender->cu, sender->cycle) * gpu->shape.cycle_ps;
    request->address = line * SL_CACHE_LINE_BYTES;
    struct mem_response response = gpu->mem->ops->access(gpu->mem, request);

    if (response.perform_ps > sender->perform_ps) {
        sender->perform_ps = response.perform_ps;
    }
    if (response.done_ps > sender->done_ps) {
        sender->done_ps = response.done_ps;
    }
    gpu->counters->line_accesses++;
    uint8_t *origin = (uint8_t *)((uintptr_t)response.bytes - request->address);
    if (sender->origin == NULL) {
        sender->origin = origin;
    }
    sender->is_linear &= origin == sender->origin;
    return response.bytes;
}

/* Addresses that only grow or only fall. */
static void send_in_order(struct sender *sender)
{
    struct mem_op *memory = sender->memory;
    uint64_t last_line = UINT64_MAX;
    uint8_t *bytes = NULL;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        uint64_t line = memory->address[lane] / SL_CACHE_LINE_BYTES;
        if (line != last_line) {
            bytes = send(sender, line);
            last_line = line;
        }
        memory->bytes[lane] = bytes + memory->address[lane] % SL_CACHE_LINE_BYTES;
    }
}

/* One address: a single line. */
static void send_one(struct sender *sender)
{
    struct mem_op *memory = sender->memory;
    uint64_t address = memory->address[lowest_lane(memory->lanes)];
    uint8_t *bytes = send(sender, address / SL_CACHE_LINE_BYTES) + address % SL_CACHE_LINE_BYTES;

    if (!sender->is_linear) {
        FOR_EACH_LANE(lane, memory->lanes)
        {
            memory->bytes[lane] = bytes;
        }
    }
}

static uint8_t *find_or_send(struct sender *sender, struct coalescer *coalescer, uint64_t address)
{
    uint64_t line = address / SL_CACHE_LINE_BYTES;
    unsigned at = (unsigned)(line ^ line >> 8) % TABLE;

    while (coalescer->table[at] != 0) {
        unsigned index = coalescer->table[at] - 1u;
        if (coalescer->line[index] == line) {
            return coalescer->bytes[index] + address % SL_CACHE_LINE_BYTES;
        }
        at = (at + 1) % TABLE;
    }
    coalescer->line[coalescer->count] = line;
    coalescer->bytes[coalescer->count] = send(sender, line);
    coalescer->table[at] = (uint8_t)++coalescer->count;
    return coalescer->bytes[coalescer->count - 1] + address % SL_CACHE_LINE_BYTES;
}

static void send_scattered(struct sender *sender)
{
    struct mem_op *memory = sender->memory;
    struct coalescer coalescer;

    coalescer.count = 0;
    memset(coalescer.table, 0, sizeof(coalescer.table));
    FOR_EACH_LANE(lane, memory->lanes)
    {
        memory->bytes[lane] = find_or_send(sender, &coalescer, memory->address[lane]);
        if (memory->split >> lane & 1) {
            memory->tail[lane] = find_or_send(sender, &coalescer, memory->tail_address[lane]);
        }
    }
}

enum memory_pattern coalesce_pattern(const struct gpu *gpu, const struct mem_op *memory,
                                     uint64_t private_lanes)
{
    unsigned first = lowest_lane(memory->lanes);
    uint64_t others = memory->lanes & (memory->lanes - 1);

    if (others == 0) {
        return PATTERN_BROADCAST;
    }
    unsigned second = lowest_lane(others);
    int64_t distance = (int64_t)(memory->address[second] - memory->address[first]);
    int64_t gap = (int64_t)second - (int64_t)first;
    if (gap != 1 && distance % gap != 0) {
        return PATTERN_SCATTERED;
    }
    uint64_t stride = (uint64_t)(gap == 1 ? distance : distance / gap);
    uint64_t base = memory->address[first] - first * stride;
    unsigned last = LANES - 1 - (unsigned)__builtin_clzll(memory->lanes);
    if (memory->address[last] != base + last * stride ||
        (gpu->lanes->off_stride(memory->address, base, stride) & memory->lanes) != 0) {
        return PATTERN_SCATTERED;
    }
    if (stride == 0) {
        return PATTERN_BROADCAST;
    }
    bool is_one_slot = private_lanes == memory->lanes && stride == SL_PRIVATE_SLOT;
    return stride == memory->op->access_bytes || is_one_slot ? PATTERN_UNIT_STRIDE
                                                             : PATTERN_STRIDED;
}

uint64_t coalesce_send(struct gpu *gpu, struct mem_op *memory, uint64_t cycle)
{
    const struct simt_op *op = memory->op;
    struct cu *cu = memory->wave->simd->cu;
    struct sender sender = {
        .gpu = gpu,
        .memory = memory,
        .cu = cu,
        .request =
            {
                .requester = cu->number,
                .kind = kind_of(op),
                .scope = op->scope,
                .acquire = op->acquire,
                .release = op->release,
            },
        .cycle = cycle,
        .is_linear = true,
    };

    if (memory->pattern == PATTERN_SCATTERED || memory->split != 0) {
        send_scattered(&sender);
    } else if (memory->pattern == PATTERN_BROADCAST) {
        send_one(&sender);
    } else {
        send_in_order(&sender);
    }
    memory->linear = sender.is_linear ? sender.origin : NULL;
    memory->done_cycle = gpu_cycle_at(gpu, sender.done_ps);
    return gpu_cycle_at(gpu, sender.perform_ps);
}
