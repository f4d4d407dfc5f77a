/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Where data accesses were served, and their latencies: the block of 64-bit words at SL_REG_SERVED
 * of the device window, from hal/contract/served.def. */
#ifndef SLUICE_SERVED_H
#define SLUICE_SERVED_H

#include <stdint.h>

/** @defgroup host_served Where accesses were served
 * @{ */

/** Kinds of accesses, such as SL_SERVED_KIND_LOADS, from hal/contract/served.def. */
enum sl_served_kind {
/** @cond */
#define SL_SERVED_KIND(ID, name, text) SL_SERVED_KIND_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_KINDS /**< their number */
};

/** Where an access was served, such as SL_SERVED_PLACE_OWN_L1, from the same table. */
enum sl_served_place {
/** @cond */
#define SL_SERVED_PLACE(ID, name, text) SL_SERVED_PLACE_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_PLACES /**< their number */
};

/** The structure that an access was to, such as SL_SERVED_STRUCTURE_HEAP, from the same table. */
enum sl_served_structure {
/** @cond */
#define SL_SERVED_STRUCTURE(ID, name, text) SL_SERVED_STRUCTURE_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_STRUCTURES /**< their number */
};

/** The aggregator's index among requesters. A compute unit's index is its number, which is smaller.
 */
#define SL_SERVED_AGGREGATOR 64u

/** Number of requesters. */
#define SL_SERVED_REQUESTERS (SL_SERVED_AGGREGATOR + 1u)

/** The side that made an access. */
enum sl_served_side {
    SL_SERVED_CUS,   /**< all compute units together */
    SL_SERVED_AGG,   /**< the aggregator */
    SL_SERVED_SIDES, /**< number of sides */
};

/** Bins of latencies in whole CU cycles, rounded down. Bin 0 is latency 0. Bin b > 0 begins at
 * 2^(b-1), and the last one has no upper limit. */
#define SL_LATENCY_BINS 16u

/** The block: accesses of each requester and to each structure, by kind and place, and loads by
 * latency. */
struct sl_served {
    /** Accesses of each requester. */
    uint64_t by_requester[SL_SERVED_REQUESTERS][SL_SERVED_KINDS][SL_SERVED_PLACES];
    /** Accesses to each structure. */
    uint64_t by_structure[SL_SERVED_SIDES][SL_SERVED_STRUCTURES][SL_SERVED_KINDS][SL_SERVED_PLACES];
    /** Loads, by bin of their latency. */
    uint64_t load_latency[SL_SERVED_SIDES][SL_LATENCY_BINS];
};

/** Words of the block. */
#define SL_SERVED_WORDS (sizeof(struct sl_served) / sizeof(uint64_t))

/** @} */

#endif
