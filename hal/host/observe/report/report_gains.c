/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What another aggregator would gain: estimates from the cycle stack of the time in which the GPU
 * is blocked (docs/know/cores.md, "What another core would gain", which has them beside measured
 * gains). Each change shortens cycles of some classes; what is saved while wavefronts execute is
 * not counted. */
#include <stdlib.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "host/observe/report/report.h"

/* The cache in which no line is replaced, against the present one. */
#define LARGER 8

/* Of the cycles that a wider core saves in retiring, this part: what the core waits for next begins
 * while it retires, and of that so much more is left. */
#define LEFT_OF_WIDER 0.5

struct basis {
    const struct sl_config *config;
    const uint64_t *statistics;
    uint64_t blocked[SL_STACK_CLASSES];
};

static double number(const struct basis *basis, enum sl_config_key key)
{
    return (double)basis->config->number[key];
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* ---- each change: how many blocked cycles it saves ---- */

/* All lines that were replaced come from the L2 while that has them. */
static double of_larger_l1d(const struct basis *basis)
{
    const double replaced = ratio((double)basis->statistics[SL_STAT_AGG_L1D_MISS_CAPACITY],
                                  (double)basis->statistics[SL_STAT_AGG_L1D_FROM_L2]);
    return (replaced < 1 ? replaced : 1) * (double)basis->blocked[SL_STACK_MEMORY_LOAD_L2];
}

static double half_l2_cycles(const struct basis *basis)
{
    return (double)((basis->config->number[SL_CFG_L2_CYCLES] + 1) / 2);
}

/* Latencies of an idle machine, in ps: of the aggregator's L1, and what is behind it of accesses
 * that others serve. */
struct idle {
    double l1;
    double l2;
    double other;
    double dram;
    double miss; /* the mean of the run's misses; 0: there are none */
};

static struct idle idle_of(const struct basis *basis)
{
    const uint64_t *const statistics = basis->statistics;
    const double cycle_ps = (double)sl_config_period_ps(basis->config, SL_CFG_GPU_CLOCK);
    const double link = cycle_ps * number(basis, SL_CFG_CROSSBAR_CYCLES);
    const double by_other = (double)statistics[SL_STAT_AGG_L1D_CACHE_TO_CACHE];
    const double by_l2 =
        (double)(statistics[SL_STAT_AGG_L1D_FROM_L2] + statistics[SL_STAT_AGG_L1D_UPGRADES]);
    const double by_dram = (double)statistics[SL_STAT_AGG_L1D_FROM_DRAM];
    struct idle idle = {
        .l1 = (double)sl_config_period_ps(basis->config, SL_CFG_AGG_CLOCK) *
              number(basis, SL_CFG_AGG_L1D_CYCLES),
        .l2 = cycle_ps * number(basis, SL_CFG_L2_CYCLES) + 2 * link,
    };

    idle.other = idle.l2 + cycle_ps * number(basis, SL_CFG_L1D_CYCLES) + link;
    idle.dram = idle.l2 + number(basis, SL_CFG_DRAM_LATENCY);
    idle.miss = ratio(by_other * idle.other + by_l2 * idle.l2 + by_dram * idle.dram,
                      by_other + by_l2 + by_dram);
    return idle;
}

/* In each pass of the L2. */
static double of_faster_l2(const struct basis *basis)
{
    const uint64_t *const blocked = basis->blocked;
    const struct idle idle = idle_of(basis);
    const double saved = (double)sl_config_period_ps(basis->config, SL_CFG_GPU_CLOCK) *
                         (number(basis, SL_CFG_L2_CYCLES) - half_l2_cycles(basis));

    return ratio(saved, idle.l2) *
               (double)(blocked[SL_STACK_MEMORY_LOAD_L2] + blocked[SL_STACK_FRONTEND_L1I_L2]) +
           ratio(saved, idle.other) * (double)blocked[SL_STACK_MEMORY_LOAD_OTHER_L1] +
           ratio(saved, idle.dram) *
               (double)(blocked[SL_STACK_MEMORY_LOAD_DRAM] + blocked[SL_STACK_FRONTEND_L1I_DRAM]) +
           ratio(saved, idle.miss) *
               (double)(blocked[SL_STACK_MEMORY_ORDER] + blocked[SL_STACK_MEMORY_ATOMIC] +
                        blocked[SL_STACK_MEMORY_STORE] + blocked[SL_STACK_MEMORY_MSHR] +
                        blocked[SL_STACK_CORE_STORE_QUEUE]);
}

/* Of the cycles in which as many instructions retire as can, half are left: the others retire one.
 */
static double of_wider_core(const struct basis *basis)
{
    const double width = number(basis, SL_CFG_CORE_WIDTH);
    const double retired = ratio((double)basis->statistics[SL_STAT_AGG_INSTRUCTIONS],
                                 (double)basis->statistics[SL_STAT_AGG_STACK_RETIRING]);
    const double full = width > 1 ? (retired - 1) / (width - 1) : 1;

    return LEFT_OF_WIDER * full / 2 * (double)basis->blocked[SL_STACK_RETIRING];
}

/* What is counted in the core's cycles takes half the time: of accesses, the time in its L1. */
static double of_faster_clock(const struct basis *basis)
{
    static const enum sl_stack_class classes[] = {
        SL_STACK_RETIRING,       SL_STACK_BAD_SPECULATION, SL_STACK_FRONTEND_FETCH,
        SL_STACK_FRONTEND_TAKEN, SL_STACK_MEMORY_LOAD_L1,  SL_STACK_MEMORY_FORWARD,
        SL_STACK_CORE_DISPATCH,  SL_STACK_CORE_EXECUTE,
    };
    const uint64_t *const blocked = basis->blocked;
    const struct idle idle = idle_of(basis);
    const double missed = ratio((double)basis->statistics[SL_STAT_AGG_L1D_MISSES],
                                (double)basis->statistics[SL_STAT_AGG_L1D_ACCESSES]);
    double cycles =
        ratio(idle.l1, idle.l1 + idle.l2) * (double)blocked[SL_STACK_MEMORY_LOAD_L2] +
        ratio(idle.l1, idle.l1 + idle.other) * (double)blocked[SL_STACK_MEMORY_LOAD_OTHER_L1] +
        ratio(idle.l1, idle.l1 + idle.dram) * (double)blocked[SL_STACK_MEMORY_LOAD_DRAM] +
        ratio(idle.l1, idle.l1 + missed * idle.miss) *
            (double)(blocked[SL_STACK_MEMORY_STORE] + blocked[SL_STACK_MEMORY_ATOMIC]);

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        cycles += (double)blocked[classes[i]];
    }
    return cycles / 2;
}

/* ---- the data ---- */

struct change {
    const char *words;
    double (*saved)(const struct basis *basis);
    struct {
        enum sl_config_key key;
        int64_t number;
    } set[2];
    unsigned keys; /* of `set`; 0: the machine has not what would change */
};

/* "4 GHz" as one word of a command line. */
static void drop_blank(char *value)
{
    char *const blank = strchr(value, ' ');

    if (blank != NULL) {
        memmove(blank, blank + 1, strlen(blank));
    }
}

/* The keys and their new values as text; NULL when out of memory. */
static json_t *settings(const struct sl_config *config, const struct change *change,
                        struct sl_config *changed)
{
    json_t *const array = json_array();
    char value[SL_CONFIG_TEXT_MAX];
    int failed = 0;

    *changed = *config;
    for (unsigned i = 0; i < change->keys; i++) {
        const enum sl_config_key key = change->set[i].key;
        changed->number[key] = change->set[i].number;
        sl_config_format(key, changed, value, sizeof value);
        drop_blank(value);
        failed |=
            json_array_append_new(array, json_sprintf("%s=%s", sl_config_table[key].key, value));
    }
    if (failed == 0) {
        return array;
    }
    json_decref(array);
    return NULL;
}

/* Adds a change that the configuration allows. */
static int add(json_t *gains, const struct basis *basis, const struct change *change,
               struct sl_config *changed)
{
    char error[SL_CONFIG_TEXT_MAX];
    json_t *const set = settings(basis->config, change, changed);
    const double cycles = (double)basis->statistics[SL_STAT_AGG_CYCLES];
    bool is_possible = change->keys > 0;

    for (unsigned i = 0; i < change->keys; i++) {
        is_possible &= change->set[i].number <= sl_config_table[change->set[i].key].most;
    }
    if (!is_possible || sl_config_check(changed, error, sizeof error) != 0) {
        json_decref(set);
        return 0;
    }
    return json_array_append_new(gains,
                                 json_pack("{s:s,s:o,s:f}", "change", change->words, "set", set,
                                           "gain_pct", 100 * ratio(change->saved(basis), cycles)));
}

int sl_report_put_gains(json_t *data, const struct sl_run_report *report,
                        const struct sl_config *config)
{
    const int64_t *const number = config->number;
    const int64_t system = number[SL_CFG_MEM_SYSTEM];
    const int64_t model = number[SL_CFG_CORE_MODEL];
    struct basis basis = {.config = config, .statistics = report->results.statistics};
    const struct change changes[] = {
        {"An L1D that replaces no line",
         of_larger_l1d,
         {{SL_CFG_AGG_L1D_SIZE, LARGER * number[SL_CFG_AGG_L1D_SIZE]}},
         system == SL_MEM_SYSTEM_FLAT ? 0 : 1},
        {"An L2 with half the latency",
         of_faster_l2,
         {{SL_CFG_L2_CYCLES, (int64_t)half_l2_cycles(&basis)}},
         system == SL_MEM_SYSTEM_FLAT || system == SL_MEM_SYSTEM_PARTITION ? 0 : 1},
        {"A core of twice the width",
         of_wider_core,
         {{SL_CFG_CORE_WIDTH, 2 * number[SL_CFG_CORE_WIDTH]},
          {SL_CFG_CORE_ALUS, 2 * number[SL_CFG_CORE_ALUS]}},
         model == SL_CORE_MODEL_SIMPLE ? 0
         : model == SL_CORE_MODEL_OOO  ? 2
                                       : 1},
        {"Twice the clock", of_faster_clock, {{SL_CFG_AGG_CLOCK, 2 * number[SL_CFG_AGG_CLOCK]}}, 1},
    };
    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        basis.blocked[i] = sl_report_blocked_cycles(report->shared, (enum sl_stack_class)i);
    }
    struct sl_config *const changed = malloc(sizeof *changed);
    json_t *const gains = json_array();
    int failed = changed == NULL;

    for (size_t i = 0; failed == 0 && i < sizeof changes / sizeof changes[0]; i++) {
        failed = add(gains, &basis, &changes[i], changed);
    }
    free(changed);
    return json_object_set_new(data, "gains", gains) | failed;
}
