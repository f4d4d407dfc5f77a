/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lies at the addresses of a memory instruction, and whether its wavefront may touch it: the
 * one place where that is judged, before anything is sent. Of shared memory, which goes up to the
 * device's own at the top of DRAM, lanes may access what their run has opened to them
 * (simt/unit/protection.h), code is read-only; the private aperture is translated to the lane's
 * stack.
 *
 * Most instructions stay inside one window of what is open, and mostly the same as the one before:
 * that is one comparison for all lanes. The others are judged lane by lane. */
#include <string.h>

#include "simt/lifecycle/lifecycle.h"
#include "simt/lsu/lsu.h"

/* What a stack that grows too far touches: 255 MiB below the private aperture, where nothing else
 * is. A frame larger than that which touches none of it ends in an access outside memory. */
#define STACK_GUARD_BYTES SL_MIB(255)

#define ACCESS_MOST 8u /* bytes of a lane's access */

_Static_assert(SL_PRIVATE_BASE - STACK_GUARD_BYTES > SL_LANE_EXIT_PC, "nothing else is there");

static uint64_t private_address(const struct wave *wave, uint64_t lane, uint64_t offset)
{
    uint64_t slot = offset / SL_PRIVATE_SLOT;

    return wave->private_base + (slot * wave_cu(wave)->shape.lanes + lane) * SL_PRIVATE_SLOT +
           offset % SL_PRIVATE_SLOT;
}

/* Where an access of a lane lies. */
enum place { PLACE_SHARED, PLACE_PRIVATE, PLACE_LDS, PLACE_STACK_GUARD, PLACE_NONE };

static enum place place_of(const struct cu *cu, const struct wave *wave, uint64_t address,
                           uint64_t bytes)
{
    uint64_t offset = address - SL_PRIVATE_BASE;

    if (address - SL_KERNEL_BASE <= cu->env->layout.top_base - SL_KERNEL_BASE - bytes) {
        return PLACE_SHARED;
    }
    if (offset <= cu->shape.stack_bytes - bytes) {
        return PLACE_PRIVATE;
    }
    if (address - SL_LDS_BASE < wave->lds_bytes &&
        address - SL_LDS_BASE + bytes <= wave->lds_bytes) {
        return PLACE_LDS;
    }
    return 0 - offset <= STACK_GUARD_BYTES ? PLACE_STACK_GUARD : PLACE_NONE;
}

/* Cuts a misaligned access where the next cache line, or slot of the private aperture, begins. */
static void split(const struct wave *wave, struct mem_instr *memory, enum place place,
                  uint64_t lane)
{
    uint64_t address = memory->address[lane];
    uint64_t grain = place == PLACE_PRIVATE ? SL_PRIVATE_SLOT : wave_cu(wave)->shape.line_bytes;
    uint64_t head = grain - address % grain;

    if (head >= memory->op->access_bytes) {
        return;
    }
    memory->split |= 1ull << lane;
    memory->head_bytes[lane] = (uint8_t)head;
    memory->tail_address[lane] = place == PLACE_PRIVATE
                                     ? private_address(wave, lane, address + head - SL_PRIVATE_BASE)
                                     : address + head;
}

static bool may_split(const struct cu *cu, const struct simt_op *op)
{
    return cu->shape.splits_misaligned && !op->atomic;
}

/* The lanes that fault, by what they fault with; the first in this order is reported. */
enum place_fault { FAULT_MISALIGNED, FAULT_STACK, FAULT_ACCESS, FAULT_PROTECTED, FAULTS };

static int report(struct wave *wave, const struct mem_instr *memory, const uint64_t *faulty)
{
    static const enum sl_fault_code codes[FAULTS] = {SL_FAULT_MISALIGNED, SL_FAULT_STACK,
                                                     SL_FAULT_ACCESS, SL_FAULT_PROTECTED};

    for (unsigned i = 0; i < FAULTS; i++) {
        if (faulty[i] != 0) {
            wave_fault(wave, codes[i], faulty[i], memory->op,
                       memory->address[lowest_lane(faulty[i])]);
            return -1;
        }
    }
    return 0;
}

/* Whether all of a lane's access to shared memory is open to it. */
static bool is_open(const struct cu *cu, const struct mem_instr *memory, uint64_t address)
{
    const enum simt_needs needs = (enum simt_needs)memory->op->needs;
    const uint64_t bytes = memory->op->access_bytes;

    return protection_closed(&cu->env->protection, needs, address, bytes) == address + bytes;
}

/* Judges and translates the lanes in `odd`, whose addresses are not plain memory, and sets the
 * lanes that turn out to be private, and those in LDS, which keep their addresses and are never
 * split. Returns 0, or -1 after a fault. */
static int translate(struct wave *wave, struct mem_instr *memory, uint64_t odd)
{
    struct cu *cu = wave_cu(wave);
    uint64_t bytes = memory->op->access_bytes;
    uint64_t faulty[FAULTS] = {0};
    uint64_t misaligned = 0;

    FOR_EACH_LANE(lane, odd)
    {
        uint64_t bit = 1ull << lane;
        uint64_t value = memory->address[lane];
        enum place place = place_of(cu, wave, value, bytes);
        if (memory->op->writes && cu_is_code(cu, value, bytes)) {
            faulty[FAULT_ACCESS] |= bit;
            continue;
        }
        if (value % bytes != 0) {
            if (place == PLACE_LDS || !may_split(cu, memory->op)) {
                faulty[FAULT_MISALIGNED] |= bit;
                continue;
            }
            misaligned |= bit;
        }
        if (place == PLACE_STACK_GUARD) {
            faulty[FAULT_STACK] |= bit;
        } else if (place == PLACE_NONE) {
            faulty[FAULT_ACCESS] |= bit;
        } else if (place == PLACE_SHARED && !is_open(cu, memory, value)) {
            faulty[FAULT_PROTECTED] |= bit;
        } else if (misaligned & bit) {
            split(wave, memory, place, lane);
        }
        if (place == PLACE_PRIVATE) {
            memory->address[lane] = private_address(wave, lane, value - SL_PRIVATE_BASE);
            memory->private_lanes |= bit;
        } else if (place == PLACE_LDS) {
            memory->lds_lanes |= bit;
        }
    }
    if (report(wave, memory, faulty) != 0) {
        return -1;
    }
    cu->counters.misaligned += misaligned != 0;
    cu->counters.split_lanes += (uint64_t)__builtin_popcountll(memory->split);
    return 0;
}

/* Where the first active lane accesses memory. */
static uint64_t first_address(const struct wave *wave, const struct simt_op *op,
                              const struct mem_instr *memory)
{
    return wave->x[op->rs1][lowest_lane(memory->lanes)] + (uint64_t)op->immediate;
}

/* Memory in which an aligned access is plain: open to the instruction, and around `first`, where
 * that is open to it. Ends where an aligned access does, which only code does not. */
static struct extent plain_extent(struct cu *cu, const struct simt_op *op, uint64_t first)
{
    struct extent *const open = &cu->open[op->needs];

    if (first - open->base >= open->bytes) {
        const struct extent extent =
            protection_extent(&cu->env->protection, (enum simt_needs)op->needs, first);
        const uint64_t end = (extent.base + extent.bytes) / ACCESS_MOST * ACCESS_MOST;
        if (extent.base < end) {
            *open = (struct extent){.base = extent.base, .bytes = end - extent.base};
        }
    }
    return *open;
}

/* Addresses and operands of a single lane, as a leader's are: the vector unit is no gain. Returns
 * the lane if its address is not plain shared memory. */
static uint64_t gather_lane(struct cu *cu, const struct wave *wave, const struct simt_op *op,
                            struct mem_instr *memory, uint64_t address)
{
    unsigned lane = lowest_lane(memory->lanes);
    const struct extent plain = plain_extent(cu, op, address);
    bool is_odd = address - plain.base >= plain.bytes || (address & (op->access_bytes - 1u)) != 0;

    memory->address[lane] = address;
    memory->value[lane] = wave->x[op->rs2][lane];
    return is_odd ? memory->lanes : 0;
}

static void gather_values(const struct wave *wave, const struct simt_op *op,
                          struct mem_instr *memory)
{
    if (op->class != SL_CLASS_LOAD) {
        memcpy(memory->value, wave->x[op->rs2], sizeof(memory->value));
    }
}

/* The addresses of all lanes. Returns the active ones that are not in [base, base + bytes), or not
 * aligned. */
static uint64_t gather_addresses(const struct cu *cu, const struct wave *wave,
                                 const struct simt_op *op, struct mem_instr *memory, uint64_t base,
                                 uint64_t bytes)
{
    return memory->lanes & cu->lanes->address(memory->address, wave->x[op->rs1], op->immediate,
                                              base, bytes, op->access_bytes - 1u);
}

/* Whether all lanes access the wavefront's LDS as they should: the common case, without a look at
 * each lane. Leaves the addresses in the lanes in any case. */
static bool is_all_lds(const struct cu *cu, const struct wave *wave, const struct simt_op *op,
                       struct mem_instr *memory, uint64_t first)
{
    uint64_t bytes = wave->lds_bytes;

    return first - SL_LDS_BASE < SL_LDS_APERTURE && bytes >= op->access_bytes &&
           gather_addresses(cu, wave, op, memory, SL_LDS_BASE, bytes - (op->access_bytes - 1u)) ==
               0;
}

/* Whether all of several lanes access their stacks as they should; translates their addresses.
 * Leaves the addresses in the lanes where they do not. */
static bool is_all_private(const struct cu *cu, struct wave *wave, const struct simt_op *op,
                           struct mem_instr *memory, uint64_t first)
{
    uint64_t bytes = cu->shape.stack_bytes;

    if (first - SL_PRIVATE_BASE >= bytes || wave_lane_count(wave) == 1 ||
        gather_addresses(cu, wave, op, memory, SL_PRIVATE_BASE, bytes - (op->access_bytes - 1u)) !=
            0) {
        return false;
    }
    for (uint64_t lane = 0; lane < LANES; lane++) {
        memory->address[lane] =
            private_address(wave, lane, memory->address[lane] - SL_PRIVATE_BASE);
    }
    return true;
}

int lsu_translate(struct wave *wave, const struct simt_op *op, struct mem_instr *memory)
{
    struct cu *cu = wave_cu(wave);
    const uint64_t first = first_address(wave, op, memory);

    memory->split = 0;
    memory->private_lanes = 0;
    memory->lds_lanes = 0;
    if (is_all_lds(cu, wave, op, memory, first)) {
        gather_values(wave, op, memory);
        memory->lds_lanes = memory->lanes;
        return 0;
    }
    if (is_all_private(cu, wave, op, memory, first)) {
        gather_values(wave, op, memory);
        memory->private_lanes = memory->lanes;
        return 0;
    }
    uint64_t odd;
    if (wave_lane_count(wave) == 1) {
        odd = gather_lane(cu, wave, op, memory, first);
    } else {
        const struct extent plain = plain_extent(cu, op, first);
        gather_values(wave, op, memory);
        odd = gather_addresses(cu, wave, op, memory, plain.base, plain.bytes);
    }
    return odd == 0 ? 0 : translate(wave, memory, odd);
}
