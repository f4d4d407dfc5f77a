/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channels of the graph that firmware says it runs (OBS_GRAPH), for observers. */
#ifndef SLUICE_OBSERVERS_GRAPH_LOOKUP_H
#define SLUICE_OBSERVERS_GRAPH_LOOKUP_H

#include <stdint.h>

#include "mem/dram.h"
#include "sluice/layouts.h"

/* The channels of the struct sl_graph at an address, and their number. A graph that firmware has
 * refused would not come here; one whose descriptor or channels are outside DRAM has none: NULL. */
const struct sl_channel *graph_channels(const struct dram *dram, uint64_t address, uint32_t *count);

/* Where they are for compute units. */
static inline uint64_t graph_channels_base(uint64_t address)
{
    return address + sizeof(struct sl_graph);
}

#endif
