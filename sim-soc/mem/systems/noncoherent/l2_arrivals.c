/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What transactions of L1 caches that hold bytes do at the L2, the point of coherence, the releases
 * that wait for them, and what the caches that are kept coherent have to do with it. */
#include "mem/systems/noncoherent/l1_lines.h"

#include "isa/isa.h"

/* ---- releases ---- */

/* A release's bytes are at the L2 at a time. Returns when it is over. */
static uint64_t end_release(struct noncoherent *system, const struct mem_request *request,
                            uint64_t time_ps)
{
    const uint64_t over_ps = system->policy->released == NULL
                                 ? time_ps
                                 : system->policy->released(system, request, time_ps);

    system->base.counters.sync.release_wait_ps += over_ps - request->time_ps;
    return over_ps;
}

/* Releases that are over are told. */
static void tell_released(struct noncoherent_l1 *l1)
{
    for (;;) {
        struct mem_request *release = write_queue_released(&l1->writes);
        if (release == NULL) {
            return;
        }
        release->client->complete(release, end_release(l1->system, release, release->priv.time_ps));
    }
}

uint64_t noncoherent_release(struct noncoherent_l1 *l1, struct mem_request *request,
                             uint64_t time_ps)
{
    const uint64_t ended_ps = later(time_ps, l1->writes.ended_ps);

    if (l1->writes.first == NULL) {
        return end_release(l1->system, request, ended_ps);
    }
    write_queue_wait(&l1->writes, request, ended_ps);
    return MEM_PENDING;
}

/* ---- at the L2 ---- */

static uint32_t bank_node(const struct noncoherent *system, uint32_t line)
{
    return system->cus + system->coherent.count + noncoherent_l2_bank(&system->l2, line);
}

/* When a message that leaves an L1 cache at a time has its turn in the bank of its line. */
static uint64_t send_to_bank(struct noncoherent_l1 *l1, struct transaction *transaction,
                             bool has_line, uint64_t time_ps, void (*run)(struct event *event))
{
    struct noncoherent *system = l1->system;
    const uint64_t now_ps = event_queue_now_ps(system->event_queue);
    const uint64_t there_ps = interconnect_send(
        system->net, l1->node, bank_node(system, transaction->line), has_line, time_ps, now_ps);
    const uint64_t turn_ps = noncoherent_l2_turn(&system->l2, transaction->line, there_ps, now_ps);

    transaction->owner = l1;
    transaction->event = (struct event){.run = run, .rank = EVENT_MEMORY};
    event_queue_insert_at(system->event_queue, &transaction->event, turn_ps);
    __builtin_prefetch(noncoherent_memory(system, transaction->line));
    noncoherent_l2_prefetch(&system->l2, transaction->line);
    return turn_ps;
}

/* An answer leaves the bank at a time; it is an event when it comes to its L1 cache. */
static void answer(struct noncoherent *system, struct transaction *transaction, bool has_line,
                   uint64_t time_ps)
{
    const struct noncoherent_l1 *l1 = transaction->owner;
    const uint64_t there_ps =
        interconnect_send(system->net, bank_node(system, transaction->line), l1->node, has_line,
                          time_ps, event_queue_now_ps(system->event_queue));

    transaction->event = (struct event){.run = transaction->on_arrive, .rank = EVENT_MEMORY};
    event_queue_insert_at(system->event_queue, &transaction->event, there_ps);
}

/* A transaction has its turn. Returns the present. */
static uint64_t begin_turn(struct noncoherent *system)
{
    system->l2.now_ps = event_queue_now_ps(system->event_queue);
    return system->l2.now_ps;
}

/* Reads the line for a transaction. Returns when it leaves. */
static uint64_t read_line(struct noncoherent *system, struct transaction *transaction,
                          uint64_t now_ps)
{
    enum hit_level served;
    const uint64_t owned_ps =
        coherent_caches_flush_owner(&system->coherent, transaction->line, now_ps);
    const uint64_t ready_ps = noncoherent_l2_read(&system->l2, transaction->line, transaction->mask,
                                                  now_ps, owned_ps, &served);

    transaction->hit_level = (uint8_t)served;
    system->base.counters.l2.l1_bytes_out += LINE_BYTES;
    return ready_ps;
}

/* Writes bytes of a line. Returns when they are where they stay. */
static uint64_t write_line(struct noncoherent *system, uint32_t line, uint64_t mask,
                           uint64_t time_ps)
{
    return system->policy->combines
               ? noncoherent_l2_combine(&system->l2, line, mask, time_ps)
               : noncoherent_l2_write_through(&system->l2, line, mask, time_ps);
}

static void fill_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct noncoherent *system = ((struct noncoherent_l1 *)transaction->owner)->system;
    const uint64_t ready_ps = read_line(system, transaction, begin_turn(system));

    memcpy(transaction->bytes, noncoherent_memory(system, transaction->line), LINE_BYTES);
    answer(system, transaction, true, ready_ps);
}

/* The access takes effect on the bytes at the point of coherence. What comes back are the bytes
 * that it wants: one flit, unless it is a load of a line. */
static void below_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct noncoherent_l1 *l1 = transaction->owner;
    struct noncoherent *system = l1->system;
    struct mem_request *request = transaction->request;
    struct mem_place place = {noncoherent_memory(system, transaction->line),
                              &system->base.reservations};
    struct l1_counters *counters = &system->base.counters.l1[L1D];
    const uint64_t now_ps = begin_turn(system);
    uint64_t ready_ps = now_ps + system->l2.tag_ps;

    transaction->hit_level = HIT_L2;
    if (system->policy->combines && request->scope == SL_SCOPE_SYSTEM) {
        transaction->hit_level = HIT_DRAM;
        ready_ps = noncoherent_l2_pass(&system->l2, transaction->line, now_ps);
    } else if (request->kind != MEM_STORE) {
        ready_ps = read_line(system, transaction, now_ps);
        counters->bytes_in += LINE_BYTES;
        counters->bytes_in_data += LINE_BYTES;
    }
    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
    if (request->kind != MEM_LOAD && !request->wrote_nothing) {
        const uint64_t written_ps = write_line(system, transaction->line, transaction->mask,
                                               system->policy->combines ? ready_ps : now_ps);
        coherent_caches_invalidate(&system->coherent, transaction->line);
        if (request->kind == MEM_STORE) {
            ready_ps = later(ready_ps, written_ps);
        }
    }
    answer(system, transaction, request->kind != MEM_STORE, ready_ps);
}

static void write_turn(struct event *event)
{
    struct transaction *transaction = CONTAINER_OF(event, struct transaction, event);
    struct noncoherent_l1 *l1 = transaction->owner;
    struct noncoherent *system = l1->system;
    const struct interconnect *net = system->net;
    const uint64_t written_ps =
        write_line(system, transaction->line, transaction->mask, begin_turn(system));
    const uint64_t end_ps =
        written_ps + net->ops->latency(net, bank_node(system, transaction->line), l1->node);

    system->base.counters.l2.l1_bytes_in += line_bytes_count(transaction->mask);
    noncoherent_write_memory(system, transaction);
    coherent_caches_invalidate(&system->coherent, transaction->line);
    write_queue_remove(&l1->writes, transaction, end_ps);
    transaction_put(&system->transactions, transaction);
    tell_released(l1);
    access_queue_wake(&l1->accesses);
}

void noncoherent_send_fill(struct noncoherent_l1 *l1, struct transaction *transaction,
                           uint64_t time_ps)
{
    (void)send_to_bank(l1, transaction, false, time_ps, fill_turn);
}

void noncoherent_send_below(struct noncoherent_l1 *l1, struct transaction *transaction,
                            uint64_t time_ps)
{
    (void)send_to_bank(l1, transaction, transaction->request->kind == MEM_STORE, time_ps,
                       below_turn);
}

uint64_t noncoherent_send_write(struct noncoherent_l1 *l1, struct transaction *transaction,
                                uint64_t time_ps)
{
    l1->system->base.counters.l1[L1D].bytes_out += line_bytes_count(transaction->mask);
    write_queue_add(&l1->writes, transaction);
    return send_to_bank(l1, transaction, true, time_ps, write_turn);
}

/* ---- the coherent caches' home ---- */

static uint64_t point_read(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                           enum hit_level *served)
{
    struct noncoherent *system = owner;
    const uint64_t turn_ps =
        noncoherent_l2_turn(&system->l2, line, time_ps, system->coherent.now_ps);
    const uint64_t ready_ps =
        noncoherent_l2_read(&system->l2, line, LINE_ALL_BYTES, turn_ps, 0, served);

    if (use == COHERENT_EXCLUSIVE) {
        noncoherent_l2_drop(&system->l2, line);
    }
    return ready_ps;
}

static void point_write(void *owner, uint32_t line, uint64_t time_ps)
{
    struct noncoherent *system = owner;
    const uint64_t turn_ps =
        noncoherent_l2_turn(&system->l2, line, time_ps, system->coherent.now_ps);

    (void)write_line(system, line, LINE_ALL_BYTES, turn_ps);
}

static void point_claim(void *owner, uint32_t line, uint64_t time_ps)
{
    struct noncoherent *system = owner;

    (void)noncoherent_l2_turn(&system->l2, line, time_ps, system->coherent.now_ps);
    noncoherent_l2_drop(&system->l2, line);
}

static uint32_t point_node(void *owner, uint32_t line, enum coherent_use use)
{
    (void)use;
    return bank_node(owner, line);
}

const struct coherence_point noncoherent_coherence_point = {point_read, point_write, point_claim,
                                                            point_node};
