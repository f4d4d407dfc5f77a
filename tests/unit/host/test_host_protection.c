/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The tables of what lanes of a run may access, for graphs, launches, task vectors and runs that
 * the library has not described; and grants of private memory. The test plays the firmware. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "host/driver/graph/graph.h"
#include "host/runtime/run/run.h"
#include "sluice/config.h"
#include "sluice/registers.h"
#include "unit/common/host_fixture.h"

#define WIDTH      256u
#define PAGE       4096u
#define NOTHING    0u
#define READ       ((unsigned)SL_ACCESS_READ)
#define READ_WRITE (READ | (unsigned)SL_ACCESS_WRITE)
#define ROUTINES   ((unsigned)SL_ACCESS_ROUTINES)

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_mailbox mailbox;
static uint64_t window[SL_REG_BYTES / sizeof(uint64_t)];

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    fixture_open_mailbox(soc, &mailbox);
    soc->layout.window_base = (uintptr_t)window;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

/* ---- tables ---- */

/* What all tables have to be: what the device checks. */
static void assert_table(const struct sl_protection *table)
{
    uint64_t end = 0;
    assert_int_equal(table->magic, SL_PROTECTION_MAGIC);
    assert_in_range(table->count, 0, SL_RANGES_MAX);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct sl_range *const range = &table->range[i];
        assert_int_equal(range->base % SL_RANGE_GRAIN, 0);
        assert_int_equal(range->bytes % SL_RANGE_GRAIN, 0);
        assert_true(range->bytes > 0);
        assert_true(range->base >= end);
        end = range->base + range->bytes;
    }
    for (uint32_t i = table->count; i < SL_RANGES_MAX; i++) {
        assert_int_equal(table->range[i].base | table->range[i].bytes | table->range[i].access, 0);
    }
}

/* What it says of an address: enum sl_access; ROUTINES where these may write its line. */
static unsigned access_of(const struct sl_protection *table, uint64_t address)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct sl_range *const range = &table->range[i];
        if (address >= range->base && address - range->base < range->bytes) {
            const uint64_t line = (address - range->base) / SL_RANGE_GRAIN % 8;
            const bool is_theirs = (range->lines >> line & 1) != 0;
            return range->access & ~(is_theirs ? 0u : ROUTINES);
        }
    }
    return NOTHING;
}

static void assert_access(const struct sl_protection *table, uint64_t base, uint64_t bytes,
                          unsigned access)
{
    for (uint64_t at = base; at < base + bytes; at += SL_RANGE_GRAIN) {
        assert_int_equal(access_of(table, at), access);
    }
}

/* The table that came with the last message. */
static const struct sl_protection *sent_table(void)
{
    const struct sl_message_host *const message =
        &mailbox.host[(mailbox.host_tail - 1) % SL_MAILBOX_ENTRIES];
    const struct sl_protection *const table =
        (const struct sl_protection *)(uintptr_t)message->argument[1];
    assert_non_null(table);
    assert_table(table);
    soc->is_running = false;
    return table;
}

/* ---- graphs ---- */

static struct sl_graph_builder *make_graph(uint32_t flags)
{
    struct sl_graph_builder *graph = NULL;
    const struct sl_channel_options options = {.flags = flags};
    assert_int_equal(sl_graph_create(module, &graph), SL_OK);
    const int first = sl_graph_channel(graph, 12, WIDTH, &options);
    const int second = sl_graph_channel(graph, 4, 2 * WIDTH, NULL);
    sl_graph_connect(graph, first, sl_graph_kernel(graph, "first_kernel"));
    sl_graph_connect(graph, second, sl_graph_kernel(graph, "second_kernel"));
    assert_int_equal(sl_graph_prepare(graph), SL_OK);
    void *const element = sl_graph_talloc(graph, second, 1);
    assert_non_null(element);
    assert_int_equal(sl_graph_enq(graph, second, element, 1), SL_OK);
    return graph;
}

static void assert_channel(const struct sl_protection *table, struct sl_graph_builder *graph,
                           int number, bool is_own)
{
    const struct sl_channel *const channel = sl_graph_shared_channel(graph, number);
    const struct sl_channel_arrays arrays = sl_channel_arrays(channel, channel->width);
    const unsigned read = is_own ? READ : NOTHING;
    const unsigned routines = is_own ? READ | ROUTINES : NOTHING;
    for (uint64_t line = 0; line < sizeof *channel / SL_RANGE_GRAIN; line++) {
        const bool is_counter = line == 1 || line == 3 || line == 4;
        assert_int_equal(access_of(table, (uintptr_t)channel + line * SL_RANGE_GRAIN),
                         is_counter ? routines : read);
    }
    assert_access(table, channel->data, arrays.data, is_own ? READ_WRITE : NOTHING);
    assert_access(table, channel->control, arrays.control, routines);
    assert_access(table, channel->done, arrays.done, routines);
    assert_access(table, channel->stamps, arrays.stamps, routines);
}

static void assert_graph(const struct sl_protection *table, struct sl_graph_builder *graph,
                         bool is_own)
{
    const struct sl_graph *const shared = sl_graph_shared(graph);
    const struct sl_kernel *const kernels = (const struct sl_kernel *)(uintptr_t)shared->kernels;
    const unsigned read = is_own ? READ : NOTHING;
    assert_access(table, (uintptr_t)shared, sizeof *shared, read);
    assert_access(table, shared->kernels, shared->kernel_count * sizeof *kernels, read);
    for (uint32_t i = 0; i < shared->kernel_count; i++) {
        assert_access(table, kernels[i].limits, sizeof(struct sl_limit), read);
    }
    for (int i = 0; i < (int)shared->channel_count; i++) {
        assert_channel(table, graph, i, is_own);
    }
}

/* A graph is its own, and another one's is not; tables of the library are nobody's. */
TEST_WITH(opens_a_graph, setup, teardown)
{
    struct sl_graph_builder *const one = make_graph(0);
    struct sl_graph_builder *const other = make_graph(SL_CHANNEL_STAMPED);

    assert_int_equal(sl_graph_execute(one), SL_OK);
    const struct sl_protection *table = sent_table();
    assert_graph(table, one, true);
    assert_graph(table, other, false);
    assert_int_equal(access_of(table, (uintptr_t)table), NOTHING);

    assert_int_equal(sl_graph_open(other), SL_OK);
    soc->run->feed.is_open = false;
    table = sent_table();
    assert_graph(table, other, true);
    assert_graph(table, one, false);
    assert_int_equal(access_of(table, (uintptr_t)soc->run->feed.elements), NOTHING);
}

/* ---- launches, task vectors ---- */

static void launch(void)
{
    const uint32_t one[3] = {1, 1, 1};
    const uint64_t argument = 0;
    module->prototype = (struct sl_prototype){.is_known = false};
    assert_int_equal(sl_launch(module, "second_kernel", one, one, 0, &argument, 1), SL_OK);
}

/* Open memory up to its highest allocation, what is free in it included. */
TEST_WITH(opens_the_programs_memory, setup, teardown)
{
    char *const low = sl_alloc(soc, 1000, 0);
    char *const gap = sl_alloc(soc, 1000, 0);
    char *const high = sl_alloc(soc, 100, 0);

    sl_free(soc, gap);
    launch();
    const struct sl_protection *table = sent_table();
    assert_access(table, (uintptr_t)low, (uint64_t)(high - low) + 128, READ_WRITE);
    assert_int_equal(access_of(table, (uintptr_t)high + 128), NOTHING);
    assert_int_equal(access_of(table, soc->heap.base - 1), NOTHING);
    assert_int_equal(access_of(table, (uintptr_t)soc->run->launch), NOTHING);

    sl_free(soc, high);
    launch();
    table = sent_table();
    assert_int_equal(access_of(table, (uintptr_t)low), READ_WRITE);
    assert_int_equal(access_of(table, (uintptr_t)high), NOTHING);
}

TEST_WITH(opens_a_task_vector, setup, teardown)
{
    const struct sl_trees_options options = {
        .capacity = 1000, .arguments = 3, .functions = 2, .log = 16};
    struct sl_task_vector *trees = NULL;
    struct sl_task_vector *other = NULL;

    assert_int_equal(sl_trees_create(module, "second_kernel", NULL, &options, &other), SL_OK);
    assert_int_equal(sl_trees_create(module, "second_kernel", NULL, &options, &trees), SL_OK);
    assert_int_equal(sl_trees_execute(trees, 1, NULL, 0), SL_OK);
    const struct sl_protection *const table = sent_table();
    const struct sl_trees *const shared = sl_trees_shared(trees);
    const uint64_t base = (uintptr_t)shared;
    assert_access(table, base, 64, READ);
    assert_access(table, base + 64, 192, READ_WRITE);
    assert_access(table, base + 256, sizeof *shared - 256, READ);
    assert_access(table, shared->vector, 16 * 1000, READ_WRITE);
    assert_int_equal(access_of(table, shared->stack), NOTHING);
    assert_int_equal(access_of(table, shared->log), NOTHING);
    assert_access(table, (uintptr_t)sl_trees_shared(other), sizeof *shared, NOTHING);
    assert_int_equal(access_of(table, sl_trees_shared(other)->vector), NOTHING);
    sl_trees_destroy(trees);
    sl_trees_destroy(other);
}

/* ---- kernel files ---- */

/* Whole pages; of a page that two segments share, the first one's access counts. */
TEST_WITH(opens_the_kernel_file, setup, teardown)
{
    const uint64_t code = SL_KERNEL_BASE;
    struct sl_elf elf = {
        .segments = {{.address = code, .bytes = 100, .is_code = true},
                     {.address = code + PAGE, .bytes = PAGE + 4},
                     {.address = code + 2 * PAGE + 64, .bytes = 2 * PAGE, .is_writable = true}},
        .segment_count = 3,
    };

    module->elf = &elf;
    launch();
    const struct sl_protection *const table = sent_table();
    module->elf = NULL;
    assert_access(table, code, 3 * PAGE, READ);
    assert_access(table, code + 3 * PAGE, 2 * PAGE, READ_WRITE);
    assert_int_equal(access_of(table, code + 5 * PAGE), NOTHING);
    assert_int_equal(table->count, 3); /* neighbours of equal access are one; and open memory */
}

/* ---- runs that are not described ---- */

TEST_WITH(opens_all_that_is_allocated, setup, teardown)
{
    char *const open = sl_alloc(soc, 64, 0);
    char *const closed = sl_alloc_private(soc, 64, 0);

    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    const struct sl_protection *const table = sent_table();
    assert_int_equal(access_of(table, (uintptr_t)open), READ_WRITE);
    assert_int_equal(access_of(table, (uintptr_t)open + 64), NOTHING);
    assert_int_equal(access_of(table, (uintptr_t)closed - 64 - sizeof *table), NOTHING);
    assert_int_equal(access_of(table, (uintptr_t)closed), READ_WRITE);
    assert_int_equal(access_of(table, soc->heap.limit - 1), READ_WRITE);
}

/* A kernel may have stored anywhere then, so that nothing is taken for cleared. */
TEST_WITH(has_none_where_it_is_off, setup, teardown)
{
    soc->config.number[SL_CFG_DEBUG_PROTECTION] = SL_DEBUG_PROTECTION_OFF;
    launch();
    assert_int_equal(mailbox.host[0].argument[1], 0);
    soc->is_running = false;
    char *const wild = (char *)(uintptr_t)(soc->heap.base + FIXTURE_HEAP_BYTES / 2);
    *wild = 1;
    assert_non_null(sl_alloc(soc, FIXTURE_HEAP_BYTES / 4 * 3, 0));
    assert_int_equal(*wild, 0);
}

/* ---- grants ---- */

static unsigned granted(const void *memory)
{
    launch();
    return access_of(sent_table(), (uintptr_t)memory);
}

TEST_WITH(opens_what_is_granted, setup, teardown)
{
    char *const secret = sl_alloc_private(soc, 1000, 0);

    assert_int_equal(granted(secret), NOTHING);
    assert_int_equal(sl_grant(soc, secret, SL_ACCESS_READ), SL_OK);
    assert_int_equal(granted(secret), READ);
    assert_int_equal(granted(secret + 1023), READ);
    assert_int_equal(granted(secret + 1024), NOTHING);
    assert_int_equal(sl_grant(soc, secret, SL_ACCESS_READ | SL_ACCESS_WRITE), SL_OK);
    assert_int_equal(granted(secret), READ_WRITE);
    assert_int_equal(sl_grant(soc, secret, 0), SL_OK);
    assert_int_equal(granted(secret), NOTHING);
    assert_int_equal(sl_grant(soc, secret, SL_ACCESS_WRITE), SL_OK);
    assert_int_equal(granted(secret), SL_ACCESS_WRITE);
    sl_free(soc, secret); /* and what is there next is nobody's */
    assert_ptr_equal(sl_alloc_private(soc, 1000, 0), secret);
    assert_int_equal(granted(secret), NOTHING);
}

static void assert_refused(const void *memory, unsigned access, const char *part)
{
    assert_int_equal(sl_grant(soc, memory, access), SL_ERROR_USAGE);
    if (strstr(sl_soc_error(soc), part) == NULL) {
        fail_msg("'%s' has no '%s'", sl_soc_error(soc), part);
    }
}

TEST_WITH(refuses_bad_grants, setup, teardown)
{
    char *const open = sl_alloc(soc, 64, 0);
    char *const secret = sl_alloc_private(soc, 128, 0);
    int local = 0;

    assert_refused(open, SL_ACCESS_READ, "open to all kernels");
    assert_refused(secret + 64, SL_ACCESS_READ, "not allocated by sl_alloc_private()");
    assert_refused(&local, SL_ACCESS_READ, "not allocated by sl_alloc_private()");
    assert_refused(NULL, SL_ACCESS_READ, "not allocated by sl_alloc_private()");
    assert_refused(secret, SL_ACCESS_ROUTINES, "access 0x4 is not made of");
    soc->is_running = true;
    assert_refused(secret, SL_ACCESS_READ, "a graph is running");
    soc->is_running = false;
    sl_free(soc, secret);
    assert_refused(secret, SL_ACCESS_READ, "free already");
}

/* The most of everything that one run can have. */
TEST_WITH(has_room_for_all_grants, setup, teardown)
{
    static struct sl_elf elf = {.segment_count = SL_ELF_SEGMENTS_MAX};
    char *piece[SL_GRANTS_MAX + 1];

    for (unsigned i = 0; i < SL_ELF_SEGMENTS_MAX; i++) {
        elf.segments[i] = (struct sl_elf_segment){
            .address = SL_KERNEL_BASE + 2 * PAGE * i, .bytes = 4, .is_writable = i > 0};
    }
    for (unsigned i = 0; i <= SL_GRANTS_MAX; i++) {
        assert_non_null(sl_alloc_private(soc, 64, 0)); /* none has a neighbour */
        piece[i] = sl_alloc_private(soc, 64, 0);
    }
    for (unsigned i = 0; i < SL_GRANTS_MAX; i++) {
        assert_int_equal(sl_grant(soc, piece[i], SL_ACCESS_READ), SL_OK);
    }
    assert_refused(piece[SL_GRANTS_MAX], SL_ACCESS_READ, "32 pieces of private memory are granted");
    assert_int_equal(sl_grant(soc, piece[SL_GRANTS_MAX], 0), SL_OK);
    assert_int_equal(sl_grant(soc, piece[3], SL_ACCESS_WRITE), SL_OK);

    assert_non_null(sl_alloc(soc, 64, 0));
    module->elf = &elf;
    assert_int_equal(sl_graph_execute(make_graph(0)), SL_OK);
    const struct sl_protection *const table = sent_table();
    module->elf = NULL;
    assert_int_equal(table->count, SL_ELF_SEGMENTS_MAX + 1 + SL_GRAPH_RANGES + SL_GRANTS_MAX);
    for (unsigned i = 0; i < SL_GRANTS_MAX; i++) {
        assert_int_equal(access_of(table, (uintptr_t)piece[i]),
                         i == 3 ? (unsigned)SL_ACCESS_WRITE : READ);
    }
}

/* ---- what lies at an address ---- */

static struct sl_graph_builder *own_graph;

static void assert_there(uint64_t address, const char *words)
{
    const struct sl_message_context context = {&soc->config, module, own_graph, NULL, soc};
    char text[256] = "";
    sl_text_append_memory(&context, address, text, sizeof text);
    assert_string_equal(text, words);
}

TEST_WITH(says_what_is_of_graphs, setup, teardown)
{
    struct sl_graph_builder *const other = make_graph(SL_CHANNEL_STAMPED);
    own_graph = make_graph(0);

    const struct sl_graph *const shared = sl_graph_shared(own_graph);
    const struct sl_channel *const channel = sl_graph_shared_channel(own_graph, 1);
    assert_there((uintptr_t)shared + 8, "the description of the graph");
    assert_there((uintptr_t)channel + 8, "the description of channel 1 of the graph");
    assert_there((uintptr_t)&channel->control_head, "the counters of channel 1 of the graph");
    assert_there(shared->kernels, "the table of kernels, edges, guards and limits of the graph");
    assert_there(channel->data, "the data array of channel 1 of the graph");
    assert_there(channel->data - 1, "the data array of channel 0 of the graph");
    assert_there(channel->control + 4095, "the control array of channel 1 of the graph");
    assert_there(channel->done, "the done counts of channel 1 of the graph");
    const struct sl_channel *const stamped = sl_graph_shared_channel(other, 0);
    assert_there(stamped->done, "the done counts of channel 0 of another graph");
    assert_there(stamped->stamps, "the stamps of channel 0 of another graph");
    own_graph = NULL;
}

TEST_WITH(says_what_is_of_the_heap, setup, teardown)
{
    char *const open = sl_alloc(soc, 100, 0);
    char *const secret = sl_alloc_private(soc, 1000, 0);

    launch();
    char text[128];
    (void)snprintf(text, sizeof text, "byte 65 of 128 that sl_alloc() gave as allocation %u",
                   sl_heap_at(&soc->heap, (uintptr_t)open).number);
    assert_there((uintptr_t)open + 65, text);
    (void)snprintf(text, sizeof text,
                   "byte 1023 of 1024 that sl_alloc_private() gave as allocation %u",
                   sl_heap_at(&soc->heap, (uintptr_t)secret).number);
    assert_there((uintptr_t)secret + 1023, text);
    assert_there((uintptr_t)open + 128, "free memory of the shared heap");
    assert_there((uintptr_t)soc->run->launch, "the description of a launch");
    assert_there((uintptr_t)sent_table(), "the table of what a run may access");
}

TEST_WITH(says_what_is_elsewhere, setup, teardown)
{
    struct sl_elf_function function = {.name = "fib", .address = SL_KERNEL_BASE, .bytes = 64};
    const struct sl_elf elf = {
        .segments = {{.address = SL_KERNEL_BASE, .bytes = 100, .is_code = true},
                     {.address = SL_KERNEL_BASE + PAGE, .bytes = 64},
                     {.address = SL_KERNEL_BASE + 2 * PAGE, .bytes = 64, .is_writable = true}},
        .segment_count = 3,
        .functions = &function,
        .function_count = 1,
    };

    module->elf = &elf;
    soc->layout = (struct sl_layout){.dram_bytes = SL_MIB(64),
                                     .pool_base = SL_DRAM_BASE + SL_MIB(32),
                                     .pool_blocks = 4,
                                     .pool_block_bytes = 2 * PAGE};
    assert_there(SL_KERNEL_BASE + 63, "code of function fib");
    assert_there(SL_KERNEL_BASE + 64, "code of the kernel file");
    assert_there(SL_KERNEL_BASE + PAGE, "constants of the kernel file");
    assert_there(SL_KERNEL_BASE + 2 * PAGE, "data of the kernel file");
    assert_there(SL_KERNEL_BASE + 3 * PAGE, "nothing of the kernel file");
    assert_there(SL_DRAM_BASE, "the firmware's memory");
    assert_there(SL_MAILBOX_BASE, "the mailbox of host and firmware");
    assert_there(SL_MACHINE_BASE, "the machine's configuration");
    assert_there(soc->layout.pool_base + 2 * PAGE, "block 1 of the wavefront state pool");
    assert_there(soc->layout.pool_base + 8 * PAGE, "the device's own memory at the top of DRAM");
    assert_there(SL_DRAM_BASE + SL_MIB(64), "no memory");
    assert_there(0, "no memory");
    module->elf = NULL;
}
