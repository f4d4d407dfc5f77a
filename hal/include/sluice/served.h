/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Where data accesses were served, and how long they took: the block of 64-bit words at
 * SL_REG_SERVED of the device window, from hal/contract/served.def. */
#ifndef SLUICE_SERVED_H
#define SLUICE_SERVED_H

#include <stdint.h>

/** @defgroup host_served Where accesses were served
 * @{ */

/** Kinds of accesses: SL_SERVED_KIND_LOADS and so on, by hal/contract/served.def. */
enum sl_served_kind {
/** @cond */
#define SL_SERVED_KIND(ID, name, text) SL_SERVED_KIND_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_KINDS /**< their number */
};

/** Where an access was served: SL_SERVED_PLACE_OWN_L1 and so on, by the same table. */
enum sl_served_place {
/** @cond */
#define SL_SERVED_PLACE(ID, name, text) SL_SERVED_PLACE_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_PLACES /**< their number */
};

/** What an access was to: SL_SERVED_STRUCTURE_HEAP and so on, by the same table. */
enum sl_served_structure {
/** @cond */
#define SL_SERVED_STRUCTURE(ID, name, text) SL_SERVED_STRUCTURE_##ID,
#include "contract/served.def"
    /** @endcond */
    SL_SERVED_STRUCTURES /**< their number */
};

/** The aggregator among requesters; compute units have their numbers, which are less. */
#define SL_SERVED_AGGREGATOR 64u

/** Number of requesters. */
#define SL_SERVED_REQUESTERS (SL_SERVED_AGGREGATOR + 1u)

/** Who made an access. */
enum sl_served_side {
    SL_SERVED_CUS,   /**< all compute units together */
    SL_SERVED_AGG,   /**< the aggregator */
    SL_SERVED_SIDES, /**< number of sides */
};

/** Latencies in whole CU cycles, rounded down: bin 0 is 0, bin b from 1 on begins at 2^(b-1), the
 * last one has no end. */
#define SL_LATENCY_BINS 16u

/** The block: accesses of each requester, and of each structure, by kind and place; loads by their
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
