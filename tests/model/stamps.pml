/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A model of stamped publication (docs/know/design.md, "Stamped publication"): wavefronts that each put
 * children into a channel, then their continuation into another, and the aggregator, which takes what
 * is published of both, runs children in any order, and a continuation when nothing is outstanding in
 * the channel of children. Each access to shared memory is a step of its own.
 *
 * Shown: no entry is taken before it is written, none is lost, no stamp of an earlier lap counts, and
 * a continuation runs after its children. Taken away by a definition, each of these finds an error:
 *     STAMP_FIRST       a wavefront leaves its stamp before it writes its entries
 *     FLAGS             a stamp says that something was published here, and not what
 *     NO_HIDDEN_RULE    what is reserved and not taken does not count as outstanding
 *
 * Left out: levels, partial wavefronts, yields (cilk.pml has them), and data, which a wavefront writes
 * before its entries. Counts are bytes that do not wrap in the instances that are checked. */

#ifndef WAVEFRONTS
#define WAVEFRONTS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2 /* of each wavefront */
#endif
#ifndef WIDTH
#define WIDTH 2 /* of both channels, in elements */
#endif
#define LENGTH (2 * WIDTH) /* of control arrays, and of stamps */
#define ALL    (WAVEFRONTS * ROUNDS)

#define C 0 /* children, 1 or 2 of a wavefront */
#define J 1 /* continuations */

typedef channel {
    byte held;         /* elements that are allocated */
    byte publications; /* control_reserve */
    byte entries;
    byte written[LENGTH]; /* by entry: the position that was written there, and 1 */
    byte first[LENGTH];   /* of a continuation: its children */
    byte count[LENGTH];
    byte stamp[LENGTH];   /* by publication: its number, and 1 */
    byte end[LENGTH];     /* where it ends: half of the same word */
};
channel ch[2];

/* The aggregator's. */
byte number[2]; /* of the next publication */
byte tail[2];
byte completed[2];
byte reserved;          /* publications of children, as read */
bool is_done[2 * ALL];  /* children, by position */
byte runs;              /* continuations that have run */
byte finished;          /* wavefronts */

inline reserve(to, n) {
    atomic {
        mine = ch[to].publications;
        at = ch[to].entries;
        ch[to].publications++;
        ch[to].entries = ch[to].entries + n;
    }
}

inline put_entries(to, n) {
    for (i : 0 .. n - 1) {
        ch[to].written[(at + i) % LENGTH] = at + i + 1;
    }
}

inline leave_stamp(to, n) {
    d_step {
        ch[to].stamp[mine % LENGTH] = mine + 1;
        ch[to].end[mine % LENGTH] = at + n;
    }
}

inline publish(to, n) {
#ifdef STAMP_FIRST
    leave_stamp(to, n);
    put_entries(to, n);
#else
    put_entries(to, n);
    leave_stamp(to, n);
#endif
}

active [WAVEFRONTS] proctype wavefront() {
    byte round, n, at, mine, i, child;

    for (round : 1 .. ROUNDS) {
        if
        :: n = 1
        :: n = 2
        fi;
        /* talloc of both; that it can be had is not shown here. */
        atomic {
            ch[C].held + n <= WIDTH && ch[J].held < WIDTH ->
            ch[C].held = ch[C].held + n;
            ch[J].held++;
        }
        reserve(C, n);
        child = at;
        publish(C, n);
        reserve(J, 1);
        d_step {
            ch[J].first[at % LENGTH] = child;
            ch[J].count[at % LENGTH] = n;
        }
        publish(J, 1);
    }
    finished++;
}

#ifdef FLAGS
#define IS_STAMPED(from) (ch[from].stamp[number[from] % LENGTH] != 0)
#else
#define IS_STAMPED(from) (ch[from].stamp[number[from] % LENGTH] == number[from] + 1)
#endif

#ifdef NO_HIDDEN_RULE
#define IS_ALL_THERE true
#else
#define IS_ALL_THERE (reserved == number[C])
#endif

inline take(from) {
    do
    :: atomic {
        IS_STAMPED(from) ->
        end = ch[from].end[number[from] % LENGTH];
        for (i : tail[from] .. end - 1) {
            assert(ch[from].written[i % LENGTH] == i + 1); /* early */
        }
        assert(end > tail[from]);
        tail[from] = end;
        number[from]++;
       }
    :: atomic { !IS_STAMPED(from) -> break }
    od;
}

active proctype aggregator() {
    byte i, end;
    bool is_idle;

    do
    :: /* Whoever sees a continuation looks for children afterwards. */
       is_idle = (finished == WAVEFRONTS);
       take(J);
       take(C);
       reserved = ch[C].publications;
       if
       :: atomic { /* a child, each of those that are ready */
           completed[C] < tail[C] ->
           select(i : completed[C] .. tail[C] - 1);
           if
           :: !is_done[i] -> is_done[i] = true
           :: else
           fi;
           do
           :: completed[C] < tail[C] && is_done[completed[C]] ->
              completed[C]++;
              ch[C].held--
           :: else -> break
           od;
           i = 0;
          }
       :: atomic {
           completed[J] < tail[J] && completed[C] == tail[C] && IS_ALL_THERE ->
           for (i : ch[J].first[completed[J] % LENGTH] ..
                ch[J].first[completed[J] % LENGTH] + ch[J].count[completed[J] % LENGTH] - 1) {
               assert(is_done[i]); /* results are there */
           }
           i = 0;
           completed[J]++;
           ch[J].held--;
           runs++;
          }
       :: else -> /* nothing to run */
          if
          :: is_idle -> break
          :: else
          fi
       fi
    od;
    assert(tail[C] == ch[C].entries && tail[J] == ch[J].entries); /* lost */
    assert(runs == ALL && completed[C] == ch[C].entries);
}
