/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks of lanes on the reconvergence stack, for Spin (docs/know/locks.md; papers/004 chapter 4).
 * Wavefronts whose lanes each take up to three locks in ascending order, nested, run one of two
 * programs; which locks a lane takes, and which branches, is chosen freely. What a lane takes at one
 * depth, another one takes at another. README.md says which lines of the code are modelled where.
 *
 * Checked: mutual exclusion, that a lock is given back by its holder, that no lane is left behind,
 * and that every run ends in which each wavefront goes on again and again (no cycle under weak
 * fairness). The programs have no loop, so that a cycle consists of failed rounds of lock requests
 * alone: it is a deadlock of lanes that ask for ever, or a livelock.
 *
 * Left out: what a section computes, calls, loops, time, queues, try-locks. More general than the
 * machine: between the requests of two lanes of a wavefront any steps of other wavefronts fit. */

/* The instance; all can be given on the command line of spin. */
#ifndef WAVEFRONTS
#define WAVEFRONTS 2
#endif
#ifndef LANES
#define LANES 3
#endif

/* ---- programs ---- */

/* What an instruction is. */
#define LOCK   0
#define UNLOCK 1
#define BRANCH 2
#define JUMP   3
#define END    4

#define NONE 15 /* no program counter */

#ifdef CHAIN
/* A lock is given back behind the next one, in the order of taking:
 *
 *     0 lock a; 1 lock b; 2 unlock a; 3 if (c) { 4 lock c; 5 unlock b; 6 unlock c; }
 *     else { 7 unlock b; } 8 */
#define LAST 8
#define KIND(pc)                                                                                   \
    ((pc) == LAST -> END :                                                                         \
    ((pc) < 2 || (pc) == 4 -> LOCK : ((pc) == 3 -> BRANCH : UNLOCK)))
#define NUMBER(pc)    ((pc) == 0 || (pc) == 2 -> 0 : ((pc) == 4 || (pc) == 6 -> 2 : 1))
#define NEXT(pc)      ((pc) == 6 -> LAST : (pc) + 1)
#define TARGET(pc)    7
#define IS_TAKEN(pc)  (CHOICE != THREE_0_1_2)
#define DEPTH_0(pc)   LAST
#define DEPTH_1(pc)   ((pc) == 1 -> 2 : LAST)
#define NEAREST(pc)   LAST
#else
/* An arm that gives all back inside it, and another section's branch inside that:
 *
 *     0 lock a; 1 if (b) { 2 lock b; 3 if (c) { 4 lock c; 5 unlock c; } 6 unlock b; 7 unlock a;
 *     8 x(); } else { 9 unlock a; } 10 */
#define LAST 10
#define KIND(pc)                                                                                   \
    ((pc) == LAST -> END : ((pc) == 8 -> JUMP : ((pc) == 1 || (pc) == 3 -> BRANCH :                \
    ((pc) == 0 || (pc) == 2 || (pc) == 4 -> LOCK : UNLOCK))))
#define NUMBER(pc)    ((pc) == 4 || (pc) == 5 -> 2 : ((pc) == 2 || (pc) == 6 -> 1 : 0))
#define NEXT(pc)      ((pc) == 8 -> LAST : (pc) + 1)
#define TARGET(pc)    ((pc) == 1 -> 9 : 6)
#define IS_TAKEN(pc)  ((pc) == 1 -> IS_ONE() : CHOICE != THREE_0_1_2)
#define DEPTH_0(pc)   ((pc) < 2 -> LAST : 8)
#define DEPTH_1(pc)   ((pc) < 2 -> LAST : 7)
#define NEAREST(pc)   ((pc) < 2 -> LAST : 6)
#endif

/* Where a lock joins, and where a branch inside a section that contains one reconverges: the
 * nearest post-dominator at which no lock is held. The variants have it where one may be. */
#ifdef JOINS_AT_DEPTH_1
#define JOIN(pc) DEPTH_1(pc)
#else
#define JOIN(pc) DEPTH_0(pc)
#endif

/* ---- lanes ---- */

/* The locks that a lane takes, ascending, by its choice: three of four, two, or one. The last two are
 * for LOSERS alone; CHAIN has no way to take one. */
#define THREE_0_1_2 0
#define TWO_0_2     2
#define TWO_0_1     3
#ifdef CHAIN
#define TWO_1_2 1
#define ONE_1   4
#define WAYS    4
#else
#define ONE_1   1
#define TWO_1_2 4
#define WAYS    7
#endif
#define ONE_0   5
#define ONE_2   6
#define TWO_2_3 7
#define ONE_3   8
#ifndef CHOICES
#define CHOICES WAYS
#endif

#define CHOICE   choice[me * LANES + lane]
#define IS_ONE() (CHOICE == ONE_0 || CHOICE == ONE_1 || CHOICE == ONE_2 || CHOICE == ONE_3)
#define FIRST()                                                                                    \
    (CHOICE == THREE_0_1_2 || CHOICE == TWO_0_2 || CHOICE == TWO_0_1 || CHOICE == ONE_0 -> 0 :     \
    (CHOICE == TWO_1_2 || CHOICE == ONE_1 -> 1 : (CHOICE == ONE_3 -> 3 : 2)))
#define SECOND()                                                                                   \
    (CHOICE == THREE_0_1_2 || CHOICE == TWO_0_1 -> 1 : (CHOICE == TWO_2_3 -> 3 : 2))
#define LOCK_OF(n) ((n) == 0 -> FIRST() : ((n) == 1 -> SECOND() : 2))

byte choice[WAVEFRONTS * LANES];
byte holder[4]; /* of a lock: 1 + wavefront * LANES + lane; 0: free */
byte held[WAVEFRONTS * LANES];

/* ---- a wavefront ---- */

#define PLAIN 0
#define RETRY 1 /* LR */
#define HOLDS 2 /* L */

#define ENTRIES (2 * LANES + 4)
#define TOP     (depth - 1)
#define ALL     ((1 << LANES) - 1)

hidden byte i;
hidden byte j;
hidden byte first;
hidden byte size;

inline push(new_lanes, new_pc, new_reconvergence, new_kind, new_level)
{
    assert(depth < ENTRIES);
    lanes[depth] = new_lanes;
    pc[depth] = new_pc;
    reconvergence[depth] = new_reconvergence;
    kind[depth] = new_kind;
    level[depth] = new_level;
    depth++
}

inline pop()
{
    depth--;
    lanes[depth] = 0;
    pc[depth] = 0;
    reconvergence[depth] = 0;
    kind[depth] = 0;
    level[depth] = 0
}

/* An entry comes on top of the stack, and those above it one place down each. */
inline lift(bottom)
{
    push(lanes[bottom], pc[bottom], reconvergence[bottom], kind[bottom], level[bottom]);
    for (j : bottom .. depth - 2) {
        lanes[j] = lanes[j + 1];
        pc[j] = pc[j + 1];
        reconvergence[j] = reconvergence[j + 1];
        kind[j] = kind[j + 1];
        level[j] = level[j + 1]
    }
    pop()
}

/* Among the entries of level `at` that stand on the same one as the top does, each with all that
 * stands on it: the lowest comes on top. */
inline rotate_siblings(at)
{
    first = TOP;
    do
    :: level[first - 1] >= at -> first--
    :: else -> break
    od;
    size = 1;
    do
    :: first + size < depth && level[first + size] > at -> size++
    :: else -> break
    od;
    do
    :: size > 0 && first + size < depth ->
        for (i : 1 .. size) {
            lift(first)
        }
        size = 0
    :: else -> break
    od
}

/* From the innermost siblings to the bottom. */
inline rotate()
{
    at_level = level[TOP];
#if defined(NO_ROTATION)
    at_level = 0;
#endif
    do
    :: at_level > 0 ->
        rotate_siblings(at_level);
#ifdef INNERMOST_ROTATION
        at_level = 0;
#else
        at_level--
#endif
    :: else -> break
    od;
    first = 0;
    size = 0;
    i = 0;
    j = 0
}

/* The top entry waits at `where`, for what goes on top at level `at_level`; it makes room where it
 * would wait for nothing but itself. */
inline wait_at(where)
{
    at_level = level[TOP];
    if
    :: reconvergence[TOP] == where -> pop()
    :: else ->
        pc[TOP] = where;
        at_level++
    fi
}

#ifdef THESIS
#include "locks_thesis.pml"
#else

#define RECONVERGE(here) JOIN(here)

/* The first round of a lock makes LR. */
inline begin_round()
{
    if
    :: kind[TOP] != RETRY ->
        here = pc[TOP];
        mine = lanes[TOP];
        wait_at(JOIN(here));
        push(mine, here, JOIN(here), RETRY, at_level)
    :: else
    fi
}

inline end_round()
{
    if
    :: won == 0 -> rotate()
    :: else ->
        here = pc[TOP];
        at_level = level[TOP];
        lanes[TOP] = lanes[TOP] ^ won;
        if
        :: lanes[TOP] == 0 -> pop()
        :: else
        fi;
        push(won, NEXT(here), JOIN(here), HOLDS, at_level)
    fi
}

inline end_unlock()
{
    pc[TOP] = NEXT(pc[TOP])
}

/* Takes an entry off that has come to where it reconverges. */
#define IS_OVER() (pc[TOP] == reconvergence[TOP])
inline reconverge()
{
    pop()
}
#endif

inline branch()
{
    here = pc[TOP];
    mine = lanes[TOP];
    won = 0;
    for (lane : 0 .. LANES - 1) {
        if
        :: (mine >> lane & 1) && IS_TAKEN(here) -> won = won | 1 << lane
        :: else
        fi
    }
    if
    :: won == 0 -> pc[TOP] = NEXT(here)
    :: won == mine -> pc[TOP] = TARGET(here)
    :: else ->
        wait_at(RECONVERGE(here));
        push(won, TARGET(here), RECONVERGE(here), PLAIN, at_level);
        push(mine ^ won, NEXT(here), RECONVERGE(here), PLAIN, at_level)
    fi
}

/* Goes on to the next lock, unlock or the end: what lies between touches no lock. */
inline advance()
{
    do
    :: IS_OVER() -> reconverge()
    :: !IS_OVER() && KIND(pc[TOP]) == BRANCH -> branch()
    :: !IS_OVER() && KIND(pc[TOP]) == JUMP -> pc[TOP] = NEXT(pc[TOP])
    :: else -> break
    od;
    if
    :: KIND(pc[TOP]) == LOCK -> begin_round()
    :: else
    fi;
    at_level = 0;
    won = 0;
    mine = lanes[TOP];
    lane = 0;
    do
    :: !(mine >> lane & 1) -> lane++
    :: else -> break
    od;
    here = 0
}

/* What the lanes of the top entry ask memory for, lane after lane. */
#ifdef WHOLE_ROUNDS
#define BEGIN_ROUND d_step {
#define END_ROUND   }
#define BEGIN_LANE
#define END_LANE
#else
#define BEGIN_ROUND
#define END_ROUND
#define BEGIN_LANE d_step {
#define END_LANE   }
#endif

#define WORD holder[LOCK_OF(NUMBER(pc[TOP]))]
#define SELF (1 + me * LANES + lane)

inline next_lane()
{
    lane++;
    do
    :: lane < LANES && !(mine >> lane & 1) -> lane++
    :: else -> break
    od;
    here = 0
}

inline request()
{
    BEGIN_ROUND
    do
    :: BEGIN_LANE
       lane < LANES ->
       if
       :: WORD == 0 ->
           WORD = SELF;
           held[SELF - 1]++;
           won = won | 1 << lane
       :: else
       fi;
       next_lane()
       END_LANE
    :: lane == LANES -> break
    od;
    skip
    END_ROUND
}

inline give_back()
{
    BEGIN_ROUND
    do
    :: BEGIN_LANE
       lane < LANES ->
       assert(WORD == SELF);
       WORD = 0;
       held[SELF - 1]--;
       next_lane()
       END_LANE
    :: lane == LANES -> break
    od;
    skip
    END_ROUND
}

proctype wavefront(byte me)
{
    byte lanes[ENTRIES];
    byte pc[ENTRIES];
    byte reconvergence[ENTRIES];
    byte kind[ENTRIES];
    byte level[ENTRIES];
    byte depth;
    byte lane;
    byte mine;
    byte won;
    byte here;
    byte at_level;
#ifdef THESIS
    byte locks;
    byte unlocks[LANES];
    byte at;
    byte number;
#endif

    d_step {
        push(ALL, 0, NONE, PLAIN, 0);
        advance()
    }
    do
    :: KIND(pc[TOP]) == LOCK ->
        request();
        d_step {
            end_round();
            advance()
        }
    :: KIND(pc[TOP]) == UNLOCK ->
        give_back();
        d_step {
            end_unlock();
            advance()
        }
    :: KIND(pc[TOP]) == END -> break
    od;
    skip;
    d_step {
        assert(depth == 1 && lanes[0] == ALL);
        for (lane : 0 .. LANES - 1) {
            assert(held[me * LANES + lane] == 0)
        }
        mine = 0;
        lane = 0;
        pop()
    }
}

/* Each lane chooses. LOSERS: who takes a second lock may lose it to another wavefront, holding what
 * another lane takes third. SAME: all take the same two. */
init
{
    byte at;
    byte chosen;

    do
    :: at < WAVEFRONTS * LANES ->
#if defined(LOSERS)
        chosen = (at >= LANES -> ONE_3 : (at == 1 -> TWO_2_3 : THREE_0_1_2));
#elif defined(SAME)
        chosen = TWO_0_1;
#else
        select(chosen : 0 .. CHOICES - 1);
#endif
        choice[at] = chosen;
        at++
    :: else -> break
    od;
    chosen = 0;
    atomic {
        for (at : 0 .. WAVEFRONTS - 1) {
            run wavefront(at)
        }
        at = 0
    }
}
