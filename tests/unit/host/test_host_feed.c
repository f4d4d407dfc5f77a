/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Open graphs from the host: in which states its calls do what, the messages that the firmware
 * gets, and what is refused. The test plays the firmware. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "check/graph/host_input_check.h"
#include "common/check.h"
#include "sluice/registers.h"
#include "unit/common/host_fixture.h"

#define WIDTH     256u
#define COUNT_MAX (WIDTH - 63)

struct element {
    uint8_t byte[5]; /* 8 in the channel */
};

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_graph_builder *graph;
static struct sl_mailbox mailbox;
static uint64_t window[SL_REG_BYTES / sizeof(uint64_t)];

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    fixture_open_mailbox(soc, &mailbox);
    soc->layout.window_base = (uintptr_t)window;
    if (sl_graph_create(module, &graph) != SL_OK) {
        return -1;
    }
    const struct sl_channel_options soa = {.name = "arrays", .flags = SL_CHANNEL_SOA};
    const struct sl_channel_options plain = {.name = "requests"};
    const int channel = sl_graph_channel(graph, sizeof(struct element), WIDTH, &plain);
    const int other = sl_graph_channel(graph, 8, WIDTH, &soa);
    sl_graph_connect(graph, channel, sl_graph_kernel(graph, "first_kernel"));
    sl_graph_connect(graph, other, sl_graph_kernel(graph, "second_kernel"));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

static void assert_error(enum sl_status status, const char *part)
{
    assert_int_equal(status, SL_ERROR_USAGE);
    if (strstr(sl_soc_error(soc), part) == NULL) {
        fail_msg("'%s' does not contain '%s'", sl_soc_error(soc), part);
    }
}

static const struct sl_message_host *last_message(void)
{
    return &mailbox.host[(mailbox.host_tail - 1) % SL_MAILBOX_ENTRIES];
}

static enum sl_status enq(uint64_t time_ps)
{
    const struct element element = {{1, 2, 3, 4, 5}};
    return sl_graph_enq_at(graph, 0, &element, 1, time_ps, SL_FULL_WAIT);
}

/* The firmware's answer to the last message. */
static void answer(enum sl_message_agg_type type, uint64_t a, uint64_t b, uint64_t c)
{
    mailbox.agg[mailbox.agg_tail % SL_MAILBOX_ENTRIES] = (struct sl_message_agg){
        .type = type, .sequence = last_message()->sequence, .argument = {a, b, c}};
    mailbox.agg_tail++;
}

/* The same to the next message, which has to be a report's. */
static void *answer_report(void *arguments)
{
    const uint64_t *const argument = arguments;
    const uint32_t head = mailbox.host_head;
    while (__atomic_load_n(&mailbox.host_tail, __ATOMIC_ACQUIRE) == head) {
        sched_yield();
    }
    assert(last_message()->type == SL_HOST_REPORT);
    assert(last_message()->argument[SL_FEED_TIME] == argument[0]);
    mailbox.host_head = mailbox.host_tail;
    answer(SL_AGG_REPORT, argument[1], argument[2], argument[3]);
    return NULL;
}

TEST_WITH(sends_messages, setup, teardown)
{
    const struct element elements[2] = {{{1, 2, 3, 4, 5}}, {{6, 7, 8, 9, 10}}};
    assert_int_equal(sl_graph_open(graph), SL_OK);
    assert_int_equal(last_message()->type, SL_HOST_OPEN);
    assert_int_equal(last_message()->argument[0], (uintptr_t)sl_graph_shared(graph));
    const uint32_t sequence = last_message()->sequence;
    assert_int_equal(sl_graph_enq_at(graph, 0, elements, 2, 1500, SL_FULL_DROP), SL_OK);
    const struct sl_message_host *const message = last_message();
    assert_int_equal(message->type, SL_HOST_ENQ);
    assert_int_equal(message->sequence, sequence);
    assert_int_equal(message->argument[SL_FEED_TIME], 1500);
    assert_int_equal(message->argument[SL_FEED_CHANNEL], 0);
    assert_int_equal(message->argument[SL_FEED_COUNT], 2);
    assert_int_equal(message->argument[SL_FEED_ELEMENT_BYTES], 8);
    assert_int_equal(message->argument[SL_FEED_WHEN_FULL], SL_FULL_DROP);
    const uint8_t *const bytes = (const uint8_t *)(uintptr_t)message->argument[SL_FEED_ADDRESS];
    assert_memory_equal(bytes, &elements[0], 5);
    assert_memory_equal(bytes + 8, &elements[1], 5);
    assert_int_equal(sl_graph_close(graph), SL_OK);
    assert_int_equal(last_message()->type, SL_HOST_CLOSE);
    assert_int_equal(last_message()->argument[SL_FEED_TIME], 1500);
    assert_int_equal(last_message()->sequence, sequence);
    assert_int_equal(mailbox.host_tail, 3);
}

/* Waits, and is told this. */
static void wait_until(uint64_t time_ps, uint64_t now_ps, uint64_t elements, uint64_t dropped,
                       struct sl_graph_state *found)
{
    uint64_t arguments[] = {time_ps, now_ps, elements, dropped};
    pthread_t firmware;
    mailbox.host_head = mailbox.host_tail;
    assert_int_equal(pthread_create(&firmware, NULL, answer_report, arguments), 0);
    assert_int_equal(sl_graph_wait_until(graph, time_ps, found), SL_OK);
    assert_int_equal(pthread_join(firmware, NULL), 0);
}

TEST_WITH(waits_for_reports, setup, teardown)
{
    struct sl_graph_state found;
    assert_int_equal(sl_graph_open(graph), SL_OK);
    assert_int_equal(enq(1000000), SL_OK);
    wait_until(SL_WHEN_IDLE, 7000000, 1, 2, &found);
    assert_int_equal(found.time_ps, 7000000);
    assert_int_equal(found.elements, 1);
    assert_int_equal(found.dropped, 2);
    /* What the host was told is as good as what it has said. */
    assert_error(enq(6999999), "enq at a time: 6.999999 us are in the past: the host has named, or "
                               "was told, 7.000000 us already");
    assert_int_equal(enq(7000000), SL_OK);
    wait_until(7500000, 8000000, 2, 2, NULL);
    assert_error(sl_graph_wait_until(graph, 7999999, NULL), "wait until a time: 7.999999 us are");
    assert_int_equal(sl_graph_close(graph), SL_OK);
    assert_int_equal(last_message()->argument[SL_FEED_TIME], 8000000);
}

/* Idle points have no time: they do not order those that have. */
TEST_WITH(refuses_the_past, setup, teardown)
{
    assert_int_equal(sl_graph_open(graph), SL_OK);
    assert_int_equal(enq(5000), SL_OK);
    assert_int_equal(enq(SL_WHEN_IDLE), SL_OK);
    assert_int_equal(enq(5000), SL_OK);
    const uint32_t tail = mailbox.host_tail;
    assert_error(enq(4999), "times are in ascending order");
    assert_int_equal(mailbox.host_tail, tail);
    assert_int_equal(enq(5000), SL_OK);
}

TEST_WITH(refuses_in_the_wrong_state, setup, teardown)
{
    struct sl_graph_builder *other;
    assert_error(enq(0), "enq at a time: the graph is not open");
    assert_error(sl_graph_wait_until(graph, 0, NULL), "wait until a time: the graph is not open");
    assert_error(sl_graph_close(graph), "close: the graph is not open");
    assert_int_equal(sl_graph_open(graph), SL_OK);
    assert_error(sl_graph_open(graph), "a graph is running");
    assert_error(sl_graph_execute(graph), "a graph is running");
    assert_null(sl_graph_talloc(graph, 0, 1));
    assert_error(SL_ERROR_USAGE, "sl_graph_enq_at()");
    assert_error(sl_soc_wait(soc, 0), "the graph is open and would never end");
    assert_int_equal(sl_graph_create(module, &other), SL_OK);
    const struct element element = {{0}};
    assert_error(sl_graph_enq_at(other, 0, &element, 1, 0, SL_FULL_WAIT), "is not open");
    assert_int_equal(sl_graph_close(graph), SL_OK);
    assert_error(enq(0), "was closed");
    assert_error(sl_graph_close(graph), "was closed");
    answer(SL_AGG_COMPLETE, 0, 0, 0);
    assert_error(enq(0), "or has ended");
}

/* A graph that is executed is not open. */
TEST_WITH(refuses_without_opening, setup, teardown)
{
    assert_int_equal(sl_graph_execute(graph), SL_OK);
    assert_error(enq(0), "the graph is not open");
    assert_int_equal(mailbox.host_tail, 1);
}

TEST_WITH(refuses_elements, setup, teardown)
{
    static struct element elements[WIDTH];
    assert_int_equal(sl_graph_open(graph), SL_OK);
    const uint32_t tail = mailbox.host_tail;
    assert_error(sl_graph_enq_at(graph, 2, elements, 1, 0, SL_FULL_WAIT),
                 "there is no channel 2: the graph has 2, numbered from 0");
    assert_error(sl_graph_enq_at(graph, -1, elements, 1, 0, SL_FULL_WAIT),
                 "there is no channel -1");
    assert_error(sl_graph_enq_at(graph, 1, elements, 1, 0, SL_FULL_WAIT),
                 "channel 1 'arrays': flags 0x8: while a graph runs");
    assert_error(sl_graph_enq_at(graph, 0, elements, 0, 0, SL_FULL_WAIT),
                 "channel 0 'requests': 0 elements at once; from 1 to 193 are possible");
    assert_error(sl_graph_enq_at(graph, 0, elements, COUNT_MAX + 1, 0, SL_FULL_WAIT),
                 "194 elements at once");
    assert_error(sl_graph_enq_at(graph, 0, elements, 1, 0, (enum sl_when_full)2),
                 "not a value of enum sl_when_full: 2 against 1");
    assert_int_equal(mailbox.host_tail, tail);
    assert_int_equal(sl_graph_enq_at(graph, 0, elements, COUNT_MAX, 0, SL_FULL_WAIT), SL_OK);
}

/* A fault ends the run: the next call says so, and no later one sends anything. */
TEST_WITH(notices_the_end, setup, teardown)
{
    assert_int_equal(sl_graph_open(graph), SL_OK);
    assert_int_equal(enq(0), SL_OK);
    answer(SL_AGG_FAILED, 0, 0, 0);
    mailbox.agg[0].reason = SL_FAILURE_FEED_FULL;
    mailbox.agg[0].argument[1] = 30;
    mailbox.agg[0].argument[2] = 24;
    assert_int_equal(enq(0), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc),
                           "channel 0 'requests' cannot take what the host puts in: 30 elements, "
                           "24 free, and nothing is left to do that could free more"));
    const uint32_t tail = mailbox.host_tail;
    assert_error(enq(0), "the graph is not open");
    assert_error(sl_graph_open(graph), "this graph did not complete when it was executed");
    assert_int_equal(mailbox.host_tail, tail);
}

/* A report that nobody has asked for is a machine that is beyond use. */
TEST_WITH(refuses_an_answer, setup, teardown)
{
    assert_int_equal(sl_graph_open(graph), SL_OK);
    answer(SL_AGG_REPORT, 0, 0, 0);
    assert_int_equal(enq(0), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc), "which answers nothing that the host asked"));
}

TEST_WITH(tells_what_the_firmware_refused, setup, teardown)
{
    assert_int_equal(sl_graph_open(graph), SL_OK);
    answer(SL_AGG_FAILED, SL_REFUSE_FEED_COUNT, 0, 0);
    mailbox.agg[0].reason = SL_FAILURE_FEED;
    mailbox.agg[0].argument[2] = 300;
    mailbox.agg[0].argument[3] = 193;
    assert_int_equal(sl_graph_wait_until(graph, 0, NULL), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc), "the firmware refused what the host put into the "
                                              "open graph: channel 0 'requests': 300 elements"));
}

TEST_WITH(tells_of_entries_never_published, setup, teardown)
{
    assert_int_equal(sl_graph_open(graph), SL_OK);
    answer(SL_AGG_FAILED, 0, 3, 0);
    mailbox.agg[0].reason = SL_FAILURE_FEED_ORDER;
    assert_int_equal(sl_graph_close(graph), SL_ERROR_MACHINE);
    assert_non_null(strstr(sl_soc_error(soc), "channel 0 'requests': 3 control entries before"));
}

/* Takes one message after the other, as slowly as it likes. */
static void *play_firmware(void *unused)
{
    (void)unused;
    for (uint32_t head = 1; head < 1000; head++) {
        while (__atomic_load_n(&mailbox.host_tail, __ATOMIC_ACQUIRE) == head) {
            sched_yield();
        }
        const struct sl_message_host *const message = &mailbox.host[head % SL_MAILBOX_ENTRIES];
        const uint8_t *const bytes = (const uint8_t *)(uintptr_t)message->argument[SL_FEED_ADDRESS];
        if (message->argument[SL_FEED_TIME] != head || bytes[0] != (uint8_t)head) {
            return NULL;
        }
        __atomic_store_n(&mailbox.host_head, head + 1, __ATOMIC_RELEASE);
    }
    return &mailbox;
}

/* A full mailbox ring has the host wait; what is in it, with its elements, stays until it is read.
 */
TEST_WITH(waits_for_space, setup, teardown)
{
    pthread_t firmware;
    void *end = NULL;
    assert_int_equal(sl_graph_open(graph), SL_OK);
    for (uint32_t i = 1; i < 1000; i++) {
        const struct element element = {{(uint8_t)i}};
        if (i == SL_MAILBOX_ENTRIES + 1) {
            assert_int_equal(pthread_create(&firmware, NULL, play_firmware, NULL), 0);
        }
        assert_int_equal(sl_graph_enq_at(graph, 0, &element, 1, i, SL_FULL_WAIT), SL_OK);
    }
    assert_int_equal(pthread_join(firmware, &end), 0);
    assert_non_null(end);
}
