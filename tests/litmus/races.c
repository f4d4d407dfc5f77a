/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Happens-before is kept as the set of events before each event. Paths of the relation go forward
 * in the execution, so an event's set is final when the event is there, and those of its
 * predecessors are all that it is made of. */
#include "litmus/races.h"

_Static_assert(LITMUS_EVENTS_MAX <= 64, "a set of events is one word");

static unsigned apart(unsigned scope)
{
    return scope;
}

static unsigned together(unsigned scope)
{
    (void)scope;
    return 0;
}

const struct litmus_model litmus_hrf_direct = {"hrf-direct", LITMUS_SCOPES, apart};
const struct litmus_model litmus_hrf_indirect = {"hrf-indirect", 1, together};

unsigned litmus_scope_of(const struct litmus_test *test, unsigned thread,
                         const struct litmus_op *op)
{
    unsigned wave = test->thread[thread].wave;

    switch (op->scope) {
    case LITMUS_WAVEFRONT:
        for (unsigned group = 0; group < test->thread[thread].group; group++) {
            wave += test->wave_count[group];
        }
        return wave;
    case LITMUS_WORKGROUP:
        return LITMUS_THREADS_MAX + test->thread[thread].group;
    default:
        return 2 * LITMUS_THREADS_MAX + (op->scope == LITMUS_SYSTEM);
    }
}

static bool is_synchronization(const struct litmus_op *op)
{
    return op->acquire || op->release;
}

/* Whether `a`, if it is first, is before `b` in a scope's order of synchronization. */
static bool synchronizes(const struct litmus_test *test, const struct litmus_event *a,
                         const struct litmus_event *b)
{
    return a->releases && b->op->acquire &&
           litmus_scope_of(test, a->thread, a->op) == litmus_scope_of(test, b->thread, b->op);
}

bool litmus_races_depends(void *user, const struct litmus_event *a, const struct litmus_event *b)
{
    const struct litmus_races *const races = user;

    return synchronizes(races->test, a, b);
}

/* An ordinary conflict, or one of synchronization. */
static bool is_conflict(const struct litmus_test *test, const struct litmus_event *a,
                        const struct litmus_event *b)
{
    return litmus_conflict(a->op, b->op) &&
           (!is_synchronization(a->op) || !is_synchronization(b->op) ||
            litmus_scope_of(test, a->thread, a->op) != litmus_scope_of(test, b->thread, b->op));
}

static uint64_t predecessors(const struct litmus_races *races,
                             const struct litmus_execution *execution, unsigned relation)
{
    const unsigned last = execution->count - 1;
    const struct litmus_event *const event = &execution->event[last];
    uint64_t before = 0;

    for (unsigned i = 0; i < last; i++) {
        const struct litmus_event *const earlier = &execution->event[i];
        const bool is_synchronized =
            synchronizes(races->test, earlier, event) &&
            races->model->relation_of(litmus_scope_of(races->test, event->thread, event->op)) ==
                relation;
        if (earlier->thread == event->thread || is_synchronized) {
            before |= races->before[relation][i] | (uint64_t)1 << i;
        }
    }
    return before;
}

void litmus_races_event(void *user, const struct litmus_execution *execution)
{
    struct litmus_races *const races = user;
    const unsigned last = execution->count - 1;
    const struct litmus_event *const event = &execution->event[last];
    uint64_t ordered = 0;

    for (unsigned relation = 0; relation < races->model->relations; relation++) {
        races->before[relation][last] = predecessors(races, execution, relation);
        ordered |= races->before[relation][last];
    }
    for (unsigned i = 0; i < last && !races->found; i++) {
        const struct litmus_event *const earlier = &execution->event[i];
        if (!(ordered >> i & 1) && is_conflict(races->test, earlier, event)) {
            races->found = true;
            races->first =
                (struct litmus_race){{earlier->thread, event->thread}, {earlier->op, event->op}};
        }
    }
}
