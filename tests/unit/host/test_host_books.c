/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host makes of a graph in shared memory after a run: whatever kernels have written to its
 * description, shapes are the host's own; the audit's sentences; and elements that the host
 * enqueues are those that it has allocated, once each. */
#include <string.h>

#include "common/check.h"
#include "host/driver/graph/graph.h"
#include "host/observe/diagnose/diagnose.h"
#include "sluice/view.h"
#include "unit/common/host_fixture.h"

#define ROUNDS 3000

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_graph_builder *graph;
static uint64_t random_state = 20;

static uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state >> (random_state & 63);
}

static int setup(void **state)
{
    (void)state;
    const struct sl_channel_options options = {.name = "first"};
    const struct sl_channel_options soa = {.name = "second", .flags = SL_CHANNEL_SOA};
    soc = fixture_open(&module);
    if (sl_graph_create(module, &graph) != SL_OK) {
        return -1;
    }
    (void)sl_graph_channel(graph, 8, 256, &options);
    (void)sl_graph_channel(graph, 12, 256, &soa);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_connect(graph, 1, 0);
    sl_graph_output(graph, 0, 0, 2);
    return sl_graph_prepare(graph) == SL_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

static void assert_error(const char *part)
{
    if (strstr(sl_soc_error(soc), part) == NULL) {
        fail_msg("'%s' does not contain '%s'", sl_soc_error(soc), part);
    }
}

TEST_WITH(enqueues_once_what_it_allocated, setup, teardown)
{
    uint64_t *const elements = sl_graph_talloc(graph, 0, 8);
    assert_non_null(elements);
    assert_int_equal(sl_graph_enq(graph, 0, elements + 8, 1), SL_ERROR_USAGE);
    assert_error("channel 0 'first': enq of 1 elements, of which element 8 of the channel's array "
                 "was not allocated, or is enqueued already");
    assert_int_equal(sl_graph_enq(graph, 0, elements + 4, 4), SL_OK);
    assert_int_equal(sl_graph_enq(graph, 0, elements + 2, 4), SL_ERROR_USAGE);
    assert_error("of which element 4 of the channel's array");
    assert_int_equal(sl_graph_enq(graph, 0, elements + 3, 1), SL_OK);
    assert_int_equal(sl_graph_enq(graph, 0, elements + 3, 1), SL_ERROR_USAGE);
    assert_int_equal(sl_graph_enq(graph, 0, elements, 3), SL_OK);
    assert_int_equal(sl_graph_enq(graph, 0, elements, 1), SL_ERROR_USAGE);
    assert_int_equal(sl_graph_enq(graph, 0, elements, 0), SL_OK);
    assert_int_equal(sl_graph_check_filled(graph), SL_OK);
}

/* Runs, as firmware does: all is dispatched and nothing freed. */
static void run(uint64_t *dispatched)
{
    *dispatched = 0;
    sl_graph_mark(graph);
    for (int i = 0; i < 2; i++) {
        struct sl_channel *const channel = sl_graph_shared_channel(graph, i);
        *dispatched += channel->control_tail - channel->control_head;
        channel->control_head = channel->control_tail;
    }
}

static void put(uint32_t count)
{
    for (int i = 0; i < 2; i++) {
        void *const elements = sl_graph_talloc(graph, i, count);
        assert_non_null(elements);
        assert_int_equal(sl_graph_enq(graph, i, elements, count), SL_OK);
    }
}

TEST_WITH(audits, setup, teardown)
{
    uint64_t dispatched;
    put(10);
    run(&dispatched);
    assert_int_equal(dispatched, 20);
    assert_int_equal(sl_graph_audit(graph, 20), SL_OK);
    assert_int_equal(sl_graph_check_filled(graph), SL_OK);

    uint32_t *const done = (uint32_t *)(uintptr_t)sl_graph_shared_channel(graph, 1)->done;
    done[0] = 64;
    assert_int_equal(sl_graph_audit(graph, 20), SL_ERROR_MACHINE);
    assert_error(
        "the channel accounting of the graph does not balance at its end: channel 1 'second': more "
        "elements of a done-count group were freed than taken (the group's done count is "
        "64, where 10 may be), element 0 of its array; its elements are taken by kernel 0 "
        "'first_kernel', filled by the host");
    assert_int_equal(sl_graph_check_filled(graph), SL_ERROR_USAGE);
    assert_error("did not complete when it was executed");
}

TEST_WITH(audits_what_firmware_says, setup, teardown)
{
    uint64_t dispatched;
    put(10);
    run(&dispatched);
    assert_int_equal(sl_graph_audit(graph, 100000), SL_ERROR_MACHINE);
    assert_error("its channels' heads have moved by 20 elements, and the firmware has dispatched "
                 "100000");
}

TEST_WITH(names_kernels, setup, teardown)
{
    uint64_t dispatched;
    put(10);
    run(&dispatched);
    sl_graph_shared_channel(graph, 0)->data_tail++;
    assert_int_equal(sl_graph_audit(graph, dispatched), SL_ERROR_MACHINE);
    assert_error("channel 0 'first': elements were allocated and never enqueued (1), element 10 of "
                 "its array; its elements are taken by kernel 0 'first_kernel', filled by kernel 0 "
                 "'first_kernel'");
}

/* Any words in the description: what the host does then stays inside its own memory and ends. */
TEST_WITH(survives_any_description, setup, teardown)
{
    uint64_t dispatched;
    int found = 0;
    put(100);
    run(&dispatched);
    struct sl_graph *const shared = sl_graph_shared(graph);
    uint64_t *const words = (uint64_t *)shared;
    const size_t count = (sizeof *shared + 2 * sizeof(struct sl_channel)) / sizeof *words;
    for (int round = 0; round < ROUNDS; round++) {
        char text[2048] = "";
        for (int i = 0; i < 20; i++) {
            words[draw() % count] = draw();
        }
        for (int i = 0; i < 2; i++) {
            void *const elements = sl_graph_talloc(graph, i, (uint32_t)(1 + draw() % 300));
            if (elements != NULL) {
                assert_int_equal(sl_graph_enq(graph, i, elements, 1), SL_OK);
                const struct sl_view view = sl_graph_view(graph, i, elements);
                SL_FIELD(view, 0, struct sl_trees_epoch, epoch) = 7;
            }
            (void)sl_graph_freed(graph, (uint32_t)i);
            sl_graph_append_space(graph, (uint64_t)i, text, sizeof text);
        }
        const struct sl_footprint footprint = sl_graph_footprint(graph);
        assert_int_equal(footprint.help_first_bytes, 0);
        found += sl_graph_audit(graph, dispatched) == SL_ERROR_MACHINE;
        sl_graph_mark(graph);
        const struct sl_fault fault = {.code = SL_FAULT_AUDIT,
                                       .trap = (uint32_t)draw(),
                                       .channel = (uint32_t)draw(),
                                       .address = draw(),
                                       .value0 = draw()};
        const struct sl_message_context context = {&soc->config, module, graph, NULL, soc};
        sl_fault_text(&context, &fault, text, sizeof text);
    }
    assert_true(found > ROUNDS / 2);
}
