/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The life of a wavefront: launch, alone or with its work-group, end and fault. */
#ifndef SLUICE_SIMT_LIFECYCLE_H
#define SLUICE_SIMT_LIFECYCLE_H

#include "simt/unit/resource.h"
#include "simt/unit/unit.h"
#include "sluice/codes.h"

/* ---- occupancy.c: what fits on a compute unit ---- */

/* What wavefronts that are to be placed together need. */
struct cu_demand {
    uint32_t waves;
    uint32_t registers; /* of each */
    uint32_t lds_bytes; /* of all */
    bool is_group;      /* they are a work-group */
};

/* An entry for another group; NULL where the compute unit cannot keep track of one more. */
struct workgroup *cu_free_group(const struct cu *cu);

/* The first resource that it has too little of now; CU_RESOURCE_COUNT where all fits. */
enum cu_resource cu_missing_resource(const struct cu *cu, const struct cu_demand *demand);

/* Whether some SIMD unit has a context and registers for one wavefront. */
bool cu_has_room(const struct cu *cu, uint32_t registers);

/* Takes a free context and registers, on the SIMD unit that holds the fewest wavefronts. NULL where
 * there is none. */
struct wave *cu_take_context(struct cu *cu, uint32_t registers);

/* ---- lds_space.c: space in its LDS ---- */

bool lds_has_space(const struct cu *cu, uint32_t bytes);

/* Allocates, zeroed, what there is space for; returns the offset. */
uint32_t lds_allocate(struct cu *cu, uint32_t bytes);
void lds_release(struct cu *cu, uint32_t base, uint32_t bytes);

/* ---- wave_launch.c ---- */

/* A wavefront takes a context, whose instructions issue from `gate_cycle` on for the reason `gate`,
 * and LDS, zeroed, of which there is enough. Registers and reconvergence stack are the caller's
 * business. */
void wave_begin(struct wave *wave, const struct wave_launch *launch, uint64_t gate_cycle,
                enum sl_stall gate);

/* Launches a wavefront on a compute unit that has room for it, with a block of the pool, now. */
struct wave *cu_launch(struct cu *cu, const struct wave_launch *launch);

/* Tells observers of a wavefront that takes a context (OBS_LAUNCH, OBS_RESTART). */
void wave_observe_begin(const struct wave *wave, enum obs_kind kind);

/* ---- work_group.c ---- */

/* Places work-group `id` of an NDRange on a compute unit that has room for it. `launch` says what
 * its wavefronts have in common; they start launch_cycles apart. Returns how many there are. */
uint32_t cu_launch_group(struct cu *cu, const struct group_range *range, const uint32_t id[3],
                         uint32_t lds_bytes, const struct wave_launch *launch,
                         uint32_t launch_cycles);

/* A wavefront of a group has given up its context, has one again, or has ended. */
void group_wave_yielded(const struct wave *wave);
void group_wave_restarted(struct wave *wave);
void group_wave_ended(struct wave *wave);

/* A wavefront of a group ends, whether others wait for it at a barrier or not: these are no more
 * waiting, and returned. */
uint32_t group_depart(struct wave *wave, struct wave *stranded[GROUP_WAVES_MAX]);

/* Where a wavefront is, as an address; 0 where it has ended by returning. */
uint64_t wave_pc(struct wave *wave);

/* ---- wave_end.c ---- */

/* The wavefront's lanes have all ended. Completion is a release at device scope: the context is
 * held until all memory instructions are done and memory has been told. */
void wave_end(struct wave *wave, uint64_t cycle);
void wave_end_event(struct event *event);

/* The wavefront ends with a fault; `lanes` of it are concerned. */
void wave_fault(struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                const struct simt_op *op, uint64_t address);

/* The same in two steps: what is known of any fault, and the end with what else its record says. */
struct sl_fault wave_fault_record(struct wave *wave, enum sl_fault_code code, uint64_t lanes,
                                  uint64_t address);
void wave_fault_with(struct wave *wave, const struct sl_fault *fault);

/* The same for those of them that hold a lock, or may be granted one, where none may. Returns
 * whether there are some. */
bool wave_fault_lock_held(struct wave *wave, uint64_t lanes, const struct simt_op *op);

/* Two wavefronts of a group can never meet at a barrier: this one faults, and its record names the
 * other. */
void wave_fault_mismatched(struct wave *wave, uint64_t other, uint64_t other_pc);

/* The context and LDS of its own are free, the block is not. */
void wave_release(struct wave *wave, uint64_t cycle);

#endif
