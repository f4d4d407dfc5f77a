/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: the base case of queens.c and trees_nqueens.c in LDS (docs/learn/cilk.md, "Stacks in
 * LDS"): a wavefront's lanes search their boards with stacks that lie side by side. After every few
 * rounds, lanes that are done take work from others: the board nearest to the bottom of a stack,
 * which has most below it. */
#ifndef SLUICE_WORKLOADS_QUEENS_QUEENS_SEARCH_H
#define SLUICE_WORKLOADS_QUEENS_QUEENS_SEARCH_H

#include "sluice/wave/wave.h"
#include "workloads/queens/lds.h"
#include "workloads/queens/nqueens.h"

#define QUEENS_INLINE static inline __attribute__((always_inline))
#define QUEENS_ROW    (sizeof(struct queens_row) / sizeof(uint16_t))
#define QUEENS_BANKS  32

struct queens_search {
    uint64_t open;
    uint64_t diagonals;
    uint64_t antidiagonals;
    uint64_t untried; /* 0: the lane is done */
};

/* Where a lane's part of the stack begins. Lanes that are served together have a bank each, in
 * whichever row they are, and share it with one of the others. */
QUEENS_INLINE uint16_t *queens_stack(struct queens_lds *lds, uint32_t lane)
{
    return &lds->stack[0].open[lane % QUEENS_BANKS * 2 + lane / QUEENS_BANKS];
}

/* To and from a lane's place in a row. */
QUEENS_INLINE void queens_store(uint16_t *place, const struct queens_search *search)
{
    place[0] = (uint16_t)search->open;
    place[SL_LANES_MAX] = (uint16_t)search->diagonals;
    place[2 * SL_LANES_MAX] = (uint16_t)search->antidiagonals;
    place[3 * SL_LANES_MAX] = (uint16_t)search->untried;
}

QUEENS_INLINE void queens_load(struct queens_search *search, const uint16_t *place)
{
    *search = (struct queens_search){place[0], place[SL_LANES_MAX], place[2 * SL_LANES_MAX],
                                     place[3 * SL_LANES_MAX]};
}

/* Places a queen, and goes on with the board that comes of it, or else with the stack's top. Every
 * board is stored, so that lanes do the same; it stays where more of it is to be tried. Returns
 * how many solutions that is. */
QUEENS_INLINE uint32_t queens_step(struct queens_search *search, const uint16_t *bottom,
                                   uint16_t **top)
{
    const uint64_t queen = search->untried & -search->untried;
    uint32_t count = 0;

    search->untried -= queen;
    queens_store(*top, search);
    if (search->untried != 0) {
        *top += QUEENS_ROW;
    }
    search->open -= queen;
    search->diagonals = (search->diagonals | queen) >> 1;
    search->antidiagonals = (search->antidiagonals | queen) << 1;
    search->untried = search->open & ~(search->diagonals | search->antidiagonals);
    if (search->untried == 0) {
        count = search->open == 0;
        if (*top != bottom) {
            *top -= QUEENS_ROW;
            queens_load(search, *top);
        }
    }
    return count;
}

/* The solutions of the lane's board, of which `untried` are the free columns of the next row; 0
 * where these are none. After every so many rounds lanes that are done take parts of others'
 * boards. `lds` is the wavefront's. */
QUEENS_INLINE uint32_t queens_search(struct queens_lds *lds, const struct nqueens_board *board,
                                     uint64_t untried, uint64_t all, uint32_t rounds)
{
    const uint32_t lane = sl_lane_id();
    uint16_t *const stack = queens_stack(lds, lane);
    uint16_t *bottom = stack;
    uint16_t *top = stack;
    uint32_t owner = lane;
    struct queens_search search = {all & ~board->columns, board->diagonals, board->antidiagonals,
                                   untried};

    lds->solutions[lane] = 0;
    for (;;) {
        uint32_t count = 0;
        for (uint32_t i = rounds; search.untried != 0 && i != 0; i--) {
            count += queens_step(&search, bottom, &top);
        }
        if (count != 0) {
            (void)sl_atomic_add_u32(&lds->solutions[owner], count);
        }
        if (sl_ballot(search.untried) == 0) {
            return lds->solutions[lane];
        }
        const bool gives = top != bottom;
        const bool takes = search.untried == 0;
        const uint64_t gift = sl_scan_add(gives);
        const uint64_t places = sl_reduce_add(takes);
        if (gives && gift < places) {
            struct queens_search part;
            queens_load(&part, bottom);
            queens_store(&lds->gift.open[gift], &part);
            lds->owner[gift] = owner;
            bottom += QUEENS_ROW;
        }
        const uint64_t place = sl_scan_add(takes);
        const uint64_t gifts = sl_reduce_add(gives);
        if (takes && place < gifts) {
            queens_load(&search, &lds->gift.open[place]);
            owner = lds->owner[place];
            bottom = stack;
            top = stack;
        }
    }
}

/* The base case for the lanes that have columns left to try, all lanes together: as
 * queens_search(), or with 0 rounds each lane by itself, on its stack. `place` is the wavefront's
 * in LDS, a multiple of 16. */
QUEENS_INLINE uint32_t queens_finish(void *place, const struct nqueens_board *board,
                                     uint64_t untried, uint64_t all, uint32_t rounds)
{
    const bool is_any = sl_ballot(untried) != 0;

    if (rounds == 0) {
        uint64_t stack[NQUEENS_N_MAX];
        return untried != 0 ? nqueens_solutions(*board, all, stack, 1) : 0;
    }
    return is_any ? queens_search(__builtin_assume_aligned(place, 16), board, untried, all, rounds)
                  : 0;
}

#endif
