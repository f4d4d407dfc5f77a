/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loads and stores of which some lanes' accesses are in two pieces (gpu.misaligned = split): they
 * cross a cache line, or a slot of the interleaved private aperture. Both pieces take effect at
 * once, when the instruction does: finer than the ISA manual asks for, which permits each byte to
 * be an access of its own. */
#include <string.h>

#include "simt/internal.h"

static unsigned head_bytes(const struct mem_op *memory, uint64_t lane)
{
    bool is_split = memory->split >> lane & 1;

    return is_split ? memory->head_bytes[lane] : memory->op->access_bytes;
}

static uint64_t extend(const struct simt_op *op, uint64_t value)
{
    unsigned unused = 64 - op->access_bytes * 8u;

    return op->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

void misaligned_load(const struct mem_op *memory)
{
    uint64_t *d = memory->wave->x[memory->op->rd];

    FOR_EACH_LANE(lane, memory->lanes)
    {
        unsigned head = head_bytes(memory, lane);
        uint64_t value = 0;
        memcpy(&value, mem_op_bytes(memory, lane), head);
        if (head < memory->op->access_bytes) {
            memcpy((uint8_t *)&value + head, memory->tail[lane], memory->op->access_bytes - head);
        }
        d[lane] = extend(memory->op, value);
    }
}

void misaligned_store(struct gpu *gpu, const struct mem_op *memory)
{
    FOR_EACH_LANE(lane, memory->lanes)
    {
        unsigned head = head_bytes(memory, lane);
        const uint8_t *value = (const uint8_t *)&memory->value[lane];
        memcpy(mem_op_bytes(memory, lane), value, head);
        reservation_write(&gpu->reservations, memory->address[lane]);
        if (head < memory->op->access_bytes) {
            memcpy(memory->tail[lane], value + head, memory->op->access_bytes - head);
            reservation_write(&gpu->reservations, memory->tail_address[lane]);
        }
    }
}
