/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What makes an end that is allowed show: an access is slow, and a later one of its thread fast,
 * while others do the same. */
#include "litmus/setup.h"

#include <stddef.h>

#include "litmus/random.h"

#define BUSY_MAX 3 /* stores right before the test */

/* Where a line is for a wavefront. */
enum { NOWHERE, LOADED, OWNED, PLACES };

static void warm(struct litmus_setup *setup, uint32_t group, uint32_t wave, unsigned variable,
                 uint32_t place)
{
    setup->wave[group][wave].loads |= (uint32_t)(place == LOADED) << variable;
    setup->wave[group][wave].owns |= (uint32_t)(place == OWNED) << variable;
}

struct draw {
    const struct litmus_test *test;
    uint32_t places; /* PLACES, or OWNED: no line is */
    uint64_t *random;
};

static uint32_t below(const struct draw *draw, uint32_t limit)
{
    return litmus_random_below(draw->random, limit);
}

/* Where a variable is before the test, as chance has it: in no cache, in all, in that of one
 * wavefront, or in each or not. */
static void warm_variable(const struct draw *draw, struct litmus_setup *setup, unsigned variable)
{
    enum { NO_CACHE, EVERY_CACHE, ONE_CACHE, SOME_CACHES, KINDS };
    const struct litmus_test *const test = draw->test;
    const struct litmus_thread *const one = &test->thread[below(draw, test->thread_count)];
    const uint32_t kind = below(draw, KINDS);

    for (uint32_t group = 0; group < test->group_count; group++) {
        for (uint32_t wave = 0; wave < test->wave_count[group]; wave++) {
            const bool is_one = one->group == group && one->wave == wave;
            const uint32_t place = kind == EVERY_CACHE           ? LOADED
                                   : kind == ONE_CACHE && is_one ? draw->places - 1
                                   : kind == SOME_CACHES         ? below(draw, draw->places)
                                                                 : NOWHERE;
            warm(setup, group, wave, variable, place);
        }
    }
}

/* What a thread accesses last is where it is fast, what it accesses first is not: so the last may
 * pass the first, if anything may. */
static void warm_last(const struct draw *draw, struct litmus_setup *setup,
                      const struct litmus_thread *thread)
{
    const struct litmus_op *first = NULL;
    const struct litmus_op *last = NULL;

    for (unsigned i = 0; i < thread->op_count; i++) {
        if (litmus_accesses(&thread->op[i])) {
            first = first == NULL ? &thread->op[i] : first;
            last = &thread->op[i];
        }
    }
    if (first != last) {
        warm(setup, thread->group, thread->wave, last->variable,
             litmus_writes(last) ? draw->places - 1 : LOADED);
    }
}

static void draw_warm(const struct draw *draw, struct litmus_setup *setup)
{
    const struct litmus_test *const test = draw->test;
    const bool is_last = below(draw, 2) == 0;

    for (unsigned i = 0; i < test->thread_count; i++) {
        const struct litmus_thread *const thread = &test->thread[i];
        setup->wave[thread->group][thread->wave].loads |= thread->warm;
        if (is_last) {
            warm_last(draw, setup, thread);
        }
    }
    for (unsigned i = 0; i < test->variable_count && !is_last; i++) {
        warm_variable(draw, setup, i);
    }
}

static void draw_waves(const struct draw *draw, struct litmus_setup *setup)
{
    static const uint32_t longest[] = {1, 4, 32, 256, 2048};
    const uint32_t delays = longest[below(draw, sizeof longest / sizeof longest[0])];
    const bool is_busy = below(draw, 2) == 0;

    for (uint32_t group = 0; group < draw->test->group_count; group++) {
        for (uint32_t wave = 0; wave < draw->test->wave_count[group]; wave++) {
            setup->wave[group][wave].delay_cycles = (uint16_t)below(draw, delays);
            setup->wave[group][wave].busy = is_busy ? (uint16_t)below(draw, BUSY_MAX + 1) : 0;
        }
    }
}

struct litmus_setup litmus_setup_draw(const struct litmus_test *test, bool may_own,
                                      uint64_t *random)
{
    const struct draw draw = {test, may_own ? PLACES : OWNED, random};
    struct litmus_setup setup = {.late = below(&draw, 1u << LITMUS_THREADS_MAX)};

    draw_waves(&draw, &setup);
    draw_warm(&draw, &setup);
    return setup;
}
