/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random machines for kernels with locks, and what is expected of a run. */
#include "fuzz/locks_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "simt/gpu.h"
#include "sluice/config.h"
#include "sluice/lock.h"

#define SETTINGS_MAX 16
#define LANES_ALL    256 /* of all wavefronts of a run */
#define CYCLES_MAX   10000000

#define PROGRAM_ADDRESS SL_HEAP_BASE
#define TABLE_ADDRESS   (SL_HEAP_BASE + 0x1000)
#define PLACES_ADDRESS  (SL_HEAP_BASE + 0x20000)
#define RESULTS_ADDRESS (SL_HEAP_BASE + 0x30000)

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct gpu *gpu;
    const struct lock_kernel *kernel;
    struct lock_run *outcome;
    enum lock_mutant mutant;
    uint32_t lanes; /* that were launched */
    uint32_t waves;
    uint32_t ended;
    struct sl_fault fault;
};

/* ---- machines ---- */

struct choices {
    uint64_t random;
    char text[SETTINGS_MAX][64];
    const char *settings[SETTINGS_MAX + 1];
    uint32_t count;
};

static uint32_t below(struct choices *c, uint32_t limit)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(c->random >> 33) % limit;
}

__attribute__((format(printf, 2, 3))) static void set(struct choices *c, const char *format, ...)
{
    va_list arguments;

    assert_true(c->count < SETTINGS_MAX);
    va_start(arguments, format);
    (void)vsnprintf(c->text[c->count], sizeof c->text[0], format, arguments);
    va_end(arguments);
    c->settings[c->count] = c->text[c->count];
    c->settings[++c->count] = NULL;
}

static void choose_backoff(struct choices *c)
{
    static const char *const kinds[] = {"none", "constant", "linear", "exponential"};

    set(c, "lock.backoff=%s", kinds[below(c, 4)]);
    set(c, "lock.backoff_cycles=%u", 1 + below(c, 100));
    set(c, "lock.backoff_limit=%u", 100 + below(c, 1000));
}

/* Returns whether locks queue in memory, for which sections are not nested. */
static bool choose_memory(struct choices *c)
{
    static const struct {
        const char *name;
        bool has_queue;
    } systems[] = {
        {"flat", true}, {"partition", true},     {"moesi", false},  {"nol1", false},
        {"wt", false},  {"quickrelease", false}, {"scoped", false}, {"hybrid", false},
    };
    const uint32_t n = below(c, sizeof systems / sizeof systems[0]);

    set(c, "mem.system=%s", systems[n].name);
    if (!systems[n].has_queue || below(c, 2) == 0) {
        return false;
    }
    set(c, "lock.queue=on");
    set(c, "lock.queue_records=%u", below(c, 3) * below(c, 30));
    set(c, "lock.queue_cycles=%u", below(c, 2) * below(c, 20));
    return true;
}

/* Returns whether locks queue. */
static bool choose_machine(struct choices *c, uint64_t seed)
{
    static const uint32_t lanes[] = {8, 32, 64};

    c->random = (seed + 1) * 0x9e3779b97f4a7c15u;
    set(c, "gpu.cus=%u", 1u << below(c, 4));
    const uint32_t width = lanes[below(c, 3)];
    set(c, "gpu.lanes=%u", width);
    set(c, "gpu.simd_lanes=%u", width < 16 ? width : 16);
    set(c, "gpu.contexts=4");
    set(c, "gpu.divergence_depth=%u", 4u << below(c, 4));
    set(c, "gpu.divergence_spill=4096");
    set(c, "gpu.scheduler=%s", below(c, 2) == 0 ? "round_robin" : "greedy_oldest");
    choose_backoff(c);
    return choose_memory(c);
}

static void on_end(void *owner, const struct wave *wave)
{
    (void)wave;
    ((struct machine *)owner)->ended++;
}

/* ---- deadlocks ---- */

static const struct wave *wave_of(const struct machine *m, int32_t holder)
{
    const uint32_t lanes = m->gpu->cus[0].shape.lanes;

    for (uint32_t i = 0; i < m->gpu->cu_count * m->gpu->cus[0].shape.contexts; i++) {
        const struct wave *wave = &m->gpu->waves[i];
        if (wave->state == WAVE_RUNNING && wave->block == (uint32_t)holder / lanes) {
            return wave;
        }
    }
    return NULL;
}

/* Whether each lane of an entry that waits for a lock waits for a wavefront of the set. */
static bool waits_inside(const struct machine *m, const struct wave *wave,
                         const struct stack_entry *entry, const bool *in_set)
{
    const uint32_t *code = dram_at(&m->dram, SL_KERNEL_BASE);
    const uint32_t pointer = code[entry->pc / 4] >> 15 & 31;

    FOR_EACH_LANE(lane, entry->mask)
    {
        int32_t holder;
        memcpy(&holder, dram_at(&m->dram, wave->x[pointer][lane]), sizeof holder);
        const struct wave *other = holder < 0 ? NULL : wave_of(m, holder);
        if (other == NULL || !in_set[other - m->gpu->waves]) {
            return false;
        }
    }
    return true;
}

/* Whether all that a wavefront can do is ask for locks that are held inside the set. */
static bool is_stuck(const struct machine *m, const struct wave *wave, const bool *in_set)
{
    const struct simt_stack *stack = &wave->stack;

    for (uint32_t i = 0; i < stack->depth; i++) {
        const struct stack_entry *entry = &stack->entries[i];
        if (i + 1 < stack->depth && entry[1].level > entry->level) {
            continue; /* another one stands on it */
        }
        if (entry->kind != STACK_RETRY || !waits_inside(m, wave, entry, in_set)) {
            return false;
        }
    }
    return true;
}

/* Whether some wavefronts wait for each other for ever: the largest set whose members can do
 * nothing but ask for locks that members hold, by the words in memory. */
static bool is_circle(const struct machine *m)
{
    const uint32_t contexts = m->gpu->cu_count * m->gpu->cus[0].shape.contexts;
    bool *in_set = calloc(contexts, sizeof *in_set);
    uint32_t members = 0;
    uint32_t left = 0;

    assert_non_null(in_set);
    for (uint32_t i = 0; i < contexts; i++) {
        in_set[i] = m->gpu->waves[i].state == WAVE_RUNNING;
        members += in_set[i];
    }
    while (members != left) {
        left = members;
        for (uint32_t i = 0; i < contexts; i++) {
            if (in_set[i] && !is_stuck(m, &m->gpu->waves[i], in_set)) {
                in_set[i] = false;
                members--;
            }
        }
    }
    free(in_set);
    return members > 0;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    struct machine *m = owner;

    (void)wave;
    if (m->fault.code == 0) {
        m->fault = *fault;
        m->outcome->is_deadlock = fault->code == SL_FAULT_DEADLOCK && is_circle(m);
    }
}

/* ---- runs ---- */

/* Notes what is wrong first. */
__attribute__((format(printf, 2, 3))) static void wrong(struct machine *m, const char *format, ...)
{
    va_list arguments;

    if (m->outcome->wrong[0] == '\0') {
        va_start(arguments, format);
        (void)vsnprintf(m->outcome->wrong, sizeof m->outcome->wrong, format, arguments);
        va_end(arguments);
    }
}

/* No code of the generator breaks a rule. */
static void check_accepted(struct machine *m, const struct sl_code *code)
{
    struct sl_lock_finding *findings;
    size_t count;

    assert_int_equal(sl_lock_check(code, m->kernel->nest > 1, &findings, &count), 0);
    if (count > 0) {
        wrong(m, "refused for problem %d at word %llu", (int)findings[0].problem,
              (unsigned long long)(findings[0].address - code->base) / 4);
    }
    free(findings);
}

static void load(struct machine *m, const struct asm_code *code)
{
    struct sl_function functions[ASM_FUNCTIONS];

    for (uint32_t i = 0; i < code->function_count; i++) {
        functions[i] = code->functions[i];
        functions[i].address += SL_KERNEL_BASE;
    }
    const struct fixture_code description = {
        .address = SL_KERNEL_BASE,
        .bytes = asm_here(code),
        .functions = functions,
        .function_count = code->function_count,
    };
    const struct sl_code analysed = {
        .words = code->word,
        .word_count = code->count,
        .base = SL_KERNEL_BASE,
        .functions = functions,
        .function_count = code->function_count,
    };
    memcpy(dram_at(&m->dram, SL_KERNEL_BASE), code->word, asm_here(code));
    *(struct sl_program *)dram_at(&m->dram, PROGRAM_ADDRESS) =
        fixture_analyse(&m->dram, &description, TABLE_ADDRESS);
    check_accepted(m, &analysed);
    lock_mutate_table(m->mutant, &analysed, dram_at(&m->dram, TABLE_ADDRESS));
    fixture_begin(m->gpu);
    assert_int_equal(gpu_load_program(m->gpu, PROGRAM_ADDRESS), 0);
}

static struct lock_slot *place_at(const struct machine *m, uint32_t place)
{
    return dram_at(&m->dram, PLACES_ADDRESS + ((uint64_t)place << m->kernel->place_shift));
}

/* Wavefronts on all compute units in turn, the last one of fewer lanes. */
static void launch(struct machine *m, struct choices *c)
{
    const uint32_t lanes = m->gpu->cus[0].shape.lanes;
    const uint32_t waves_max = m->gpu->cu_count * m->gpu->cus[0].shape.contexts;

    m->waves = 1 + below(c, 2 * m->gpu->cu_count);
    if (m->waves > waves_max) {
        m->waves = waves_max;
    }
    while (m->waves > 1 && m->waves * lanes > LANES_ALL) {
        m->waves--;
    }
    for (uint32_t i = 0; i < m->waves; i++) {
        struct wave_launch launch = {
            .first = m->lanes,
            .index_mask = UINT32_MAX,
            .count = i + 1 < m->waves ? lanes : 1 + below(c, lanes),
            .argument_count = 2,
            .arguments = {PLACES_ADDRESS, RESULTS_ADDRESS},
        };
        m->lanes += launch.count;
        cu_launch(&m->gpu->cus[i % m->gpu->cu_count], &launch);
    }
}

static void run(struct machine *m)
{
    const uint64_t start = m->gpu->event_queue->now;

    while (m->ended < m->waves && m->fault.code == 0) {
        const uint64_t next = m->gpu->event_queue->next;
        if (next > start + CYCLES_MAX) {
            wrong(m, "%u of %u wavefronts have ended after %u cycles", m->ended, m->waves,
                  CYCLES_MAX);
            return;
        }
        fixture_run(m->gpu, next);
    }
    while (m->gpu->env.activity->resident > 0 && m->fault.code == 0) {
        fixture_run(m->gpu, m->gpu->event_queue->next);
    }
    const struct cu_counters counters = gpu_counters(m->gpu);
    m->outcome->cycles = m->gpu->event_queue->now - start;
    m->outcome->rotations = counters.lock_rotations;
    m->outcome->failed = counters.lock_failed;
    m->outcome->refused = counters.lock_refused;
}

static void check_place(struct machine *m, uint32_t place, const struct lock_slot *expected)
{
    const struct lock_slot *lock = place_at(m, place);
    const struct lock_slot *found =
        (const struct lock_slot *)((const char *)lock + m->kernel->data_offset);

    if (lock->holder != SL_LOCK_FREE || found->owner != 0) {
        wrong(m, "place %u is held by %d, lane %u at the end", place, lock->holder, found->owner);
    }
    if (found->count != expected->count || found->sum != expected->sum) {
        wrong(m, "place %u: %llu sections with the sum %#llx, in plain C %llu with %#llx", place,
              (unsigned long long)found->count, (unsigned long long)found->sum,
              (unsigned long long)expected->count, (unsigned long long)expected->sum);
    }
    m->outcome->acquired += expected->count;
    m->outcome->tried += found->tried;
}

static void check(struct machine *m, const struct lock_slot *expected, const uint64_t *states)
{
    const struct lock_result *results = dram_at(&m->dram, RESULTS_ADDRESS);
    uint64_t tried = 0;

    for (uint32_t i = 0; i < m->lanes; i++) {
        if (results[i].errors != 0) {
            wrong(m, "lane %u was not alone in a section", i);
        }
        if (results[i].state != states[i]) {
            wrong(m, "lane %u ends in another state than in plain C", i);
        }
        tried += results[i].tried;
    }
    for (uint32_t i = 0; i < m->kernel->places; i++) {
        check_place(m, i, &expected[i]);
    }
    if (m->outcome->tried != tried) {
        wrong(m, "%llu sections that were tried, by the lanes' count %llu",
              (unsigned long long)m->outcome->tried, (unsigned long long)tried);
    }
}

static void check_fault(struct machine *m)
{
    if (m->fault.code != SL_FAULT_DEADLOCK || m->kernel->is_ordered) {
        wrong(m, "fault %u at word %llu", m->fault.code,
              (unsigned long long)(m->fault.pc - SL_KERNEL_BASE) / 4);
    }
    if (!m->outcome->is_deadlock) {
        wrong(m, "fault %u, but some lane can go on", m->fault.code);
    }
}

static void try_on_machine(struct machine *m, struct choices *c, const struct asm_code *code)
{
    struct lock_slot expected[LOCKS_PLACES] = {{0}};
    uint64_t states[LANES_ALL];

    for (uint32_t i = 0; i < m->kernel->places; i++) {
        place_at(m, i)->holder = SL_LOCK_FREE;
    }
    load(m, code);
    launch(m, c);
    for (uint32_t i = 0; i < m->lanes; i++) {
        (void)lock_kernel_run(m->kernel, i, expected, &states[i]);
    }
    run(m);
    if (m->fault.code != 0) {
        check_fault(m);
    } else if (m->outcome->wrong[0] == '\0') {
        check(m, expected, states);
    }
}

/* Whether no lane takes too many steps. */
static bool is_short(const struct lock_kernel *kernel)
{
    struct lock_slot places[LOCKS_PLACES] = {{0}};
    uint64_t state;
    uint32_t lane = 0;

    while (lane < LANES_ALL && lock_kernel_run(kernel, lane, places, &state)) {
        lane++;
    }
    return lane == LANES_ALL;
}

bool lock_kernel_try(uint64_t seed, bool is_ordered, enum lock_mutant mutant,
                     struct lock_run *outcome)
{
    static struct lock_kernel kernel;
    static struct asm_code code;
    struct choices c = {.count = 0};
    struct machine m = {.kernel = &kernel, .outcome = outcome, .mutant = mutant};

    *outcome = (struct lock_run){.cycles = 0};
    const bool is_queued = choose_machine(&c, seed);
    for (uint32_t i = 0; i < c.count; i++) {
        const size_t used = strlen(outcome->machine);
        (void)snprintf(outcome->machine + used, sizeof outcome->machine - used, "%s%s",
                       i == 0 ? "" : " ", c.settings[i]);
    }
    lock_kernel_make(&kernel, seed, is_ordered, is_queued ? 1 : 1 + below(&c, LOCKS_NEST));
    if (!lock_kernel_emit(&kernel, &code) || !is_short(&kernel)) {
        return false;
    }
    fixture_configure(&m.config, NULL, c.settings);
    m.gpu = fixture_create(&m.config, &m.layout, &m.dram);
    m.gpu->env.listener =
        (struct cu_listener){.owner = &m, .wave_ended = on_end, .faulted = on_fault};
    lock_mutate_gpu(mutant, m.gpu);
    try_on_machine(&m, &c, &code);
    fixture_destroy(m.gpu);
    return true;
}
