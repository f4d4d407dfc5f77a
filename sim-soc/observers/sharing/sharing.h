/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer of who shares what (mem.sharing; docs/look-up/memory-moesi.md, "Who shares what"):
 * which lines of the host's allocations compute units touch within a launch, and how, for tables
 * like papers/003 Table 4.2.
 *
 *     sharing.c   events: packets, from their first wavefront to their end
 *     account.c   a memory instruction, taken apart by allocations and lines
 *     lines.c     the lines that a packet has touched, and by whom
 *     places.c    how lanes lie to each other in executions of one instruction
 *
 * A packet is a launch, or, of a graph, a task's dispatch. Lanes' stacks, LDS and save areas are
 * left out. */
#ifndef SLUICE_OBSERVERS_SHARING_H
#define SLUICE_OBSERVERS_SHARING_H

#include "mem/mem.h"
#include "observers/observers.h"
#include "recordings/sharing.h"
#include "sluice/limits.h"

#define SHARING_LINE_WORDS (MEM_LINE_MAX / SL_SHARING_WORD_BYTES)

/* Of an allocation, so that a line in two of them is two. */
struct sharing_line {
    uint64_t line; /* address / line size */
    uint64_t cus;  /* bits by compute unit: who touched it */
    uint32_t allocation;
    uint32_t touched;                  /* bits by word */
    uint32_t shared;                   /* those touched by several compute units */
    uint8_t owner[SHARING_LINE_WORDS]; /* of a touched word: the compute unit that was first */
};

_Static_assert(SHARING_LINE_WORDS <= 32, "a bit for each word");

/* A hash table over a dense array. All zero: empty. */
struct sharing_lines {
    struct sharing_line *lines;
    uint32_t *slots; /* place in `lines` plus one, 0: free */
    uint32_t count;
    uint32_t capacity;
    uint32_t slot_count; /* a power of two, at least twice the capacity */
};

/* A compute unit touches words of a line. Returns 0, or -1 when out of memory. */
int sharing_lines_touch(struct sharing_lines *table, uint64_t line, uint32_t allocation,
                        uint32_t cu, uint32_t words);
void sharing_lines_clear(struct sharing_lines *table);
void sharing_lines_destroy(struct sharing_lines *table);

/* Adds a line to the figures of its allocation. */
void sharing_line_count(const struct sharing_line *line, struct sl_sharing_figures *figures);

/* The latest execution of a memory instruction. */
struct sharing_place {
    uint64_t wave; /* its number */
    uint64_t lanes;
    uint64_t address[SL_LANES_MAX];
};

/* By place in the kernels' code. All zero: empty. */
struct sharing_places {
    uint32_t *of; /* by half a word of code: place in `places` plus one, 0: none */
    struct sharing_place *places;
    uint32_t count;
    uint32_t capacity;
};

enum sharing_regularity { SHARING_UNKNOWN, SHARING_REGULAR, SHARING_IRREGULAR, SHARING_NO_MEMORY };

/* An instruction executes: whether its lanes lie to each other as they did in the latest execution
 * by another wavefront. Unknown where there is none, or the two have less than two lanes in common,
 * or it is not in the kernels' code. */
enum sharing_regularity sharing_places_compare(struct sharing_places *places,
                                               const struct obs_event *event);

/* A run begins: there was no execution. */
void sharing_places_clear(struct sharing_places *places);
void sharing_places_destroy(struct sharing_places *places);

#define SHARING_OF (SL_SHARING_ALLOCATIONS + 1) /* allocations, behind what is in none */

/* An allocation that a packet has touched. */
struct sharing_array {
    uint32_t allocation; /* its place plus one */
    struct sl_sharing_figures figures;
};

struct sharing_packet {
    struct sharing_packet *next; /* of those that are under way, or free */
    uint64_t kernel;
    uint64_t cus; /* bits by compute unit: those that had a wavefront of it */
    uint32_t id;
    struct sharing_lines lines;
    uint32_t of[SHARING_OF]; /* by allocation: place of its figures plus one, 0: none */
    struct sharing_array *arrays;
    uint32_t count;
    uint32_t capacity;
};

struct sharing {
    struct observer base;
    struct sl_sharing *shared;
    uint32_t line_bytes;
    bool has_failed; /* out of memory */
    struct sharing_packet *packet;
    struct sharing_packet *unused;
    struct sharing_places places;
    uint32_t last; /* allocation that was found last */
};

/* A wavefront's memory instruction, of a packet, issues. */
void sharing_account(struct sharing *sharing, struct sharing_packet *packet,
                     const struct obs_event *event);

#endif
