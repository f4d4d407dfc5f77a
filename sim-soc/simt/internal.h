/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of the compute units call of each other. */
#ifndef SLUICE_SIMT_INTERNAL_H
#define SLUICE_SIMT_INTERNAL_H

#include "simt/gpu.h"

/* simd.c */

/* Computes when the wavefront's next instruction can issue, and sees to it that its SIMD unit looks
 * then. */
void simd_schedule(struct gpu *gpu, struct wave *wave, uint64_t cycle);
void simd_issue_event(struct event *event, void *owner);

/* The wavefront is now the youngest of its SIMD unit, and not the one that issued last: it was
 * launched, or stands back. */
void simd_stamp(struct wave *wave);

/* Something happened to a wavefront, now: for the timeline, if there is one. */
static inline void wave_trace(struct gpu *gpu, const struct wave *wave, enum sl_trace_kind kind,
                              uint64_t a, uint64_t b)
{
    if (gpu->timeline != NULL) {
        timeline_record(gpu->timeline, (struct sl_trace_record){
                                           .time_ps = gpu->wheel.now * gpu->shape.cycle_ps,
                                           .kind = (uint16_t)kind,
                                           .cu = (uint16_t)wave->simd->cu->number,
                                           .id = wave->context,
                                           .a = a,
                                           .b = b,
                                       });
    }
}

/* Lanes that it was launched with. */
static inline uint32_t wave_lanes(const struct wave *wave)
{
    return wave->launch.group != NULL ? (uint32_t)__builtin_popcountll(wave->launch.mask)
                                      : wave->launch.count;
}

/* execute.c: executes the instruction at the wavefront's program counter. */
void wave_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* control.c: branches, jumps, calls and returns. */
void control_branch(struct gpu *gpu, struct wave *wave, const struct simt_op *op);
void control_jal(struct gpu *gpu, struct wave *wave, const struct simt_op *op);
void control_jalr(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* Continues behind the current instruction. */
static inline void control_next(struct wave *wave, const struct simt_op *op)
{
    simt_stack_top(&wave->stack)->pc += op->bytes;
    simt_stack_reconverge(&wave->stack);
}

/* spill.c: entries of the reconvergence stack that are in memory. */

/* Moves entries after an instruction that left the stack unbalanced. */
void spill_balance(struct gpu *gpu, struct wave *wave, uint64_t cycle);

/* The instruction has looked at entries from `lowest` up, some of which are in memory. */
void spill_touch(struct gpu *gpu, struct wave *wave, uint32_t lowest, uint64_t cycle);

/* float.c: instructions of F and D (false after a fault), and those on fcsr. */
bool float_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op);
void csr_execute(struct wave *wave, const struct simt_op *op);

/* cross.c: operations over the lanes of a wavefront. */
void cross_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op);

/* group.c: identities in an NDRange; whether a compute unit can keep track of another group; a
 * wavefront of one has given up its context, has one again, or has ended. */
void group_identify(struct gpu *gpu, struct wave *wave, const struct simt_op *op);
bool group_has_entry(const struct gpu *gpu, const struct cu *cu);
void group_wave_yielded(const struct wave *wave);
void group_wave_restarted(struct wave *wave);
void group_wave_ended(struct wave *wave);

/* barrier.c: a wavefront comes to a barrier; one of a group ends, whether others wait for it or
 * not. */
void barrier_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle);
void barrier_departed(struct gpu *gpu, struct wave *wave);

/* occupancy.c: takes a free context and registers, on the SIMD unit that holds the fewest
 * wavefronts. NULL where there is none. */
struct wave *occupancy_take(struct gpu *gpu, struct cu *cu, uint32_t registers);

/* lds.c: space in a compute unit's LDS, of which lds_allocate() needs enough; lanes of a memory
 * instruction, whose addresses are inside their group's LDS, and the others: returns the cycle at
 * which it takes effect. */
bool lds_has_space(const struct gpu *gpu, const struct cu *cu, uint32_t bytes);
uint32_t lds_allocate(struct gpu *gpu, struct cu *cu, uint32_t bytes);
void lds_release(struct cu *cu, uint32_t base, uint32_t bytes);
uint64_t lds_send(struct gpu *gpu, struct mem_op *memory, uint64_t lds_lanes, uint64_t cycle);

/* coalesce.c: how an instruction's addresses lie (`private_lanes` are in the private aperture); and
 * its cache lines, sent to memory: returns the cycle at which it takes effect. */
enum memory_pattern coalesce_pattern(const struct gpu *gpu, const struct mem_op *memory,
                                     uint64_t private_lanes);
uint64_t coalesce_send(struct gpu *gpu, struct mem_op *memory, uint64_t cycle);

/* misaligned.c: loads and stores of which some lanes' accesses are in two pieces. */
void misaligned_load(const struct mem_op *memory);
void misaligned_store(struct gpu *gpu, const struct mem_op *memory);

/* lsu.c, perform.c: memory instructions. */
void lsu_issue(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle);
void lsu_perform_event(struct event *event, void *owner);
void lsu_release(struct gpu *gpu, struct mem_op *memory);

/* Whether an access touches the kernel code, which is decoded already: it may not be written. */
static inline bool lsu_is_code(const struct gpu *gpu, uint64_t address, uint64_t bytes)
{
    const uint64_t base = gpu->program.base;

    return address < base + gpu->program.bytes && address + bytes > base;
}

/* wave.c: setting a register in the active lanes; ends and faults. */
void wave_set(struct gpu *gpu, struct wave *wave, uint8_t rd, uint64_t value);
void wave_set_lanes(struct wave *wave, uint8_t rd, const uint64_t *values);
void wave_end(struct gpu *gpu, struct wave *wave, uint64_t cycle);
void wave_end_event(struct event *event, void *owner);
void wave_fault(struct gpu *gpu, struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                const struct simt_op *op, uint64_t address);

/* gpu.c: a wavefront takes a context, whose instructions issue from `gate_cycle` on. Registers and
 * reconvergence stack are the caller's business. */
void wave_begin(struct gpu *gpu, struct wave *wave, const struct wave_launch *launch,
                uint64_t gate_cycle);

/* wave.c: the context is free, the block is not. */
void wave_release(struct gpu *gpu, struct wave *wave, uint64_t cycle);

/* yield.c */
void yield_execute(struct gpu *gpu, struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* dump.c: what debug.dump wants of the wavefronts when one faults, before it ends. */
void dump_fault(struct gpu *gpu, struct wave *wave, enum sl_fault_code code);

/* dump.c: which work-group a wavefront belongs to. */
void dump_group(const struct wave *wave, struct sl_wave_state *state);

/* The selection words of the active lanes. */
const uint64_t *wave_select(struct gpu *gpu, struct wave *wave);

/* The number of active lanes; masks change less often than instructions issue. */
static inline uint32_t wave_lane_count(struct wave *wave)
{
    uint64_t mask = wave_mask(wave);

    if (wave->counted_mask != mask) {
        wave->counted_mask = mask;
        wave->lane_count = (uint32_t)__builtin_popcountll(mask);
    }
    return wave->lane_count;
}

static inline unsigned lowest_lane(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* Lanes of a mask in ascending order. */
#define FOR_EACH_LANE(lane, mask)                                                                  \
    for (uint64_t lane, rest_ = (mask); rest_ != 0 && (lane = lowest_lane(rest_), 1);              \
         rest_ &= rest_ - 1)

#endif
