/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Requests for locks: one for each lane, in ascending order, through the compute unit's port, at
 * device scope (papers/004 section 6.2). Each takes effect by itself at its own serialization
 * point, a lock as a compare-and-swap, an unlock as an exchange. What comes next of the instruction
 * waits for the last reply. */
#include <string.h>

#include "simt/locks/lock_stack.h"
#include "simt/locks/locks.h"
#include "simt/loop_monitor/last_writers.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/lsu/lsu.h"
#include "simt/lsu/lsu_port.h"
#include "simt/ordering/ordering.h"
#include "sluice/lock.h"

void lock_later(struct wave *wave, uint64_t cycle, void (*step)(struct wave *wave, uint64_t cycle))
{
    wave->locks.step = step;
    event_queue_insert(wave_cu(wave)->event_queue, &wave->locks.next, cycle);
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

    lock_later(wave, event_queue_cycle_at(wave_cu(wave)->event_queue, time_ps), wave->locks.step);
}

static const struct mem_client sync_client = {.complete = synchronized};

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
    const uint64_t over = event_queue_cycle_at(cu->event_queue, over_ps);
    if (over <= cycle) {
        then(wave, cycle);
    } else {
        lock_later(wave, over, then);
    }
}

/* ---- effects ---- */

static uint64_t lane_of(const struct wave_lock_request *asked)
{
    return (uint64_t)(asked - asked->wave->locks.lane);
}

static void observe(const struct wave_lock_request *asked)
{
    lane_vector address;

    address[lane_of(asked)] = asked->address;
    const struct obs_access access = {
        .from = asked->request.from,
        .kind = asked->request.kind,
        .space = asked->request.space,
        .place = asked->place,
        .lanes = 1ull << lane_of(asked),
        .failed = asked->op->acquire && asked->outcome != LOCK_WON ? 1ull << lane_of(asked) : 0,
        .address = address,
    };
    observe_access(asked->wave, asked->op, OBS_ACCESS, access);
}

static void swap(struct wave_lock_request *asked, uint8_t *word, int32_t value,
                 struct reservations *reservations)
{
    memcpy(word, &value, sizeof(value));
    reservation_write(reservations, asked->address);
}

/* Where the lock was taken, for messages about those that wait for it. */
static void note_holder(const struct wave_lock_request *asked, int32_t id)
{
    const struct wave *wave = asked->wave;
    const struct cu_environment *env = wave_cu(wave)->env;
    const struct last_writer writer = {
        .place = loop_monitor_word_key(wave_cu(wave), asked->address),
        .wave = wave->number,
        .value = (uint32_t)id,
        .pc = (uint32_t)(asked->op - env->program.ops) * 2,
        .lane = (uint32_t)lane_of(asked),
    };

    last_writers_note(env->last_writers, &writer);
}

static void effect_lock(struct wave_lock_request *asked, uint8_t *word,
                        struct reservations *reservations)
{
    const int32_t id = lock_lane_id(asked->wave, lane_of(asked));

    if (asked->found == SL_LOCK_FREE) {
        swap(asked, word, id, reservations);
        asked->outcome = LOCK_WON;
        note_holder(asked, id);
        return;
    }
    asked->outcome = asked->found == id ? LOCK_FAULTY : LOCK_FAILED;
    asked->request.wrote_nothing = true;
}

/* The lane has to hold it, taken in the way that it is given back. */
static void effect_unlock(struct wave_lock_request *asked, uint8_t *word,
                          struct reservations *reservations)
{
    const struct wave_locks *locks = &asked->wave->locks;
    const uint64_t lane = lane_of(asked);
    const uint16_t *counts = asked->op->id == SL_INSN_SL_UNLOCK ? locks->held : locks->tried;
    const bool holds = asked->found == lock_lane_id(asked->wave, lane) && counts[lane] != 0;

    swap(asked, word, SL_LOCK_FREE, reservations);
    asked->outcome = holds ? LOCK_WON : LOCK_FAULTY;
}

/* The request takes effect on the lock's word. */
static void take_effect(struct wave_lock_request *asked, uint8_t *word,
                        struct reservations *reservations)
{
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the host may read while we run */
    memcpy(&asked->found, word, sizeof(asked->found));
    if (asked->op->acquire) {
        effect_lock(asked, word, reservations);
    } else {
        effect_unlock(asked, word, reservations);
    }
    if (probe_enabled(wave_cu(asked->wave)->env->stream, OBS_ACCESS)) {
        observe(asked);
    }
}

/* ---- replies ---- */

static bool is_queued(const struct wave_lock_request *asked)
{
    return asked->request.kind == MEM_LOCK && wave_cu(asked->wave)->mem->queues_locks;
}

bool lock_has_news(const struct wave *wave)
{
    const struct wave_locks *locks = &wave->locks;
    const uint64_t mask = wave_mask(wave);
    const uint64_t turn = wave_cu(wave)->locks->takes_turns ? ~0ull : mask;

    return locks->faulty != 0 || (locks->granted & turn) != 0 || (locks->queued & mask) == 0 ||
           !lock_only_retries(wave);
}

/* One that may have waited in a queue, while the wavefront went on. */
static void replied_from_queue(struct wave_lock_request *asked, uint64_t cycle)
{
    struct wave_locks *locks = &asked->wave->locks;
    struct cu_counters *counters = &wave_cu(asked->wave)->counters;
    const uint64_t bit = 1ull << lane_of(asked);

    counters->lock_requests++;
    counters->lock_acquired += asked->outcome == LOCK_WON;
    counters->lock_refused += asked->outcome == LOCK_REFUSED;
    counters->lock_failed += asked->outcome == LOCK_FAILED || asked->outcome == LOCK_FAULTY;
    locks->queued &= ~bit;
    locks->granted |= asked->outcome == LOCK_WON ? bit : 0;
    locks->faulty |= asked->outcome == LOCK_FAULTY ? bit : 0;
    if (locks->waits_in_queue && lock_has_news(asked->wave)) {
        locks->waits_in_queue = false;
        lock_later(asked->wave, cycle, locks->step);
    }
}

/* A reply is there in a cycle. */
static void replied(struct wave_lock_request *asked, uint64_t cycle)
{
    struct wave_locks *locks = &asked->wave->locks;
    const uint64_t bit = 1ull << lane_of(asked);

    if (is_queued(asked)) {
        replied_from_queue(asked, cycle);
        return;
    }
    locks->winners |= asked->outcome == LOCK_WON ? bit : 0;
    locks->faulty |= asked->outcome == LOCK_FAULTY ? bit : 0;
    locks->done_cycle = later(locks->done_cycle, cycle);
    if (--locks->pending == 0) {
        lock_later(asked->wave, locks->done_cycle, locks->step);
    }
}

/* ---- memory that is coherent ---- */

static void lock_perform_event(struct event *event)
{
    struct wave_lock_request *asked = CONTAINER_OF(event, struct wave_lock_request, perform);
    struct mem_system *mem = wave_cu(asked->wave)->mem;

    take_effect(asked, (uint8_t *)((uintptr_t)mem->backdoor + asked->address), &mem->reservations);
    replied(asked, asked->done_cycle);
}

static void answer(struct wave_lock_request *asked, const struct mem_answer *answer)
{
    struct event_queue *event_queue = wave_cu(asked->wave)->event_queue;
    const uint64_t line =
        line_bit(asked->request.address >> wave_cu(asked->wave)->shape.line_shift);
    const uint64_t perform =
        order_behind(asked->wave, line, event_queue_cycle_at(event_queue, answer->perform_ps));

    asked->perform = (struct event){.run = lock_perform_event, .rank = EVENT_MEMORY};
    asked->done_cycle = later(perform, event_queue_cycle_at(event_queue, answer->done_ps));
    event_queue_insert(event_queue, &asked->perform, perform);
}

/* ---- memory whose answers are pending ---- */

static void line_perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct wave_lock_request *asked = CONTAINER_OF(request, struct wave_lock_request, request);

    (void)lanes;
    take_effect(asked, place->bytes + (asked->address - request->address), place->reservations);
}

static void line_done(struct mem_request *request, uint64_t time_ps)
{
    struct wave_lock_request *asked = CONTAINER_OF(request, struct wave_lock_request, request);

    replied(asked, event_queue_cycle_at(wave_cu(asked->wave)->event_queue, time_ps));
}

static const struct mem_client client = {.apply = line_perform, .complete = line_done};

/* ---- sending ---- */

static enum mem_kind kind_of(const struct simt_op *op)
{
    switch (op->id) {
    case SL_INSN_SL_LOCK:
        return MEM_LOCK;
    case SL_INSN_SL_UNLOCK:
        return MEM_UNLOCK;
    default:
        return MEM_ATOMIC; /* what only tries never waits in a queue */
    }
}

static void send_one(struct wave *wave, uint64_t lane, uint32_t count, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    const struct simt_op *op = wave->locks.op;
    struct wave_lock_request *asked = &wave->locks.lane[lane];

    asked->wave = wave;
    asked->op = op;
    asked->place = wave->memory_count - 1;
    asked->outcome = LOCK_REFUSED;
    asked->request = (struct mem_request){
        .time_ps = port_take(cu, cycle),
        .address = asked->address & ~(uint64_t)(cu->shape.line_bytes - 1),
        .word = asked->address,
        .from = {MEM_CU, (uint16_t)cu->number},
        .kind = (uint8_t)kind_of(op),
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
        .context = (uint16_t)wave->context,
        .pc = cu->env->program.base + (uint64_t)(op - cu->env->program.ops) * 2,
    };
    if (cu->mem->needs_byte_masks) {
        mem_request_touch(&asked->request, asked->address, op->access_bytes);
    }
    const struct mem_answer times = cu->mem->ops->access(cu->mem, &asked->request);
    if (times.perform_ps != MEM_PENDING) {
        answer(asked, &times);
    }
}

/* The instruction issues: observers are told of it once for all of its lanes. */
static void observe_issue(const struct wave *wave)
{
    const struct wave_locks *locks = &wave->locks;
    lane_vector address;

    FOR_EACH_LANE(lane, locks->asking)
    {
        address[lane] = locks->lane[lane].address;
    }
    const struct obs_access access = {
        .from = {MEM_CU, (uint16_t)wave_cu(wave)->number},
        .kind = (uint8_t)kind_of(locks->op),
        .space = MEM_SHARED,
        .place = wave->memory_count - 1,
        .lanes = locks->asking,
        .address = address,
    };
    observe_access(wave, locks->op, OBS_MEMORY, access);
}

static void send(struct wave *wave, uint64_t cycle)
{
    const uint32_t count = (uint32_t)__builtin_popcountll(wave->locks.asking);

    if (count != 0 && probe_enabled(wave_cu(wave)->env->stream, OBS_MEMORY)) {
        observe_issue(wave);
    }
    wave_cu(wave)->counters.line_accesses += count;
    FOR_EACH_LANE(lane, wave->locks.asking)
    {
        send_one(wave, lane, count, cycle);
    }
}

void lock_send(struct wave *wave, uint64_t cycle, void (*then)(struct wave *wave, uint64_t cycle))
{
    struct wave_locks *locks = &wave->locks;

    locks->winners = 0;
    locks->done_cycle = cycle;
    locks->pending = (uint32_t)__builtin_popcountll(locks->asking);
    locks->step = then;
    send(wave, cycle);
}

void lock_send_to_queues(struct wave *wave, uint64_t cycle,
                         void (*then)(struct wave *wave, uint64_t cycle))
{
    struct wave_locks *locks = &wave->locks;

    locks->queued |= locks->asking;
    locks->step = then;
    send(wave, cycle);
    if (lock_has_news(wave)) {
        lock_later(wave, cycle, then);
    } else {
        locks->waits_in_queue = true;
    }
}
