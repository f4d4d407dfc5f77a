/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channel stacks, the levelized scheduler, wavefront yield and the wavefront state pool, for Spin
 * (docs/know/scheduling.md; papers/001 sections 3.2, 5.3 and 6). A Cilk program in which each task
 * spawns 0 to FAN_OUT children, freely chosen, runs on a few lanes, contexts and blocks, in channels
 * exactly as wide as the rule demands. README.md says which lines of the code are modelled where.
 *
 * Checked: no deadlock (no invalid end state, nothing stuck), every run ends (no non-progress
 * cycle), every element is published, dispatched, consumed and deallocated once, in this order, and
 * all are in the end; a continuation runs when all that its task has spawned is complete, however
 * deep; a wavefront that is launched finds a block; after a partial wavefront that goes while others
 * are in flight, no element comes that could have filled it. With DRAINED none goes then (flag
 * `drained` of the policy).
 *
 * Left out: what elements contain, several compute units, full rings, NDRanges, faults, timed
 * predicates, plain channels. More general than the machine: any wavefront that waits for a context
 * may get it, the device's orders are among these. */

/* The instance; all can be given on the command line of spin. */
#ifndef LEVELS
#define LEVELS 2
#endif
#ifndef ROOTS /* tasks that the host puts into level 0 */
#define ROOTS 4
#endif
#ifndef LANES
#define LANES 2
#endif
#ifndef FAN_OUT /* children of a task */
#define FAN_OUT 2
#endif
#ifndef GROUP /* elements that share a done count */
#define GROUP 2
#endif
#ifndef BLOCKS /* of the wavefront state pool: the least is LEVELS */
#define BLOCKS LEVELS
#endif
#ifndef CONTEXTS
#define CONTEXTS BLOCKS
#endif
#ifndef PACKET /* wavefronts of a packet, at most */
#define PACKET 2
#endif
#ifndef NARROWER /* elements by which channels of tasks are narrower than the rule demands */
#define NARROWER 0
#endif

/* The width rule: the largest demand of a wavefront and a done-count group less one. Not rounded up
 * to a power of two here: the check is of the rule itself. */
#define TASKS_WIDTH (LANES * FAN_OUT + GROUP - 1 - NARROWER)
#define JOINS_WIDTH (LANES + GROUP - 1)

/* Channels are numbered as the firmware ranks them: by level, tasks before continuations. The deepest
 * level has no continuations. */
#define CHANNELS     (2 * LEVELS - 1)
#define TASKS(level) (2 * (level))
#define JOINS(level) (2 * (level) + 1)
#define LEVEL(c)     ((c) / 2)
#define IS_JOINS(c)  ((c) % 2 == 1)

/* Counters go round at 2 * width, a multiple of GROUP: an element is named by its counter. */
#define WIDTH(c)                                                                                   \
    (((c) == 0) * ROOTS + ((c) % 2 == 1) * JOINS_WIDTH + ((c) > 0 && (c) % 2 == 0) * TASKS_WIDTH)
#define ROUND(c)    (2 * WIDTH(c))
#define PLUS(c, a, b)  (((a) + (b)) % ROUND(c))
#define MINUS(c, a, b) (((a) + ROUND(c) - (b)) % ROUND(c))

#if ROOTS > 6 /* 2 * the largest width */
#define ELEMENTS_MAX 16
#else
#define ELEMENTS_MAX 12
#endif
#if 2 * ROOTS > ELEMENTS_MAX || 2 * TASKS_WIDTH > ELEMENTS_MAX || 2 * JOINS_WIDTH > ELEMENTS_MAX
#error "ELEMENTS_MAX is too small for this instance"
#endif

/* What an element of the data array is (papers/001 Figure 4). */
#define AVAILABLE  0
#define RESERVED   1
#define READY      2
#define DISPATCHED 3
#define DONE       4

/* struct sl_channel, and of its data array what the check needs. */
typedef channel {
    byte data_tail;
    byte data_head;
    byte control_reserve;
    byte control_tail;
    byte control[ELEMENTS_MAX]; /* the element's counter plus 1; 0: no entry */
    byte done[ELEMENTS_MAX];    /* by the counter divided by GROUP */
    byte element[ELEMENTS_MAX]; /* its state, by counter */
    byte parent[ELEMENTS_MAX];  /* its continuation one level above, plus 1; 0: the host */
    byte pending[ELEMENTS_MAX]; /* children that are not complete, of a continuation */
};
channel ch[CHANNELS];

/* Wavefronts, by the block of the pool that they have. */
#define FREE      0
#define LAUNCHING 1 /* dispatched, waits for a context */
#define RUNNING   2
#define YIELDED   3
typedef wavefront_state {
    byte state;
    byte from;   /* channel */
    byte first;  /* in its control array */
    byte count;  /* lanes */
    byte packet; /* number of the packet */
    byte resource;
    byte demand;
};
wavefront_state wave[BLOCKS];
byte contexts = CONTEXTS;
byte in_flight;       /* register ACTIVE: in flight, dispatched or to be restarted */
byte left[BLOCKS]; /* wavefronts of a packet that have not ended */
byte size[BLOCKS]; /* elements of the packet */
byte waves[BLOCKS];

/* The completion and yield rings, as far as the aggregator has not read them. */
byte record_elements[CHANNELS];
byte record_waves[CHANNELS];
byte record_packets;
chan yields = [BLOCKS] of {byte};

bool is_changed = true; /* since the last pass began: a pass before would be as the last one */

/* The aggregator's struct channel. */
byte seen_tail[CHANNELS];  /* control_tail as last polled */
byte ready[CHANNELS];      /* seen_tail less control_head */
byte with_device[CHANNELS]; /* control_head less completed */
byte flying[CHANNELS];     /* wavefronts of packets that are not complete */
byte yielded[CHANNELS];
bool settled[CHANNELS];
byte granted[CHANNELS];
byte moved[CHANNELS]; /* data_tail less granted_tail, at most granted: beyond it makes no difference */
bool has_freed[CHANNELS];
chan waiting_for[CHANNELS] = [BLOCKS] of {byte};

byte waiting;
byte packets;         /* not complete */
byte wavefronts_used; /* of packets not complete */
bool is_stuck;
bool is_final[CHANNELS]; /* what a partial wavefront has left behind is all that comes */

hidden byte i;
hidden byte j;
hidden byte k;
hidden byte o;

/* ---- the device: wavefronts ---- */

#define FREE_SPACE(c) (WIDTH(c) - MINUS(c, ch[c].data_tail, ch[c].data_head))

/* sl_talloc: one step, as the compare-and-swap that succeeds. `at` is the first element. */
inline reserve(to, number, first_one)
{
    first_one = ch[to].data_tail;
    for (i : 0 .. number - 1) {
        o = PLUS(to, first_one, i);
        assert(ch[to].element[o] == AVAILABLE);
        ch[to].element[o] = RESERVED;
    }
    ch[to].data_tail = PLUS(to, first_one, number);
    moved[to] = (moved[to] + number > granted[to] -> granted[to] : moved[to] + number);
    i = 0;
    o = 0;
}

/* sl_talloc_or_yield. The check, the save with the record, and the restart are steps of their own. */
inline talloc_or_yield(to, number, first_one)
{
    do
    :: d_step { FREE_SPACE(to) >= number -> reserve(to, number, first_one) } -> break
    :: d_step {
           FREE_SPACE(to) < number -> wave[me].resource = to;
           wave[me].demand = number
       }
       d_step {
           wave[me].state = YIELDED;
           contexts++;
           in_flight--;
           yields!me;
           is_changed = true
       }
       d_step {
           wave[me].state == LAUNCHING && contexts > 0 -> contexts--;
           wave[me].state = RUNNING;
           wave[me].resource = 0;
           wave[me].demand = 0
       }
    od
}

/* sl_enq: reserve entries and write the offsets, then publish in the order of reservation. */
inline reserve_entries(to, number, first_one)
{
    position = ch[to].control_reserve;
    for (i : 0 .. number - 1) {
        o = PLUS(to, position, i);
        assert(ch[to].control[o] == 0);
        ch[to].control[o] = PLUS(to, first_one, i) + 1
    }
    ch[to].control_reserve = PLUS(to, position, number);
    i = 0;
    o = 0
}

inline publish(to, number, first_one)
{
    ch[to].control_tail == position -> assert(!is_final[to]);
    for (i : 0 .. number - 1) {
        o = PLUS(to, first_one, i);
        assert(ch[to].element[o] == RESERVED);
        ch[to].element[o] = READY
    }
    ch[to].control_tail = PLUS(to, position, number);
    position = 0;
    is_changed = true;
    i = 0;
    o = 0
}

#define OFFSET(lane) (ch[from].control[PLUS(from, wave[me].first, lane)] - 1)

/* Something that the continuation `whom` has waited for is complete. */
inline complete(whom)
{
    if
    :: whom > 0 ->
        assert(ch[JOINS(LEVEL(from) - 1)].pending[whom - 1] > 0);
        ch[JOINS(LEVEL(from) - 1)].pending[whom - 1]--
    :: else
    fi
}

/* What the lanes that spawn put into their elements. */
inline write_elements()
{
    k = 0; /* children so far */
    o = 0; /* continuations so far */
    for (i : 0 .. wave[me].count - 1) {
        if
        :: spawns[i] > 0 ->
            j = PLUS(JOINS(LEVEL(from)), joins_at, o);
            ch[JOINS(LEVEL(from))].parent[j] = ch[from].parent[OFFSET(i)];
            ch[JOINS(LEVEL(from))].pending[j] = spawns[i];
            o++;
            do
            :: spawns[i] > 0 ->
                ch[from + 2].parent[PLUS(from + 2, children_at, k)] = j + 1;
                k++;
                spawns[i]--
            :: else -> break
            od;
            ch[from].parent[OFFSET(i)] = 0
        :: else -> /* a base case: its result is there as soon as it runs */
            complete(ch[from].parent[OFFSET(i)]);
            ch[from].parent[OFFSET(i)] = 0
        fi
    }
    i = 0;
    j = 0;
    k = 0;
    o = 0
}

/* sl_tfree of all lanes. */
inline tfree()
{
    d_step {
        for (i : 0 .. wave[me].count - 1) {
            o = OFFSET(i);
            assert(ch[from].element[o] == DISPATCHED);
            ch[from].element[o] = DONE;
            ch[from].done[o / GROUP]++;
            assert(ch[from].done[o / GROUP] <= GROUP);
            ch[from].control[PLUS(from, wave[me].first, i)] = 0
        }
        is_changed = true;
        i = 0;
        o = 0
    }
}

/* Context and block are free again, and after a packet's last wavefront its record is written. */
inline end_wavefront()
{
    d_step {
        left[wave[me].packet]--;
        if
        :: left[wave[me].packet] == 0 ->
            record_elements[from] = record_elements[from] + size[wave[me].packet];
            record_waves[from] = record_waves[from] + waves[wave[me].packet];
            record_packets++;
            size[wave[me].packet] = 0;
            waves[wave[me].packet] = 0
        :: else
        fi;
        wave[me].state = FREE;
        wave[me].from = 0;
        wave[me].first = 0;
        wave[me].count = 0;
        wave[me].packet = 0;
        from = 0;
        contexts++;
        in_flight--;
        is_changed = true
    }
}

proctype wavefront(byte me)
{
    byte from;
    byte spawns[LANES];
    byte joins;
    byte children;
    byte joins_at;
    byte children_at;
    byte position;
    byte lane;

end_of_work:
    do
    :: atomic {
           wave[me].state == LAUNCHING && contexts > 0 -> contexts--;
           wave[me].state = RUNNING;
           from = wave[me].from;
           if
           :: !IS_JOINS(from) && LEVEL(from) + 1 < LEVELS -> /* what it spawns is anyone's choice */
               do
               :: lane < wave[me].count ->
                   if
                   :: spawns[lane] = 0
#ifndef ALL_OR_NOTHING
                   :: spawns[lane] = 1
#endif
#if FAN_OUT > 1 || defined(ALL_OR_NOTHING)
                   :: spawns[lane] = FAN_OUT
#endif
                   fi;
                   joins = joins + (spawns[lane] > 0 -> 1 : 0);
                   children = children + spawns[lane];
                   lane++
               :: else -> break
               od;
               lane = 0
           :: else
           fi
       }
       if
       :: IS_JOINS(from) ->
           d_step {
               for (i : 0 .. wave[me].count - 1) {
                   assert(ch[from].pending[OFFSET(i)] == 0); /* all that it depends on */
                   complete(ch[from].parent[OFFSET(i)]);
                   ch[from].parent[OFFSET(i)] = 0
               }
               i = 0
           }
       :: else ->
           if
           :: joins > 0 ->
               talloc_or_yield(JOINS(LEVEL(from)), joins, joins_at);
               talloc_or_yield(from + 2, children, children_at);
               /* Others read of what the first writes only what the check needs; written later, an
                * assertion can only fail more often. So both are one step. */
               atomic {
                   write_elements();
                   reserve_entries(from + 2, children, children_at)
               }
               d_step { publish(from + 2, children, children_at) }
               d_step { reserve_entries(JOINS(LEVEL(from)), joins, joins_at) }
               d_step {
                   publish(JOINS(LEVEL(from)), joins, joins_at);
                   joins = 0;
                   children = 0;
                   joins_at = 0;
                   children_at = 0
               }
           :: else -> d_step { write_elements() }
           fi
       fi;
       tfree();
progress_of_work:
       end_wavefront()
    od
}

/* ---- the aggregator ---- */

#define OUTSTANDING(c) (ready[c] + with_device[c] > 0)
#define UNKNOWN        255

/* channel_poll and note_new. */
inline poll_tail(which)
{
    if
    :: seen_tail[which] != ch[which].control_tail ->
        ready[which] = ready[which] + MINUS(which, ch[which].control_tail, seen_tail[which]);
        seen_tail[which] = ch[which].control_tail;
        is_progress = true
    :: else
    fi
}

#define GROUP_AT(c) (ch[c].data_head / GROUP)
#define HAS_DONE(c) (ch[c].done[GROUP_AT(c)] == GROUP)

/* channel_retire. */
inline retire(which)
{
    do
    :: HAS_DONE(which) ->
        ch[which].done[GROUP_AT(which)] = 0;
        for (o : 0 .. GROUP - 1) {
            assert(ch[which].element[PLUS(which, ch[which].data_head, o)] == DONE);
            ch[which].element[PLUS(which, ch[which].data_head, o)] = AVAILABLE
        }
        ch[which].data_head = PLUS(which, ch[which].data_head, GROUP);
        has_freed[which] = nempty(waiting_for[which]) /* without waiters it makes no difference */
    :: else -> break
    od;
    o = 0
}

/* restart_of. j: free elements that nobody was promised. */
inline restart_of(which)
{
    granted[which] = (is_drained -> 0 : granted[which] - moved[which]);
    moved[which] = 0;
    j = MINUS(which, ch[which].data_tail, ch[which].data_head) + granted[which];
    j = (j < WIDTH(which) -> WIDTH(which) - j : 0);
    do
    :: nempty(waiting_for[which]) ->
        waiting_for[which]?<k>;
        if
        :: wave[k].demand > j -> break
        :: else ->
            waiting_for[which]?k;
            j = j - wave[k].demand;
            granted[which] = granted[which] + wave[k].demand;
            yielded[wave[k].from]--;
            settled[wave[k].from] = false;
            wave[k].state = LAUNCHING;
            in_flight++;
            waiting--;
            has_restarted = true
        fi
    :: empty(waiting_for[which]) -> break
    od;
    j = 0;
    k = 0
}

/* allowed() of the scheduler, into k. The reserve is sl_graph_reserve of graphs as this one: only
 * tasks of levels that are not the deepest can wait, each level is one place. */
inline allow(which)
{
    k = (IS_JOINS(which) -> 0 : LEVELS - 1 - LEVEL(which));
#ifdef NO_POOL_RULE
    k = 0;
#endif
    k = (room > k -> room - k : 0);
#ifndef NO_WAITERS_RULE
    k = (yielded[which] > 0 -> 0 : k);
#endif
}

/* dispatch_put: a packet of the next `amount` elements. Packets are numbered by a free place. */
inline dispatch(which)
{
    j = 0;
    do
    :: left[j] > 0 -> j++
    :: else -> break
    od;
    size[j] = amount;
    packets++;
    i = MINUS(which, seen_tail[which], ready[which]);
    ready[which] = ready[which] - amount;
    with_device[which] = with_device[which] + amount;
    settled[which] = false;
    room--; /* below, the others */
    do
    :: amount > 0 ->
        k = 0;
        do
        :: k < BLOCKS && wave[k].state != FREE -> k++
        :: else -> break
        od;
        assert(k < BLOCKS); /* a block for each that is dispatched */
        wave[k].state = LAUNCHING;
        wave[k].from = which;
        wave[k].first = i;
        wave[k].count = (amount < LANES -> amount : LANES);
        wave[k].packet = j;
        for (o : 0 .. wave[k].count - 1) {
            assert(ch[which].element[ch[which].control[PLUS(which, i, o)] - 1] == READY);
            ch[which].element[ch[which].control[PLUS(which, i, o)] - 1] = DISPATCHED
        }
        i = PLUS(which, i, wave[k].count);
        amount = amount - wave[k].count;
        left[j]++;
        waves[j]++;
        flying[which]++;
        wavefronts_used++;
        in_flight++
    :: else -> break
    od;
    room = room + 1 - waves[j];
    has_chosen = true;
    i = 0;
    j = 0;
    k = 0;
    o = 0
}

/* choose_full. */
inline choose_full(which)
{
    do
    :: ready[which] >= LANES ->
        allow(which);
        k = (k < ready[which] / LANES -> k : ready[which] / LANES);
        k = (k < PACKET -> k : PACKET);
        if
        :: k == 0 -> break
        :: else ->
            amount = k * LANES;
            dispatch(which)
        fi
    :: else -> break
    od;
    k = 0
}

/* choose_partial. */
inline choose_partial(which)
{
    if
    :: ready[which] > 0 && !has_chosen ->
        allow(which);
        if
        :: k > 0 ->
            amount = (ready[which] < LANES -> ready[which] : LANES);
            dispatch(which)
        :: else
        fi
    :: else
    fi;
    k = 0
}

/* levels_may_fill: whether more elements can come into a channel while its ready ones wait, from
 * wavefronts that are in flight: in the order of numbers each channel is fed by those before it. k:
 * the first that may feed it. */
#ifdef FINAL_BY_LEVEL
#define FEEDERS(which) TASKS(LEVEL(which))
#else
#define FEEDERS(which) (which)
#endif
inline find_feeder(which)
{
    k = 0;
#ifdef FINAL_WHILE_FED
    k = which;
#endif
    do
    :: k < which && (k >= FEEDERS(which) || flying[k] == 0) -> k++
    :: else -> break
    od
}

/* choose_final. */
inline choose_final()
{
    at = 0;
    do
    :: at < LEVELS && ready[TASKS(at)] == 0 -> at++
    :: else -> break
    od;
#ifdef FINAL_OF_NEXT
    at = (at + 1 < LEVELS && ready[TASKS(at + 1)] > 0 -> at + 1 : at);
#endif
    if
    :: at < LEVELS -> at = TASKS(at)
    :: else -> at = (deepest < LEVELS - 1 -> JOINS(deepest) : CHANNELS)
    fi;
    if
    :: at < CHANNELS && ready[at] % LANES > 0 ->
        find_feeder(at);
        if
        :: k == at ->
            allow(at);
            if
            :: k > 0 ->
                amount = ready[at] % LANES;
                dispatch(at);
                is_final[at] = true
            :: else
            fi
        :: else
        fi;
        k = 0
    :: else
    fi
}

#ifdef FINAL_WHILE_WAITING
#define MAY_BE_FINAL true
#else
#define MAY_BE_FINAL (waiting == 0)
#endif

/* Level below which nothing is outstanding. */
inline find_deepest()
{
    deepest = LEVELS - 1;
    do
    :: deepest > 0 && !OUTSTANDING(TASKS(deepest)) &&
       (deepest == LEVELS - 1 || !OUTSTANDING(JOINS(deepest))) -> deepest--
    :: else -> break
    od
#ifdef EARLY_CONTINUATIONS
    deepest = 0;
#endif
}

/* choose of the levelized scheduler, rules 1 to 4. */
inline choose()
{
    room = (used < wavefronts_used -> used : wavefronts_used); /* run_free_blocks */
#ifdef BLOCKS_NOT_CLAMPED
    room = BLOCKS - room;
#else
    room = (room < BLOCKS -> BLOCKS - room : 0);
#endif
    find_deepest();
    if
    :: deepest < LEVELS - 1 -> choose_full(JOINS(deepest))
    :: else
    fi;
    at = LEVELS;
    do
    :: at > 0 ->
        at--;
        choose_full(TASKS(at))
    :: else -> break
    od;
    if
    :: is_drained && !has_chosen ->
        do
        :: at < LEVELS ->
            choose_partial(TASKS(at));
            at++
        :: else -> break
        od;
        if
        :: deepest < LEVELS - 1 -> choose_partial(JOINS(deepest))
        :: else
        fi
    :: else ->
#ifndef DRAINED
        if
        :: MAY_BE_FINAL -> choose_final()
        :: else
        fi
#endif
    fi;
    at = 0;
    room = 0;
    deepest = 0
}

/* The end: nothing is anywhere. */
inline check_end()
{
    assert(contexts == CONTEXTS && in_flight == 0 && packets == 0 && wavefronts_used == 0);
    for (i : 0 .. BLOCKS - 1) {
        assert(wave[i].state == FREE && left[i] == 0)
    }
    for (i : 0 .. CHANNELS - 1) {
        assert(ch[i].control_tail == seen_tail[i] && ch[i].control_reserve == seen_tail[i]);
        assert(ready[i] == 0 && with_device[i] == 0 && flying[i] == 0 && yielded[i] == 0);
        for (j : 0 .. ELEMENTS_MAX - 1) {
            assert(ch[i].control[j] == 0 && ch[i].pending[j] == 0);
            assert(ch[i].element[j] == AVAILABLE || ch[i].element[j] == DONE)
        }
        /* All whole groups are deallocated. */
        assert(MINUS(i, ch[i].data_tail, ch[i].data_head) < GROUP)
    }
    i = 0;
    j = 0
}

/* A channel of which nothing runs, and that was polled since. */
#define IS_SETTLED(c)  (settled[c] && flying[c] == yielded[c])
#define HAS_OUTPUTS(c) (!IS_JOINS(c) && LEVEL(c) + 1 < LEVELS)

/* The order in which busy channels are polled is that in which they became busy; it makes no
 * difference, so that one way is checked, and then the other. */
#ifdef POLL_DEEPEST_FIRST
#define POLLED(at) (CHANNELS - 1 - (at))
#else
#define POLLED(at) (at)
#endif

#define settle(c) settled[c] = flying[c] == yielded[c] && !HAS_DONE(c)

active proctype aggregator()
{
    bool is_progress = true;
    bool waits;
    bool is_drained;
    bool has_restarted;
    bool has_chosen;
    bool has_yielded;
    bool is_done;
    bool is_ready;
    bool is_complete;
    byte in_flight_read;
    byte used = UNKNOWN;
    byte at;
    byte output;
    byte room;
    byte deepest;
    byte amount;

    d_step { /* the host's first elements */
        for (i : 0 .. ROOTS - 1) {
            ch[0].control[i] = i + 1;
            ch[0].element[i] = READY
        }
        ch[0].data_tail = ROOTS;
        ch[0].control_reserve = ROOTS;
        ch[0].control_tail = ROOTS;
        ready[0] = ROOTS; /* levels_init: everything is polled first */
        seen_tail[0] = ROOTS;
        i = 0
    }
    atomic {
        for (at : 0 .. BLOCKS - 1) {
            run wavefront(at)
        }
        at = 0
    }

pass:
    skip;
    /* take_records. A pass before which nothing has changed would be as the last one. */
    d_step {
        is_changed || is_progress -> is_changed = false;
        is_progress = false;
        waits = waiting > 0;
        in_flight_read = (waits -> in_flight : 0)
    }
    d_step {
        for (i : 0 .. CHANNELS - 1) {
            with_device[i] = with_device[i] - record_elements[i];
            flying[i] = flying[i] - record_waves[i];
            wavefronts_used = wavefronts_used - record_waves[i];
            record_elements[i] = 0;
            record_waves[i] = 0
        }
        is_progress = record_packets > 0;
        packets = packets - record_packets;
        record_packets = 0;
        i = 0
    }
    d_step { /* yield_poll, append */
        has_yielded = nempty(yields);
        do
        :: nempty(yields) ->
            yields?k;
            waiting_for[wave[k].resource]!k;
            has_freed[wave[k].resource] = true;
            j = granted[wave[k].resource];
            j = (wave[k].demand < j -> j - wave[k].demand : 0);
            granted[wave[k].resource] = j;
            if
            :: moved[wave[k].resource] > j -> moved[wave[k].resource] = j
            :: else
            fi;
            yielded[wave[k].from]++;
            waiting++
        :: empty(yields) -> break
        od;
        is_progress = is_progress || has_yielded;
        used = (waits -> in_flight_read + waiting : UNKNOWN);
        is_drained = packets == 0 || (waits && in_flight_read == 0);
        waits = false;
        in_flight_read = 0;
        j = 0;
        k = 0
    }

    /* levels_poll: for each channel of which something runs, its done count and its outputs' tails,
     * continuations first. Done counts go with the tail after them in one step: seeing them earlier or
     * later only moves a deallocation. */
    do
    :: at < CHANNELS ->
       d_step {
           i = 0;
           do
           :: at < CHANNELS && IS_SETTLED(POLLED(at)) -> at++
           :: at < CHANNELS && !IS_SETTLED(POLLED(at)) && !HAS_OUTPUTS(POLLED(at)) ->
               is_done = is_done || HAS_DONE(POLLED(at));
               settle(POLLED(at));
               at++
           :: else -> break
           od;
           if
           :: at < CHANNELS ->
               output = POLLED(at) + 1;
               is_done = is_done || HAS_DONE(POLLED(at));
#ifdef CHILDREN_FIRST
               poll_tail(output + 1)
#else
               poll_tail(output)
#endif
           :: else
           fi
       }
       d_step {
           i = 0;
           if
           :: output > 0 ->
#ifdef CHILDREN_FIRST
               poll_tail(output);
#else
               poll_tail(output + 1);
#endif
               settle(POLLED(at));
               output = 0;
               at++
           :: else
           fi
       }
    :: at == CHANNELS -> break
    od;
    at = 0;
    d_step { /* retire_some; at the end of the graph all (finish_complete) */
        for (i : 0 .. CHANNELS - 1) {
            is_ready = is_ready || ready[i] > 0
        }
        is_complete = is_drained && !is_ready && waiting == 0;
        if
        :: is_done || is_complete ->
            for (i : 0 .. CHANNELS - 1) {
                retire(i)
            }
        :: else
        fi;
        i = 0
    }
    if
    :: is_complete -> goto complete_graph
    :: else
    fi;
    d_step { /* restart; schedule: it reads nothing that a wavefront writes, so one step does */
        i = 0;
        if
        :: waiting > 0 && (has_yielded || is_done || is_drained) ->
            for (i : 0 .. CHANNELS - 1) {
                if
                :: empty(waiting_for[i])
                :: nempty(waiting_for[i]) ->
                    if
                    :: has_freed[i] || (is_drained && granted[i] > 0) ->
                        has_freed[i] = false;
                        restart_of(i)
                    :: else
                    fi
                fi
            }
            i = 0;
            if
            :: has_restarted ->
                is_drained = false;
                is_progress = true
            :: else
            fi
        :: else
        fi;
        if
        :: is_ready && (is_progress || is_drained) ->
            choose();
            is_progress = is_progress || has_chosen
        :: else
        fi;
        is_progress = is_progress || is_done;
        is_stuck = !is_progress && is_drained;
        assert(!is_stuck); /* SL_FAILURE_STUCK */
        has_restarted = false;
        has_chosen = false;
        has_yielded = false;
        is_drained = false;
        is_done = false;
        is_ready = false;
        used = UNKNOWN
    }
    goto pass;

complete_graph:
    skip;
    d_step { check_end() }
}
