/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Exact accounting of a graph's channels, kept beside the device at no simulated cost
 * (docs/know/trust.md, "The audit"): a bit for each element says that it was dispatched and is not
 * given back. When a packet is taken, the elements that have come back since the last one of its
 * channel must have been dispatched, and those that it names must be reserved, and not dispatched
 * already.
 *
 * What is read are the bytes of DRAM: entries, tails and heads are what the aggregator sees there,
 * on each memory system, before it writes a packet. Shapes are as they were when the graph began,
 * when firmware has checked them. Under debug.audit=every the accounting of the packet's channel is
 * then audited as a whole (check/graph/channel_accounting.h). */
#ifndef SLUICE_DISPATCHER_EXACT_AUDIT_H
#define SLUICE_DISPATCHER_EXACT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "check/graph/channel_accounting.h"
#include "mem/dram.h"
#include "sluice/limits.h"

struct sl_config;

struct front_track;

struct front_audit {
    const struct dram *dram;
    struct front_track *tracks; /* of as many channels as a graph may have; NULL: audits are off */
    uint32_t channels;          /* of the graph; 0 in runs without, and once something was found */
    bool is_every;
};

/* Returns 0, or -1 when out of memory. */
int front_audit_init(struct front_audit *audit, const struct sl_config *config,
                     const struct dram *dram);
void front_audit_destroy(struct front_audit *audit);

/* No graph runs. */
void front_audit_reset(struct front_audit *audit);

/* A graph begins whose description is at an address. A channel that is not as a check would let it
 * pass, is not followed, nor one for which there is no memory. */
void front_audit_begin(struct front_audit *audit, uint64_t graph);

/* A channel packet is taken: the first thing that does not balance, BALANCED where all does.
 * Nothing is told after the first finding of a run. */
struct sl_audit_finding front_audit_packet(struct front_audit *audit,
                                           const struct sl_dispatch *packet);

#endif
