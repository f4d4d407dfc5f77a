/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What addresses belong to, for statistics: every part at both of its edges. */
#include <stdlib.h>

#include "common/check.h"
#include "observers/address_classes.h"
#include "sluice/config.h"
#include "sluice/layouts.h"
#include "sluice/memory_map.h"

#define GRAPH_ADDRESS (SL_HEAP_BASE + 64)
#define CHANNELS      3u
#define ARRAYS        (SL_HEAP_BASE + SL_MIB(1))

static struct sl_config config;
static struct sl_layout layout;
static struct dram dram;
static struct mem_map *map;

static int setup(void **state)
{
    (void)state;
    sl_config_init(&config);
    assert_int_equal(sl_layout_compute(&config, &layout), 0);
    /* The graph and its channels are all that is read. */
    dram.size = SL_HEAP_BASE - SL_DRAM_BASE + SL_MIB(1);
    dram.bytes = calloc(1, dram.size);
    map = mem_map_create(&config, &dram);
    assert_non_null(dram.bytes);
    assert_non_null(map);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mem_map_destroy(map);
    free(dram.bytes);
    return 0;
}

/* Channel i: 64 elements and one of slack, 12 bytes each; 128 entries of control; 64 / 16 done
 * counts; arrays of higher channels lie lower. */
static uint64_t arrays_of(uint32_t channel)
{
    return ARRAYS + (CHANNELS - 1 - channel) * 4096ull;
}

static void put_graph(void)
{
    struct sl_graph *graph = dram_at(&dram, GRAPH_ADDRESS);
    struct sl_channel *channels = dram_at(&dram, GRAPH_ADDRESS + sizeof *graph);

    graph->channel_count = CHANNELS;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        channels[i].width = 64;
        channels[i].slack = 1;
        channels[i].stride = 12;
        channels[i].done_shift = 4;
        channels[i].data = arrays_of(i);
        channels[i].control = arrays_of(i) + 1024;
        channels[i].done = arrays_of(i) + 2048;
    }
}

static void expect(uint64_t base, uint64_t bytes, enum sl_served_structure structure)
{
    assert_int_equal(mem_map_find(map, base), structure);
    assert_int_equal(mem_map_find(map, base + bytes / 2), structure);
    assert_int_equal(mem_map_find(map, base + bytes - 1), structure);
}

TEST_WITH(finds_parts_of_the_memory_map, setup, teardown)
{
    const uint64_t pool_limit = layout.pool_base + layout.pool_blocks * layout.pool_block_bytes;
    const uint64_t stacks = layout.pool_block_bytes - layout.save_area_bytes;

    expect(SL_FIRMWARE_BASE, SL_KERNEL_BASE - SL_FIRMWARE_BASE, SL_SERVED_STRUCTURE_FIRMWARE);
    expect(SL_KERNEL_BASE, SL_KERNEL_BYTES, SL_SERVED_STRUCTURE_KERNEL);
    expect(SL_HEAP_BASE, layout.heap_limit - SL_HEAP_BASE, SL_SERVED_STRUCTURE_HEAP);
    for (uint64_t block = layout.pool_base; block < pool_limit;
         block += (layout.pool_blocks - 1) * layout.pool_block_bytes) {
        expect(block, layout.save_area_bytes, SL_SERVED_STRUCTURE_SAVE_AREAS);
        expect(block + layout.save_area_bytes, stacks, SL_SERVED_STRUCTURE_STACKS);
    }
    expect(pool_limit, layout.dram_limit - pool_limit, SL_SERVED_STRUCTURE_FIRMWARE);
}

TEST_WITH(finds_arrays_of_channels, setup, teardown)
{
    put_graph();
    mem_map_graph(map, GRAPH_ADDRESS);
    expect(GRAPH_ADDRESS, sizeof(struct sl_graph), SL_SERVED_STRUCTURE_HEAP);
    expect(GRAPH_ADDRESS + sizeof(struct sl_graph), CHANNELS * sizeof(struct sl_channel),
           SL_SERVED_STRUCTURE_CHANNEL_COUNTERS);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const uint64_t data = arrays_of(i);
        expect(data - 1, 1, SL_SERVED_STRUCTURE_HEAP);
        expect(data, 65 * 12, SL_SERVED_STRUCTURE_CHANNEL_DATA);
        expect(data + 65 * 12, 1024 - 65 * 12, SL_SERVED_STRUCTURE_HEAP);
        expect(data + 1024, 128 * 4, SL_SERVED_STRUCTURE_CHANNEL_CONTROL);
        expect(data + 1024 + 128 * 4, 1024 - 128 * 4, SL_SERVED_STRUCTURE_HEAP);
        expect(data + 2048, 4 * 4, SL_SERVED_STRUCTURE_CHANNEL_DONE);
        expect(data + 2048 + 4 * 4, 64, SL_SERVED_STRUCTURE_HEAP);
    }
}

/* No graph, one that is gone, and ones that are not all in DRAM: the heap is heap. */
TEST_WITH(has_no_arrays_without_a_graph, setup, teardown)
{
    struct sl_graph *graph = dram_at(&dram, GRAPH_ADDRESS);
    static const uint64_t none[] = {0, GRAPH_ADDRESS + 4, UINT64_MAX - 7};

    expect(arrays_of(0), 16, SL_SERVED_STRUCTURE_HEAP);
    put_graph();
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        mem_map_graph(map, GRAPH_ADDRESS);
        expect(arrays_of(0), 16, SL_SERVED_STRUCTURE_CHANNEL_DATA);
        mem_map_graph(map, none[i]);
        expect(arrays_of(0), 16, SL_SERVED_STRUCTURE_HEAP);
    }
    graph->channel_count = SL_GRAPH_CHANNELS + 1;
    mem_map_graph(map, GRAPH_ADDRESS);
    expect(arrays_of(0), 16, SL_SERVED_STRUCTURE_HEAP);
    graph->channel_count = 0;
    mem_map_graph(map, GRAPH_ADDRESS);
    expect(GRAPH_ADDRESS + sizeof *graph, 16, SL_SERVED_STRUCTURE_HEAP);
}
