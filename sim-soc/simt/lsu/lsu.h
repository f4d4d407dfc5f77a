/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory instructions: addresses, lines, requests to memory, and what they do when they take
 * effect.
 */
#ifndef SLUICE_SIMT_LSU_H
#define SLUICE_SIMT_LSU_H

#include "simt/unit/mem_instr.h"

/* ---- mem_instr_pool.c ---- */

struct mem_instr *mem_instr_take(struct cu *cu);
struct line_request *line_request_take(struct cu *cu);

/* How many memory instructions a compute unit always has room for: of each context, those in its
 * slots, one that has issued and has none, and the store that its write buffer has sent. */
size_t cu_mem_instrs(const struct cu *cu);

/* Makes room for one more, which waits in a write buffer. Returns whether there is. */
bool mem_instr_reserve(struct cu *cu);

/* Frees what was made. */
void mem_instr_trim(struct cu *cu);

/* ---- lsu.c ---- */

/* A load, store or atomic issues. */
void lsu_issue(struct wave *wave, const struct simt_op *op, uint64_t cycle);

/* ---- write_buffer.c: consistency models that hold instructions back ---- */

/* As lsu_send(), now or later. */
void write_buffer_issue(struct mem_instr *memory, uint64_t cycle);

void ordered_drained_event(struct event *event);

/* It is known when a store that was sent from the write buffer is done. */
static inline void write_buffer_known(struct mem_instr *memory, uint64_t done_cycle)
{
    event_queue_insert(wave_cu(memory->wave)->event_queue, &memory->wave->order.drained,
                       done_cycle);
}

/* ---- address_check.c: what lies where, and what a wavefront may touch ---- */

/* Addresses and operands of the active lanes, judged and translated: sets address, value, split and
 * the lanes by place. Returns 0, or -1 after a fault. */
int lsu_translate(struct wave *wave, const struct simt_op *op, struct mem_instr *memory);

/* ---- coalesce.c ---- */

/* How an instruction's addresses lie. */
enum memory_pattern coalesce_pattern(const struct cu *cu, const struct mem_instr *memory);

/* Whether lanes of an instruction are a row: neighbours, of which each accesses the place behind
 * that of the one before. There are some. */
static inline bool coalesce_is_row(const struct mem_instr *memory, uint64_t lanes)
{
    const unsigned first = lowest_lane(lanes);
    const uint64_t run = lanes >> first;

    if (run == 1) {
        return true;
    }
    return memory->pattern == PATTERN_UNIT_STRIDE && (run & (run + 1)) == 0 &&
           memory->address[first + 1] - memory->address[first] == memory->op->access_bytes;
}

/* How many lanes a row has. */
static inline unsigned coalesce_row_lanes(uint64_t lanes)
{
    const uint64_t behind = ~(lanes >> lowest_lane(lanes));

    return behind == 0 ? LANES : lowest_lane(behind);
}

/* The lines that lanes of an instruction touch, in the order of the lowest lane that wants each. */
struct line_set {
    uint32_t count;
    uint64_t line[MEM_INSTR_LINES]; /* address / line size */
    uint64_t
        heads[MEM_INSTR_LINES]; /* lanes whose access, or the first piece of it, is on the line */
    uint64_t tails[MEM_INSTR_LINES]; /* and those whose second piece is */
};

/* Of the lanes that are not in LDS: the lines alone, or with their lanes. */
void coalesce_lines(const struct cu *cu, const struct mem_instr *memory, struct line_set *set);
void coalesce_lines_and_lanes(const struct cu *cu, const struct mem_instr *memory,
                              struct line_set *set);

/* A line's bit in mem_instr.lines. */
static inline uint64_t line_bit(uint64_t line)
{
    return 1ull << (line * 0x9e3779b97f4a7c15ull >> 58);
}

/* ---- line_requests.c: requests to memory ---- */

/* Notes where a line was served (mem_request.served), for who waits for the instruction. */
void send_note_served(struct mem_instr *memory, uint8_t served);

/* The request of an instruction's lines, but for time, address and what is the line's own. */
struct mem_request send_request(const struct mem_instr *memory, uint32_t lines);

/* Hands in all lines to a coherent memory system; sets done_cycle to that of the latest where it is
 * before. Returns the cycle in which they are all at their serialization points. */
uint64_t send_lines(struct mem_instr *memory, uint64_t cycle);

/* ---- lds.c ---- */

/* Lanes whose addresses are inside their group's LDS take its banks; translates their addresses.
 * Returns the cycle in which they take effect. */
uint64_t lds_send(struct mem_instr *memory, uint64_t cycle);

/* Where address 0 would be, for addresses in LDS. */
static inline uint8_t *lds_origin(const struct cu *cu)
{
    return (uint8_t *)((uintptr_t)cu->lds - SL_LDS_BASE);
}

/* ---- lsu_timed.c, lsu_pending.c: one that has issued is sent ---- */

/* Its end is known at once: it takes effect as a whole. */
void lsu_timed_issue(struct mem_instr *memory, uint64_t cycle);

/* The memory system's answers are pending. */
void lsu_pending_issue(struct mem_instr *memory, uint64_t cycle);

/* Whether memory has nothing to say about it, or says it at once. What LDS alone is accessed for
 * can order accesses to memory, too. */
static inline bool lsu_is_known_at_once(const struct cu *cu, const struct mem_instr *memory)
{
    const struct simt_op *op = memory->op;

    return cu->mem->backdoor != NULL ||
           (memory->lds_lanes == memory->lanes && !op->acquire && !op->release);
}

/* One that has issued is sent: to memory, and what it accesses there to LDS. */
static inline void lsu_send(struct mem_instr *memory, uint64_t cycle)
{
    if (lsu_is_known_at_once(wave_cu(memory->wave), memory)) {
        lsu_timed_issue(memory, cycle);
    } else {
        lsu_pending_issue(memory, cycle);
    }
}

/* ---- lane_effects.c, misaligned.c: effects ---- */

/* Lanes of an instruction that take effect: address a is at linear + a. */
struct lane_access {
    struct cu *cu;
    struct mem_instr *memory;
    uint64_t lanes;
    uint8_t *linear;
    struct reservations *reservations;
};

/* The lanes' accesses, in ascending order, each atomically. None is in two pieces. */
void perform(const struct lane_access *access);

/* Pieces of loads and stores of which some lanes' accesses are in two: first or only pieces of
 * `lanes`, and second ones of `tails`. A load's bytes wait in memory->value. */
void misaligned_move(const struct lane_access *access, uint64_t tails);

/* All pieces of a load are there: writes the register. */
void misaligned_finish(const struct mem_instr *memory);

/* The lanes in LDS take effect, if there are any. */
void perform_lds(struct cu *cu, struct mem_instr *memory);

/* Registers of F that lanes have loaded: singles are boxed. */
void perform_loaded(const struct mem_instr *memory, uint64_t lanes);

/* ---- probes.c ---- */

/* Tells observers of an effect. */
void perform_observe(const struct lane_access *access);

/* Tells them of an instruction that issues. */
void issue_observe(const struct mem_instr *memory);

/* Tells them of an access of an instruction's lanes, OBS_MEMORY or OBS_ACCESS, of which `access`
 * has all that the instruction itself does not say. */
void observe_access(const struct wave *wave, const struct simt_op *op, enum obs_kind kind,
                    struct obs_access access);

#endif
