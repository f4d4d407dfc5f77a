/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Included by locks.pml: what locks do to the stack in papers/004 sections 4.1 to 4.4, literally
 * (lock.stack=thesis). A wavefront counts the LRs on its stack, `locks`, and for each lane the
 * unlocks since it last held none. */

/* Branches reconverge at their nearest post-dominators. */
#define RECONVERGE(here) NEAREST(here)

inline begin_round()
{
    if
    :: kind[TOP] != RETRY ->
        push(lanes[TOP], pc[TOP], NONE, RETRY, 0);
        locks++
    :: else
    fi
}

inline end_round()
{
    if
    :: won != 0 -> push(won, NEXT(pc[TOP]), NONE, HOLDS, 0)
    :: else
    fi
}

/* The topmost entry of a kind. */
inline find(a_kind)
{
    at = TOP;
    do
    :: kind[at] != a_kind -> at--
    :: else -> break
    od
}

/* Lane `lane` gives back one of several locks: its first leaves the topmost LR alone, later ones what
 * is below that, down to the LR of its depth; the last one the topmost L, too. */
inline leave_nested()
{
    unlocks[lane]++;
    find(RETRY);
    if
    :: unlocks[lane] == 1 -> lanes[at] = lanes[at] ^ 1 << lane
    :: else ->
        number = locks - 1;
        do
        :: number > locks - unlocks[lane] ->
            at--;
            lanes[at] = lanes[at] ^ 1 << lane;
            if
            :: kind[at] == RETRY -> number--
            :: else
            fi
        :: else -> break
        od
    fi;
    if
    :: unlocks[lane] == locks ->
        find(HOLDS);
        lanes[at] = lanes[at] ^ 1 << lane;
        unlocks[lane] = 0
    :: else
    fi
}

inline end_unlock()
{
    pc[TOP] = NEXT(pc[TOP]);
    if
    :: locks == 1 ->
        find(RETRY);
        lanes[at] = lanes[at] ^ mine;
        find(HOLDS);
        lanes[at] = lanes[at] ^ mine
    :: else ->
        for (lane : 0 .. LANES - 1) {
            if
            :: mine >> lane & 1 -> leave_nested()
            :: else
            fi
        }
    fi;
    at = 0;
    number = 0
}

/* Takes off an entry that has come to where it reconverges, an LR without lanes, and an L without
 * lanes, which says where the entry below its LR goes on. */
#define IS_EMPTY(of) (kind[TOP] == of && lanes[TOP] == 0)
#define IS_OVER()    (pc[TOP] == reconvergence[TOP] || IS_EMPTY(RETRY) || IS_EMPTY(HOLDS))
inline reconverge()
{
    if
    :: IS_EMPTY(HOLDS) ->
        here = pc[TOP];
        pop();
        pc[depth - 2] = here
    :: IS_EMPTY(RETRY) ->
        pop();
        locks--
    :: else -> pop()
    fi
}
