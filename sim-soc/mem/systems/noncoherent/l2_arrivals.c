/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What transactions of L1 caches that hold bytes do at the L2, where all meet, the releases that
 * wait for them, and what the caches that are kept coherent have to do with it. */
#include "mem/systems/noncoherent/l1_lines.h"

#include "isa/isa.h"

/* ---- releases ---- */

/* A release's bytes are at the L2 at a time. Returns when it is over. */
static uint64_t end_release(struct held *held, const struct mem_request *request, uint64_t time_ps)
{
    const uint64_t over_ps =
        held->policy->released == NULL ? time_ps : held->policy->released(held, request, time_ps);

    held->base.counters.sync.release_wait_ps += over_ps - request->time_ps;
    return over_ps;
}

/* Releases that are over are told. */
static void tell_released(struct held_l1 *l1)
{
    for (;;) {
        struct mem_request *release = write_queue_released(&l1->writes);
        if (release == NULL) {
            return;
        }
        release->client->complete(release, end_release(l1->held, release, release->priv.time_ps));
    }
}

uint64_t held_release(struct held_l1 *l1, struct mem_request *request, uint64_t time_ps)
{
    const uint64_t ended_ps = later(time_ps, l1->writes.ended_ps);

    if (l1->writes.first == NULL) {
        return end_release(l1->held, request, ended_ps);
    }
    write_queue_wait(&l1->writes, request, ended_ps);
    return MEM_PENDING;
}

/* ---- at the L2 ---- */

static uint32_t bank_node(const struct held *held, uint32_t line)
{
    return held->cus + held->coherent.count + held_l2_bank(&held->l2, line);
}

/* When a message that leaves an L1 cache at a time has its turn in the bank of its line. */
static uint64_t send_to_bank(struct held_l1 *l1, struct transaction *transaction, bool has_line,
                             uint64_t time_ps, void (*run)(struct event *event))
{
    struct held *held = l1->held;
    const uint64_t now_ps = wheel_now_ps(held->wheel);
    const uint64_t there_ps = interconnect_send(
        held->net, l1->node, bank_node(held, transaction->line), has_line, time_ps, now_ps);
    const uint64_t turn_ps = held_l2_turn(&held->l2, transaction->line, there_ps, now_ps);

    transaction->owner = l1;
    transaction->event = (struct event){.run = run, .rank = EVENT_MEMORY};
    wheel_insert_at(held->wheel, &transaction->event, turn_ps);
    __builtin_prefetch(held_memory(held, transaction->line));
    held_l2_prefetch(&held->l2, transaction->line);
    return turn_ps;
}

/* An answer leaves the bank at a time; it is an event when it comes to its L1 cache. */
static void answer(struct held *held, struct transaction *transaction, bool has_line,
                   uint64_t time_ps)
{
    const struct held_l1 *l1 = transaction->owner;
    const uint64_t there_ps =
        interconnect_send(held->net, bank_node(held, transaction->line), l1->node, has_line,
                          time_ps, wheel_now_ps(held->wheel));

    transaction->event = (struct event){.run = transaction->on_arrive, .rank = EVENT_MEMORY};
    wheel_insert_at(held->wheel, &transaction->event, there_ps);
}

/* A transaction has its turn. Returns the present. */
static uint64_t begin_turn(struct held *held)
{
    held->l2.now_ps = wheel_now_ps(held->wheel);
    return held->l2.now_ps;
}

/* Reads the line for a transaction. Returns when it leaves. */
static uint64_t read_line(struct held *held, struct transaction *transaction, uint64_t now_ps)
{
    enum hit_level served;
    const uint64_t owned_ps =
        coherent_caches_flush_owner(&held->coherent, transaction->line, now_ps);
    const uint64_t ready_ps =
        held_l2_read(&held->l2, transaction->line, transaction->mask, now_ps, owned_ps, &served);

    transaction->hit_level = (uint8_t)served;
    held->base.counters.l2.l1_bytes_out += LINE_BYTES;
    return ready_ps;
}

/* Writes bytes of a line. Returns when they are where they stay. */
static uint64_t write_line(struct held *held, uint32_t line, uint64_t mask, uint64_t time_ps)
{
    return held->policy->combines ? held_l2_combine(&held->l2, line, mask, time_ps)
                                  : held_l2_write_through(&held->l2, line, mask, time_ps);
}

static void fill_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct held *held = ((struct held_l1 *)transaction->owner)->held;
    const uint64_t ready_ps = read_line(held, transaction, begin_turn(held));

    memcpy(transaction->bytes, held_memory(held, transaction->line), LINE_BYTES);
    answer(held, transaction, true, ready_ps);
}

/* The access takes effect on the bytes where all meet. What comes back are the bytes that it wants:
 * one flit, unless it is a load of a line. */
static void below_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct held_l1 *l1 = transaction->owner;
    struct held *held = l1->held;
    struct mem_request *request = transaction->request;
    struct mem_place place = {held_memory(held, transaction->line), &held->base.reservations};
    struct l1_counters *counters = &held->base.counters.l1[L1D];
    const uint64_t now_ps = begin_turn(held);
    uint64_t ready_ps = now_ps + held->l2.tag_ps;

    transaction->hit_level = HIT_L2;
    if (held->policy->combines && request->scope == SL_SCOPE_SYSTEM) {
        transaction->hit_level = HIT_DRAM;
        ready_ps = held_l2_pass(&held->l2, transaction->line, now_ps);
    } else if (request->kind != MEM_STORE) {
        ready_ps = read_line(held, transaction, now_ps);
        counters->bytes_in += LINE_BYTES;
        counters->bytes_in_data += LINE_BYTES;
    }
    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
    if (request->kind != MEM_LOAD && !request->wrote_nothing) {
        const uint64_t written_ps = write_line(held, transaction->line, transaction->mask,
                                               held->policy->combines ? ready_ps : now_ps);
        coherent_caches_invalidate(&held->coherent, transaction->line);
        if (request->kind == MEM_STORE) {
            ready_ps = later(ready_ps, written_ps);
        }
    }
    answer(held, transaction, request->kind != MEM_STORE, ready_ps);
}

static void write_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct held_l1 *l1 = transaction->owner;
    struct held *held = l1->held;
    const struct interconnect *net = held->net;
    const uint64_t written_ps =
        write_line(held, transaction->line, transaction->mask, begin_turn(held));
    const uint64_t end_ps =
        written_ps + net->ops->latency(net, bank_node(held, transaction->line), l1->node);

    held->base.counters.l2.l1_bytes_in += line_bytes_count(transaction->mask);
    held_write_memory(held, transaction);
    coherent_caches_invalidate(&held->coherent, transaction->line);
    write_queue_remove(&l1->writes, transaction, end_ps);
    transaction_put(&held->transactions, transaction);
    tell_released(l1);
    access_queue_wake(&l1->accesses);
}

void held_send_fill(struct held_l1 *l1, struct transaction *transaction, uint64_t time_ps)
{
    (void)send_to_bank(l1, transaction, false, time_ps, fill_turn);
}

void held_send_below(struct held_l1 *l1, struct transaction *transaction, uint64_t time_ps)
{
    (void)send_to_bank(l1, transaction, transaction->request->kind == MEM_STORE, time_ps,
                       below_turn);
}

uint64_t held_send_write(struct held_l1 *l1, struct transaction *transaction, uint64_t time_ps)
{
    l1->held->base.counters.l1[L1D].bytes_out += line_bytes_count(transaction->mask);
    write_queue_add(&l1->writes, transaction);
    return send_to_bank(l1, transaction, true, time_ps, write_turn);
}

/* ---- the coherent caches' home ---- */

static uint64_t home_read(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                          enum hit_level *served)
{
    struct held *held = owner;
    const uint64_t turn_ps = held_l2_turn(&held->l2, line, time_ps, held->coherent.now_ps);
    const uint64_t ready_ps = held_l2_read(&held->l2, line, LINE_ALL_BYTES, turn_ps, 0, served);

    if (use == COHERENT_EXCLUSIVE) {
        held_l2_drop(&held->l2, line);
    }
    return ready_ps;
}

static void home_write(void *owner, uint32_t line, uint64_t time_ps)
{
    struct held *held = owner;
    const uint64_t turn_ps = held_l2_turn(&held->l2, line, time_ps, held->coherent.now_ps);

    (void)write_line(held, line, LINE_ALL_BYTES, turn_ps);
}

static void home_claim(void *owner, uint32_t line, uint64_t time_ps)
{
    struct held *held = owner;

    (void)held_l2_turn(&held->l2, line, time_ps, held->coherent.now_ps);
    held_l2_drop(&held->l2, line);
}

static uint32_t home_node(void *owner, uint32_t line, enum coherent_use use)
{
    (void)use;
    return bank_node(owner, line);
}

const struct coherence_point held_coherence_point = {home_read, home_write, home_claim, home_node};
