/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid`, one access after the other, against a model of its rules (papers/003
 * sections 3.2 to 3.5): which compute units have a line, with which bytes, old ones too; whom each
 * tracker lists, the newest first; the line of each bank's atomic buffer. Of each access at random
 * the model says what it reads, where it is served, and what the tracker and the atomic buffers do.
 *
 * L1 caches have one way, so that it is clear what a line replaces; the L2 and the trackers have
 * room for all lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "soc/memory_bench.h"

#define CUS     16u
#define LINES   12u
#define LINE    128u
#define BYTES   (LINES * LINE)
#define BANKS   4u
#define STEPS   6000u
#define LONG_PS 10000000u
#define NONE    UINT32_MAX

/* ---- the model ---- */

struct model {
    uint8_t memory[BYTES]; /* the value of all */
    struct copy {
        bool is_there;
        uint8_t bytes[LINE];
    } copy[CUS][LINES];
    struct list { /* of a tracker */
        uint32_t count;
        uint16_t cu[CUS]; /* the newest one last */
    } list[CUS][LINES];
    uint32_t buffer[BANKS]; /* piece that an atomic buffer has, or NONE */
    uint32_t waves[CUS];
    struct tracker_counters tracker;
    uint64_t bypassed;
    uint64_t buffer_hits;
    uint64_t buffer_misses;

    uint32_t trackers;
    uint32_t sharers; /* that an entry lists */
    uint32_t sets;    /* of an L1 */
    uint32_t piece;   /* bytes of a line of the L2 */
    bool bypasses;
};

static struct list *list_of(struct model *model, uint32_t tracker, uint32_t line)
{
    return &model->list[tracker][line];
}

static uint32_t tracker_of(const struct model *model, uint32_t cu)
{
    return cu / (CUS / model->trackers);
}

static void unlist(struct model *model, uint32_t cu, uint32_t line)
{
    struct list *list;
    uint32_t kept = 0;

    if (model->trackers == 0) {
        return;
    }
    list = list_of(model, tracker_of(model, cu), line);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->cu[i] != cu) {
            list->cu[kept++] = list->cu[i];
        }
    }
    list->count = kept;
}

static void enlist(struct model *model, uint32_t cu, uint32_t line)
{
    struct list *list = list_of(model, tracker_of(model, cu), line);

    unlist(model, cu, line);
    if (list->count == model->sharers) {
        unlist(model, list->cu[0], line);
    }
    list->cu[list->count++] = (uint16_t)cu;
    model->tracker.marks++;
}

static void drop_entries(struct model *model, uint32_t line)
{
    for (uint32_t tracker = 0; tracker < model->trackers; tracker++) {
        model->tracker.drops += list_of(model, tracker, line)->count != 0;
        list_of(model, tracker, line)->count = 0;
    }
}

static void empty(struct model *model, uint32_t cu)
{
    for (uint32_t line = 0; line < LINES; line++) {
        model->copy[cu][line].is_there = false;
        unlist(model, cu, line);
    }
}

/* A line comes, and another one goes. */
static void fill(struct model *model, uint32_t cu, uint32_t line)
{
    struct copy *copy = &model->copy[cu][line];

    for (uint32_t other = line % model->sets; other < LINES; other += model->sets) {
        if (model->copy[cu][other].is_there) {
            model->copy[cu][other].is_there = false;
            unlist(model, cu, other);
        }
    }
    copy->is_there = true;
    memcpy(copy->bytes, model->memory + (size_t)line * LINE, LINE);
    if (model->trackers != 0) {
        enlist(model, cu, line);
    }
}

/* Lanes' operations on a piece in its bank's atomic buffer, whose line goes back into the L2 where
 * it is another. */
static void operate_on(struct model *model, uint32_t piece, uint32_t operations)
{
    uint32_t *buffer = &model->buffer[piece % BANKS];

    model->buffer_hits += *buffer == piece ? operations : operations - 1;
    model->buffer_misses += *buffer != piece;
    *buffer = piece;
}

/* Another access to the line of an atomic buffer puts it back. */
static void put_back(struct model *model, uint32_t piece)
{
    if (model->buffer[piece % BANKS] == piece) {
        model->buffer[piece % BANKS] = NONE;
    }
}

/* ---- a machine beside it ---- */

struct pair {
    struct memory_bench *bench;
    struct model model;
    uint64_t random;
};

struct step {
    struct mem_request request;
    uint8_t bytes[LINE]; /* that a load has read, or a store writes */
    bool is_performed;
    bool is_done;
};

static uint32_t below(struct pair *pair, uint32_t limit)
{
    pair->random = pair->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(pair->random >> 33) % limit;
}

static bool touches(const struct mem_request *request, uint32_t at)
{
    return (request->mask[at / 64] >> at % 64 & 1) != 0;
}

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct step *step = (struct step *)request;

    (void)lanes;
    assert_false(step->is_performed);
    step->is_performed = true;
    for (uint32_t at = 0; at < LINE; at++) {
        if (touches(request, at)) {
            const uint8_t old = place->bytes[at];
            if (request->kind != MEM_LOAD) {
                place->bytes[at] =
                    request->kind == MEM_STORE ? step->bytes[at] : (uint8_t)(old + 1);
            }
            if (request->kind != MEM_STORE) {
                step->bytes[at] = old;
            }
        }
    }
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct step *step = (struct step *)request;

    (void)time_ps;
    assert_false(step->is_done);
    step->is_done = true;
}

static const struct mem_client client = {.perform = perform, .done = done};

/* Runs until nothing is under way. */
static void finish(struct pair *pair, const struct step *step)
{
    struct wheel *wheel = &pair->bench->wheel;

    while (wheel->next != WHEEL_NEVER) {
        wheel_run(wheel, wheel_now_ps(wheel) + wheel->cycle_ps);
    }
    assert_true(step->is_done);
    wheel_run(wheel, wheel_now_ps(wheel) + 100 * wheel->cycle_ps);
}

/* Hands in an access, and returns where it was served. */
static enum mem_served serve(struct pair *pair, struct step *step)
{
    const struct l1_counters *l1 = &pair->bench->mem->counters.l1[L1D];
    uint64_t before[MEM_SERVED_COUNT];

    memcpy(before, l1->served, sizeof before);
    step->request.time_ps = wheel_now_ps(&pair->bench->wheel);
    step->request.client = &client;
    (void)pair->bench->mem->ops->access(pair->bench->mem, &step->request);
    finish(pair, step);
    for (unsigned by = 0; by < MEM_SERVED_COUNT; by++) {
        if (l1->served[by] != before[by]) {
            return (enum mem_served)by;
        }
    }
    fail_msg("an access is not counted");
    return MEM_SERVED_COUNT;
}

static void synchronize(struct pair *pair, struct mem_request request)
{
    struct step step = {.request = request};

    step.request.time_ps = wheel_now_ps(&pair->bench->wheel);
    step.request.client = &client;
    step.is_done = pair->bench->mem->ops->sync(pair->bench->mem, &step.request) != MEM_PENDING;
    finish(pair, &step);
}

/* ---- accesses ---- */

/* An access of some bytes of a line, by a wavefront of a compute unit. */
static struct step make_step(struct pair *pair, uint32_t cu, uint32_t line, enum mem_kind kind)
{
    const uint32_t first = below(pair, LINE);
    const uint32_t count = 1 + below(pair, LINE - first);
    struct step step = {.request = {.address = MEMORY_BASE + line * LINE,
                                    .from = {MEM_CU, (uint16_t)cu},
                                    .kind = (uint8_t)kind,
                                    .lines = (uint16_t)(1 + below(pair, 4)),
                                    .operations = (uint16_t)(4 + below(pair, 29)),
                                    .wave = cu,
                                    .lanes = 1}};

    for (uint32_t at = 0; at < LINE; at++) {
        step.bytes[at] = (uint8_t)below(pair, 256);
    }
    mem_request_touch(&step.request, step.request.address + first, count);
    return step;
}

/* A load's bytes are these. */
static void check_bytes(const struct step *step, const uint8_t *bytes)
{
    for (uint32_t at = 0; at < LINE; at++) {
        if (touches(&step->request, at)) {
            assert_int_equal(step->bytes[at], bytes[at]);
        }
    }
}

/* Whether an access touches a piece of its line. */
static bool touches_piece(const struct model *model, const struct mem_request *request,
                          uint32_t piece)
{
    bool does = false;

    for (uint32_t at = piece * model->piece; at < (piece + 1) * model->piece; at++) {
        does |= touches(request, at);
    }
    return does;
}

/* An access that is no operation, of the pieces that it touches or all. */
static void pass_buffers(struct model *model, const struct mem_request *request, uint32_t line,
                         bool of_all)
{
    const uint32_t pieces = LINE / model->piece;

    for (uint32_t piece = 0; piece < pieces; piece++) {
        if (of_all || touches_piece(model, request, piece)) {
            put_back(model, line * pieces + piece);
        }
    }
}

/* An operation of lanes, which the pieces share. */
static void operate(struct model *model, const struct mem_request *request, uint32_t line)
{
    const uint32_t pieces = LINE / model->piece;
    uint32_t touched = 0;
    uint32_t before = 0;

    for (uint32_t piece = 0; piece < pieces; piece++) {
        touched += touches_piece(model, request, piece);
    }
    for (uint32_t piece = 0; piece < pieces; piece++) {
        if (touches_piece(model, request, piece)) {
            const uint32_t more = before++ < request->operations % touched;
            operate_on(model, line * pieces + piece, request->operations / touched + more);
        }
    }
    model->copy[request->from.index][line].is_there = false;
    drop_entries(model, line);
}

static bool bypasses(const struct pair *pair, const struct mem_request *request)
{
    const struct model *model = &pair->model;

    return model->bypasses && request->lines >= model->sets / model->waves[request->from.index];
}

static void load(struct pair *pair, uint32_t cu, uint32_t line)
{
    struct model *model = &pair->model;
    struct step step = make_step(pair, cu, line, MEM_LOAD);
    const bool does_bypass = bypasses(pair, &step.request);
    const struct copy *copy = &model->copy[cu][line];
    const enum mem_served served = serve(pair, &step);

    model->bypassed += does_bypass;
    if (copy->is_there) {
        assert_int_equal(served, SERVED_L1);
        check_bytes(&step, copy->bytes);
        return;
    }
    check_bytes(&step, model->memory + (size_t)line * LINE);
    model->tracker.lookups += model->trackers != 0;
    if (model->trackers != 0 && list_of(model, tracker_of(model, cu), line)->count != 0) {
        assert_int_equal(served, SERVED_OTHER_L1);
        model->tracker.hits++;
    } else {
        assert_true(served == SERVED_L2 || served == SERVED_DRAM);
        pass_buffers(model, &step.request, line, !does_bypass);
    }
    if (!does_bypass) {
        fill(model, cu, line);
    }
}

static void store(struct pair *pair, uint32_t cu, uint32_t line)
{
    struct model *model = &pair->model;
    struct step step = make_step(pair, cu, line, MEM_STORE);
    struct copy *copy = &model->copy[cu][line];

    (void)serve(pair, &step);
    for (uint32_t at = 0; at < LINE; at++) {
        if (touches(&step.request, at)) {
            model->memory[line * LINE + at] = step.bytes[at];
            copy->bytes[at] = step.bytes[at];
        }
    }
    pass_buffers(model, &step.request, line, false);
    drop_entries(model, line);
}

/* Lanes add to bytes, or load or store them with a scope. */
static void access_coherently(struct pair *pair, uint32_t cu, uint32_t line, enum mem_kind kind)
{
    struct model *model = &pair->model;
    struct step step = make_step(pair, cu, line, kind);
    const struct mem_request *request = &step.request;
    uint8_t stored[LINE];

    memcpy(stored, step.bytes, LINE);
    step.request.atomic = true;
    step.request.scope = (uint8_t)below(pair, 4);
    assert_true(serve(pair, &step) != SERVED_L1);
    if (kind != MEM_STORE) {
        check_bytes(&step, model->memory + (size_t)line * LINE);
    }
    for (uint32_t at = 0; at < LINE; at++) {
        uint8_t *byte = &model->memory[line * LINE + at];
        if (touches(request, at) && kind != MEM_LOAD) {
            *byte = kind == MEM_STORE ? stored[at] : (uint8_t)(*byte + 1);
        }
    }
    operate(model, request, line);
}

static void aggregate(struct pair *pair, uint32_t line)
{
    struct model *model = &pair->model;
    struct mem_system *mem = pair->bench->mem;
    const uint32_t at = line * LINE + below(pair, LINE);
    uint8_t *byte = dram_at(&pair->bench->dram, MEMORY_BASE + at);
    struct mem_request request = {.time_ps = wheel_now_ps(&pair->bench->wheel),
                                  .address = MEMORY_BASE + at,
                                  .from = {.kind = MEM_AGG},
                                  .kind = MEM_STORE};
    const struct step nothing = {.is_done = true};

    *byte = (uint8_t)below(pair, 256);
    model->memory[at] = *byte;
    (void)mem->ops->access(mem, &request);
    if (mem->ops->written != NULL) {
        mem->ops->written(mem, request.address, 1);
    }
    finish(pair, &nothing);
    operate_on(model, at / model->piece, 1);
    drop_entries(model, line);
}

/* ---- synchronization ---- */

static void acquire(struct pair *pair, uint32_t cu, enum mem_sync sync, unsigned scope)
{
    synchronize(pair, (struct mem_request){.from = {MEM_CU, (uint16_t)cu},
                                           .sync = (uint8_t)sync,
                                           .scope = (uint8_t)scope,
                                           .acquire = true});
    if (scope >= SL_SCOPE_DEVICE) {
        empty(&pair->model, cu);
    }
}

static void end_launch(struct pair *pair)
{
    synchronize(pair, (struct mem_request){.from = {.kind = MEM_FRONT},
                                           .sync = MEM_SYNC_STEP,
                                           .scope = SL_SCOPE_DEVICE});
    for (uint32_t cu = 0; cu < CUS; cu++) {
        empty(&pair->model, cu);
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
        access_coherently(pair, cu, line % 3, MEM_ATOMIC);
    } else if (what < 110) {
        access_coherently(pair, cu, line, below(pair, 2) == 0 ? MEM_LOAD : MEM_STORE);
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
    const int64_t *number = pair.bench->config.number;
    struct model *model = &pair.model;

    model->trackers = (uint32_t)number[SL_CFG_TRACKER_COUNT];
    model->sharers = (uint32_t)number[SL_CFG_TRACKER_SHARERS];
    model->sharers = model->sharers == 0 ? CUS : model->sharers;
    model->sets = (uint32_t)number[SL_CFG_L1D_SIZE] / LINE;
    model->piece = (uint32_t)number[SL_CFG_L2_LINE];
    model->bypasses = number[SL_CFG_L1D_BYPASS] == SL_L1D_BYPASS_ON;
    memset(model->buffer, 0xff, sizeof model->buffer);
    for (uint32_t cu = 0; cu < CUS; cu++) {
        acquire(&pair, cu, MEM_SYNC_PACKET, SL_SCOPE_DEVICE);
        model->waves[cu] = 1;
    }
    for (uint32_t i = 0; i < STEPS; i++) {
        do_step(&pair);
        check_counters(&pair);
    }
    assert_memory_equal(dram_at(&pair.bench->dram, MEMORY_BASE), model->memory, BYTES);
    memory_destroy(pair.bench);
}

#define RUN(...)                                                                                   \
    run((const char *const[]){"mem.system=hybrid", "gpu.cus=16", "gpu.contexts=16",                \
                              "l1d.line=128", "l2.line=32", "l1d.ways=1", "l2.banks=4",            \
                              __VA_ARGS__, NULL})

static void test_one_tracker(void **state)
{
    (void)state;
    RUN("l1d.size=2048", "l1d.bypass=on");
    RUN("l1d.size=512", "l1d.bypass=on");
    RUN("l1d.size=1024", "tracker.sharers=1");
    RUN("l1d.size=2048", "tracker.sharers=2", "l2.bypass=on", "l2.write_fetch=off");
}

static void test_several_trackers(void **state)
{
    (void)state;
    RUN("l1d.size=2048", "tracker.count=2", "l1d.bypass=on");
    RUN("l1d.size=1024", "tracker.count=4");
    RUN("l1d.size=2048", "tracker.count=4", "tracker.sharers=1");
}

static void test_no_tracker(void **state)
{
    (void)state;
    RUN("l1d.size=1024", "tracker.count=0");
    RUN("l1d.size=512", "tracker.count=0", "l1d.bypass=on", "l2.line=64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_tracker),
        cmocka_unit_test(test_several_trackers),
        cmocka_unit_test(test_no_tracker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
