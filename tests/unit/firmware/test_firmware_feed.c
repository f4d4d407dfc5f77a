/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Open graphs against a device and a host that the test plays: exact register sequences, the
 * host's elements in their channel, times and idle points, space that is not there, predicates that
 * hold, bad messages. The kernel adds up its elements. */
#include <stdbool.h>
#include <string.h>

#include "check/graph/host_input_check.h"
#include "common/check.h"
#include "graph/host_input.h"
#include "runs/service.h"
#include "unit/common/firmware_graph.h"
#include "unit/firmware/firmware_mock.h"

#define READ_PS   20000u
#define WIDTH     64u
#define GROUP     4u
#define COUNT_MAX (WIDTH - GROUP + 1)

static struct sl_mailbox shared;
static struct mailbox mailbox;
static struct machine machine;
static struct test_graph graph;

static struct {
    bool is_paused;
    uint32_t late;      /* messages that are in the ring, but only shown when firmware waits */
    unsigned delay;     /* reads of COMPLETION_TAIL that a packet takes */
    unsigned age;       /* that the packet at the head has taken */
    bool frees;         /* its kernel does */
    uint64_t sum;       /* of the elements that have run */
    uint64_t stored;    /* elements that HOST_STORE has */
    uint64_t last_note; /* of HOST_FULL */
    unsigned note_count;
    uint64_t dispatch_ps[SL_DISPATCH_ENTRIES]; /* when packets were rung */
    uint32_t rung;
} device;

static struct sl_channel *channel(void)
{
    return &graph.channels[0];
}

static const struct sl_dispatch *packet(uint64_t number)
{
    const struct sl_dispatch *ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    return &ring[number % SL_DISPATCH_ENTRIES];
}

static void run_packet(uint64_t number)
{
    const struct sl_dispatch *of = packet(number);
    const uint32_t *control = (const uint32_t *)(uintptr_t)channel()->control;
    const uint64_t *data = (const uint64_t *)(uintptr_t)channel()->data;
    uint32_t *done = (uint32_t *)(uintptr_t)channel()->done;
    struct sl_completion *ring =
        (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);

    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t offset = control[(of->first + i) & of->index_mask];
        assert_true(offset < WIDTH);
        device.sum += data[offset];
        done[offset / GROUP] += device.frees;
    }
    ring[number % SL_COMPLETION_ENTRIES] = (struct sl_completion){
        .id = of->id, .elements = of->count, .wavefronts = (of->count + 63) / 64};
    ++*mock_register(SL_REG_COMPLETION_TAIL);
}

static void before_read(uint32_t reg)
{
    const uint64_t completed = *mock_register(SL_REG_COMPLETION_TAIL);

    assert_true(!device.is_paused || reg == SL_REG_HOST_TAIL);
    *mock_register(SL_REG_TIME_PS) += device.is_paused ? 0 : READ_PS;
    if (reg == SL_REG_COMPLETION_TAIL && completed < *mock_register(SL_REG_DISPATCH_TAIL) &&
        ++device.age > device.delay) {
        device.age = 0;
        run_packet(completed);
    }
}

/* What the device does (sim-soc/soc/host_store.c). */
static void store(uint64_t places)
{
    const uint64_t *argument = shared.host[shared.host_head % SL_MAILBOX_ENTRIES].argument;
    const uint64_t *from = (const uint64_t *)(uintptr_t)argument[SL_FEED_ADDRESS];
    uint64_t *to = (uint64_t *)(uintptr_t)channel()->data;

    assert_int_equal(places >> 32, (channel()->control_reserve - argument[SL_FEED_COUNT]) %
                                       (2 * (uint64_t)WIDTH));
    for (uint64_t i = 0; i < argument[SL_FEED_COUNT]; i++) {
        to[((uint32_t)places + i) % WIDTH] = from[i];
    }
    device.stored += argument[SL_FEED_COUNT];
}

static void after_write(uint32_t reg, uint64_t value)
{
    assert_true(!device.is_paused || reg == SL_REG_HOST_WAIT || reg == SL_REG_MARK);
    switch (reg) {
    case SL_REG_RESET:
        *mock_register(SL_REG_DISPATCH_TAIL) = 0;
        *mock_register(SL_REG_COMPLETION_TAIL) = 0;
        device.rung = 0;
        break;
    case SL_REG_MARK:
        device.is_paused = value == SL_MARK_PAUSE;
        break;
    case SL_REG_HOST_WAIT:
        assert_true(device.late > 0);
        device.late--;
        ++*mock_register(SL_REG_HOST_TAIL);
        break;
    case SL_REG_HOST_STORE:
        store(value);
        break;
    case SL_REG_HOST_FULL:
        device.last_note = value;
        device.note_count++;
        break;
    case SL_REG_DISPATCH_TAIL:
        for (; device.rung < value; device.rung++) {
            device.dispatch_ps[device.rung] = *mock_register(SL_REG_TIME_PS);
        }
        break;
    default:
        break;
    }
}

static void make(enum sl_predicate predicate)
{
    const struct test_channel plain = {
        .width = WIDTH, .stride = 8, .done_shift = 2, .fan_out = 1, .flags = SL_CHANNEL_NARROW};

    mock_reset();
    memset(&device, 0, sizeof device);
    memset(&shared, 0, sizeof shared);
    device.frees = true;
    device.delay = 3;
    graph = test_graph_make(&plain, 1, 1, NULL, 0, 64);
    channel()->predicate = predicate;
    mailbox_init(&mailbox, &shared);
    machine =
        (struct machine){.limits = graph.limits, .wait_limit_ps = 50000000, .mailbox = &mailbox};
    mock.before_read = before_read;
    mock.after_write = after_write;
}

static struct sl_message_host *post(enum sl_message_host_type type, uint64_t time_ps)
{
    struct sl_message_host *message = &shared.host[shared.host_tail++ % SL_MAILBOX_ENTRIES];

    *message = (struct sl_message_host){
        .type = type, .sequence = 7, .argument = {[SL_FEED_TIME] = time_ps}};
    return message;
}

/* Elements `first` and up. */
static struct sl_message_host *post_elements(uint64_t time_ps, uint32_t count, uint64_t first)
{
    struct sl_message_host *message = post(SL_HOST_ENQ, time_ps);
    uint64_t *const elements = test_graph_alloc(WIDTH * sizeof *elements);

    for (uint32_t i = 0; i < count && i < WIDTH; i++) {
        elements[i] = first + i;
    }
    message->argument[SL_FEED_COUNT] = count;
    message->argument[SL_FEED_ADDRESS] = (uintptr_t)elements;
    message->argument[SL_FEED_ELEMENT_BYTES] = 8;
    return message;
}

static void post_open(void)
{
    struct sl_message_host *message = post(SL_HOST_OPEN, (uintptr_t)graph.graph);
    message->sequence = 7;
}

/* Serves what was posted, of which the last `late` messages only come while firmware waits. Returns
 * the answer to the run, the last message. */
static const struct sl_message_agg *serve(uint32_t late)
{
    device.late = late;
    *mock_register(SL_REG_HOST_TAIL) = shared.host_tail - late;
    service_next(&mailbox, &machine);
    const struct sl_message_agg *answer = &shared.agg[(shared.agg_tail - 1) % SL_MAILBOX_ENTRIES];
    assert_int_equal(answer->sequence, 7);
    return answer;
}

static void expect_complete(const struct sl_message_agg *answer, uint64_t elements)
{
    assert_int_equal(answer->type, SL_AGG_COMPLETE);
    assert_int_equal(answer->argument[0], elements);
    assert_int_equal(channel()->control_tail, channel()->control_reserve);
    assert_int_equal(channel()->control_head, channel()->control_tail);
    assert_int_equal(channel()->data_tail - channel()->data_head, elements % GROUP);
    assert_int_equal(shared.host_head, shared.host_tail);
    assert_int_equal(device.late, 0);
}

/* 0 + 1 + ... */
static uint64_t sum_below(uint64_t count)
{
    return count * (count - 1) / 2;
}

/* An element at time 0, and the end. Whether the messages are in the ring before firmware looks or
 * come while it waits, nothing but what is in the pauses differs. */
TEST(test_registers)
{
    static struct mock_access first[MOCK_LOG_MAX];
    size_t count = 0;

    for (uint32_t late = 0; late <= 2; late += 2) {
        size_t at = 0;
        make(SL_PREDICATE_ALWAYS);
        device.delay = 0;
        post_open();
        (void)post_elements(0, 1, 5);
        (void)post(SL_HOST_CLOSE, 0);
        expect_complete(serve(late), 1);
        assert_int_equal(device.sum, 5);
        /* Of the run, without the pauses. */
        bool is_pause = true;
        size_t kept = 0;
        for (size_t i = 0; i < mock.log_count; i++) {
            const struct mock_access *access = &mock.log[i];
            is_pause &= access->reg != SL_REG_MARK || access->value == SL_MARK_PAUSE;
            if (!is_pause) {
                mock.log[kept++] = *access;
            }
            is_pause |= access->reg == SL_REG_MARK && access->value == SL_MARK_PAUSE;
        }
        mock.log_count = kept;
        if (late == 0) {
            memcpy(first, mock.log, kept * sizeof first[0]);
            count = kept;
        }
        assert_int_equal(kept, count);
        assert_memory_equal(mock.log, first, kept * sizeof first[0]);
        while (at < kept && !(mock.log[at].reg == SL_REG_DISPATCH_TAIL)) {
            at++;
        }
        MOCK_EXPECT(&at, MOCK_WRITE(DISPATCH_TAIL, 0), MOCK_WRITE(PHASE, SL_PHASE_MAILBOX),
                    MOCK_WRITE(MARK, SL_MARK_PAUSE), MOCK_WRITE(MARK, SL_MARK_RESUME),
                    MOCK_WRITE(PHASE, SL_PHASE_POLL), MOCK_READ(COMPLETION_TAIL, 0),
                    MOCK_READ(FAULT_TAIL, 0), MOCK_WRITE(PHASE, SL_PHASE_MAILBOX),
                    MOCK_WRITE(HOST_STORE, 0), MOCK_WRITE(MARK, SL_MARK_PAUSE),
                    MOCK_WRITE(MARK, SL_MARK_RESUME), MOCK_WRITE(PHASE, SL_PHASE_POLL),
                    MOCK_WRITE(PHASE, SL_PHASE_MAILBOX), MOCK_WRITE(PHASE, SL_PHASE_POLL),
                    MOCK_WRITE(PHASE, SL_PHASE_POLL), MOCK_READ(COMPLETION_TAIL, 0),
                    MOCK_READ(FAULT_TAIL, 0), MOCK_WRITE(PHASE, SL_PHASE_PREDICATE),
                    MOCK_WRITE(PHASE, SL_PHASE_DISPATCH), MOCK_WRITE(DISPATCH_TAIL, 1),
                    MOCK_WRITE(PHASE, SL_PHASE_POLL), MOCK_READ(COMPLETION_TAIL, 1));
    }
}

/* Many messages, round and round channel and mailbox, in runs one after the other. */
TEST(test_elements)
{
    for (uint32_t each = 1; each <= COUNT_MAX; each = each * 3 + 1) {
        uint64_t total = 0;
        make(SL_PREDICATE_FULL);
        for (uint32_t round = 0; round < 20; round++) {
            uint64_t begun = total;
            post_open();
            for (uint32_t i = 0; i < 20; i++, total += each) {
                (void)post_elements(i * 100000, each, total);
            }
            (void)post(SL_HOST_CLOSE, 20 * 100000);
            expect_complete(serve(round), total - begun);
            assert_int_equal(device.sum, sum_below(total));
            assert_int_equal(device.stored, total);
        }
    }
}

/* Elements are put in when their time has come, not before. */
TEST(test_times)
{
    make(SL_PREDICATE_ALWAYS);
    post_open();
    (void)post_elements(1000000, 1, 0);
    (void)post_elements(5000000, 1, 1);
    (void)post_elements(5000000, 1, 2);
    (void)post(SL_HOST_CLOSE, 9000000);
    expect_complete(serve(0), 3);
    assert_in_range(device.dispatch_ps[0], 1000000, 1000000 + 20 * READ_PS);
    assert_in_range(device.dispatch_ps[1], 5000000, 5000000 + 20 * READ_PS);
    assert_int_equal(device.rung, 2); /* those of one time went together */
    assert_true(*mock_register(SL_REG_TIME_PS) >= 9000000);
}

/* What comes when nothing is left to do comes after what is in flight, and at once then; reports
 * say how things stand. */
TEST(test_idle)
{
    make(SL_PREDICATE_FULL);
    device.delay = 100;
    post_open();
    (void)post_elements(SL_WHEN_IDLE, 2, 0); /* the graph is empty */
    (void)post(SL_HOST_REPORT, SL_WHEN_IDLE);
    (void)post_elements(SL_WHEN_IDLE, 1, 2);
    (void)post(SL_HOST_REPORT, 0);
    (void)post(SL_HOST_CLOSE, SL_WHEN_IDLE);
    expect_complete(serve(5), 3);
    assert_int_equal(device.rung, 2); /* partial wavefronts, with a predicate for full ones */
    const struct sl_message_agg *report = &shared.agg[0];
    assert_int_equal(report->type, SL_AGG_REPORT);
    assert_int_equal(report->sequence, 7);
    assert_in_range(report->argument[0], 100 * READ_PS, 220 * READ_PS);
    assert_int_equal(report->argument[1], 2);
    assert_int_equal(report[1].type, SL_AGG_REPORT);
    assert_int_equal(report[1].argument[1], 3);
    assert_in_range(report[1].argument[0], report->argument[0], report->argument[0] + 20 * READ_PS);
    assert_int_equal(shared.agg_tail, 3);
}

/* A predicate for full wavefronts holds what is there as long as more may come, though nothing is
 * in flight. A close lets it go. */
TEST(test_predicate_holds)
{
    make(SL_PREDICATE_FULL);
    post_open();
    (void)post_elements(0, 30, 0);
    (void)post_elements(4000000, 30, 30);
    (void)post_elements(6000000, 3, 60);
    (void)post_elements(8000000, 1, 63);
    (void)post(SL_HOST_CLOSE, 9000000);
    expect_complete(serve(0), 64);
    assert_int_equal(device.rung, 1);
    assert_in_range(device.dispatch_ps[0], 8000000, 8000000 + 20 * READ_PS);

    make(SL_PREDICATE_FULL);
    post_open();
    (void)post_elements(0, 30, 0);
    (void)post(SL_HOST_CLOSE, 9000000);
    expect_complete(serve(0), 30);
    assert_in_range(device.dispatch_ps[0], 9000000, 9000000 + 20 * READ_PS);
}

/* Elements that find no space wait, and let go what the predicate held; or they are dropped. */
TEST(test_full)
{
    make(SL_PREDICATE_FULL);
    post_open();
    (void)post_elements(0, 40, 0);
    (void)post_elements(0, 40, 40);
    (void)post(SL_HOST_REPORT, 0);
    (void)post(SL_HOST_CLOSE, 0);
    expect_complete(serve(0), 80);
    assert_int_equal(device.sum, sum_below(80));
    assert_int_equal(device.note_count, 1);
    assert_int_equal(device.last_note, SL_FULL_WAIT);
    assert_int_equal(shared.agg[0].argument[1], 80);
    assert_int_equal(shared.agg[0].argument[2], 0);

    make(SL_PREDICATE_FULL);
    post_open();
    (void)post_elements(0, 40, 0);
    post_elements(0, 40, 1000)->argument[SL_FEED_WHEN_FULL] = SL_FULL_DROP;
    post_elements(0, 24, 40)->argument[SL_FEED_WHEN_FULL] = SL_FULL_DROP;
    (void)post(SL_HOST_REPORT, 0);
    (void)post(SL_HOST_CLOSE, 0);
    expect_complete(serve(0), 64);
    assert_int_equal(device.sum, sum_below(64));
    assert_int_equal(device.note_count, 1);
    assert_int_equal(device.last_note, SL_FULL_DROP);
    assert_int_equal(shared.agg[0].argument[1], 64);
    assert_int_equal(shared.agg[0].argument[2], 40);
}

/* A kernel that frees nothing: what waits for space can never go. */
TEST(test_stuck)
{
    make(SL_PREDICATE_FULL);
    device.frees = false;
    post_open();
    (void)post_elements(0, 40, 0);
    (void)post_elements(0, 30, 40);
    (void)post(SL_HOST_CLOSE, 0);
    const struct sl_message_agg *answer = serve(0);
    assert_int_equal(answer->type, SL_AGG_FAILED);
    assert_int_equal(answer->reason, SL_FAILURE_FEED_FULL);
    assert_int_equal(answer->argument[0], 0);
    assert_int_equal(answer->argument[1], 30);
    assert_int_equal(answer->argument[2], WIDTH - 40);
    /* What is left in the ring is of the run that has ended. */
    const uint32_t answers = shared.agg_tail;
    service_next(&mailbox, &machine);
    service_next(&mailbox, &machine);
    assert_int_equal(shared.agg_tail, answers);
    assert_int_equal(shared.host_head, shared.host_tail);
}

struct bad {
    enum sl_refusal reason;
    enum sl_host_input_argument argument;
    uint64_t value;
    uint64_t limit;
};

TEST(test_bad_messages)
{
    const struct bad bads[] = {
        {SL_REFUSE_FEED_CHANNEL, SL_FEED_CHANNEL, 1, 1},
        {SL_REFUSE_FEED_CHANNEL, SL_FEED_CHANNEL, UINT64_MAX, 1},
        {SL_REFUSE_FEED_COUNT, SL_FEED_COUNT, 0, COUNT_MAX},
        {SL_REFUSE_FEED_COUNT, SL_FEED_COUNT, COUNT_MAX + 1, COUNT_MAX},
        {SL_REFUSE_FEED_COUNT, SL_FEED_COUNT, UINT64_MAX, COUNT_MAX},
        {SL_REFUSE_FEED_BYTES, SL_FEED_ELEMENT_BYTES, 4, 8},
        {SL_REFUSE_FEED_BYTES, SL_FEED_ELEMENT_BYTES, 0, 8},
        {SL_REFUSE_FEED_FULL, SL_FEED_WHEN_FULL, 2, SL_FULL_DROP},
        {SL_REFUSE_FEED_ADDRESS, SL_FEED_ADDRESS, 8, 0},
        {SL_REFUSE_FEED_ADDRESS, SL_FEED_ADDRESS, UINT64_MAX - 7, 0},
    };
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        make(SL_PREDICATE_FULL);
        post_open();
        post_elements(0, 1, 0)->argument[bads[i].argument] = bads[i].value;
        const struct sl_message_agg *answer = serve(0);
        assert_int_equal(answer->type, SL_AGG_FAILED);
        assert_int_equal(answer->reason, SL_FAILURE_FEED);
        assert_int_equal(answer->argument[0], bads[i].reason);
        assert_int_equal(answer->argument[1], 0);
        assert_int_equal(answer->argument[2], bads[i].value);
        if (bads[i].limit != 0) {
            assert_int_equal(answer->argument[3], bads[i].limit);
        }
        assert_int_equal(device.stored, 0);
        assert_int_equal(channel()->data_tail, 0);
    }
}

/* Elements of padded channels may be smaller than their places; those of structures of arrays are
 * of no size. Few large ones fit into a message. */
TEST(test_variants)
{
    struct sl_graph_refusal refusal;
    make(SL_PREDICATE_FULL);
    struct sl_message_host *const message = post_elements(0, 1, 0);
    channel()->flags |= SL_CHANNEL_PADDED;
    channel()->stride = 64;
    assert_int_equal(sl_host_input_check(graph.graph, message, &graph.limits, &refusal), 0);
    message->argument[SL_FEED_ELEMENT_BYTES] = 66;
    assert_int_equal(sl_host_input_check(graph.graph, message, &graph.limits, &refusal), -1);
    assert_int_equal(refusal.reason, SL_REFUSE_FEED_BYTES);
    message->argument[SL_FEED_ELEMENT_BYTES] = 10;
    assert_int_equal(sl_host_input_check(graph.graph, message, &graph.limits, &refusal), -1);
    assert_int_equal(refusal.reason, SL_REFUSE_FEED_BYTES);
    channel()->flags = SL_CHANNEL_SOA;
    assert_int_equal(sl_host_input_check(graph.graph, message, &graph.limits, &refusal), -1);
    assert_int_equal(refusal.reason, SL_REFUSE_FEED_VARIANT);
    assert_int_equal(sl_host_input_count_max(channel(), 4), COUNT_MAX);
    assert_int_equal(sl_host_input_count_max(channel(), 65536 / 8), 8);
    assert_int_equal(sl_host_input_count_max(channel(), 65536), 1);
    channel()->width = 1u << 24;
    assert_int_equal(sl_host_input_count_max(channel(), 4), 16384);
}

/* A message of another kind ends the run, and is not taken for one to the firmware. */
TEST(test_other_message)
{
    make(SL_PREDICATE_FULL);
    post_open();
    (void)post(SL_HOST_EXECUTE, 0);
    const struct sl_message_agg *answer = serve(0);
    assert_int_equal(answer->type, SL_AGG_FAILED);
    assert_int_equal(answer->reason, SL_FAILURE_MESSAGE);
    assert_int_equal(answer->argument[0], SL_HOST_EXECUTE);
    assert_int_equal(shared.host_head, shared.host_tail);
}

/* ---- beside lanes that reserve, publish and wait ---- */

static struct channel seen;
static struct run run;
static struct host_input feed;

/* A graph's run, as far as a message looks at it. */
static void begin_by_hand(void)
{
    make(SL_PREDICATE_FULL);
    static const struct predicate none;
    channel_init(&seen, channel(), 0, &none);
    run = (struct run){.channels = &seen, .channel_count = 1};
    (void)post_elements(0, 10, 0);
    (void)post(SL_HOST_CLOSE, SL_WHEN_IDLE);
    *mock_register(SL_REG_HOST_TAIL) = shared.host_tail;
    host_input_init(&feed, &mailbox, &graph.limits);
    host_input_begin(&feed, 7);
}

static enum host_input_result take(void)
{
    struct sl_message_agg answer = {0};
    return host_input_take(&feed, &run, false, &answer);
}

/* A wavefront has reserved control entries before, and publishes them later. */
TEST(test_publishes_in_turn)
{
    begin_by_hand();
    channel()->data_tail = 3;
    channel()->control_reserve = 3;
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    assert_int_equal(device.stored, 10);
    assert_int_equal(channel()->control_tail, 0);
    assert_int_equal(channel()->control_reserve, 13);
    assert_true(host_input_is_expected(&feed));
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    assert_int_equal(device.stored, 10);
    channel()->control_tail = 3;
    assert_int_equal(take(), HOST_INPUT_PUBLISHED);
    assert_ptr_equal(feed.channel, &seen);
    assert_int_equal(channel()->control_tail, 13);
    const uint32_t *control = (const uint32_t *)(uintptr_t)channel()->control;
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(control[3 + i], 3 + i);
    }
    assert_int_equal(take(), HOST_INPUT_NOTHING); /* the close waits for an idle point */
}

/* Entries that were reserved and never published, with nothing in flight that could: a kernel has
 * gone astray. */
TEST(test_never_published)
{
    begin_by_hand();
    channel()->control_reserve = 3;
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    struct sl_message_agg answer = {0};
    assert_int_equal(host_input_take(&feed, &run, true, &answer), HOST_INPUT_FAILED);
    assert_int_equal(answer.reason, SL_FAILURE_FEED_ORDER);
    assert_int_equal(answer.argument[0], 0);
    assert_int_equal(answer.argument[1], 3);
}

/* What a channel is like is known since the graph's check: what its description says now, does not
 * count. */
TEST(test_overwritten_channel)
{
    begin_by_hand();
    const uint32_t *const control = (const uint32_t *)(uintptr_t)channel()->control;
    channel()->control = 0x1000;
    channel()->done = 0x1000;
    channel()->width = 1;
    channel()->stride = 3;
    channel()->done_shift = 200;
    channel()->flags = UINT32_MAX;
    graph.graph->channel_count = 0;
    assert_int_equal(take(), HOST_INPUT_PUBLISHED);
    assert_int_equal(control[9], 9);
    assert_int_equal(channel()->control_tail, 10);
}

/* Wavefronts that wait for the channel go first, and so do those that were promised its space. */
TEST(test_wavefronts_go_first)
{
    begin_by_hand();
    seen.waiting = 1;
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    assert_int_equal(device.note_count, 1);
    assert_false(host_input_is_expected(&feed));
    seen.waiting = 0;
    seen.granted = WIDTH - 9; /* leaves 9 */
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    assert_int_equal(device.note_count, 1);
    channel()->data_tail = 4; /* of the promised ones: 4 are reserved, the same 9 are left */
    assert_int_equal(take(), HOST_INPUT_NOTHING);
    seen.granted--;
    assert_int_equal(take(), HOST_INPUT_PUBLISHED);
    assert_int_equal(channel()->data_tail, 14);
    assert_int_equal(seen.granted_tail, 10); /* the host's do not count as the promised ones */
    assert_int_equal(seen.granted, WIDTH - 10);
}
