/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rules of memory system `hybrid` (papers/003 sections 3.2 to 3.5) for one access after the
 * other: which compute units have a line, with which bytes, old ones too; whom each tracker lists;
 * the line of each bank's atomic buffer.
 *
 * L1 caches have one way, so that it is clear what a line replaces; the L2 and the trackers have
 * room for all lines. Lines are of 128 bytes; at most 16 compute units. */
#ifndef SLUICE_TESTS_HYBRID_MODEL_H
#define SLUICE_TESTS_HYBRID_MODEL_H

#include "mem/mem.h"
#include "sluice/config.h"

#define HYBRID_MODEL_CUS   16u
#define HYBRID_MODEL_LINES 12u
#define HYBRID_MODEL_LINE  128u
#define HYBRID_MODEL_BYTES (HYBRID_MODEL_LINES * HYBRID_MODEL_LINE)
#define HYBRID_MODEL_BANKS 8u /* at most */

struct hybrid_model {
    uint8_t memory[HYBRID_MODEL_BYTES]; /* the value of all */
    struct hybrid_model_copy {
        bool is_there;
        uint8_t bytes[HYBRID_MODEL_LINE];
    } copy[HYBRID_MODEL_CUS][HYBRID_MODEL_LINES];
    struct hybrid_model_list {
        uint32_t count;
        uint16_t cu[HYBRID_MODEL_CUS];            /* the newest one last */
    } list[HYBRID_MODEL_CUS][HYBRID_MODEL_LINES]; /* of each tracker */
    uint32_t buffer[HYBRID_MODEL_BANKS];          /* line of the L2 that a bank's buffer has */
    uint32_t waves[HYBRID_MODEL_CUS];

    /* What it counts. */
    struct tracker_counters tracker;
    uint64_t bypassed;
    uint64_t buffer_hits;
    uint64_t buffer_misses;

    /* What the machine has. */
    uint64_t base; /* address of the first line */
    uint32_t trackers;
    uint32_t sharers; /* that an entry lists */
    uint32_t sets;    /* of an L1 */
    uint32_t piece;   /* bytes of a line of the L2 */
    uint32_t banks;
    bool bypasses;
};

/* Nobody has anything, memory is zero, and one wavefront is resident on each compute unit. */
void hybrid_model_begin(struct hybrid_model *model, const struct sl_config *config, uint64_t base);

/* Whether a request touches a byte of its line. */
static inline bool hybrid_model_touches(const struct mem_request *request, uint32_t at)
{
    return (request->mask[at / 64] >> at % 64 & 1) != 0;
}

/* A load: `bytes` of its line are those that it sees. Returns whether its own L1, another one, or
 * the L2 (or what is behind it) has it. */
enum hit_level hybrid_model_load(struct hybrid_model *model, const struct mem_request *request,
                                 uint8_t *bytes);

/* A store of those bytes of its line that it touches. */
void hybrid_model_store(struct hybrid_model *model, const struct mem_request *request,
                        const uint8_t *bytes);

/* A coherent operation: a load, a store, or an update that adds one to each byte. */
void hybrid_model_operate(struct hybrid_model *model, const struct mem_request *request,
                          uint8_t *bytes);

/* The aggregator stores a byte. */
void hybrid_model_aggregate(struct hybrid_model *model, uint32_t at, uint8_t byte);

/* A compute unit's lines go. */
void hybrid_model_empty(struct hybrid_model *model, uint32_t cu);

#endif
