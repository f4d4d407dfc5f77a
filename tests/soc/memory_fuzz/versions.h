/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Words of memory whose values say which store made them, and what a load may then return: the
 * reference of memory systems in which each requester may see copies that are old (papers/003
 * section 3.2).
 *
 * The region is cut into words of 1, 2, 4 and 8 bytes, each line of the region into those of one
 * size. Each store of a word makes a version of it with a number of its own, which its bytes have
 * in them: byte k of version n is n more than byte k of version 0. The order of a word's versions
 * is that in which its bytes in DRAM, which are the value of all, have them: versions_look() is
 * called after whatever may have changed them. A version has no place in that order until then.
 *
 * A load may return a version that is no older than the latest one that its requester had made when
 * the load was handed in, nor than the value of all when its requester acquired for the last time,
 * nor than what an earlier load of its requester has returned. Whoever makes a copy may be seen
 * before the value of all changes: what is on its way there is not old.
 *
 * Time is cut into phases, in which a word has few versions; what all have when one ends is version
 * 0 of the next one. */
#ifndef SLUICE_TESTS_VERSIONS_H
#define SLUICE_TESTS_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/memory_map.h"

#define VERSIONS_LINES      12u
#define VERSIONS_LINE_BYTES 128u
#define VERSIONS_BYTES      (VERSIONS_LINES * VERSIONS_LINE_BYTES)
#define VERSIONS_AUTHORS    17u  /* requesters */
#define VERSIONS_MAX        200u /* of a word in a phase */
#define VERSIONS_NEVER      UINT32_MAX

/* A store of a word. */
struct version {
    uint32_t number; /* of the store, in the order of its requester */
    uint32_t from;   /* changes of memory when it became the value of all; or VERSIONS_NEVER */
    uint32_t until;  /* and when it was that no longer; likewise */
    uint16_t author;
    bool is_made;   /* bytes somewhere have it */
    uint32_t *left; /* words of its store that have no place yet, counted down */
};

/* A version that may not find its place before another one. */
struct version_order {
    uint32_t at;
    uint8_t later;
    uint8_t earlier;
};

#define VERSIONS_ORDERS 256u

struct versions {
    const uint8_t *memory;
    uint8_t start[VERSIONS_BYTES];                          /* version 0 */
    uint8_t known[VERSIONS_BYTES];                          /* memory when it was looked at */
    uint32_t changes;                                       /* of words in memory, ever */
    uint32_t changed[VERSIONS_BYTES / SL_CACHE_LINE_BYTES]; /* those of lines of reservations */
    uint32_t orders;
    struct version_order order[VERSIONS_ORDERS];
    struct versions_word {
        uint8_t count;   /* versions but for 0 */
        uint8_t current; /* the value of all */
        uint32_t
            placed[VERSIONS_AUTHORS]; /* number of the author's latest store that has a place */
        struct version version[VERSIONS_MAX + 1];
    } word[VERSIONS_BYTES]; /* by its first byte */
    struct versions_seen {
        uint32_t number;  /* of the latest load that has returned something */
        uint8_t returned; /* the version */
        uint8_t made;     /* the requester's own latest version */
    } seen[VERSIONS_AUTHORS][VERSIONS_BYTES];
    char failure[256]; /* the first one */
};

/* Whose load it is, and what it may not be older than. */
struct versions_load {
    uint16_t author;
    uint32_t number;   /* in the order of its requester, stores among them */
    uint32_t acquired; /* changes when its requester acquired */
};

/* Notes a failure, if it is the first. */
void versions_fail(struct versions *versions, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The region's bytes in DRAM, as they are. */
struct versions *versions_create(const uint8_t *memory);
void versions_destroy(struct versions *versions);

/* Bytes of each word of the line that a byte is in. */
static inline uint32_t versions_size(uint32_t at)
{
    return 1u << at / VERSIONS_LINE_BYTES % 4;
}

/* Memory has changed, perhaps: finds places for versions that have come. */
void versions_look(struct versions *versions);

/* Nothing is under way: a phase ends, the next one begins. */
void versions_next_phase(struct versions *versions);

/* A store of the word at a byte is handed in. Returns its version; 0: there are too many. *left is
 * counted up now, and down when it finds its place. */
uint8_t versions_new(struct versions *versions, uint32_t at, uint16_t author, uint32_t number,
                     uint32_t *left);

/* Writes the version to the word's bytes. */
void versions_write(struct versions *versions, uint32_t at, uint8_t number, uint8_t *bytes);

/* A load finds these bytes in the word at a byte; `made` was its requester's latest version when it
 * was handed in. Returns whether they are old: others than the value of all, and not of a store of
 * its requester that has no place yet. */
bool versions_check_load(struct versions *versions, uint32_t at, const struct versions_load *load,
                         uint8_t made, const uint8_t *bytes);

/* What acts on the value of all finds these bytes. */
void versions_check_coherent(struct versions *versions, uint32_t at,
                             const struct versions_load *load, uint8_t made, const uint8_t *bytes);

/* All that is under way has come to memory at once: it has the newest version that somebody made.
 */
void versions_check_settled(struct versions *versions);

#endif
