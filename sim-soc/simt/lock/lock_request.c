/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests for locks: one for each lane, in ascending order, through the compute unit's port, at
 * device scope (papers/004 section 6.2). Each takes effect by itself at its own serialization
 * point, a lock as a compare-and-swap, an unlock as an exchange. What comes next of the instruction
 * waits for the last reply. */
#include <string.h>

#include "simt/lock/lock.h"
#include "simt/memory/memory.h"
#include "simt/memory/port.h"
#include "simt/order/order.h"
#include "sluice/lock.h"

void lock_later(struct wave *wave, uint64_t cycle, void (*step)(struct wave *wave, uint64_t cycle))
{
    wave->locks.step = step;
    wheel_insert(wave_cu(wave)->wheel, &wave->locks.next, cycle);
}

void lock_next_event(struct event *event)
{
    struct wave *wave = CONTAINER_OF(event, struct wave, locks.next);

    wave->locks.step(wave, event->cycle);
}

/* ---- acquire and release ---- */

static void synchronized(struct mem_request *request, uint64_t time_ps)
{
    struct wave *wave = CONTAINER_OF(request, struct wave, locks.sync);

    lock_later(wave, wheel_cycle_at(wave_cu(wave)->wheel, time_ps), wave->locks.step);
}

static const struct mem_client sync_client = {.done = synchronized};

void lock_synchronize(struct wave *wave, bool is_release, uint64_t cycle,
                      void (*then)(struct wave *wave, uint64_t cycle))
{
    struct cu *cu = wave_cu(wave);

    if (cu->mem->ops->sync == NULL) {
        then(wave, cycle);
        return;
    }
    wave->locks.step = then;
    wave->locks.sync = (struct mem_request){
        .time_ps = cycle * cu->shape.cycle_ps,
        .from = {MEM_CU, (uint16_t)cu->number},
        .scope = wave->locks.op->scope,
        .sync = MEM_SYNC_OPERATION,
        .acquire = !is_release,
        .release = is_release,
        .dispatch = wave->launch.dispatch,
        .wave = wave->number,
        .client = &sync_client,
    };
    const uint64_t over_ps = cu->mem->ops->sync(cu->mem, &wave->locks.sync);
    if (over_ps == MEM_PENDING) {
        return;
    }
    const uint64_t over = wheel_cycle_at(cu->wheel, over_ps);
    if (over <= cycle) {
        then(wave, cycle);
    } else {
        lock_later(wave, over, then);
    }
}

/* ---- effects ---- */

static uint64_t lane_of(const struct lock_request *asked)
{
    return (uint64_t)(asked - asked->wave->locks.lane);
}

static void observe(const struct lock_request *asked)
{
    const struct wave *wave = asked->wave;
    const struct cu *cu = wave_cu(wave);
    const struct simt_op *op = wave->locks.op;
    const struct simt_program *program = &cu->env->program;
    lane_vector address;

    address[lane_of(asked)] = asked->address;
    const struct obs_event event = {
        .time_ps = wheel_now_ps(cu->wheel),
        .kind = OBS_ACCESS,
        .wave = wave_observed(wave),
        .access =
            {
                .from = asked->request.from,
                .kind = asked->request.kind,
                .space = asked->request.space,
                .scope = op->scope,
                .bytes = op->access_bytes,
                .acquire = op->acquire,
                .release = op->release,
                .writes = op->writes,
                .place = wave->locks.place,
                .pc = program->base + (uint64_t)(op - program->ops) * 2,
                .lanes = 1ull << lane_of(asked),
                .address = address,
            },
    };
    stream_tell(cu->env->stream, &event);
}

static void swap(struct lock_request *asked, uint8_t *word, int32_t value,
                 struct reservations *reservations)
{
    memcpy(word, &value, sizeof(value));
    reservation_write(reservations, asked->address);
}

static void effect_lock(struct lock_request *asked, uint8_t *word,
                        struct reservations *reservations)
{
    struct wave_locks *locks = &asked->wave->locks;
    const int32_t id = lock_lane_id(asked->wave, lane_of(asked));
    const uint64_t bit = 1ull << lane_of(asked);

    if (asked->found == SL_LOCK_FREE) {
        swap(asked, word, id, reservations);
        locks->winners |= bit;
        return;
    }
    asked->request.unwritten = true;
    if (asked->found == id) {
        locks->faulty |= bit;
    }
}

/* The lane has to hold it, taken in the way that it is given back. */
static void effect_unlock(struct lock_request *asked, uint8_t *word,
                          struct reservations *reservations)
{
    struct wave_locks *locks = &asked->wave->locks;
    const uint64_t lane = lane_of(asked);
    const uint16_t *counts = locks->op->id == SL_INSN_SL_UNLOCK ? locks->held : locks->tried;

    swap(asked, word, SL_LOCK_FREE, reservations);
    if (asked->found != lock_lane_id(asked->wave, lane) || counts[lane] == 0) {
        locks->faulty |= 1ull << lane;
    }
}

/* The request takes effect on the lock's word. */
static void take_effect(struct lock_request *asked, uint8_t *word,
                        struct reservations *reservations)
{
    const struct wave *wave = asked->wave;

    __atomic_thread_fence(__ATOMIC_RELEASE); /* the host may read while we run */
    memcpy(&asked->found, word, sizeof(asked->found));
    if (wave->locks.op->acquire) {
        effect_lock(asked, word, reservations);
    } else {
        effect_unlock(asked, word, reservations);
    }
    if (stream_wants(wave_cu(wave)->env->stream, OBS_ACCESS)) {
        observe(asked);
    }
}

/* A reply is there in a cycle. */
static void replied(struct wave *wave, uint64_t cycle)
{
    struct wave_locks *locks = &wave->locks;

    locks->done_cycle = later(locks->done_cycle, cycle);
    if (--locks->pending == 0) {
        lock_later(wave, locks->done_cycle, locks->step);
    }
}

/* ---- memory that is coherent ---- */

static void lock_perform_event(struct event *event)
{
    struct lock_request *asked = CONTAINER_OF(event, struct lock_request, perform);
    struct mem_system *mem = wave_cu(asked->wave)->mem;

    take_effect(asked, (uint8_t *)((uintptr_t)mem->origin + asked->address), &mem->reservations);
    replied(asked->wave, asked->done_cycle);
}

static void answer(struct lock_request *asked, const struct mem_answer *answer)
{
    struct wheel *wheel = wave_cu(asked->wave)->wheel;
    const uint64_t line =
        line_bit(asked->request.address >> wave_cu(asked->wave)->shape.line_shift);
    const uint64_t perform =
        order_behind(asked->wave, line, wheel_cycle_at(wheel, answer->perform_ps));

    asked->perform = (struct event){.run = lock_perform_event, .rank = EVENT_MEMORY};
    asked->done_cycle = later(perform, wheel_cycle_at(wheel, answer->done_ps));
    wheel_insert(wheel, &asked->perform, perform);
}

/* ---- memory whose answers are pending ---- */

static void line_perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct lock_request *asked = CONTAINER_OF(request, struct lock_request, request);

    (void)lanes;
    take_effect(asked, place->bytes + (asked->address - request->address), place->reservations);
}

static void line_done(struct mem_request *request, uint64_t time_ps)
{
    struct lock_request *asked = CONTAINER_OF(request, struct lock_request, request);

    replied(asked->wave, wheel_cycle_at(wave_cu(asked->wave)->wheel, time_ps));
}

static const struct mem_client client = {.perform = line_perform, .done = line_done};

/* ---- sending ---- */

static void send_one(struct wave *wave, uint64_t lane, uint32_t count, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    const struct simt_op *op = wave->locks.op;
    struct lock_request *asked = &wave->locks.lane[lane];

    asked->wave = wave;
    asked->request = (struct mem_request){
        .time_ps = port_take(cu, cycle),
        .address = asked->address & ~(uint64_t)(cu->shape.line_bytes - 1),
        .from = {MEM_CU, (uint16_t)cu->number},
        .kind = MEM_ATOMIC,
        .space = MEM_SHARED,
        .scope = op->scope,
        .atomic = true,
        .acquire = op->acquire,
        .release = op->release,
        .lines = (uint16_t)count,
        .operations = 1,
        .dispatch = wave->launch.dispatch,
        .wave = wave->number,
        .lanes = 1ull << lane,
        .client = &client,
    };
    if (cu->mem->wants_masks) {
        mem_request_touch(&asked->request, asked->address, op->access_bytes);
    }
    const struct mem_answer times = cu->mem->ops->access(cu->mem, &asked->request);
    if (times.perform_ps != MEM_PENDING) {
        answer(asked, &times);
    }
}

void lock_send(struct wave *wave, uint64_t cycle, void (*then)(struct wave *wave, uint64_t cycle))
{
    struct wave_locks *locks = &wave->locks;
    const uint32_t count = (uint32_t)__builtin_popcountll(locks->asking);

    locks->winners = 0;
    locks->faulty = 0;
    locks->done_cycle = cycle;
    locks->pending = count;
    locks->step = then;
    wave_cu(wave)->counters.line_accesses += count;
    FOR_EACH_LANE(lane, locks->asking)
    {
        send_one(wave, lane, count, cycle);
    }
}
