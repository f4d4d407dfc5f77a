/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid`, one access after the other, beside a model of its rules
 * (soc/memory/hybrid_model.h): of each access at random the model says what it reads, where it is
 * served, and what the trackers and the atomic buffers do. */
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"
#include "soc/memory/hybrid_model.h"
#include "soc/memory/memory_bench.h"

#define CUS   HYBRID_MODEL_CUS
#define LINES HYBRID_MODEL_LINES
#define LINE  HYBRID_MODEL_LINE
#define STEPS 6000u

struct pair {
    struct memory_bench *bench;
    struct hybrid_model model;
    uint64_t random;
};

static uint32_t below(struct pair *pair, uint32_t limit)
{
    pair->random = pair->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(pair->random >> 33) % limit;
}

/* ---- one after the other ---- */

/* Runs until nothing is under way. Returns a time behind that. */
static uint64_t finish(struct pair *pair)
{
    struct event_queue *event_queue = &pair->bench->event_queue;

    while (event_queue->next != EVENT_QUEUE_NEVER) {
        event_queue_run(event_queue, event_queue_now_ps(event_queue) + event_queue->cycle_ps);
    }
    return event_queue_now_ps(event_queue) + 100 * event_queue->cycle_ps;
}

/* Hands in an access, and returns where it was served. */
static enum hit_level serve(struct pair *pair, struct memory_step *step, struct mem_request request)
{
    const struct l1_counters *l1 = &pair->bench->mem->counters.l1[L1D];
    uint64_t before[HIT_LEVELS];

    memcpy(before, l1->served, sizeof before);
    request.time_ps = finish(pair);
    (void)memory_access(pair->bench, step, request);
    for (unsigned by = 0; by < HIT_LEVELS; by++) {
        if (l1->served[by] != before[by]) {
            return (enum hit_level)by;
        }
    }
    fail_msg("an access is not counted");
    return HIT_LEVELS;
}

static void synchronize(struct pair *pair, struct mem_request request)
{
    struct memory_step step;

    request.time_ps = finish(pair);
    (void)memory_sync(pair->bench, &step, request);
}

/* ---- accesses ---- */

/* An access of some bytes of a line. */
static struct mem_request random_request(struct pair *pair, uint32_t cu, uint32_t line,
                                         enum mem_kind kind)
{
    const uint32_t first = below(pair, LINE);
    struct mem_request request = {.address = MEMORY_BASE + line * LINE,
                                  .from = {MEM_CU, (uint16_t)cu},
                                  .kind = (uint8_t)kind,
                                  .lines = (uint16_t)(1 + below(pair, 4)),
                                  .operations = (uint16_t)(4 + below(pair, 29)),
                                  .wave = cu,
                                  .lanes = 1};

    mem_request_touch(&request, request.address + first, 1 + below(pair, LINE - first));
    return request;
}

/* What an access has read is this. */
static void check_bytes(const struct memory_step *step, const uint8_t *bytes)
{
    for (uint32_t at = 0; at < LINE; at++) {
        if (hybrid_model_touches(&step->request, at)) {
            assert_int_equal(step->bytes[at], bytes[at]);
        }
    }
}

static void load(struct pair *pair, uint32_t cu, uint32_t line)
{
    const struct mem_request request = random_request(pair, cu, line, MEM_LOAD);
    struct memory_step step;
    uint8_t bytes[LINE];
    const enum hit_level expected = hybrid_model_load(&pair->model, &request, bytes);
    const enum hit_level served = serve(pair, &step, request);

    assert_int_equal(served == HIT_DRAM ? HIT_L2 : served, expected);
    check_bytes(&step, bytes);
}

static void fill_random(struct pair *pair, uint8_t *bytes)
{
    for (uint32_t at = 0; at < LINE; at++) {
        bytes[at] = (uint8_t)below(pair, 256);
    }
}

static void store(struct pair *pair, uint32_t cu, uint32_t line)
{
    const struct mem_request request = random_request(pair, cu, line, MEM_STORE);
    struct memory_step step;

    fill_random(pair, step.bytes);
    hybrid_model_store(&pair->model, &request, step.bytes);
    (void)serve(pair, &step, request);
}

/* Lanes add one to bytes, or load or store them with a scope. */
static void operate(struct pair *pair, uint32_t cu, uint32_t line, enum mem_kind kind)
{
    struct mem_request request = random_request(pair, cu, line, kind);
    struct memory_step step;
    uint8_t bytes[LINE];

    request.atomic = true;
    request.scope = (uint8_t)below(pair, 4);
    fill_random(pair, bytes);
    memcpy(step.bytes, bytes, LINE);
    if (kind == MEM_ATOMIC) {
        memset(step.bytes, 1, LINE);
    }
    hybrid_model_operate(&pair->model, &request, bytes);
    assert_int_not_equal(serve(pair, &step, request), HIT_L1);
    if (kind != MEM_STORE) {
        check_bytes(&step, bytes);
    }
}

static void aggregate(struct pair *pair, uint32_t line)
{
    const uint32_t at = line * LINE + below(pair, LINE / SL_CACHE_LINE_BYTES) * SL_CACHE_LINE_BYTES;
    uint8_t byte = (uint8_t)below(pair, 256);

    hybrid_model_aggregate(&pair->model, at, byte);
    (void)memory_aggregate(pair->bench, MEM_STORE, at / SL_CACHE_LINE_BYTES, finish(pair), &byte);
}

/* ---- synchronization ---- */

static void acquire(struct pair *pair, uint32_t cu, enum mem_sync sync, unsigned scope)
{
    synchronize(pair, (struct mem_request){.from = {MEM_CU, (uint16_t)cu},
                                           .sync = (uint8_t)sync,
                                           .scope = (uint8_t)scope,
                                           .acquire = true});
    if (scope >= SL_SCOPE_DEVICE) {
        hybrid_model_empty(&pair->model, cu);
    }
}

static void end_launch(struct pair *pair)
{
    synchronize(pair, (struct mem_request){.from = {.kind = MEM_FRONT},
                                           .sync = MEM_SYNC_STEP,
                                           .scope = SL_SCOPE_DEVICE});
    for (uint32_t cu = 0; cu < CUS; cu++) {
        hybrid_model_empty(&pair->model, cu);
    }
}

/* A wavefront begins, or one that is not the last one ends. */
static void change_waves(struct pair *pair, uint32_t cu)
{
    uint32_t *waves = &pair->model.waves[cu];
    const bool ends = *waves > 1 && below(pair, 2) == 0;

    if (*waves == 4 && !ends) {
        return;
    }
    *waves += ends ? -1u : 1u;
    synchronize(pair, (struct mem_request){.from = {MEM_CU, (uint16_t)cu},
                                           .sync = ends ? MEM_SYNC_END : MEM_SYNC_LAUNCH,
                                           .scope = SL_SCOPE_DEVICE});
}

/* ---- both ---- */

static void check_counters(const struct pair *pair)
{
    const struct mem_counters *counters = &pair->bench->mem->counters;
    const struct tracker_counters *is = &counters->tracker;
    const struct tracker_counters *should = &pair->model.tracker;

    assert_int_equal(is->lookups, should->lookups);
    assert_int_equal(is->hits, should->hits);
    assert_int_equal(is->lost, 0);
    assert_int_equal(is->marks, should->marks);
    assert_int_equal(is->drops, should->drops);
    assert_int_equal(is->evictions, 0);
    assert_int_equal(counters->l1[L1D].bypassed, pair->model.bypassed);
    assert_int_equal(counters->l2.atomic_buffer_hits, pair->model.buffer_hits);
    assert_int_equal(counters->l2.atomic_buffer_misses, pair->model.buffer_misses);
}

static void do_step(struct pair *pair)
{
    static const enum mem_sync acquires[] = {MEM_SYNC_FENCE, MEM_SYNC_OPERATION};
    const uint32_t what = below(pair, 128);
    const uint32_t cu = below(pair, CUS);
    const uint32_t line = below(pair, LINES);

    if (what < 80) {
        load(pair, cu, line);
    } else if (what < 92) {
        store(pair, cu, line);
    } else if (what < 104) {
        operate(pair, cu, line % 3, MEM_ATOMIC);
    } else if (what < 110) {
        operate(pair, cu, line, below(pair, 2) == 0 ? MEM_LOAD : MEM_STORE);
    } else if (what < 114) {
        aggregate(pair, line);
    } else if (what < 118) {
        acquire(pair, cu, acquires[below(pair, 2)], below(pair, 4));
    } else if (what < 127) {
        change_waves(pair, cu);
    } else {
        end_launch(pair);
    }
}

static void run(const char *const *settings)
{
    struct pair pair = {.bench = memory_create(settings), .random = 1};

    hybrid_model_begin(&pair.model, &pair.bench->config, MEMORY_BASE);
    for (uint32_t cu = 0; cu < CUS; cu++) {
        acquire(&pair, cu, MEM_SYNC_PACKET, SL_SCOPE_DEVICE);
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        do_step(&pair);
        (void)finish(&pair);
        check_counters(&pair);
    }
    assert_memory_equal(memory_byte(pair.bench, 0), pair.model.memory, HYBRID_MODEL_BYTES);
    memory_destroy(pair.bench);
}

#define RUN(...)                                                                                   \
    run((const char *const[]){"mem.system=hybrid", "gpu.cus=16", "gpu.contexts=16",                \
                              "l1d.line=128", "l2.line=32", "l1d.ways=1", "l2.banks=4",            \
                              __VA_ARGS__, NULL})

TEST(test_one_tracker)
{
    RUN("l1d.size=2048", "l1d.bypass=on");
    RUN("l1d.size=512", "l1d.bypass=on", "l2.banks=8");
    RUN("l1d.size=1024", "tracker.sharers=1");
    RUN("l1d.size=2048", "tracker.sharers=2", "l2.bypass=on", "l2.write_fetch=off");
}

TEST(test_several_trackers)
{
    RUN("l1d.size=2048", "tracker.count=2", "l1d.bypass=on");
    RUN("l1d.size=1024", "tracker.count=4");
    RUN("l1d.size=2048", "tracker.count=4", "tracker.sharers=1");
}

TEST(test_no_tracker)
{
    RUN("l1d.size=1024", "tracker.count=0");
    RUN("l1d.size=512", "tracker.count=0", "l1d.bypass=on", "l2.line=64");
}
