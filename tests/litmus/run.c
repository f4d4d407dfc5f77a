/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Each launch has so many instances that their variables fit in a few MiB, in rounds of as many as
 * a wavefront has lanes, or fewer: alone, an instance meets little; in a crowd, its accesses are
 * spread over the time that the lines of all lanes take. */
#include "litmus/run.h"

#include <string.h>

#include "host/driver/machine/machine.h"
#include "litmus/image.h"
#include "litmus/plan.h"
#include "litmus/random.h"
#include "sluice/program.h"

#define INSTANCES_MAX 16384 /* of a launch */

struct machine {
    struct sl_soc *soc;
    struct sl_module *module;
    const struct litmus_test *test;
    uint64_t random;
    uint32_t lanes;     /* of a wavefront */
    uint32_t instances; /* of a wavefront at once */
    uint32_t capacity;  /* instances of a launch */
    uint32_t group;     /* work-items of a work-group */
    struct litmus_plan *plan;
    char *variables;
    int64_t *results;
    struct litmus_round *rounds;
    struct litmus_meeting *meetings;
};

static uint32_t random_below(struct machine *machine, uint32_t limit)
{
    return litmus_random_below(&machine->random, limit);
}

/* ---- what a launch does ---- */

/* A thread starts at once, or some time later, up to what many accesses take. What the test wants
 * warm is; in every other round chance warms more. */
static void draw_starts(struct machine *machine, struct litmus_round *round)
{
    static const uint32_t longest[] = {1, 32, 256, 1024, 4000};
    const uint32_t delays = longest[random_below(machine, 5)];
    const bool warms_more = random_below(machine, 2) == 0;

    for (unsigned i = 0; i < machine->test->thread_count; i++) {
        const uint32_t more = warms_more ? random_below(machine, 1u << LITMUS_VARIABLES_MAX) : 0;
        const uint32_t all = (1u << machine->test->variable_count) - 1;
        round->start[i] = (struct litmus_start){
            .delay_cycles = (uint16_t)random_below(machine, delays),
            .warm = (uint8_t)((machine->test->thread[i].warm | more) & all),
            .late = (uint8_t)random_below(machine, 2),
        };
    }
}

/* Rounds of all, a half, a quarter... of the lanes, down to one instance. */
static void draw_rounds(struct machine *machine, uint32_t instances)
{
    uint32_t instance = 0;
    uint32_t count = 0;

    while (instance < instances) {
        struct litmus_round *const round = &machine->rounds[count++];
        uint32_t part = machine->instances >> random_below(machine, 7);
        part = part == 0 ? 1 : part;
        part = part < instances - instance ? part : instances - instance;
        *round = (struct litmus_round){.instance = instance, .instances = part};
        draw_starts(machine, round);
        instance += part;
    }
    machine->plan->round_count = count;
}

static char *variable_at(const struct machine *machine, uint32_t instance, unsigned variable)
{
    return machine->variables + instance * machine->plan->instance_bytes +
           variable * machine->plan->variable_bytes;
}

static void reset(const struct machine *machine, uint32_t instances)
{
    for (uint32_t i = 0; i < instances; i++) {
        for (unsigned v = 0; v < machine->test->variable_count; v++) {
            memcpy(variable_at(machine, i, v), &machine->test->variable[v].initial,
                   sizeof(int64_t));
        }
    }
    /* What no lane writes is seen. */
    memset(machine->results, 0xff,
           (size_t)instances * LITMUS_THREADS_MAX * LITMUS_REGISTERS * sizeof(int64_t));
    for (uint32_t i = 0; i < machine->plan->sets; i++) {
        machine->meetings[i].arrived = 0;
    }
}

static enum sl_status launch(const struct machine *machine)
{
    const uint32_t groups = machine->plan->sets * machine->plan->groups;
    const uint32_t grid[3] = {groups * machine->group, 1, 1};
    const uint32_t group[3] = {machine->group, 1, 1};
    const uint64_t constants[] = {(uintptr_t)machine->plan};
    const enum sl_status status =
        sl_launch(machine->module, "litmus_kernel", grid, group, 0, constants, 1);

    return status == SL_OK ? sl_app_wait(machine->soc, NULL) : status;
}

/* ---- what came of it ---- */

static void read_outcome(const struct machine *machine, uint32_t instance,
                         struct litmus_outcome *outcome)
{
    const struct litmus_test *const test = machine->test;

    *outcome = (struct litmus_outcome){0};
    for (unsigned i = 0; i < test->thread_count; i++) {
        const int64_t *const result =
            machine->results + ((size_t)instance * LITMUS_THREADS_MAX + i) * LITMUS_REGISTERS;
        for (unsigned r = 0; r < LITMUS_REGISTERS; r++) {
            outcome->reg[i][r] = test->thread[i].registers >> r & 1 ? result[r] : 0;
        }
    }
    for (unsigned v = 0; v < test->variable_count; v++) {
        memcpy(&outcome->memory[v], variable_at(machine, instance, v), sizeof(int64_t));
    }
}

static void note_places(const struct machine *machine, struct litmus_places *places)
{
    const uint32_t groups = machine->plan->groups;

    if (places->sets == 0) {
        memcpy(places->cu, machine->meetings[0].cu, groups * sizeof places->cu[0]);
    }
    for (uint32_t set = 0; set < machine->plan->sets; set++) {
        bool is_crowded = false;
        for (uint32_t a = 0; a < groups; a++) {
            for (uint32_t b = 0; b < a; b++) {
                is_crowded =
                    is_crowded || machine->meetings[set].cu[a] == machine->meetings[set].cu[b];
            }
        }
        places->sets++;
        places->crowded += is_crowded;
    }
}

static enum sl_status run_some(struct machine *machine, uint32_t instances,
                               struct litmus_outcomes *outcomes, struct litmus_places *places)
{
    draw_rounds(machine, instances);
    reset(machine, instances);
    const enum sl_status status = launch(machine);
    if (status != SL_OK) {
        return status;
    }
    note_places(machine, places);
    for (uint32_t i = 0; i < instances; i++) {
        struct litmus_outcome outcome;
        read_outcome(machine, i, &outcome);
        if (!litmus_outcomes_observe(outcomes, &outcome)) {
            return sl_soc_fail(machine->soc, SL_ERROR_USAGE, "the host is out of memory");
        }
    }
    return SL_OK;
}

/* ---- a machine for the test ---- */

/* Fills in which wavefront executes which threads. */
static void place_threads(struct machine *machine)
{
    const struct litmus_test *const test = machine->test;
    struct litmus_plan *const plan = machine->plan;
    uint32_t most_threads = 1;
    uint32_t most_waves = 1;

    plan->threads = test->thread_count;
    plan->groups = test->group_count;
    for (unsigned i = 0; i < test->thread_count; i++) {
        const struct litmus_thread *const thread = &test->thread[i];
        struct litmus_wave *const wave = &plan->wave[thread->group][thread->wave];
        wave->thread[wave->count++] = i;
        most_threads = wave->count > most_threads ? wave->count : most_threads;
        plan->waves += wave->count == 1;
        most_waves = thread->wave + 1 > most_waves ? thread->wave + 1 : most_waves;
    }
    machine->instances = machine->lanes / most_threads;
    machine->group = most_waves * machine->lanes;
}

static void lay_out(struct machine *machine)
{
    struct litmus_plan *const plan = machine->plan;

    plan->instance_bytes = SL_CACHE_LINE_BYTES;
    plan->variable_bytes = machine->test->one_line
                               ? sizeof(int64_t)
                               : (uint64_t)machine->capacity * SL_CACHE_LINE_BYTES;
    plan->variables = (uintptr_t)machine->variables;
    plan->results = (uintptr_t)machine->results;
    plan->rounds = (uintptr_t)machine->rounds;
    plan->meetings = (uintptr_t)machine->meetings;
}

/* Whether a set fits: its wavefronts wait for each other. */
static enum sl_status check_room(const struct machine *machine)
{
    const struct sl_config *const config = sl_soc_config(machine->soc);
    const uint32_t waves = machine->group / machine->lanes;
    const uint64_t room = (uint64_t)config->number[SL_CFG_GPU_CUS] *
                          ((uint64_t)config->number[SL_CFG_GPU_CONTEXTS] / waves);

    if (machine->instances == 0) {
        return sl_soc_fail(machine->soc, SL_ERROR_USAGE,
                           "the test has more threads in a wavefront than the machine has lanes "
                           "(gpu.lanes is %" PRIu32 ")",
                           machine->lanes);
    }
    if (room < machine->plan->groups) {
        return sl_soc_fail(machine->soc, SL_ERROR_USAGE,
                           "the test has %" PRIu32 " work-groups of up to %" PRIu32
                           " wavefronts, which run at the same time, and the machine has room for "
                           "%" PRIu64 " (gpu.cus is %" PRId64 ", gpu.contexts %" PRId64 ")",
                           machine->plan->groups, waves, room, config->number[SL_CFG_GPU_CUS],
                           config->number[SL_CFG_GPU_CONTEXTS]);
    }
    return SL_OK;
}

static enum sl_status prepare(struct machine *machine, uint64_t runs)
{
    struct sl_soc *const soc = machine->soc;
    const uint32_t cus = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_CUS];
    const size_t lines = machine->test->one_line ? 1 : machine->test->variable_count;

    machine->lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES];
    machine->capacity = runs < INSTANCES_MAX ? (uint32_t)runs : INSTANCES_MAX;
    machine->plan = sl_app_alloc(soc, sizeof *machine->plan, 0);
    machine->variables = sl_app_alloc(soc, machine->capacity * lines * SL_CACHE_LINE_BYTES, 0);
    machine->results = sl_app_alloc(
        soc, (size_t)machine->capacity * LITMUS_THREADS_MAX * LITMUS_REGISTERS * sizeof(int64_t),
        0);
    machine->rounds = sl_app_alloc(soc, machine->capacity * sizeof *machine->rounds, 0);
    machine->meetings = sl_app_alloc(soc, cus * sizeof *machine->meetings, 0);
    place_threads(machine);
    const enum sl_status status = check_room(machine);
    if (status != SL_OK) {
        return status;
    }
    machine->plan->sets = cus / machine->plan->groups > 0 ? cus / machine->plan->groups : 1;
    lay_out(machine);
    return litmus_image_load(soc, machine->test, &machine->module);
}

enum sl_status litmus_run(struct sl_soc *soc, const struct litmus_test *test, uint64_t runs,
                          uint64_t seed, struct litmus_outcomes *outcomes,
                          struct litmus_places *places)
{
    struct machine machine = {.soc = soc, .test = test, .random = seed};
    uint64_t done = 0;

    *places = (struct litmus_places){0};
    enum sl_status status = prepare(&machine, runs);
    sl_statistics_accumulate(soc);
    while (status == SL_OK && done < runs) {
        const uint64_t left = runs - done;
        const uint32_t some = left < machine.capacity ? (uint32_t)left : machine.capacity;
        status = run_some(&machine, some, outcomes, places);
        done += some;
    }
    return status;
}
