/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A set is the wavefronts of a test, whose lanes run as many instances of it as there is room for,
 * or fewer. Several sets are launched in one cycle, from one to as many as the machine holds, once
 * what they want warm is: alone, a set finds the machine idle; in a crowd, it waits for ports and
 * banks. When there were a few thousand instances a new machine takes their place, whose caches are
 * empty. */
#include "litmus/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/plan.h"
#include "litmus/random.h"
#include "litmus/setup.h"

#define INSTANCES_MAX 4096 /* of a machine */
#define GAP_LINES     8    /* that are left free between variables, fewer than this */

/* The wavefronts of a test, with memory of its own for each instance. */
struct set {
    uint32_t instances;
    uint32_t warm;     /* of these: for the others nothing is in a cache */
    uint32_t first_cu; /* work-groups are on this compute unit and those behind it */
    uint64_t variables;
    uint64_t variable_bytes;
    uint64_t results;
    struct litmus_setup setup;
};

struct run {
    const struct litmus_alone *alone;
    const struct litmus_test *test;
    struct litmus_wave wave[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX]; /* by work-group and wavefront */
    uint32_t cus;
    uint32_t instances; /* of a set at most */
    uint32_t sets_max;  /* at once */
    uint64_t random;
    struct litmus_bare bare;
    struct set *set; /* those of this machine */
    uint32_t set_count;
};

static uint32_t below(struct run *run, uint32_t limit)
{
    return litmus_random_below(&run->random, limit);
}

/* ---- a set ---- */

/* Whether the test itself wants something in a cache. */
static bool is_warm(const struct litmus_test *test)
{
    unsigned warm = 0;

    for (unsigned i = 0; i < test->thread_count; i++) {
        warm |= test->thread[i].warm;
    }
    return warm != 0;
}

/* Most have one instance or two; false where memory is at its end. */
static bool draw_set(struct run *run, uint32_t instances)
{
    struct set *const set = &run->set[run->set_count];
    const bool may_own = litmus_order_of(run->alone->config) != NULL;
    const uint32_t part =
        run->instances >> (below(run, 3) == 0 ? below(run, 7) : 5 + below(run, 2));
    const struct litmus_test *const test = run->test;

    set->instances = part < 1 ? 1 : part < instances ? part : instances;
    set->warm =
        below(run, 4) != 0 || is_warm(test) ? set->instances : 1 + below(run, set->instances);
    set->setup = litmus_setup_draw(test, may_own, &run->random);
    const uint64_t lines = set->instances + below(run, GAP_LINES);
    set->variable_bytes = test->one_line ? sizeof(int64_t) : lines * SL_CACHE_LINE_BYTES;
    set->variables = litmus_bare_take(&run->bare, (test->one_line ? 1 : test->variable_count) *
                                                      lines * SL_CACHE_LINE_BYTES);
    set->results = litmus_bare_take(&run->bare, set->instances * LITMUS_BARE_RESULT_BYTES);
    return set->results != 0;
}

static void *variable_at(const struct run *run, const struct set *set, uint32_t instance,
                         unsigned variable)
{
    return litmus_bare_at(&run->bare, set->variables + instance * LITMUS_BARE_INSTANCE_BYTES +
                                          variable * set->variable_bytes);
}

static void reset(const struct run *run, const struct set *set)
{
    for (uint32_t i = 0; i < set->instances; i++) {
        for (unsigned v = 0; v < run->test->variable_count; v++) {
            memcpy(variable_at(run, set, i, v), &run->test->variable[v].initial, sizeof(int64_t));
        }
    }
    /* What no lane writes is seen. */
    memset(litmus_bare_at(&run->bare, set->results), 0xff,
           set->instances * LITMUS_BARE_RESULT_BYTES);
}

/* ---- launching it ---- */

static uint64_t codes_of(const struct run *run, const struct set *set,
                         const struct litmus_wave *wave)
{
    uint64_t codes = 0;

    for (uint32_t i = 0; i < wave->count; i++) {
        const uint32_t thread = wave->thread[i];
        const uint64_t code = thread + (set->setup.late >> thread & 1) * run->test->thread_count;
        codes |= code << 4 * i;
    }
    return codes;
}

static void launch_set(struct run *run, const struct set *set, enum litmus_bare_code code)
{
    for (uint32_t group = 0; group < run->test->group_count; group++) {
        for (uint32_t i = 0; i < run->test->wave_count[group]; i++) {
            const struct litmus_wave *const wave = &run->wave[group][i];
            const struct litmus_bare_wave launched = {
                .code = code,
                .cu = (set->first_cu + group) % run->cus,
                .lanes = code == LITMUS_BARE_WARM ? set->warm : set->instances * wave->count,
                .variables = set->variables,
                .variable_bytes = set->variable_bytes,
                .loads = set->setup.wave[group][i].loads,
                .owns = set->setup.wave[group][i].owns,
                .results = set->results,
                .delay_cycles = set->setup.wave[group][i].delay_cycles,
                .busy = set->setup.wave[group][i].busy,
                .threads = wave->count,
                .codes = codes_of(run, set, wave),
            };
            litmus_bare_launch(&run->bare, &launched);
        }
    }
}

/* Some sets at once, with so many instances at most. Returns how many they had. */
static enum sl_status run_sets(struct run *run, uint32_t instances, uint32_t *done)
{
    const uint32_t first = run->set_count;
    const uint32_t first_cu = below(run, run->cus);
    const uint32_t wanted = 1 + below(run, 1 + below(run, run->sets_max));

    *done = 0;
    for (uint32_t i = 0; i < wanted && *done < instances; i++) {
        struct set *const set = &run->set[run->set_count];
        if (!draw_set(run, instances - *done)) {
            (void)snprintf(run->bare.error, sizeof run->bare.error,
                           "the machine's memory is too small for the test (dram.size)");
            return SL_ERROR_USAGE;
        }
        /* One behind the other, so that none finds a compute unit full. */
        set->first_cu = (first_cu + i * run->test->group_count) % run->cus;
        reset(run, set);
        *done += set->instances;
        run->set_count++;
    }
    for (enum litmus_bare_code code = 0; code < LITMUS_BARE_CODES; code++) {
        for (uint32_t i = first; i < run->set_count; i++) {
            launch_set(run, &run->set[i], code);
        }
        const enum sl_status status = litmus_bare_run(&run->bare);
        if (status != SL_OK) {
            return status;
        }
    }
    return SL_OK;
}

/* ---- what came of it ---- */

static void read_outcome(const struct run *run, const struct set *set, uint32_t instance,
                         struct litmus_outcome *outcome)
{
    const struct litmus_test *const test = run->test;
    const int64_t *const results =
        litmus_bare_at(&run->bare, set->results + instance * LITMUS_BARE_RESULT_BYTES);

    *outcome = (struct litmus_outcome){0};
    for (unsigned i = 0; i < test->thread_count; i++) {
        for (unsigned r = 0; r < LITMUS_REGISTERS; r++) {
            if (test->thread[i].registers >> r & 1) {
                outcome->reg[i][r] = results[i * SL_CACHE_LINE_BYTES / sizeof(int64_t) + r];
            }
        }
    }
    for (unsigned v = 0; v < test->variable_count; v++) {
        memcpy(&outcome->memory[v], variable_at(run, set, instance, v), sizeof(int64_t));
    }
}

static enum sl_status observe(struct run *run, struct litmus_outcomes *outcomes)
{
    litmus_bare_settle(&run->bare);
    for (uint32_t s = 0; s < run->set_count; s++) {
        for (uint32_t i = 0; i < run->set[s].instances; i++) {
            struct litmus_outcome outcome;
            read_outcome(run, &run->set[s], i, &outcome);
            if (!litmus_outcomes_observe(outcomes, &outcome)) {
                (void)snprintf(run->bare.error, sizeof run->bare.error,
                               "the host is out of memory");
                return SL_ERROR_USAGE;
            }
        }
    }
    return SL_OK;
}

static void note_places(const struct run *run, struct litmus_places *places)
{
    if (places->sets == 0) {
        for (uint32_t group = 0; group < run->test->group_count; group++) {
            places->cu[group] = (run->set[0].first_cu + group) % run->cus;
        }
    }
    places->sets += run->set_count;
    places->crowded += run->test->group_count > run->cus ? run->set_count : 0;
}

static enum sl_status run_machine(struct run *run, uint32_t instances,
                                  struct litmus_outcomes *outcomes, struct litmus_places *places)
{
    uint32_t done = 0;

    run->set_count = 0;
    enum sl_status status = litmus_bare_create(&run->bare, run->alone->config, run->test);
    if (status == SL_OK && run->alone->change != NULL) {
        run->alone->change(run->bare.gpu);
    }
    while (status == SL_OK && done < instances) {
        uint32_t some;
        status = run_sets(run, instances - done, &some);
        done += some;
    }
    if (status == SL_OK) {
        note_places(run, places);
        status = observe(run, outcomes);
    }
    litmus_bare_destroy(&run->bare);
    return status;
}

/* ---- all of it ---- */

/* Which wavefront executes which threads, and how much the machine takes at once. False where it
 * cannot hold a set. */
static bool place(struct run *run)
{
    const struct litmus_test *const test = run->test;
    const int64_t *const number = run->alone->config->number;
    uint32_t most_threads = 1;
    uint32_t most_waves = 1;

    for (unsigned i = 0; i < test->thread_count; i++) {
        const struct litmus_thread *const thread = &test->thread[i];
        struct litmus_wave *const wave = &run->wave[thread->group][thread->wave];
        wave->thread[wave->count++] = i;
        most_threads = wave->count > most_threads ? wave->count : most_threads;
        most_waves = thread->wave + 1 > most_waves ? thread->wave + 1 : most_waves;
    }
    run->cus = (uint32_t)number[SL_CFG_GPU_CUS];
    run->instances = (uint32_t)number[SL_CFG_GPU_LANES] / most_threads;
    run->sets_max =
        (uint32_t)number[SL_CFG_GPU_CONTEXTS] / most_waves * run->cus / test->group_count;
    return run->instances > 0 && run->sets_max > 0;
}

enum sl_status litmus_alone_run(const struct litmus_alone *alone, struct litmus_outcomes *outcomes,
                                struct litmus_places *places, char *error)
{
    struct run run = {.alone = alone, .test = alone->test, .random = alone->seed};
    enum sl_status status = SL_OK;

    *places = (struct litmus_places){0};
    run.set = malloc(INSTANCES_MAX * sizeof *run.set);
    if (run.set == NULL || !place(&run)) {
        (void)snprintf(error, LITMUS_BARE_ERROR_BYTES, "%s",
                       run.set == NULL ? "the host is out of memory"
                                       : "the machine has no room for the test's wavefronts at "
                                         "once (gpu.lanes, gpu.cus, gpu.contexts)");
        free(run.set);
        return SL_ERROR_USAGE;
    }
    for (uint64_t done = 0; status == SL_OK && done < alone->runs;) {
        const uint64_t left = alone->runs - done;
        const uint32_t some = left < INSTANCES_MAX ? (uint32_t)left : INSTANCES_MAX;
        status = run_machine(&run, some, outcomes, places);
        done += some;
    }
    (void)snprintf(error, LITMUS_BARE_ERROR_BYTES, "%s", run.bare.error);
    free(run.set);
    return status;
}
