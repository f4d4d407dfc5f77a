/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A run of phases, and its aggregator. */
#include "soc/memory_fuzz/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "isa/isa.h"
#include "sluice/config.h"
#include "soc/common/machine.h"
#include "soc/systems.h"

#define PHASE_PS 20000000000u /* at most */

uint32_t traffic_random(struct traffic *traffic, uint32_t limit)
{
    traffic->random = traffic->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((traffic->random >> 33) % limit);
}

static bool have_ended(const struct traffic *traffic)
{
    for (uint32_t i = 0; i < TRAFFIC_CUS; i++) {
        if (traffic->unit[i].stage != TRAFFIC_ENDED) {
            return false;
        }
    }
    return true;
}

static void aggregator_event(struct event *event)
{
    struct traffic *traffic = CONTAINER_OF(event, struct traffic, aggregator);

    if (!traffic->is_over && !have_ended(traffic)) {
        traffic_aggregate(traffic);
        event_queue_insert_at(&traffic->event_queue, event,
                              traffic_now_ps(traffic) + (1 + traffic_random(traffic, 400)) * 500);
    }
}

/* ---- the front end tells of the end of a packet ---- */

static void stepped(struct event *event)
{
    CONTAINER_OF(event, struct traffic, stepped)->is_stepping = false;
}

static void step_done(struct mem_request *request, uint64_t time_ps)
{
    struct traffic *traffic = CONTAINER_OF(request, struct traffic, step);

    assert_int_equal(traffic->in_call, 0);
    event_queue_insert_at(&traffic->event_queue, &traffic->stepped, time_ps);
}

static void tell_step(struct traffic *traffic)
{
    static const struct mem_client client = {.complete = step_done};

    traffic->step = (struct mem_request){.time_ps = traffic_now_ps(traffic),
                                         .from = {.kind = MEM_FRONT},
                                         .scope = SL_SCOPE_DEVICE,
                                         .sync = MEM_SYNC_STEP,
                                         .client = &client};
    traffic->stepped = (struct event){.run = stepped, .rank = EVENT_OTHER};
    traffic->is_stepping = true;
    traffic->in_call++;
    const uint64_t over_ps = traffic->mem->ops->sync(traffic->mem, &traffic->step);
    traffic->in_call--;
    if (over_ps != MEM_PENDING) {
        event_queue_insert_at(&traffic->event_queue, &traffic->stepped, over_ps);
    }
}

/* ---- phases ---- */

/* The next cycle in which there is something: its edge, or what is behind that. */
static void run_some(struct traffic *traffic, uint64_t until_ps)
{
    struct event_queue *event_queue = &traffic->event_queue;
    const uint64_t edge_ps = event_queue->next * event_queue->cycle_ps;

    if (event_queue->next == EVENT_QUEUE_NEVER || event_queue_now_ps(event_queue) > until_ps) {
        versions_fail(traffic->versions, "nothing goes on, or no end");
        return;
    }
    event_queue_run(event_queue, edge_ps > event_queue_now_ps(event_queue)
                                     ? edge_ps
                                     : edge_ps + event_queue->cycle_ps - 1);
    versions_look(traffic->versions);
}

static void begin_phase(struct traffic *traffic, uint64_t accesses)
{
    traffic->phase_end = traffic->accesses + accesses;
    for (uint32_t i = 0; i < TRAFFIC_CUS; i++) {
        traffic_begin_packet(&traffic->unit[i]);
    }
    event_queue_insert_at(&traffic->event_queue, &traffic->aggregator, traffic_now_ps(traffic));
}

static void run_phase(struct traffic *traffic)
{
    const uint64_t until_ps = traffic_now_ps(traffic) + PHASE_PS;
    const char *failure = traffic->versions->failure;

    begin_phase(traffic, TRAFFIC_PHASE);
    while (*failure == '\0' && !have_ended(traffic)) {
        run_some(traffic, until_ps);
    }
    event_queue_remove(&traffic->event_queue, &traffic->aggregator);
    tell_step(traffic);
    while (*failure == '\0' &&
           (traffic->is_stepping || traffic->event_queue.next != EVENT_QUEUE_NEVER)) {
        run_some(traffic, until_ps);
    }
    for (uint32_t i = 0; i < TRAFFIC_CUS; i++) {
        traffic->unit[i].acquired = traffic->versions->changes;
    }
    versions_next_phase(traffic->versions);
}

void traffic_run(struct traffic *traffic, uint64_t accesses)
{
    while (traffic->accesses < accesses && traffic->versions->failure[0] == '\0') {
        run_phase(traffic);
    }
}

void traffic_settle(struct traffic *traffic)
{
    const uint64_t until_ps = traffic_now_ps(traffic) + PHASE_PS;
    const uint64_t enough = traffic->accesses + 500;

    begin_phase(traffic, TRAFFIC_PHASE);
    while (traffic->versions->failure[0] == '\0' && traffic->accesses < enough) {
        run_some(traffic, until_ps);
    }
    versions_look(traffic->versions);
    traffic->mem->ops->drain(traffic->mem);
    traffic->is_over = true;
    versions_check_settled(traffic->versions);
    event_queue_run(&traffic->event_queue, until_ps);
}

/* ---- life ---- */

void traffic_begin(struct traffic *traffic, uint64_t seed)
{
    uint8_t *memory = dram_at(&traffic->dram, TRAFFIC_BASE);

    event_queue_init(&traffic->event_queue,
                     sl_config_period_ps(&traffic->config, SL_CFG_GPU_CLOCK));
    traffic->mem->ops->reset(traffic->mem);
    memset(memory, 0, VERSIONS_BYTES);
    if (traffic->versions != NULL) {
        versions_destroy(traffic->versions);
    }
    traffic->versions = versions_create(memory);
    traffic->random = seed;
    traffic->digest = 0;
    traffic->is_over = false;
    traffic->accesses = 0;
    traffic->loads = 2u << traffic_random(traffic, 5);
    traffic->conditional = 0;
    traffic->old_loads = 0;
    traffic->coherent_loads = 0;
    traffic->operations = 0;
    traffic->aggregator_number = 0;
    traffic->aggregator = (struct event){.run = aggregator_event, .rank = EVENT_OTHER};
    for (uint16_t i = 0; i < TRAFFIC_CUS; i++) {
        traffic_give_up(&traffic->unit[i]);
        traffic->unit[i] =
            (struct traffic_unit){.traffic = traffic,
                                  .cu = i,
                                  .turn = {.run = traffic_turn, .rank = EVENT_OTHER},
                                  .synced = {.run = traffic_synced, .rank = EVENT_OTHER}};
    }
}

struct traffic *traffic_create(const struct traffic_options *options)
{
    struct traffic *traffic = calloc(1, sizeof *traffic);

    assert_non_null(traffic);
    traffic->options = *options;
    machine_configure(&traffic->config, options->settings);
    assert_int_equal(traffic->config.number[SL_CFG_GPU_CUS], TRAFFIC_CUS);
    traffic->dram = fixture_dram_create((uint64_t)traffic->config.number[SL_CFG_DRAM_SIZE]);
    event_queue_init(&traffic->event_queue,
                     sl_config_period_ps(&traffic->config, SL_CFG_GPU_CLOCK));
    traffic->mem = systems_create(&(struct mem_parts){.config = &traffic->config,
                                                      .dram = &traffic->dram,
                                                      .event_queue = &traffic->event_queue,
                                                      .stream = &traffic->stream});
    assert_non_null(traffic->mem);
    traffic_begin(traffic, options->seed);
    return traffic;
}

void traffic_destroy(struct traffic *traffic)
{
    traffic->mem->ops->destroy(traffic->mem);
    versions_destroy(traffic->versions);
    fixture_dram_destroy(&traffic->dram);
    while (traffic->made != NULL) {
        struct traffic_access *next = traffic->made->made;
        free(traffic->made);
        traffic->made = next;
    }
    free(traffic);
}
