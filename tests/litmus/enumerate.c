/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A depth-first search. A thread is asleep while all executions that begin with its next operation
 * have been visited already, and nothing that depends on it has happened since. */
#include "litmus/enumerate.h"

#include <stddef.h>

struct search {
    const struct litmus_visitor *visitor;
    struct litmus_execution execution;
    uint64_t complete;
    uint64_t limit;
};

static int64_t value_of(const struct litmus_execution *execution, unsigned thread,
                        struct litmus_operand operand)
{
    return operand.is_register ? execution->outcome.reg[thread][operand.value] : operand.value;
}

/* Takes the branches in front of a thread's next operation. */
static void take_branches(struct litmus_execution *execution, unsigned number)
{
    const struct litmus_thread *const thread = &execution->test->thread[number];
    unsigned next = execution->next[number];

    while (next < thread->op_count && thread->op[next].kind == LITMUS_BRANCH) {
        const struct litmus_op *const op = &thread->op[next];
        const bool is_zero = execution->outcome.reg[number][op->reg] == 0;
        next = is_zero == op->if_zero ? op->target : next + 1;
    }
    execution->next[number] = next;
}

static void write(struct litmus_execution *execution, struct litmus_event *event)
{
    const struct litmus_op *const op = event->op;

    event->written = value_of(execution, event->thread, op->operand);
    if (op->kind == LITMUS_ADD) {
        event->written = (int64_t)((uint64_t)event->written + (uint64_t)event->read);
    } else if (op->kind == LITMUS_CAS &&
               event->read != value_of(execution, event->thread, op->expected)) {
        event->written = event->read;
        event->releases = false;
    }
    execution->outcome.memory[op->variable] = event->written;
}

/* A thread's next operation, as far as it is known. */
static struct litmus_event upcoming(const struct litmus_execution *execution, unsigned thread)
{
    const struct litmus_op *const op = &execution->test->thread[thread].op[execution->next[thread]];

    return (struct litmus_event){.thread = thread, .op = op, .releases = op->release};
}

/* Executes a thread's next operation. */
static void step(struct litmus_execution *execution, unsigned thread)
{
    struct litmus_event *const event = &execution->event[execution->count];

    *event = upcoming(execution, thread);
    execution->count++;
    const struct litmus_op *const op = event->op;
    if (litmus_accesses(op)) {
        event->read = execution->outcome.memory[op->variable];
    }
    if (litmus_writes(op)) {
        write(execution, event);
    }
    if (litmus_reads(op)) {
        execution->outcome.reg[thread][op->reg] = event->read;
    }
    execution->next[thread]++;
    take_branches(execution, thread);
}

static bool has_ended(const struct litmus_execution *execution, unsigned thread)
{
    return execution->next[thread] == execution->test->thread[thread].op_count;
}

static bool depend(const struct search *search, const struct litmus_execution *before, unsigned a,
                   unsigned b)
{
    const struct litmus_visitor *const visitor = search->visitor;
    const struct litmus_event first = upcoming(before, a);
    const struct litmus_event second = upcoming(before, b);

    return litmus_conflict(first.op, second.op) ||
           (visitor->depends != NULL && (visitor->depends(visitor->user, &first, &second) ||
                                         visitor->depends(visitor->user, &second, &first)));
}

/* `asleep` has a bit for each thread. */
static void explore(struct search *search, unsigned asleep)
{
    const struct litmus_visitor *const visitor = search->visitor;
    const struct litmus_execution before = search->execution;
    const unsigned threads = before.test->thread_count;
    bool is_over = true;

    for (unsigned thread = 0; thread < threads; thread++) {
        if (has_ended(&before, thread)) {
            continue;
        }
        is_over = false;
        if (asleep >> thread & 1 || search->complete > search->limit) {
            continue;
        }
        unsigned still_asleep = 0;
        for (unsigned other = 0; other < threads; other++) {
            if (asleep >> other & 1 && !depend(search, &before, thread, other)) {
                still_asleep |= 1u << other;
            }
        }
        step(&search->execution, thread);
        if (visitor->event != NULL) {
            visitor->event(visitor->user, &search->execution);
        }
        explore(search, still_asleep);
        search->execution = before;
        asleep |= 1u << thread;
    }
    if (is_over) {
        search->complete++;
        if (visitor->end != NULL) {
            visitor->end(visitor->user, &before);
        }
    }
}

uint64_t litmus_enumerate(const struct litmus_test *test, const struct litmus_visitor *visitor,
                          uint64_t limit)
{
    struct search search = {.visitor = visitor, .execution = {.test = test}, .limit = limit};

    for (unsigned i = 0; i < test->variable_count; i++) {
        search.execution.outcome.memory[i] = test->variable[i].initial;
    }
    for (unsigned i = 0; i < test->thread_count; i++) {
        take_branches(&search.execution, i);
    }
    explore(&search, 0);
    return search.complete > limit ? 0 : search.complete;
}
