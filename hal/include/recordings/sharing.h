/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to tell of who shares what (mem.sharing;
 * docs/look-up/memory-moesi.md, "Who shares what"): a file in memory, like those of
 * recordings/observation.h. */
#ifndef SLUICE_RECORDINGS_SHARING_H
#define SLUICE_RECORDINGS_SHARING_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Lines by how many compute units touched them within a launch: bin b has those above 2^(b-1), up
 * to 2^b. */
#define SL_SHARING_BINS 7u

#define SL_SHARING_WORD_BYTES 4u

enum sl_sharing_kind { SL_SHARING_LOADS, SL_SHARING_STORES, SL_SHARING_ATOMICS, SL_SHARING_KINDS };

/* What wavefront instructions of one kind did. */
struct sl_sharing_accesses {
    uint64_t instructions;
    uint64_t lanes;
    uint64_t lines;       /* that each touched, added up */
    uint64_t least_lines; /* as few lines would hold the bytes */
    uint64_t bytes;       /* different ones that each touched, added up */
};

/* All are sums over launches, words alone, so that they add up over runs. */
struct sl_sharing_figures {
    uint64_t launches;
    uint64_t cus;             /* compute units that had wavefronts of each */
    uint64_t lines;           /* touched by each */
    uint64_t line_cus;        /* compute units that touched each of these */
    uint64_t shared_lines;    /* of which several compute units touched the same word */
    uint64_t shared_line_cus; /* compute units that touched each of these */
    uint64_t words;           /* of SL_SHARING_WORD_BYTES, touched */
    uint64_t shared_words;    /* by several compute units */
    uint64_t compared;        /* executions that could be compared with another wavefront's */
    uint64_t irregular;       /* those in which lanes lay otherwise to each other */
    uint64_t by_cus[SL_SHARING_BINS];
    struct sl_sharing_accesses by_kind[SL_SHARING_KINDS];
};

static_assert(sizeof(struct sl_sharing_figures) == 32 * sizeof(uint64_t), "words alone");

/* Adds figures to others. */
static inline void sl_sharing_add(struct sl_sharing_figures *sum,
                                  const struct sl_sharing_figures *figures)
{
    const uint64_t *from = (const uint64_t *)figures;
    uint64_t *to = (uint64_t *)sum;

    for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++) {
        to[i] += from[i];
    }
}

/* Of those launches of a kernel that used an allocation in one way: a grid that one step reads and
 * the next one writes is two. */
struct sl_sharing_row {
    uint64_t kernel;     /* address of the struct sl_kernel */
    uint32_t allocation; /* its number; 0: shared memory that is in none that is listed */
    uint32_t use;        /* bits by enum sl_sharing_kind: that had instructions */
    struct sl_sharing_figures figures;
};

struct sl_sharing_allocation {
    uint64_t address;
    uint64_t bytes;
    uint32_t number; /* from 1 on, in the order in which they were made */
    uint32_t reserved;
};

#define SL_SHARING_ALLOCATIONS 1024u
#define SL_SHARING_ROWS        4096u

/* Of one run. */
struct sl_sharing {
    uint64_t allocation_count; /* the host's, as the list is, in ascending order of address */
    struct sl_sharing_allocation allocations[SL_SHARING_ALLOCATIONS];
    uint64_t count;
    uint64_t lost;          /* launches, by allocation, whose row found no room */
    uint64_t out_of_memory; /* not 0: from some time on nothing was counted */
    struct sl_sharing_row rows[SL_SHARING_ROWS];
};

#endif
