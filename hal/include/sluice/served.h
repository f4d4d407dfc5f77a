/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where data accesses were served, and how long they took: the block of 64-bit words at
 * SL_REG_SERVED of the device window, from hal/contract/served.def. */
#ifndef SLUICE_SERVED_H
#define SLUICE_SERVED_H

#include <stdint.h>

/* Kinds of accesses. */
enum sl_served_kind {
#define SL_SERVED_KIND(ID, name, text) SL_SERVED_KIND_##ID,
#include "contract/served.def"
    SL_SERVED_KINDS
};

/* Where an access was served. */
enum sl_served_place {
#define SL_SERVED_PLACE(ID, name, text) SL_SERVED_PLACE_##ID,
#include "contract/served.def"
    SL_SERVED_PLACES
};

/* What it was to. */
enum sl_served_structure {
#define SL_SERVED_STRUCTURE(ID, name, text) SL_SERVED_STRUCTURE_##ID,
#include "contract/served.def"
    SL_SERVED_STRUCTURES
};

/* Compute units by number; the aggregator has the number behind the last one that can be. */
#define SL_SERVED_AGGREGATOR 64u
#define SL_SERVED_REQUESTERS (SL_SERVED_AGGREGATOR + 1u)

/* All compute units together, and the aggregator. */
enum sl_served_side { SL_SERVED_CUS, SL_SERVED_AGG, SL_SERVED_SIDES };

/* Latencies in whole CU cycles, rounded down: bin 0 is 0, bin b from 1 on begins at 2^(b-1), the
 * last one has no end. */
#define SL_LATENCY_BINS 16u

/* The block: accesses of each requester, and of each structure, by kind and place; loads by their
 * latency. */
struct sl_served {
    uint64_t by_requester[SL_SERVED_REQUESTERS][SL_SERVED_KINDS][SL_SERVED_PLACES];
    uint64_t by_structure[SL_SERVED_SIDES][SL_SERVED_STRUCTURES][SL_SERVED_KINDS][SL_SERVED_PLACES];
    uint64_t load_latency[SL_SERVED_SIDES][SL_LATENCY_BINS];
};

/* Its length. */
#define SL_SERVED_WORDS (sizeof(struct sl_served) / sizeof(uint64_t))

#endif
