/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loads and stores of which some lanes' accesses are in two pieces (gpu.misaligned = split): they
 * cross a cache line, or a slot of the interleaved private aperture. Where memory is coherent, both
 * pieces take effect at once, when the instruction does: finer than the ISA manual asks for, which
 * permits each byte to be an access of its own. */
#include <string.h>

#include "simt/loop_monitor/last_writers.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/lsu/lsu.h"
#include "simt/unit/register_file.h"

static unsigned head_bytes(const struct mem_instr *memory, uint64_t lane)
{
    bool is_split = memory->split >> lane & 1;

    return is_split ? memory->head_bytes[lane] : memory->op->access_bytes;
}

static uint64_t extend(const struct simt_op *op, uint64_t value)
{
    unsigned unused = 64 - op->access_bytes * 8u;

    value <<= unused;
    return op->is_signed ? (uint64_t)((int64_t)value >> unused) : value >> unused;
}

/* Bytes [first, first + count) of a lane's value from or to memory at an address. */
static void move(const struct lane_access *access, uint64_t lane, uint64_t address, unsigned first,
                 unsigned count)
{
    uint8_t *value = (uint8_t *)&access->memory->value[lane] + first;
    uint8_t *bytes = access->linear + address;

    if (access->memory->op->writes) {
        access->cu->env->last_writers->has_any |= memcmp(bytes, value, count) != 0;
        memcpy(bytes, value, count);
        reservation_write(access->reservations, address);
    } else {
        memcpy(value, bytes, count);
    }
}

void misaligned_move(const struct lane_access *access, uint64_t tails)
{
    const struct mem_instr *memory = access->memory;
    const unsigned bytes = memory->op->access_bytes;

    if (memory->wave->monitor != NULL && memory->op->writes) {
        loop_monitor_untracked_store(memory->wave->monitor);
    } else if (memory->wave->monitor != NULL) {
        loop_monitor_untracked_load(memory->wave->monitor);
    }
    FOR_EACH_LANE(lane, access->lanes | tails)
    {
        const unsigned head = head_bytes(memory, lane);
        if (access->lanes >> lane & 1) {
            move(access, lane, memory->address[lane], 0, head);
        }
        if (tails >> lane & 1) {
            move(access, lane, memory->tail_address[lane], head, bytes - head);
        }
    }
    if (probe_enabled(access->cu->env->stream, OBS_ACCESS) && access->lanes != 0) {
        perform_observe(access);
    }
}

void misaligned_finish(const struct mem_instr *memory)
{
    const uint64_t lanes = memory->lanes & ~memory->lds_lanes;

    if (memory->op->writes) {
        return;
    }
    FOR_EACH_LANE(lane, lanes)
    {
        memory->wave->x[memory->op->rd][lane] = extend(memory->op, memory->value[lane]);
    }
    if (memory->wave->monitor != NULL) {
        loop_monitor_loaded(memory->wave->monitor, memory, lanes);
    }
    perform_loaded(memory, lanes);
    wave_observe_result(memory->wave, memory->op, lanes, true);
}
