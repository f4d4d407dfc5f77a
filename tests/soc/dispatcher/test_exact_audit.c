/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device's exact books of channels (sim-soc/dispatcher/exact_audit.h): what packets name, and
 * what came back without having been dispatched, on each memory system; and that they cost no
 * simulated time.
 */
#include <stdio.h>

#include "check/graph/channel_accounting.h"
#include "check/graph/channels.h"
#include "common/check.h"
#include "sluice/mem_systems.h"
#include "soc/common/driver.h"

#define WIDTH 64u
#define SLACK 3u
#define GROUP 4u

static const char *const systems[] = {
#define SYSTEM(ID, name, tells) "mem.system=" #name,
    SL_MEM_SYSTEMS(SYSTEM)
#undef SYSTEM
};
#define SYSTEMS (sizeof systems / sizeof systems[0])

static struct asm_code code;

struct bench {
    struct driver *d;
    struct sl_channel *channel;
    uint32_t *control;
    uint32_t *done;
    uint64_t graph;
    uint64_t kernel;
    uint32_t packets;
};

/* A graph of one channel whose kernel ends at once. */
static struct bench create(const char *system, const char *audit, uint32_t flags)
{
    struct bench b = {.d = DRIVER("gpu.cus=1", system, audit)};

    asm_begin(&code);
    asm_put(&code, ASM_RET);
    driver_place(b.d, &code);
    b.kernel = driver_kernel(b.d, 0, 0);
    b.graph = driver_take(b.d, sizeof(struct sl_graph) + sizeof(struct sl_channel));
    struct sl_graph *graph = driver_at(b.d, b.graph);
    graph->channel_count = 1;
    b.channel = sl_graph_channels(graph);
    *b.channel = (struct sl_channel){.width = WIDTH,
                                     .slack = SLACK,
                                     .done_shift = 2,
                                     .flags = flags,
                                     .control = driver_take(b.d, 2 * WIDTH * sizeof(uint32_t)),
                                     .done = driver_take(b.d, WIDTH / GROUP * sizeof(uint32_t))};
    b.control = driver_at(b.d, b.channel->control);
    b.done = driver_at(b.d, b.channel->done);
    return b;
}

static void begin(struct bench *b)
{
    driver_begin(b->d);
    driver_store(b->d, SL_REG_GRAPH, b->graph);
    b->packets = 0;
}

/* Elements from `offset` on are published. */
static void publish(struct bench *b, uint32_t offset, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        b->control[b->channel->control_tail++ % (2 * WIDTH)] = offset + i;
    }
    b->channel->control_reserve = b->channel->control_tail;
}

static void reserve(struct bench *b, uint32_t count)
{
    b->channel->data_tail += count;
}

/* Dispatches `count` entries from `first` on. */
static void dispatch(struct bench *b, uint32_t first, uint32_t count)
{
    struct sl_dispatch *packet = driver_packet(b->d, b->kernel, first % (2 * WIDTH), count);

    packet->channel = 0;
    packet->index_mask = 2 * WIDTH - 1;
    driver_bell(b->d);
}

static void expect_complete(struct bench *b)
{
    driver_await(b->d, SL_REG_COMPLETION_TAIL, ++b->packets);
    driver_store(b->d, SL_REG_COMPLETION_HEAD, b->packets);
    assert_int_equal(driver_read(b->d, SL_REG_FAULT_TAIL), 0);
}

static void expect_fault(struct bench *b, enum sl_audit what, uint64_t element, uint64_t value0)
{
    driver_await(b->d, SL_REG_FAULT_TAIL, 1);
    const struct sl_fault *fault = driver_fault(b->d, 0);
    assert_int_equal(fault->code, SL_FAULT_AUDIT);
    assert_int_equal(fault->trap, what);
    assert_int_equal(fault->channel, 0);
    assert_int_equal(fault->kernel, b->kernel);
    assert_int_equal(fault->address, element);
    assert_int_equal(fault->value0, value0);
}

static void end(struct bench *b)
{
    (void)driver_end(b->d);
    driver_destroy(b->d);
}

/* Ten times round the channel, in blocks that end in the slack; heads move between packets. */
TEST(test_balanced)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct bench b = create(systems[s], "debug.audit=every", 0);
        begin(&b);
        for (uint32_t i = 0; i < 10 * WIDTH / GROUP; i++) {
            const uint32_t offset = (uint32_t)b.channel->data_tail % WIDTH;
            reserve(&b, GROUP);
            publish(&b, offset, GROUP);
            dispatch(&b, (uint32_t)b.channel->control_tail - GROUP, GROUP);
            expect_complete(&b);
            if (i >= 8) {
                b.channel->data_head += GROUP;
            }
        }
        end(&b);
    }
}

TEST(test_enqueued_twice)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct bench b = create(systems[s], "debug.audit=end", 0);
        begin(&b);
        reserve(&b, 12);
        publish(&b, 0, 4);
        dispatch(&b, 0, 4);
        expect_complete(&b);
        publish(&b, 4, 2);
        publish(&b, 2, 1);
        dispatch(&b, 4, 3);
        expect_fault(&b, SL_AUDIT_TWICE, 2, 6);
        end(&b);
    }
}

/* Twice in one packet; and an element at the end that is named by its place in the slack. */
TEST(test_twice_at_once)
{
    struct bench b = create("mem.system=flat", "debug.audit=end", 0);
    begin(&b);
    reserve(&b, WIDTH);
    publish(&b, 0, 1);
    publish(&b, WIDTH, 1);
    dispatch(&b, 0, 2);
    expect_fault(&b, SL_AUDIT_TWICE, 0, 1);
    end(&b);
}

TEST(test_offsets)
{
    static const uint32_t bad[] = {8, WIDTH - 1, WIDTH + SLACK, UINT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bench b = create("mem.system=flat", "debug.audit=end", 0);
        begin(&b);
        reserve(&b, 8);
        publish(&b, 0, 2);
        publish(&b, bad[i], 1);
        dispatch(&b, 0, 3);
        expect_fault(&b, SL_AUDIT_OFFSET, bad[i], 2);
        end(&b);
    }
}

/* Elements come back that no packet has named: not of channels whose lanes may give them back. */
TEST(test_early)
{
    for (size_t s = 0; s < SYSTEMS; s++) {
        struct bench b = create(systems[s], "debug.audit=end", 0);
        begin(&b);
        reserve(&b, 12);
        publish(&b, 0, 7);
        publish(&b, 8, 1);
        dispatch(&b, 0, 7);
        expect_complete(&b);
        b.channel->data_head = 8;
        dispatch(&b, 7, 1);
        expect_fault(&b, SL_AUDIT_EARLY, 7, 8);
        end(&b);

        b = create(systems[s], "debug.audit=end", SL_CHANNEL_WORKITEM);
        begin(&b);
        reserve(&b, 12);
        publish(&b, 0, 7);
        publish(&b, 8, 1);
        dispatch(&b, 0, 7);
        expect_complete(&b);
        b.channel->data_head = 8;
        dispatch(&b, 7, 1);
        expect_complete(&b);
        /* More than there were. */
        b.channel->data_head = 16;
        publish(&b, 9, 1);
        dispatch(&b, 8, 1);
        expect_fault(&b, SL_AUDIT_EARLY, 12, 16);
        end(&b);
    }
}

/* A second run: what the first left unfreed is still taken, what the host has put in is not. */
TEST(test_runs)
{
    struct bench b = create("mem.system=flat", "debug.audit=end", 0);
    begin(&b);
    reserve(&b, 8);
    publish(&b, 0, 8);
    dispatch(&b, 0, 8);
    expect_complete(&b);
    (void)driver_end(b.d);
    b.channel->control_head = 8;
    b.channel->data_head = 4;
    reserve(&b, 4);
    publish(&b, 8, 4);
    begin(&b);
    dispatch(&b, 8, 4);
    expect_complete(&b);
    publish(&b, 5, 1);
    dispatch(&b, 12, 1);
    expect_fault(&b, SL_AUDIT_TWICE, 5, 12);
    end(&b);
}

/* Done counts ahead of what was taken: only where each dispatch is audited. */
TEST(test_every)
{
    for (unsigned is_every = 0; is_every < 2; is_every++) {
        struct bench b =
            create("mem.system=flat", is_every ? "debug.audit=every" : "debug.audit=end", 0);
        begin(&b);
        reserve(&b, 8);
        publish(&b, 0, 2);
        b.done[1] = 1;
        dispatch(&b, 0, 2);
        if (is_every) {
            expect_fault(&b, SL_AUDIT_DONE, 4, 1);
        } else {
            expect_complete(&b);
        }
        end(&b);
    }
}

/* Nothing is followed where audits are off, nor descriptions that no check would let pass. */
TEST(test_off)
{
    for (unsigned i = 0; i < 5; i++) {
        struct bench b =
            create("mem.system=flat", i == 0 ? "debug.audit=off" : "debug.audit=every", 0);
        if (i == 1) {
            b.channel->width = 65;
        } else if (i == 2) {
            b.channel->control = 0xfffffffffffffffc;
        } else if (i == 3) {
            b.channel->done_shift = 31;
        } else if (i == 4) {
            ((struct sl_graph *)driver_at(b.d, b.graph))->channel_count = UINT32_MAX;
        }
        begin(&b);
        dispatch(&b, 0, 2);
        expect_complete(&b);
        end(&b);
    }
}

/* The same statistics with and without. */
TEST(test_costs_nothing)
{
    uint64_t cycles[2];
    for (unsigned is_on = 0; is_on < 2; is_on++) {
        struct bench b =
            create("mem.system=flat", is_on ? "debug.audit=every" : "debug.audit=off", 0);
        begin(&b);
        reserve(&b, 16);
        publish(&b, 0, 16);
        dispatch(&b, 0, 16);
        expect_complete(&b);
        cycles[is_on] = driver_end(b.d)[SL_STAT_GPU_CYCLES];
        driver_destroy(b.d);
    }
    assert_int_equal(cycles[0], cycles[1]);
}
