/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory instructions on memory systems that hold bytes of their own: whoever waits learns of the
 * end when it comes.
 *
 * What releases first tells memory so, and is handed in when that is over; meanwhile no other
 * memory instruction of the wavefront is. Each line takes effect by itself, at the place of its
 * bytes. What acquires tells memory so when all of its lines are done, and is done when that is
 * over. */
#include <assert.h>

#include "simt/lsu/lsu.h"
#include "simt/lsu/lsu_port.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"

/* The wavefront has waited for the lines first, and then for the acquire. */
static void end_acquire(struct mem_instr *memory, uint64_t cycle)
{
    struct wave *wave = memory->wave;

    wave->pending_holds--;
    order_gate(wave, cycle, SL_STALL_ORDER);
    if (memory->done_cycle < cycle) {
        stall_end(wave, (enum sl_stall)memory->stall, memory->done_cycle);
        wave->stall.result[memory->op->rd] = SL_STALL_ORDER;
    }
}

static void finish(struct mem_instr *memory, uint64_t cycle)
{
    struct wave *wave = memory->wave;
    const struct simt_op *op = memory->op;

    if (memory->is_buffered) {
        write_buffer_known(memory, cycle);
        return;
    }
    order_complete(memory, cycle);
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = cycle;
        wave->stall.result[op->rd] = memory->stall;
    }
    if (op->acquire) {
        end_acquire(memory, cycle);
    }
    if (memory->blocks) {
        order_block(wave, cycle);
    }
    mem_instr_give(wave_cu(wave), memory);
    ready_wake(wave);
}

/* ---- acquire and release ---- */

static void acquire_done(struct mem_request *request, uint64_t time_ps)
{
    struct mem_instr *memory = CONTAINER_OF(request, struct mem_instr, sync);

    finish(memory, event_queue_cycle_at(wave_cu(memory->wave)->event_queue, time_ps));
}

static void release_done(struct mem_request *request, uint64_t time_ps)
{
    struct mem_instr *memory = CONTAINER_OF(request, struct mem_instr, sync);
    struct event_queue *event_queue = wave_cu(memory->wave)->event_queue;

    event_queue_insert(event_queue, &memory->send, event_queue_cycle_at(event_queue, time_ps));
}

static const struct mem_client acquire_client = {.complete = acquire_done};
static const struct mem_client release_client = {.complete = release_done};

/* Tells memory that the instruction acquires, or releases, in a cycle. Returns the cycle in which
 * that is over, or EVENT_QUEUE_NEVER: the client is told. */
static uint64_t synchronize(struct mem_instr *memory, bool is_release, uint64_t cycle)
{
    struct cu *cu = wave_cu(memory->wave);

    if (cu->mem->ops->sync == NULL) {
        return cycle;
    }
    memory->sync = (struct mem_request){
        .time_ps = cycle * cu->shape.cycle_ps,
        .from = {MEM_CU, (uint16_t)cu->number},
        .scope = memory->op->scope,
        .sync = MEM_SYNC_OPERATION,
        .acquire = !is_release,
        .release = is_release,
        .dispatch = memory->wave->launch.dispatch,
        .wave = memory->wave->number,
        .client = is_release ? &release_client : &acquire_client,
    };
    const uint64_t over_ps = cu->mem->ops->sync(cu->mem, &memory->sync);
    return over_ps == MEM_PENDING ? EVENT_QUEUE_NEVER
                                  : event_queue_cycle_at(cu->event_queue, over_ps);
}

/* ---- lines ---- */

/* A line, or LDS, is done in a cycle. */
static void piece_ended(struct mem_instr *memory, uint64_t cycle)
{
    memory->done_cycle = later(memory->done_cycle, cycle);
    if (--memory->pieces != 0) {
        return;
    }
    if (memory->split != 0) {
        misaligned_finish(memory);
    }
    uint64_t over = memory->done_cycle;
    if (memory->op->acquire) {
        over = synchronize(memory, false, over);
    }
    if (over != EVENT_QUEUE_NEVER) {
        finish(memory, over);
    }
}

/* The instruction's lanes in LDS take effect. */
static void lds_event(struct event *event)
{
    struct mem_instr *memory = CONTAINER_OF(event, struct mem_instr, event);
    struct cu *cu = wave_cu(memory->wave);

    perform_lds(cu, memory);
    piece_ended(memory, cu->event_queue->now + cu->shape.lds_cycles);
}

static void line_perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    const struct line_request *piece = (const struct line_request *)request;
    const struct lane_access access = {
        .cu = wave_cu(piece->wave),
        .memory = piece->memory,
        .lanes = piece->heads & lanes,
        .linear = (uint8_t *)((uintptr_t)place->bytes - request->address),
        .reservations = place->reservations,
    };

    if (piece->memory->split != 0) {
        misaligned_move(&access, piece->tails & lanes);
    } else {
        perform(&access);
    }
}

static void line_done(struct mem_request *request, uint64_t time_ps)
{
    struct line_request *piece = (struct line_request *)request;
    struct mem_instr *memory = piece->memory;
    struct cu *cu = wave_cu(piece->wave);

    send_note_served(memory, request->hit_level);
    line_request_give(cu, piece);
    piece_ended(memory, event_queue_cycle_at(cu->event_queue, time_ps));
}

static const struct mem_client line_client = {.apply = line_perform, .complete = line_done};

/* Notes which bytes of its line a piece touches, in how many accesses. */
static void note_bytes(struct line_request *piece)
{
    const struct mem_instr *memory = piece->memory;
    const unsigned bytes = memory->op->access_bytes;

    if (memory->split == 0 && coalesce_is_row(memory, piece->heads)) {
        const unsigned lanes = coalesce_row_lanes(piece->heads);
        piece->request.operations = (uint16_t)lanes;
        mem_request_touch(&piece->request, memory->address[lowest_lane(piece->heads)],
                          (uint64_t)bytes * lanes);
        return;
    }
    piece->request.operations =
        (uint16_t)(__builtin_popcountll(piece->heads) + __builtin_popcountll(piece->tails));
    FOR_EACH_LANE(lane, piece->heads | piece->tails)
    {
        const unsigned head = memory->split >> lane & 1 ? memory->head_bytes[lane] : bytes;
        if (piece->heads >> lane & 1) {
            mem_request_touch(&piece->request, memory->address[lane], head);
        }
        if (piece->tails >> lane & 1) {
            mem_request_touch(&piece->request, memory->tail_address[lane], bytes - head);
        }
    }
}

/* The piece of one line, whose request is that of all but for what is the line's own. */
static struct line_request *make_piece(struct mem_instr *memory, const struct mem_request *request,
                                       const struct line_set *set, uint32_t i)
{
    struct cu *cu = wave_cu(memory->wave);
    struct line_request *piece = line_request_take(cu);

    piece->request = *request;
    piece->request.address = set->line[i] << cu->shape.line_shift;
    piece->request.lanes = set->heads[i] | set->tails[i];
    piece->wave = memory->wave;
    piece->memory = memory;
    piece->heads = set->heads[i];
    piece->tails = set->tails[i];
    if (cu->mem->needs_byte_masks) {
        note_bytes(piece);
    }
    return piece;
}

static void send(struct mem_instr *memory, uint64_t cycle)
{
    struct cu *cu = wave_cu(memory->wave);
    struct line_set set;

    if (memory->lds_lanes != 0) {
        memory->event.run = lds_event;
        event_queue_insert(cu->event_queue, &memory->event, lds_send(memory, cycle));
    }
    coalesce_lines_and_lanes(cu, memory, &set);
    struct mem_request request = send_request(memory, set.count);
    request.client = &line_client;
    request.dispatch = memory->wave->launch.dispatch;
    request.wave = memory->wave->number;
    memory->pieces = set.count + (memory->lds_lanes != 0);
    for (uint32_t i = 0; i < set.count; i++) {
        struct line_request *piece = make_piece(memory, &request, &set, i);
        piece->request.time_ps = port_take(cu, cycle);
        const struct mem_answer answer = cu->mem->ops->access(cu->mem, &piece->request);
        assert(answer.done_ps == MEM_PENDING);
        (void)answer;
    }
    cu->counters.line_accesses += set.count;
}

/* A memory instruction that is next has waited for one that releases to be handed in. */
static void note_unsent(struct wave *wave, uint64_t cycle)
{
    const struct simt_op *next = wave->simd->next_op[wave->slot];

    if (wave->state == WAVE_RUNNING && next != NULL && next->access_bytes != 0) {
        order_held(wave, cycle, SL_STALL_ORDER);
    }
}

static void send_event(struct event *event)
{
    struct mem_instr *memory = CONTAINER_OF(event, struct mem_instr, send);
    struct wave *wave = memory->wave;

    send(memory, event->cycle);
    if (!memory->is_buffered) {
        wave->unissued_releases--;
        note_unsent(wave, event->cycle);
        ready_wake(wave);
    }
}

void lsu_pending_issue(struct mem_instr *memory, uint64_t cycle)
{
    struct wave *wave = memory->wave;
    const struct simt_op *op = memory->op;
    uint64_t over = cycle;

    memory->done_cycle = 0;
    if (!memory->is_buffered) {
        order_defer(memory);
    }
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = EVENT_QUEUE_NEVER;
    }
    if (op->acquire) {
        wave->pending_holds++;
    }
    if (op->release) {
        memory->send.run = send_event;
        over = synchronize(memory, true, cycle);
    }
    if (over == cycle) {
        send(memory, cycle);
        return;
    }
    wave->unissued_releases += !memory->is_buffered;
    if (over != EVENT_QUEUE_NEVER) {
        event_queue_insert(wave_cu(wave)->event_queue, &memory->send, over);
    }
}
