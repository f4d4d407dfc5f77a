/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What addresses belong to, for statistics (mem.matrix): the parts of the memory map, and in the
 * shared heap the arrays of the run's channels, sorted for binary search.
 *
 * Arrays are looked up once, when firmware says which graph it runs. A graph that firmware has
 * refused would not come here; one whose descriptor or channels are outside DRAM has no arrays. */
#ifndef SLUICE_OBSERVERS_ADDRESS_CLASSES_H
#define SLUICE_OBSERVERS_ADDRESS_CLASSES_H

#include <stdint.h>

#include "mem/dram.h"
#include "sluice/config.h"
#include "sluice/limits.h"
#include "sluice/served.h"

/* Addresses from base up to, not including, limit. */
struct mem_interval {
    uint64_t base;
    uint64_t limit;
    enum sl_served_structure structure;
};

/* Three arrays of each channel, and the channels themselves. */
#define MEM_MAP_INTERVALS (4u * SL_GRAPH_CHANNELS + 1u)

struct mem_map {
    struct dram dram;
    struct sl_layout layout;
    uint32_t count;
    struct mem_interval intervals[MEM_MAP_INTERVALS]; /* by base; none is empty */
};

/* A map without a graph. NULL when out of memory, or where the configuration has no layout. */
struct mem_map *mem_map_create(const struct sl_config *config, const struct dram *dram);
void mem_map_destroy(struct mem_map *map);

/* The run's graph from here on, a struct sl_graph; an address outside DRAM is none. */
void mem_map_graph(struct mem_map *map, uint64_t address);

/* What an address belongs to. */
enum sl_served_structure mem_map_find(const struct mem_map *map, uint64_t address);

#endif
