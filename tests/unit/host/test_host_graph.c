/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder, its placement in shared memory, and host-side talloc and enq. */
#include <string.h>

#include "common/check.h"
#include "host/driver/graph/graph.h"
#include "unit/common/host_fixture.h"

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_graph_builder *graph;

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    return sl_graph_create(module, &graph) == SL_OK ? 0 : -1;
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

static void assert_refused(const char *part)
{
    assert_int_equal(sl_graph_prepare(graph), SL_ERROR_USAGE);
    assert_error(part);
    assert_null(sl_graph_shared(graph));
}

/* One channel and one kernel, as Fibonacci. */
static void build(size_t element_bytes, uint32_t width, uint64_t first)
{
    const struct sl_channel_options options = {.name = "fib", .first = first};
    assert_int_equal(sl_graph_channel(graph, element_bytes, width, &options), 0);
    assert_int_equal(sl_graph_kernel(graph, "first_kernel"), 0);
    sl_graph_argument(graph, 0, 2, 0);
    sl_graph_argument(graph, 0, 3, 0x1234);
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
}

TEST_WITH(places_a_graph, setup, teardown)
{
    build(12, 1024, 0);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    const struct sl_graph *const shared = sl_graph_shared(graph);
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    const struct sl_kernel *const kernel = (const void *)(uintptr_t)shared->kernels;
    const struct sl_edge *const edge = (const void *)(uintptr_t)shared->edges;
    assert_ptr_equal(channel, shared + 1);
    assert_int_equal(channel->stride, 12); /* as in a C array of structures of 12 bytes */
    assert_int_equal(channel->stride_reciprocal, SL_STRIDE_RECIPROCAL(12));
    assert_int_equal(channel->slack, 1);
    assert_int_equal(channel->fan_out, 2);
    assert_int_equal(channel->done_shift, 6);
    assert_int_equal(channel->data % 64, 0);
    assert_int_equal(kernel->entry, SL_KERNEL_BASE);
    assert_int_equal(kernel->argument_count, 2);
    assert_int_equal(kernel->argument[1], 0x1234);
    assert_int_equal(kernel->registers, 8);
    assert_int_equal(edge->fan_out, 2);
    assert_null(sl_graph_shared_channel(graph, 1));
}

/* The program's variables, 36 bytes, and behind them, aligned to 16, what the graph adds; a kernel
 * of which nothing is said has none. */
TEST_WITH(gives_kernels_lds, setup, teardown)
{
    module->lds_bytes = 36;
    build(12, 1024, 0);
    const int channel = sl_graph_channel(graph, 4, 256, NULL);
    const int second = sl_graph_kernel(graph, "second_kernel");
    sl_graph_connect(graph, channel, second);
    sl_graph_lds(graph, second, 65536 - 48);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    const struct sl_kernel *const kernels =
        (const void *)(uintptr_t)sl_graph_shared(graph)->kernels;
    assert_int_equal(kernels[0].lds_bytes, 0);
    assert_int_equal(kernels[1].lds_bytes, 65536);
    sl_graph_lds(graph, second, 0);
    assert_int_equal(kernels[1].lds_bytes, 65536);
    assert_int_equal(sl_graph_prepare(graph), SL_ERROR_USAGE);
    assert_error("sl_graph_lds: the graph is prepared already");
}

TEST_WITH(refuses_too_much_lds, setup, teardown)
{
    module->lds_bytes = 36;
    build(12, 1024, 0);
    sl_graph_lds(graph, 0, 65536 - 47);
    assert_refused("kernel 0 'first_kernel': a wavefront needs 65537 bytes of LDS, a compute unit "
                   "has 65536 (gpu.lds is 64 KiB)");
}

TEST_WITH(refuses_lds_of_no_kernel, setup, teardown)
{
    build(12, 1024, 0);
    sl_graph_lds(graph, 1, 16);
    assert_refused("sl_graph_lds: there is no kernel 1: the graph has 1, from 0");
}

/* In order: 1000 = 15 x 64 + 40, so that 40 elements of group 15 are done before the first talloc.
 */
TEST_WITH(starts_counters_inside_a_group, setup, teardown)
{
    build(4, 1024, 1000);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    const uint32_t *const done = (const void *)(uintptr_t)channel->done;
    assert_int_equal(channel->data_tail, 1000);
    assert_int_equal(channel->data_head, 960);
    assert_int_equal(channel->control_head, 1000);
    assert_int_equal(done[15], 40);
    assert_int_equal(done[14], 0);
}

/* Two elements from counter 1023 on: the second one lies in the slack, its done count in group 0.
 */
TEST_WITH(wraps_into_the_slack, setup, teardown)
{
    build(4, 1024, 1023 + 1024 * 5);
    int32_t *const pair = sl_graph_talloc(graph, 0, 2);
    assert_non_null(pair);
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    assert_int_equal((uintptr_t)pair - channel->data, 1023 * 4);
    pair[1] = 7;
    assert_int_equal(sl_graph_enq(graph, 0, pair, 2), SL_OK);
    const uint32_t *const control = (const void *)(uintptr_t)channel->control;
    const uint64_t first = (1023 + 1024 * 5) % 2048;
    assert_int_equal(control[first], 1023);
    assert_int_equal(control[(first + 1) % 2048], 1024);
    assert_int_equal(channel->control_tail - channel->control_head, 2);
    assert_int_equal(channel->control_reserve, channel->control_tail);
    /* The next one is at the start, behind the one that the slack stands for. */
    assert_int_equal((uintptr_t)sl_graph_talloc(graph, 0, 1) - channel->data, 4);
}

TEST_WITH(wraps_at_the_end_of_the_counters, setup, teardown)
{
    build(8, 256, UINT64_MAX);
    for (int i = 0; i < 100; i++) {
        void *const one = sl_graph_talloc(graph, 0, 1);
        assert_non_null(one);
        assert_int_equal(sl_graph_enq(graph, 0, one, 1), SL_OK);
    }
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    assert_int_equal(channel->data_tail, 99);
    assert_int_equal(channel->control_tail - channel->control_head, 100);
}

TEST_WITH(reports_a_full_channel, setup, teardown)
{
    build(4, 256, 0);
    for (int i = 0; i < 256; i++) {
        assert_non_null(sl_graph_talloc(graph, 0, 1));
    }
    assert_null(sl_graph_talloc(graph, 0, 1));
    assert_error("channel 0 'fib' is full: width 256, 256 elements in use, 1 more demanded; use a "
                 "wider channel");
    /* An earlier run took 200, and freed 64 and 3 of them. */
    struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    ((uint32_t *)(uintptr_t)channel->done)[1] = 3;
    channel->data_head = 64;
    channel->control_head = 200;
    assert_null(sl_graph_talloc(graph, 0, 65));
    assert_error("192 elements in use, 65 more demanded; free all that kernels take (sl_tfree()): "
                 "133 of an earlier run were not; or use a wider channel");
}

/* More at once than a lane may ask for. */
TEST_WITH(allocates_side_by_side, setup, teardown)
{
    build(4, 256, 0);
    char *const all = sl_graph_talloc(graph, 0, 256);
    assert_int_equal(sl_graph_enq(graph, 0, all, 256), SL_OK);
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, 0);
    const uint32_t *const control = (const uint32_t *)(uintptr_t)channel->control;
    assert_int_equal(control[0], 0);
    assert_int_equal(control[255], 255);
}

/* There is one element of slack behind the array. */
TEST_WITH(allocates_up_to_the_end, setup, teardown)
{
    build(4, 256, 200);
    assert_null(sl_graph_talloc(graph, 0, 58));
    assert_error("talloc of 58 elements at once, of which 57 lie side by side");
    assert_non_null(sl_graph_talloc(graph, 0, 57));
    assert_non_null(sl_graph_talloc(graph, 0, 100));
}

TEST_WITH(checks_elements, setup, teardown)
{
    int other[4] = {0};
    build(4, 256, 0);
    assert_null(sl_graph_talloc(graph, 0, 0));
    assert_error("channel 0 'fib': talloc of 0 elements");
    assert_null(sl_graph_talloc(graph, 1, 1));
    assert_error("there is no channel 1");
    char *const pair = sl_graph_talloc(graph, 0, 2);
    assert_int_equal(sl_graph_enq(graph, 0, other, 1), SL_ERROR_USAGE);
    assert_error("none of the channel's");
    assert_int_equal(sl_graph_enq(graph, 0, pair + 1, 1), SL_ERROR_USAGE);
    assert_int_equal(sl_graph_enq(graph, 0, pair, 3), SL_ERROR_USAGE);
    assert_error("enq of 3 elements, where 2 are allocated");
    assert_int_equal(sl_graph_enq(graph, 0, pair, 1), SL_OK);
    assert_int_equal(sl_graph_execute(graph), SL_ERROR_USAGE);
    assert_error("channel 0 'fib': 1 elements were allocated and not enqueued");
}

TEST_WITH(refuses_a_bad_width, setup, teardown)
{
    build(4, 100, 0);
    assert_refused("channel 0 'fib': width 100 is not a power of two from 64 to 16777216; 128");
}

TEST_WITH(refuses_a_narrow_channel, setup, teardown)
{
    build(4, 128, 0);
    assert_refused("channel 0 'fib': width 128 is less than a wavefront of 64 lanes can demand");
    assert_error("make it 256 or more");
}

TEST_WITH(allows_a_narrow_channel_on_request, setup, teardown)
{
    const struct sl_channel_options options = {.flags = SL_CHANNEL_NARROW};
    (void)sl_graph_channel(graph, 4, 64, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
}

/* A channel of structures of 12 bytes with these flags, fan-out 2. */
static const struct sl_channel *prepare_variant(uint32_t flags)
{
    const struct sl_channel_options options = {.name = "fib", .flags = flags};
    (void)sl_graph_channel(graph, 12, 256, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    return sl_graph_shared_channel(graph, 0);
}

struct element {
    uint16_t a;
    uint32_t b;
    uint8_t c[4];
};

/* Two elements, written by views and enqueued; returns the address of the second one's b. */
static uint64_t fill_two(void)
{
    void *const made = sl_graph_talloc(graph, 0, 2);
    assert_non_null(made);
    const struct sl_view view = sl_graph_view(graph, 0, made);
    for (uint32_t k = 0; k < 2; k++) {
        SL_FIELD(view, k, struct element, a) = (uint16_t)(10 + k);
        SL_FIELD(view, k, struct element, b) = 20 + k;
        SL_FIELD(view, k, struct element, c[3]) = (uint8_t)(30 + k);
    }
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(SL_FIELD(view, k, struct element, a), 10 + k);
        assert_int_equal(SL_FIELD(view, k, struct element, b), 20 + k);
        assert_int_equal(SL_FIELD(view, k, struct element, c[3]), 30 + k);
    }
    assert_int_equal(sl_graph_enq(graph, 0, made, 2), SL_OK);
    return (uintptr_t)&SL_FIELD(view, 1, struct element, b);
}

TEST_WITH(places_packed_elements, setup, teardown)
{
    const struct sl_channel *const channel = prepare_variant(0);
    assert_int_equal(channel->reservation, SL_RESERVE_WAVEFRONT);
    assert_int_equal(fill_two(), channel->data + 12 + 4);
}

TEST_WITH(places_channels_for_work_items, setup, teardown)
{
    const struct sl_channel *const channel = prepare_variant(SL_CHANNEL_WORKITEM);
    assert_int_equal(channel->reservation, SL_RESERVE_WORKITEM);
    assert_int_equal(channel->stride, 12);
}

TEST_WITH(places_padded_elements, setup, teardown)
{
    const struct sl_channel *const channel = prepare_variant(SL_CHANNEL_PADDED);
    assert_int_equal(channel->stride, SL_CACHE_LINE_BYTES);
    assert_int_equal(channel->stride_reciprocal, 1u << 26);
    assert_int_equal(channel->data % SL_CACHE_LINE_BYTES, 0);
    assert_int_equal(fill_two(), channel->data + 64 + 4);
}

/* The fields' arrays are 256 + 64 elements long: a begins at 0, b at 4 x 320, c[3] at 11 x 320. */
TEST_WITH(places_a_structure_of_arrays, setup, teardown)
{
    const struct sl_channel *const channel = prepare_variant(SL_CHANNEL_SOA | SL_CHANNEL_WORKITEM);
    assert_int_equal(channel->stride, SL_CHANNEL_STRIDE_MIN);
    assert_int_equal(channel->element_bytes, 12);
    assert_int_equal(channel->slack, 64);
    assert_int_equal(channel->data % SL_CACHE_LINE_BYTES, 0);
    assert_int_equal(fill_two(), channel->data + 4 * 320 + 4);
    assert_int_equal(*(uint16_t *)(uintptr_t)(channel->data + 2), 11);
    assert_int_equal(*(uint8_t *)(uintptr_t)(channel->data + 11 * 320 + 1), 31);
    const uint32_t *const control = (const void *)(uintptr_t)channel->control;
    assert_int_equal(control[0], 0);
    assert_int_equal(control[1], 1);
}

/* Padded elements, 512 stamps; two elements put in are one publication, which begins at 0. */
TEST_WITH(places_stamped_channels, setup, teardown)
{
    soc->module->kernel_flags = SL_KERNEL_STAMPED;
    const struct sl_channel *const channel =
        prepare_variant(SL_CHANNEL_STAMPED | SL_CHANNEL_PADDED);
    assert_int_equal(channel->reservation, SL_RESERVE_WAVEFRONT);
    assert_int_equal(channel->stride, SL_CACHE_LINE_BYTES);
    assert_int_equal(fill_two(), channel->data + 64 + 4);
    const uint64_t *const stamps = (const void *)(uintptr_t)channel->stamps;
    assert_int_equal(channel->number, 0);
    assert_int_equal(stamps[0], 2);
    assert_int_equal(stamps[1], 0);
    assert_int_equal(channel->control_reserve, (1ull << 32) + 2);
    assert_int_equal(channel->control_tail, 2);
}

TEST_WITH(refuses_stamps_of_work_items, setup, teardown)
{
    const struct sl_channel_options options = {.name = "fib",
                                               .flags = SL_CHANNEL_STAMPED | SL_CHANNEL_WORKITEM};
    (void)sl_graph_channel(graph, 12, 256, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    assert_refused(
        "channel 0 'fib': SL_CHANNEL_WORKITEM and SL_CHANNEL_STAMPED exclude each other");
}

TEST_WITH(refuses_stamps_of_other_kernels, setup, teardown)
{
    const struct sl_channel_options options = {.name = "fib", .flags = SL_CHANNEL_STAMPED};
    (void)sl_graph_channel(graph, 12, 256, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    assert_refused("edge 0 from kernel 0 'first_kernel' to channel 0 'fib': of kernel and channel, "
                   "one publishes by stamps and the other one in order");
}

TEST_WITH(refuses_padded_structures_of_arrays, setup, teardown)
{
    const struct sl_channel_options options = {.name = "fib",
                                               .flags = SL_CHANNEL_PADDED | SL_CHANNEL_SOA};
    (void)sl_graph_channel(graph, 12, 256, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    sl_graph_output(graph, 0, 0, 2);
    assert_refused("channel 0 'fib': SL_CHANNEL_PADDED and SL_CHANNEL_SOA exclude each other");
}

TEST_WITH(refuses_unknown_flags, setup, teardown)
{
    const struct sl_channel_options options = {.flags = 0x100 | SL_CHANNEL_NARROW};
    (void)sl_graph_channel(graph, 12, 256, &options);
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    assert_refused("channel 0: flags 0x101 have bits that mean nothing; 0x1 would do");
}

TEST_WITH(refuses_unconnected_nodes, setup, teardown)
{
    (void)sl_graph_channel(graph, 4, 256, NULL);
    (void)sl_graph_channel(graph, 4, 256, &(struct sl_channel_options){.name = "lost"});
    (void)sl_graph_kernel(graph, "first_kernel");
    sl_graph_connect(graph, 0, 0);
    assert_refused("channel 1 'lost' is not connected to a kernel");
}

TEST_WITH(refuses_an_unused_kernel, setup, teardown)
{
    build(4, 256, 0);
    (void)sl_graph_kernel(graph, "second_kernel");
    assert_refused("kernel 1 'second_kernel' is not connected to a channel");
}

TEST_WITH(refuses_an_unknown_kernel, setup, teardown)
{
    assert_int_equal(sl_graph_kernel(graph, "third_kernel"), -1);
    /* The first mistake is the one that is reported. */
    sl_graph_connect(graph, 7, -1);
    assert_refused("third_kernel");
}

TEST_WITH(refuses_two_kernels_of_a_channel, setup, teardown)
{
    build(4, 256, 0);
    (void)sl_graph_kernel(graph, "second_kernel");
    sl_graph_connect(graph, 0, 1);
    assert_refused("channel 0 'fib': connected to kernel 0 'first_kernel' already");
}

TEST_WITH(refuses_bad_arguments, setup, teardown)
{
    build(4, 256, 0);
    sl_graph_argument(graph, 0, 8, 1);
    assert_refused("kernel 0 'first_kernel': argument position 8; constant arguments are 2 to 7");
}

TEST_WITH(refuses_bad_edges, setup, teardown)
{
    build(4, 256, 0);
    sl_graph_output(graph, 0, 0, 3);
    assert_refused("declared twice");
}

TEST_WITH(refuses_a_graph_beyond_the_heap, setup, teardown)
{
    build(4096, 1 << 20, 0);
    assert_refused("the shared heap has no");
}

TEST_WITH(frees_what_it_placed, setup, teardown)
{
    const uint64_t before = sl_heap_space(&soc->heap).total;
    build(4, 1024, 0);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    assert_true(sl_heap_space(&soc->heap).total < before);
    sl_graph_destroy(graph);
    assert_int_equal(sl_heap_space(&soc->heap).total, before);
}

TEST_WITH(prepared_graphs_are_closed, setup, teardown)
{
    build(4, 1024, 0);
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    sl_graph_argument(graph, 0, 3, 99);
    const struct sl_kernel *const kernel = (const void *)(uintptr_t)sl_graph_shared(graph)->kernels;
    assert_int_equal(kernel->argument[1], 99);
    assert_int_equal(sl_graph_channel(graph, 4, 64, NULL), -1);
    assert_int_equal(sl_graph_prepare(graph), SL_ERROR_USAGE);
    assert_error("the graph is prepared already");
}

static uint32_t prepared_scheduler(void)
{
    soc->layout.pool_blocks = 1;
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    return sl_graph_shared(graph)->scheduler;
}

TEST_WITH(chooses_a_policy, setup, teardown)
{
    build(4, 1024, 0);
    assert_int_equal(prepared_scheduler(), SL_SCHEDULER_FLAT);
    assert_int_equal(sl_graph_create(module, &graph), SL_OK);
    build(4, 1024, 0);
    sl_graph_policy(graph, SL_SCHEDULER_LEVELIZED);
    assert_int_equal(prepared_scheduler(), SL_SCHEDULER_LEVELIZED);
    sl_graph_policy(graph, SL_SCHEDULER_FLAT);
    assert_int_equal(sl_graph_prepare(graph), SL_ERROR_USAGE);
    assert_error("sl_graph_policy: the graph is prepared already");
    assert_string_equal(sl_policy_name(SL_SCHEDULER_FLAT), "flat");
    assert_string_equal(sl_policy_name(SL_SCHEDULER_LEVELIZED), "levelized");
    assert_null(sl_policy_name(SL_SCHEDULER_COUNT));
}

TEST_WITH(chooses_flags_of_a_policy, setup, teardown)
{
    build(4, 1024, 0);
    sl_graph_policy(graph, SL_SCHEDULER_LEVELIZED);
    sl_graph_policy_flags(graph, SL_POLICY_DRAINED);
    assert_int_equal(prepared_scheduler(), SL_SCHEDULER_LEVELIZED);
    assert_int_equal(sl_graph_shared(graph)->policy_flags, SL_POLICY_DRAINED);
    sl_graph_policy_flags(graph, 0);
    assert_int_equal(sl_graph_prepare(graph), SL_ERROR_USAGE);
    assert_error("sl_graph_policy_flags: the graph is prepared already");
    assert_string_equal(sl_policy_flag_name(0), "drained");
    assert_null(sl_policy_flag_name(SL_POLICY_FLAG_COUNT));
    assert_true((sl_policy_known_flags(SL_SCHEDULER_LEVELIZED) & SL_POLICY_DRAINED) != 0);
    assert_int_equal(sl_policy_known_flags(SL_SCHEDULER_FLAT), SL_POLICY_THROTTLE);
    assert_int_equal(sl_policy_known_flags(SL_SCHEDULER_COUNT), 0);
}

TEST_WITH(refuses_flags_that_the_policy_does_not_know, setup, teardown)
{
    build(4, 1024, 0);
    sl_graph_policy_flags(graph, SL_POLICY_DRAINED);
    assert_refused("the flags of the scheduling policy have bits that it does not know: 0x1, where "
                   "flat knows 0x2");
}

static void build_stack(void)
{
    const struct sl_channel_options options = {.name = "tasks"};
    const int stack = sl_graph_stack(graph, SL_ROLE_PRE_SPAWN, 8, 1024, 2, &options);
    sl_graph_connect_stack(graph, stack, sl_graph_kernel(graph, "first_kernel"));
}

/* Names as long as they may be are cut, and so are their stack's. */
TEST_WITH(a_stack_has_the_name_of_its_levels, setup, teardown)
{
    static const char *const names[] = {"tasks", NULL, "x level 1",
                                        "a name of more than forty characters, which do not fit"};
    static const char *const wanted[] = {"tasks", "stack", "x level 1",
                                         "a name of more than forty characters, wh"};
    const struct sl_channel_options single = {.name = "tasks level 1"};
    char name[80];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct sl_channel_options options = {.name = names[i]};
        const int stack = sl_graph_stack(graph, SL_ROLE_PRE_SPAWN, 8, 1024, 12, &options);
        for (int level = 0; level < 12; level++) {
            sl_graph_stack_name(graph, (uint64_t)(stack + level), name, sizeof name);
            assert_string_equal(name, wanted[i]);
        }
    }
    const int channel = sl_graph_channel(graph, 8, 1024, &single);
    sl_graph_stack_name(graph, (uint64_t)channel, name, sizeof name);
    assert_string_equal(name, "");
    sl_graph_stack_name(graph, (uint64_t)channel + 1, name, sizeof name);
    assert_string_equal(name, "");
    sl_graph_stack_name(NULL, 0, name, sizeof name);
    assert_string_equal(name, "");
}

TEST_WITH(chooses_a_policy_for_stacks, setup, teardown)
{
    build_stack();
    assert_int_equal(prepared_scheduler(), SL_SCHEDULER_LEVELIZED);
    assert_int_equal(sl_graph_create(module, &graph), SL_OK);
    build_stack();
    sl_graph_policy(graph, SL_SCHEDULER_FLAT);
    assert_refused("channel 0 'tasks level 0': it is of a channel stack, and the graph's "
                   "scheduling policy, flat, does not know levels; levelized does");
}

TEST_WITH(refuses_an_unknown_policy, setup, teardown)
{
    build(4, 1024, 0);
    sl_graph_policy(graph, (enum sl_scheduler)SL_SCHEDULER_COUNT);
    assert_refused("sl_graph_policy: there is no policy 2: there are 2, from 0");
}
