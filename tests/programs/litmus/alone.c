/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A set is the wavefronts of a test, whose lanes run as many instances of it as there is room for,
 * or fewer. Several sets are launched in one cycle, from one to as many as the machine holds, once
 * what they want warm is: alone, a set finds the machine idle; in a crowd, it waits for ports and
 * banks. When there were a few thousand instances a new machine takes their place, whose caches are
 * empty. */
#include "programs/litmus/alone.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/litmus/plan.h"
#include "programs/litmus/random.h"

#define INSTANCES_MAX 4096 /* of a machine */
#define GAP_LINES     8    /* that are left free between variables, fewer than this */
#define BUSY_MAX      3    /* stores before the test */

/* What each wavefront of a set has in its L1 cache before, and when each begins. */
struct set {
    uint32_t instances;
    uint32_t first_cu;
    uint64_t variables;
    uint64_t variable_bytes;
    uint64_t results;
    uint32_t loads[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX]; /* by work-group and wavefront */
    uint32_t owns[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX];
    uint16_t delay_cycles[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX];
    uint16_t busy[LITMUS_WAVES_MAX][LITMUS_WAVES_MAX];
    uint32_t late; /* a bit for each thread: behind the others of its wavefront that are not */
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

/* ---- what a set does ---- */

enum { NOWHERE, LOADED, OWNED, PLACES };

static void warm(struct set *set, uint32_t group, uint32_t wave, unsigned variable, uint32_t place)
{
    set->loads[group][wave] |= (uint32_t)(place == LOADED) << variable;
    set->owns[group][wave] |= (uint32_t)(place == OWNED) << variable;
}

/* What a store leaves behind where memory is not write-atomic would be one of the test's: none is
 * made there. */
static uint32_t places_of(const struct run *run)
{
    return litmus_order_of(run->alone->config) != NULL ? PLACES : OWNED;
}

/* Where a variable is before the test, as chance has it: in no cache, in all, in that of one
 * wavefront, or in each or not. */
static void warm_variable(struct run *run, struct set *set, unsigned variable)
{
    enum { NO_CACHE, EVERY_CACHE, ONE_CACHE, SOME_CACHES, KINDS };
    const struct litmus_test *const test = run->test;
    const struct litmus_thread *const one = &test->thread[below(run, test->thread_count)];
    const uint32_t kind = below(run, KINDS);
    const uint32_t places = places_of(run);

    for (uint32_t group = 0; group < test->group_count; group++) {
        for (uint32_t wave = 0; wave < test->wave_count[group]; wave++) {
            const bool is_one = one->group == group && one->wave == wave;
            const uint32_t place = kind == EVERY_CACHE           ? LOADED
                                   : kind == ONE_CACHE && is_one ? places - 1
                                   : kind == SOME_CACHES         ? below(run, places)
                                                                 : NOWHERE;
            warm(set, group, wave, variable, place);
        }
    }
}

/* What a thread accesses last is where it is fast, what it accesses first is not: so the last may
 * pass the first, if anything may. */
static void warm_last(const struct run *run, struct set *set, const struct litmus_thread *thread)
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
        warm(set, thread->group, thread->wave, last->variable,
             litmus_writes(last) ? places_of(run) - 1 : LOADED);
    }
}

static void draw_warm(struct run *run, struct set *set)
{
    const struct litmus_test *const test = run->test;
    const bool is_last = below(run, 2) == 0;

    for (unsigned i = 0; i < test->thread_count; i++) {
        const struct litmus_thread *const thread = &test->thread[i];
        set->loads[thread->group][thread->wave] |= thread->warm;
        if (is_last) {
            warm_last(run, set, thread);
        }
    }
    for (unsigned i = 0; i < test->variable_count && !is_last; i++) {
        warm_variable(run, set, i);
    }
}

static void draw_waves(struct run *run, struct set *set)
{
    static const uint32_t longest[] = {1, 4, 32, 256, 2048};
    const uint32_t delays = longest[below(run, sizeof longest / sizeof longest[0])];
    const bool is_busy = below(run, 2) == 0;

    for (uint32_t group = 0; group < run->test->group_count; group++) {
        for (uint32_t wave = 0; wave < run->test->wave_count[group]; wave++) {
            set->delay_cycles[group][wave] = (uint16_t)below(run, delays);
            set->busy[group][wave] = is_busy ? (uint16_t)below(run, BUSY_MAX + 1) : 0;
        }
    }
}

static bool draw_set(struct run *run, uint32_t instances)
{
    struct set *const set = &run->set[run->set_count];
    const uint32_t part =
        run->instances >> (below(run, 4) == 0 ? below(run, 7) : 5 + below(run, 2));
    const struct litmus_test *const test = run->test;

    *set = (struct set){0};
    set->instances = part < 1 ? 1 : part < instances ? part : instances;
    set->first_cu = below(run, run->cus);
    set->late = below(run, 1u << LITMUS_THREADS_MAX);
    draw_waves(run, set);
    draw_warm(run, set);
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
        const uint64_t code = thread + (set->late >> thread & 1) * run->test->thread_count;
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
                .lanes = set->instances * (code == LITMUS_BARE_WARM ? 1 : wave->count),
                .variables = set->variables,
                .variable_bytes = set->variable_bytes,
                .loads = set->loads[group][i],
                .owns = set->owns[group][i],
                .results = set->results,
                .delay_cycles = set->delay_cycles[group][i],
                .busy = set->busy[group][i],
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
    const uint32_t wanted = 1 + below(run, 1 + below(run, run->sets_max));

    *done = 0;
    for (uint32_t i = 0; i < wanted && *done < instances; i++) {
        if (!draw_set(run, instances - *done)) {
            (void)snprintf(run->bare.error, sizeof run->bare.error,
                           "the machine's memory is too small for the test (dram.size)");
            return SL_ERROR_USAGE;
        }
        /* One behind the other, so that none finds a compute unit full. */
        run->set[run->set_count].first_cu =
            (run->set[first].first_cu + i * run->test->group_count) % run->cus;
        reset(run, &run->set[run->set_count]);
        *done += run->set[run->set_count++].instances;
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
