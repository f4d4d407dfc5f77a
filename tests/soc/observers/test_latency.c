/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Latencies from publication to launch and from there to the wavefront's end, of all channels and
 * of each, and of requests (sim-soc/observers/latency.c), each worked out by hand.
 *
 * A doorbell's packet launches its wavefront 8 cycles of 1 ns after the cycle in which the store to
 * the register is over (gpu.packet_cycles). The kernel moves the tail of channel 1 twice:
 *
 *     addi t0, zero, 8    issues at   2 after the launch: a cycle, and the fetch's
 *     sd   t0, 0(a2)                  6    takes effect at 16
 *     addi t0, zero, 9               10
 *     sd   t0, 0(a2)                 14    takes effect at 24
 *     ret
 *
 * since one lane's instruction occupies its SIMD unit for 4 cycles, and memory flat's stores take
 * effect after 10. */
#include <string.h>

#include "common/check.h"
#include "soc/common/driver.h"

#define WIDTH        4u
#define LAUNCH_NS    8u
#define PUBLISHED_NS 16u
#define AGAIN_NS     24u

static struct asm_code code;
static struct sl_channel_latency channels;

/* A machine whose observers are as the settings say, and a graph of two channels: the host has put
 * three elements into the first; of the second, six positions are used up. */
struct bench {
    struct driver *driver;
    uint64_t graph;
    uint64_t publisher; /* kernels */
    uint64_t consumer;
};

static struct sl_channel *channel(const struct bench *b, unsigned number)
{
    return (struct sl_channel *)driver_at(b->driver, b->graph + sizeof(struct sl_graph)) + number;
}

static void begin(const struct bench *b)
{
    *channel(b, 0) = (struct sl_channel){.width = WIDTH, .control_tail = 3};
    *channel(b, 1) = (struct sl_channel){.width = WIDTH, .control_head = 6, .control_tail = 6};
    driver_begin(b->driver);
    driver_store(b->driver, SL_REG_GRAPH, b->graph);
}

static struct bench bench_create_with(const char *setting, struct sl_channel_latency *by_channel)
{
    struct bench b = {.driver = DRIVER("mem.system=flat", "agg.core=simple", setting)};
    struct driver *d = b.driver;

    assert_int_equal(soc_observe(d->soc, &d->config, &(struct soc_blocks){.channels = by_channel}),
                     0);
    b.graph = driver_take(d, sizeof(struct sl_graph) + 2 * sizeof(struct sl_channel));
    *(struct sl_graph *)driver_at(d, b.graph) = (struct sl_graph){.channel_count = 2};
    asm_begin(&code);
    for (int tail = 8; tail <= 9; tail++) {
        asm_put(&code, asm_ADDI(T0, ZERO, tail));
        asm_put(&code, asm_SD(T0, A2, 0));
    }
    const uint32_t consumer = asm_here(&code);
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    b.publisher = driver_kernel(d, 0,
                                b.graph + sizeof(struct sl_graph) + sizeof(struct sl_channel) +
                                    offsetof(struct sl_channel, control_tail));
    b.consumer = driver_kernel(d, consumer, 0);
    return b;
}

static struct bench bench_create(const char *setting)
{
    sl_channel_latency_clear(&channels);
    return bench_create_with(setting, &channels);
}

/* Dispatches elements of a channel. */
static void ring(const struct bench *b, uint64_t kernel, uint32_t number, uint32_t first,
                 uint32_t count)
{
    struct sl_dispatch *packet = driver_packet(b->driver, kernel, first, count);

    packet->channel = number;
    packet->index_mask = 2 * WIDTH - 1;
    driver_bell(b->driver);
}

/* The same; waits for their wavefront's end. Returns when it was launched, in ns. */
static uint64_t launch(const struct bench *b, uint64_t kernel, uint32_t number, uint32_t first,
                       uint32_t count)
{
    struct driver *d = b->driver;

    ring(b, kernel, number, first, count);
    const uint64_t launch_ns = d->soc->core->time_ps / 1000 + LAUNCH_NS;
    driver_await(d, SL_REG_COMPLETION_TAIL, d->tail);
    return launch_ns;
}

static double real(const uint64_t *statistics, enum sl_statistic which)
{
    double value;
    memcpy(&value, &statistics[which], sizeof value);
    return value;
}

/* A figure in ns: never below, and less than 1/128 above. */
static void assert_percentile(const uint64_t *statistics, enum sl_statistic which, uint64_t ns)
{
    const double value = real(statistics, which);

    assert_true(value >= (double)ns && value * 128 < (double)ns * 129);
}

/* All channels' figures are those of each together. */
static void assert_laws(const uint64_t *statistics)
{
    static struct sl_element_latency sum;

    sum = (struct sl_element_latency){.ready = {0}};
    for (uint64_t i = 0; i < channels.count; i++) {
        sl_element_latency_add(&sum, &channels.of[i]);
    }
    assert_int_equal(sum.ready.count, statistics[SL_STAT_LATENCY_ELEMENTS]);
    assert_int_equal(sum.dispatched.count, statistics[SL_STAT_LATENCY_DISPATCHED_ELEMENTS]);
    assert_true((double)sum.ready.sum / (double)sum.ready.count / 1000 ==
                real(statistics, SL_STAT_LATENCY_MEAN_NS));
    assert_true((double)sum.dispatched.sum / (double)sum.dispatched.count / 1000 ==
                real(statistics, SL_STAT_LATENCY_DISPATCHED_MEAN_NS));
    assert_true((double)sl_histogram_quantile(&sum.ready, 990) / 1000 ==
                real(statistics, SL_STAT_LATENCY_P99_NS));
    assert_true((double)sum.dispatched.most / 1000 ==
                real(statistics, SL_STAT_LATENCY_DISPATCHED_MAX_NS));
}

/* What the host has put in waits from the begin of the run. */
TEST(test_put_in_by_the_host)
{
    const struct bench b = bench_create("latency.measure=on");

    begin(&b);
    driver_idle_until(b.driver, 5000000);
    const uint64_t first = launch(&b, b.consumer, 0, 0, 1);
    driver_idle_until(b.driver, 9000000);
    const uint64_t others = launch(&b, b.consumer, 0, 1, 2);
    const uint64_t *s = driver_end(b.driver);
    assert_int_equal(s[SL_STAT_LATENCY_ELEMENTS], 3);
    assert_int_equal(s[SL_STAT_LATENCY_ELEMENTS], s[SL_STAT_GPU_ELEMENTS]);
    assert_true(real(s, SL_STAT_LATENCY_MAX_NS) == (double)others);
    assert_true(real(s, SL_STAT_LATENCY_MEAN_NS) == (double)(first + 2 * others) / 3);
    assert_percentile(s, SL_STAT_LATENCY_P50_NS, others);
    driver_destroy(b.driver);
}

/* Positions 6 and 7 are published by the first store, 8, which is the control array's first entry
 * and has the place of 4, by the second; the wavefront that has all three is launched later. */
TEST(test_published_by_a_kernel)
{
    const struct bench b = bench_create("latency.measure=on");

    begin(&b);
    const uint64_t publisher = launch(&b, b.publisher, 0, 0, 1);
    const uint64_t consumer = launch(&b, b.consumer, 1, 6, 3);
    const uint64_t long_ns = consumer - publisher - PUBLISHED_NS;
    const uint64_t short_ns = consumer - publisher - AGAIN_NS;
    const uint64_t *s = driver_end(b.driver);
    assert_int_equal(s[SL_STAT_LATENCY_ELEMENTS], 4);
    assert_true(real(s, SL_STAT_LATENCY_MAX_NS) ==
                (double)(publisher > long_ns ? publisher : long_ns));
    assert_true(real(s, SL_STAT_LATENCY_MEAN_NS) ==
                (double)(publisher + 2 * long_ns + short_ns) / 4);
    driver_destroy(b.driver);
}

static double end_ns(const struct driver *d, uint32_t number)
{
    return (double)driver_completion(d, number)->time_ps / 1000;
}

/* The same, of each channel: one element of the first, three of the second, which are with their
 * wavefront until it ends. What is counted by channel stays until the host clears it. */
TEST(test_by_channel)
{
    const struct bench b = bench_create("latency.measure=on");

    for (unsigned runs = 1; runs <= 2; runs++) {
        begin(&b);
        const uint64_t publisher = launch(&b, b.publisher, 0, 0, 1);
        const uint64_t consumer = launch(&b, b.consumer, 1, 6, 3);
        const uint64_t waited =
            2 * (consumer - publisher - PUBLISHED_NS) + consumer - publisher - AGAIN_NS;
        const uint32_t last = (uint32_t)b.driver->tail - 1;
        assert_int_equal(channels.count, 2);
        assert_int_equal(channels.of[0].ready.count, 1);
        assert_int_equal(channels.of[0].ready.sum, 1000 * publisher);
        assert_int_equal(channels.of[0].dispatched.count, 1);
        assert_true((double)channels.of[0].dispatched.sum / 1000 ==
                    end_ns(b.driver, last - 1) - (double)publisher);
        assert_int_equal(channels.of[1].ready.count, 3);
        assert_int_equal(channels.of[1].ready.sum, 1000 * waited);
        assert_int_equal(channels.of[1].dispatched.count, 3);
        assert_true((double)channels.of[1].dispatched.sum / 1000 ==
                    3 * (end_ns(b.driver, last) - (double)consumer));
        assert_laws(driver_end(b.driver));
        sl_channel_latency_clear(&channels);
        assert_int_equal(channels.count, 0);
    }
    begin(&b);
    (void)launch(&b, b.publisher, 0, 0, 1);
    (void)driver_end(b.driver);
    begin(&b);
    (void)launch(&b, b.publisher, 0, 0, 1);
    assert_int_equal(channels.of[0].ready.count, 2);
    driver_destroy(b.driver);
}

/* A run that ends before its elements are launched leaves nothing to the next one. */
TEST(test_runs_are_apart)
{
    const struct bench b = bench_create("latency.measure=on");

    begin(&b);
    (void)launch(&b, b.publisher, 0, 0, 1);
    assert_int_equal(driver_end(b.driver)[SL_STAT_LATENCY_ELEMENTS], 1);
    begin(&b);
    (void)launch(&b, b.consumer, 1, 6, 3); /* published in the run before */
    const uint64_t first = launch(&b, b.consumer, 0, 2, 1);
    const uint64_t *s = driver_end(b.driver);
    assert_int_equal(s[SL_STAT_LATENCY_ELEMENTS], 1);
    assert_true(real(s, SL_STAT_LATENCY_MAX_NS) == (double)first);
    driver_destroy(b.driver);
}

/* A tail that has moved by more than a channel holds publishes nothing; nor do channels of a graph
 * that is none, or with more elements than there is memory for; NDRanges have no latency,
 * and an element has one. */
TEST(test_nonsense)
{
    const struct bench b = bench_create("latency.measure=on");

    begin(&b);
    channel(&b, 1)->control_head = 3; /* 5 and 6 elements, of 4 */
    channel(&b, 1)->control_tail = 3;
    driver_store(b.driver, SL_REG_GRAPH, b.graph);
    (void)launch(&b, b.publisher, 0, 0, 1);
    (void)launch(&b, b.consumer, 1, 3, 4);
    static const uint32_t widths[] = {0, 3, 1u << 31};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        channel(&b, 1)->width = widths[i];
        driver_store(b.driver, SL_REG_GRAPH, b.graph);
        (void)launch(&b, b.consumer, 0, 0, 1);
        (void)launch(&b, b.consumer, 1, 0, 1);
    }
    driver_store(b.driver, SL_REG_GRAPH, b.graph + 4);
    (void)launch(&b, b.consumer, 0, 0, 1);
    channel(&b, 1)->width = WIDTH;
    driver_store(b.driver, SL_REG_GRAPH, b.graph);
    (void)launch(&b, b.consumer, 7, 0, 1);
    driver_ndrange(b.driver, b.consumer, 1, 2, 0)->channel = 0;
    driver_bell(b.driver);
    driver_await(b.driver, SL_REG_COMPLETION_TAIL, b.driver->tail);
    (void)launch(&b, b.consumer, 0, 1, 1);
    (void)launch(&b, b.consumer, 0, 1, 1);
    assert_int_equal(driver_end(b.driver)[SL_STAT_LATENCY_ELEMENTS], 1 + 1);
    driver_destroy(b.driver);
}

/* The host names a time for an element and puts it in later, as firmware does it: stored, then
 * published. It goes with one that is no request. */
static void put_in(const struct bench *b, uint32_t entry, uint64_t time_ps)
{
    struct driver *d = b->driver;
    struct sl_mailbox *mailbox = driver_mailbox(d);

    channel(b, 0)->stride = 4;
    channel(b, 0)->data = driver_take(d, 64);
    mailbox->host[0] = (struct sl_message_host){
        .type = SL_HOST_ENQ, .argument = {time_ps, 0, 1, driver_take(d, 64), 4, SL_FULL_WAIT}};
    driver_store(d, SL_REG_HOST_STORE, (uint64_t)entry << 32);
    driver_store_memory(
        d, b->graph + sizeof(struct sl_graph) + offsetof(struct sl_channel, control_tail),
        entry + 1);
}

/* A request takes from the time that the host has named to the end of its wavefront; as any other
 * element, it waits from its publication to the launch. */
TEST(test_request)
{
    const struct bench b = bench_create("latency.measure=on");
    struct driver *d = b.driver;

    begin(&b);
    driver_idle_until(d, 5000000);
    put_in(&b, 3, 1234000);
    const uint64_t published_ps = d->soc->core->time_ps;
    const uint64_t first = launch(&b, b.consumer, 0, 0, 2);
    const uint64_t launched = launch(&b, b.consumer, 0, 2, 2);
    const double waited = (double)(launched * 1000 - published_ps) / 1000;
    const uint64_t *s = driver_end(d);
    assert_int_equal(s[SL_STAT_LATENCY_ELEMENTS], 4);
    assert_int_equal(s[SL_STAT_REQUEST_ELEMENTS], 1);
    assert_true(real(s, SL_STAT_REQUEST_MAX_NS) == end_ns(d, 1) - 1234);
    assert_true(real(s, SL_STAT_REQUEST_MEAN_NS) == end_ns(d, 1) - 1234);
    assert_true(real(s, SL_STAT_REQUEST_P99_9_NS) == end_ns(d, 1) - 1234);
    assert_true(real(s, SL_STAT_LATENCY_MEAN_NS) == ((double)(2 * first + launched) + waited) / 4);
    assert_true(real(s, SL_STAT_LATENCY_MAX_NS) == (double)launched);
    /* What a run leaves is nothing to the next one. */
    begin(&b);
    put_in(&b, 3, 0);
    begin(&b);
    (void)launch(&b, b.consumer, 0, 0, 4);
    assert_int_equal(driver_end(d)[SL_STAT_REQUEST_ELEMENTS], 0);
    driver_destroy(d);
}

/* Wavefronts that yield take their requests along, and have ended when they have after their
 * restart; they come back in another order, to contexts that others have had since. */
TEST(test_request_yields)
{
    const struct bench b = bench_create("latency.measure=on");
    struct driver *d = b.driver;

    asm_begin(&code);
    asm_put(&code, asm_SL_YIELD(ZERO, ZERO));
    asm_put(&code, ASM_RET);
    const uint32_t plain = asm_here(&code);
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    const uint64_t yields = driver_kernel(d, 0, 0);
    ((struct sl_kernel *)driver_at(d, yields))->flags |= SL_KERNEL_YIELDS;
    const uint64_t other = driver_kernel(d, plain, 0);
    *channel(&b, 0) = *channel(&b, 1) = (struct sl_channel){.width = WIDTH};
    driver_begin_yields(d);
    driver_store(d, SL_REG_GRAPH, b.graph);
    double launched_ns[2];
    for (uint32_t i = 0; i < 2; i++) {
        put_in(&b, i, 1000 * (i + 1));
        ring(&b, yields, 0, i, 1);
        launched_ns[i] = (double)d->soc->core->time_ps / 1000 + LAUNCH_NS;
    }
    driver_await(d, SL_REG_YIELD_TAIL, 2);
    ring(&b, other, 1, 6, 1);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_restart(d, driver_yield(d, 1)->block);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    driver_idle(d, 1000);
    driver_restart(d, driver_yield(d, 0)->block);
    driver_await(d, SL_REG_COMPLETION_TAIL, 3);
    const uint64_t *s = driver_end(d);
    assert_int_equal(driver_completion(d, 1)->id, 1);
    assert_int_equal(s[SL_STAT_REQUEST_ELEMENTS], 2);
    assert_true(real(s, SL_STAT_REQUEST_MAX_NS) == end_ns(d, 2) - 1);
    assert_true(real(s, SL_STAT_REQUEST_MEAN_NS) == (end_ns(d, 2) - 1 + end_ns(d, 1) - 2) / 2);
    assert_int_equal(channels.of[1].dispatched.count, 0); /* its entry was never published */
    assert_int_equal(channels.of[0].dispatched.count, 2);
    assert_true((double)channels.of[0].dispatched.most / 1000 == end_ns(d, 2) - launched_ns[0]);
    assert_true((double)channels.of[0].dispatched.sum / 1000 ==
                end_ns(d, 2) - launched_ns[0] + end_ns(d, 1) - launched_ns[1]);
    assert_laws(s);
    driver_destroy(d);
}

/* Off, the figures are 0, and all others as they are with it, whether or not a report wants those
 * by channel. */
TEST(test_changes_nothing)
{
    static uint64_t statistics[3][SL_STAT_COUNT];
    static const struct {
        const char *setting;
        struct sl_channel_latency *channels;
    } machines[] = {{"latency.measure=on", &channels},
                    {"latency.measure=off", &channels},
                    {"latency.measure=off", NULL}};

    for (int i = 0; i < 3; i++) {
        sl_channel_latency_clear(&channels);
        const struct bench b = bench_create_with(machines[i].setting, machines[i].channels);
        begin(&b);
        (void)launch(&b, b.publisher, 0, 0, 1);
        (void)launch(&b, b.consumer, 1, 6, 3);
        memcpy(statistics[i], driver_end(b.driver), sizeof statistics[i]);
        assert_int_equal(channels.of[1].dispatched.count, machines[i].channels != NULL ? 3 : 0);
        driver_destroy(b.driver);
    }
    for (int id = 0; id < SL_STAT_COUNT; id++) {
        const bool is_latency =
            id >= SL_STAT_LATENCY_ELEMENTS && id <= SL_STAT_LATENCY_DISPATCHED_MAX_NS;
        for (int off = 1; off < 3; off++) {
            assert_int_equal(statistics[off][id], is_latency ? 0 : statistics[0][id]);
        }
        assert_true(!is_latency || statistics[0][id] != 0);
    }
}
