/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What addresses belong to (observers/address_classes.h). */
#include "observers/address_classes.h"

#include <stdlib.h>

#include "observers/graph_lookup.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"
#include "sluice/stamp.h"

struct mem_map *mem_map_create(const struct sl_config *config, const struct dram *dram)
{
    struct mem_map *map = calloc(1, sizeof(*map));

    if (map == NULL) {
        return NULL;
    }
    map->dram = *dram;
    if (sl_layout_compute(config, &map->layout) != 0) {
        free(map);
        return NULL;
    }
    return map;
}

void mem_map_destroy(struct mem_map *map)
{
    free(map);
}

static void add(struct mem_map *map, uint64_t base, uint64_t bytes,
                enum sl_served_structure structure)
{
    if (bytes > 0) {
        map->intervals[map->count++] = (struct mem_interval){base, base + bytes, structure};
    }
}

static void add_channel(struct mem_map *map, const struct sl_channel *channel)
{
    uint64_t width = channel->width;
    uint64_t groups = channel->done_shift < 32 ? width >> channel->done_shift : 0;

    add(map, channel->data, (width + channel->slack) * channel->stride,
        SL_SERVED_STRUCTURE_CHANNEL_DATA);
    add(map, channel->control, 2 * width * sizeof(uint32_t), SL_SERVED_STRUCTURE_CHANNEL_CONTROL);
    if (channel->stamps != 0) {
        add(map, channel->stamps, sl_stamp_count(channel->width) * sizeof(uint64_t),
            SL_SERVED_STRUCTURE_CHANNEL_CONTROL);
    }
    add(map, channel->done, groups * sizeof(uint32_t), SL_SERVED_STRUCTURE_CHANNEL_DONE);
}

static int compare(const void *a, const void *b)
{
    const struct mem_interval *left = a;
    const struct mem_interval *right = b;

    return (left->base > right->base) - (left->base < right->base);
}

void mem_map_graph(struct mem_map *map, uint64_t address)
{
    uint32_t count;
    const struct sl_channel *channels = graph_channels(&map->dram, address, &count);

    map->count = 0;
    add(map, graph_channels_base(address), count * sizeof(*channels),
        SL_SERVED_STRUCTURE_CHANNEL_COUNTERS);
    for (uint32_t i = 0; i < count; i++) {
        add_channel(map, &channels[i]);
    }
    qsort(map->intervals, map->count, sizeof(map->intervals[0]), compare);
}

static enum sl_served_structure find_in_heap(const struct mem_map *map, uint64_t address)
{
    uint32_t first = 0;
    uint32_t end = map->count;

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (address >= map->intervals[middle].limit) {
            first = middle + 1;
        } else if (address < map->intervals[middle].base) {
            end = middle;
        } else {
            return map->intervals[middle].structure;
        }
    }
    return SL_SERVED_STRUCTURE_HEAP;
}

enum sl_served_structure mem_map_find(const struct mem_map *map, uint64_t address)
{
    const struct sl_layout *layout = &map->layout;

    if (address >= SL_HEAP_BASE && address < layout->heap_limit) {
        return find_in_heap(map, address);
    }
    uint64_t offset = address - layout->pool_base;
    if (offset < layout->pool_blocks * layout->pool_block_bytes) {
        return offset % layout->pool_block_bytes < layout->save_area_bytes
                   ? SL_SERVED_STRUCTURE_SAVE_AREAS
                   : SL_SERVED_STRUCTURE_STACKS;
    }
    return address >= SL_KERNEL_BASE && address < SL_HEAP_BASE ? SL_SERVED_STRUCTURE_KERNEL
                                                               : SL_SERVED_STRUCTURE_FIRMWARE;
}
