/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cases of sequence.c: sequences of launches, each with the steps that have to run, in their
 * order, or with what has to be said of it. Included by sequence.c alone. */
#ifndef SLUICE_PROBES_LAUNCHES_SEQUENCE_CASES_H
#define SLUICE_PROBES_LAUNCHES_SEQUENCE_CASES_H

#include <string.h>

#include "check/launch/sequence_check.h"
#include "probes/launches/step_log.h"
#include "sluice/sluice.h"

#define WORDS 4

/* In the shared heap. */
struct shared {
    struct step_log log;
    uint32_t word[WORDS];
};

/* A sequence that a case asks for. */
struct plan {
    struct shared *shared;
    struct sl_launch_step steps[SL_SEQUENCE_LAUNCHES + 1];
    unsigned count;
    unsigned first;
    unsigned last;
    const uint32_t *word;
};

struct sequence_case {
    const char *name;
    void (*build)(struct plan *plan);
    const char *steps;     /* that run: "0 1 1", or "all" for each once; NULL: without end */
    uint32_t items;        /* work-items that they have together */
    enum sl_status status; /* of the run, or of what starts it */
    const char *message;   /* a part of it, where the status is none */
    void (*damage)(struct sl_sequence *sequence); /* what the library would not make, or NULL */
};

/* A step of so many work-items that is noted in the log under its number. */
static struct sl_launch_step *add(struct plan *plan, const char *kernel, uint32_t items)
{
    struct sl_launch_step *const step = &plan->steps[plan->count];
    *step = (struct sl_launch_step){.kernel = kernel,
                                    .grid = {items, 1, 1},
                                    .group = {64, 1, 1},
                                    .argument_count = 2,
                                    .argument = {(uintptr_t)&plan->shared->log, plan->count}};
    plan->count++;
    return step;
}

static void add_log(struct plan *plan, uint32_t items)
{
    (void)add(plan, "step_log", items);
}

/* A step with a further argument, a word. */
static struct sl_launch_step *add_word(struct plan *plan, const char *kernel, unsigned word)
{
    struct sl_launch_step *const step = add(plan, kernel, 1);
    step->argument[step->argument_count++] = (uintptr_t)&plan->shared->word[word];
    return step;
}

static void add_set(struct plan *plan, unsigned word, uint32_t value)
{
    struct sl_launch_step *const step = add_word(plan, "step_set", word);
    step->argument[step->argument_count++] = value;
}

/* A step of as many work-items as a word says. */
static void add_counted(struct plan *plan, unsigned word, uint32_t most)
{
    add(plan, "step_log", most)->grid_word = &plan->shared->word[word];
}

static void repeat(struct plan *plan, unsigned first, unsigned last, unsigned word)
{
    plan->first = first;
    plan->last = last;
    plan->word = &plan->shared->word[word];
}

#define BUILD(name, statement)                                                                     \
    static void build_##name(struct plan *p)                                                       \
    {                                                                                              \
        statement;                                                                                 \
    }

BUILD(one, add_log(p, 1))
BUILD(four, (add_log(p, 1), add_log(p, 100), add_log(p, 1000), add_log(p, 1)))
BUILD(
    most, while (p->count < SL_SEQUENCE_LAUNCHES) { add_log(p, 1); })
BUILD(part, (add_set(p, 0, 3), add_log(p, 200), add_word(p, "step_down", 0), add_log(p, 1),
             repeat(p, 1, 2, 0)))
BUILD(whole,
      (p->shared->word[0] = 2, add_log(p, 1), add_word(p, "step_down", 0), repeat(p, 0, 1, 0)))
BUILD(step, (add_set(p, 0, 3), add_word(p, "step_down", 0), add_log(p, 1), repeat(p, 1, 1, 0)))
BUILD(end, (add_set(p, 0, 2), add_log(p, 1), add_word(p, "step_down", 0), repeat(p, 1, 2, 0)))
BUILD(once, (add_log(p, 1), add_log(p, 1), add_log(p, 1), repeat(p, 0, 1, 0)))
BUILD(grid, (add_set(p, 1, 70), add_counted(p, 1, 100)))
BUILD(grid_most, (add_set(p, 1, 100), add_counted(p, 1, 100)))
BUILD(grid_more, (add_set(p, 1, 101), add_counted(p, 1, 100), add_log(p, 1)))
BUILD(grid_repeats,
      (add_set(p, 0, 3), add_counted(p, 0, 100), add_word(p, "step_down", 0), repeat(p, 1, 2, 0)))
BUILD(empty_first, (add_counted(p, 1, 100), add_log(p, 1)))
BUILD(empty_middle, (add_log(p, 1), add_counted(p, 1, 100), add_log(p, 1)))
BUILD(empty_last, (add_log(p, 1), add_counted(p, 1, 100)))
BUILD(empty_all, (add_counted(p, 1, 100), add_counted(p, 1, 100)))
BUILD(empty_end, (add_set(p, 0, 2), add_word(p, "step_down", 0), add_counted(p, 1, 9),
                  add_log(p, 1), repeat(p, 1, 2, 0)))
BUILD(fault, (add_set(p, 0, 3), add_word(p, "step_down", 0), add_word(p, "step_fault", 0),
              repeat(p, 1, 2, 0)))
BUILD(endless, (add_set(p, 0, 1), add_log(p, 1), repeat(p, 0, 1, 0)))
BUILD(endless_empty, (p->shared->word[0] = 1, add_counted(p, 1, 100), repeat(p, 0, 0, 0)))
BUILD(none, (void)p)
BUILD(
    many, while (p->count <= SL_SEQUENCE_LAUNCHES) { add_log(p, 1); })
BUILD(kernel, (add_log(p, 1), add(p, "step_none", 1)))
BUILD(arguments, (add_log(p, 1), add_log(p, 1), p->steps[1].argument_count = 9))
BUILD(group, (add_log(p, 1), add_log(p, 1), p->steps[1].group[0] = 2048))
BUILD(nothing, (add_log(p, 1), add_log(p, 1), add_log(p, 0)))
BUILD(part_end, (build_four(p), repeat(p, 1, 4, 0)))
BUILD(part_order, (build_four(p), repeat(p, 3, 2, 0)))
BUILD(word_odd,
      (build_four(p), repeat(p, 0, 1, 0), p->word = (const uint32_t *)((uintptr_t)p->word + 2)))
BUILD(word_outside, (build_four(p), repeat(p, 0, 1, 0), p->word = (const uint32_t *)SL_KERNEL_BASE))
BUILD(grid_odd, (add_log(p, 1), add_counted(p, 0, 9),
                 p->steps[1].grid_word = (const uint32_t *)(uintptr_t)(SL_HEAP_BASE + 5)))
BUILD(grid_outside, (add_log(p, 1), add_counted(p, 0, 9),
                     p->steps[1].grid_word = (const uint32_t *)SL_MAILBOX_BASE))

/* Of the sequence of four. */
#define DAMAGE(name, statement)                                                                    \
    static void damage_##name(struct sl_sequence *s)                                               \
    {                                                                                              \
        statement;                                                                                 \
    }                                                                                              \
    static void build_##name(struct plan *p)                                                       \
    {                                                                                              \
        build_four(p);                                                                             \
    }

DAMAGE(bad_magic, s->magic++)
DAMAGE(bad_none, s->count = 0)
DAMAGE(bad_many, s->count = SL_SEQUENCE_LAUNCHES + 1)
DAMAGE(bad_part, (s->word = SL_HEAP_BASE, s->first = 2, s->last = 1))
DAMAGE(bad_part_end, (s->word = SL_HEAP_BASE, s->last = UINT32_MAX))
DAMAGE(bad_word, s->word = UINT64_MAX - 3)
DAMAGE(bad_step_magic, sl_sequence_launches(s)[1].magic = 0)
DAMAGE(bad_step_program, sl_sequence_launches(s)[2].program = 64)
DAMAGE(bad_step_entry, sl_sequence_launches(s)[3].kernel.entry = 64)
DAMAGE(bad_step_grid, sl_sequence_launches(s)[3].grid[1] = 0)
DAMAGE(bad_step_word, sl_sequence_launches(s)[0].grid_word = 1)

#define CASE(id, ran, count, end, says, harm)                                                      \
    {                                                                                              \
        .name = #id, .build = build_##id, .steps = (ran), .items = (count), .status = (end),       \
        .message = (says), .damage = (harm)                                                        \
    }
#define GOOD(id, steps, items)          CASE(id, steps, items, SL_OK, NULL, NULL)
#define ENDS(id, steps, items, message) CASE(id, steps, items, SL_ERROR_MACHINE, message, NULL)
#define REFUSED(id, message)            CASE(id, "", 0, SL_ERROR_USAGE, message, NULL)

/* What the library described, and ran, is damaged and run again. */
#define DAMAGED(id, says)                                                                          \
    CASE(id, "0 1 2 3", 1102, SL_ERROR_USAGE, "the firmware refused the sequence: " says,          \
         damage_##id)

static const struct sequence_case cases[] = {
    GOOD(one, "0", 1),
    GOOD(four, "0 1 2 3", 1102),
    GOOD(most, "all", 256),
    GOOD(part, "0 1 2 1 2 1 2 3", 605),
    GOOD(whole, "0 1 0 1", 4),
    GOOD(step, "0 1 1 1 2", 5),
    GOOD(end, "0 1 2 1 2", 5),
    GOOD(once, "0 1 2", 3),
    GOOD(grid, "0 1", 71),
    GOOD(grid_most, "0 1", 101),
    GOOD(grid_repeats, "0 1 2 1 2 1 2", 10),
    GOOD(empty_first, "1", 1),
    GOOD(empty_middle, "0 2", 2),
    GOOD(empty_last, "0", 1),
    GOOD(empty_all, "", 0),
    GOOD(empty_end, "0 1 1 3", 4),
    ENDS(grid_more, "0", 1,
         " says a grid of 101 work-items in x, where the launch allows 100 at most; step 1 of 0 to "
         "2, kernel step_log"),
    ENDS(fault, "0 1 2 1 2 1 2", 7, "; step 2 of 0 to 2, kernel step_fault, repeat 2"),
    ENDS(endless, NULL, 0, "cycle limit reached"),
    ENDS(endless_empty, "", 0, "cycle limit reached"),
    REFUSED(none, "sequence of launches: 0 launches; from 1 to 256 are possible"),
    REFUSED(many, "sequence of launches: 257 launches; from 1 to 256 are possible"),
    REFUSED(kernel, "sequence of launches: step 1, kernel 'step_none': kernel file "),
    REFUSED(arguments, "sequence of launches: step 1, kernel 'step_log': it takes 2 arguments ("),
    REFUSED(group, "sequence of launches: step 1: the work-group has 2048 work-items; at most 1024 "
                   "are possible"),
    REFUSED(nothing, "sequence of launches: step 2: the grid has no work-items in x"),
    REFUSED(part_end, "sequence of launches: the repeated part begins or ends outside the "
                      "sequence, or ends before it begins: step 4 against step 3"),
    REFUSED(part_order, "or ends before it begins: step 3 against step 2"),
    REFUSED(word_odd, "the repeat word is not inside the shared heap, or not aligned to 4 bytes: "),
    REFUSED(word_outside, "aligned to 4 bytes: 0x80400000 against 0x80800000"),
    REFUSED(grid_odd, "sequence of launches: step 1: the grid word is not inside the shared heap, "
                      "or not aligned to 4 bytes: 0x80800005 against 0x80800004"),
    REFUSED(grid_outside,
            "sequence of launches: step 1: the grid word is not inside the shared heap"),
    DAMAGED(bad_magic, "the sequence's magic number is wrong"),
    DAMAGED(bad_none, "0 launches; from 1 to 256 are possible"),
    DAMAGED(bad_many, "257 launches; from 1 to 256 are possible"),
    DAMAGED(bad_part, "the repeated part begins or ends outside"),
    DAMAGED(bad_part_end, "the repeated part begins or ends outside the sequence, or ends "
                          "before it begins: step 4294967295 against step 3"),
    DAMAGED(bad_word, "the repeat word is not inside the shared heap"),
    DAMAGED(bad_step_magic, "step 1: the launch's magic number is wrong"),
    DAMAGED(bad_step_program, "step 2: the program's code or one of its tables"),
    DAMAGED(bad_step_entry, "step 3: the kernel's entry is not in the program's code"),
    DAMAGED(bad_step_grid, "step 3: the grid has no work-items in y"),
    DAMAGED(bad_step_word, "step 0: the grid word"),
};
#endif
