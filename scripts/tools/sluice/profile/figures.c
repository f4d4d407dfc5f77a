/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What profiles make of a run's statistics. */
#include "profile/figures.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "sluice/codes.h"

#define CYCLES "agg.cycles"

double profile_value(const json_t *statistics, const char *name)
{
    return json_number_value(json_object_get(statistics, name));
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

double figure_share(const json_t *statistics, const char *name)
{
    return 100 * ratio(profile_value(statistics, name), profile_value(statistics, FIGURE_TIME));
}

bool figure_is_between(const char *name)
{
    return strncmp(name, FIGURE_BETWEEN, strlen(FIGURE_BETWEEN)) == 0;
}

double figure_between(const json_t *statistics, const char *name)
{
    double share = 0;
    const char *key;
    json_t *value;

    (void)name;
    json_object_foreach((json_t *)statistics, key, value)
    {
        share += figure_is_between(key) ? figure_share(statistics, key) : 0;
    }
    return share;
}

double figure_cycles_per(const json_t *statistics, const char *name)
{
    return ratio(profile_value(statistics, CYCLES), profile_value(statistics, name));
}

double figure_work_per(const json_t *statistics, const char *name)
{
    static const char *const work[] = {
        FIGURE_PHASE "predicate_cycles", FIGURE_PHASE "schedule_cycles",
        FIGURE_PHASE "dispatch_cycles",  FIGURE_PHASE "retire_cycles",
        FIGURE_PHASE "yield_cycles",
    };
    double cycles = 0;

    for (size_t i = 0; i < sizeof work / sizeof work[0]; i++) {
        cycles += profile_value(statistics, work[i]);
    }
    return ratio(cycles, profile_value(statistics, name));
}

const struct figure_thing figure_things[FIGURE_THINGS] = {
    {"dispatch", "dispatches", "gpu.dispatches"},
    {"wavefront", "wavefronts", "gpu.wavefronts"},
    {"element", "elements", "gpu.elements"},
    {"pass", "passes", "agg.passes"},
};

/* In the order of statistics. */
static const char *const phases[] = {
    FIGURE_PHASE "poll_cycles",     FIGURE_PHASE "predicate_cycles", FIGURE_PHASE "schedule_cycles",
    FIGURE_PHASE "dispatch_cycles", FIGURE_PHASE "retire_cycles",    FIGURE_PHASE "yield_cycles",
    FIGURE_PHASE "mailbox_cycles",  FIGURE_PHASE "other_cycles",
};

static_assert(sizeof phases / sizeof phases[0] == SL_PHASE_COUNT && SL_PHASE_COUNT == FIGURE_PHASES,
              "every phase");

const char *figure_phase_name(size_t i)
{
    return phases[i];
}

double figure_class(const json_t *statistics, const char *name)
{
    return 100 * ratio(profile_value(statistics, name), profile_value(statistics, CYCLES));
}

double figure_group(const json_t *statistics, const char *words)
{
    double share = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        if (strcmp(sl_stack_groups[sl_stack_group_of((enum sl_stack_class)i)], words) == 0) {
            share += figure_class(statistics, sl_statistic_table[sl_stack_table[i].id].name);
        }
    }
    return share;
}

/* ---- all of them ---- */

struct table {
    struct figure_entry *entries;
    size_t count;
};

static void add(struct table *table, const char *group, const char *word, const char *words,
                const char *unit, profile_figure *figure, const char *statistic)
{
    assert(table->count < FIGURES_MAX);
    struct figure_entry *const entry = &table->entries[table->count++];
    *entry = (struct figure_entry){
        .words = words, .unit = unit, .figure = figure, .statistic = statistic};
    (void)snprintf(entry->name, sizeof entry->name, "%s%s", group, word);
}

static void add_costs(struct table *table, const char *group, profile_figure *figure)
{
    for (size_t i = 0; i < FIGURE_THINGS; i++) {
        add(table, group, figure_things[i].name, figure_things[i].name, "cycles", figure,
            figure_things[i].statistic);
    }
}

static void add_phases(struct table *table)
{
    static const char *const words[FIGURE_PHASES] = {"poll",   "predicate", "schedule", "dispatch",
                                                     "retire", "yield",     "mailbox",  "other"};

    for (size_t i = 0; i < FIGURE_PHASES; i++) {
        add(table, "phase.", words[i], words[i], "%", figure_class, phases[i]);
    }
}

size_t figures_all(struct figure_entry entries[FIGURES_MAX])
{
    struct table table = {entries, 0};

    add(&table, "run.", "cycles", "time", "CU cycles", profile_value, FIGURE_TIME);
    for (size_t i = 0; i < FIGURE_THINGS; i++) {
        const struct figure_thing *const thing = &figure_things[i];
        add(&table, "run.", thing->names, thing->names, "", profile_value, thing->statistic);
    }
    add(&table, "", "blocked", "blocked", "%", profile_value, FIGURE_BLOCKED);
    add(&table, "blocked.", "before", "before", "%", figure_share, FIGURE_BEFORE);
    add(&table, "blocked.", "between", "between", "%", figure_between, "");
    add(&table, "blocked.", "after", "after", "%", figure_share, FIGURE_AFTER);
    add_costs(&table, "cycles.", figure_cycles_per);
    add_costs(&table, "work.", figure_work_per);
    add_phases(&table);
    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        const struct sl_stack_row *const row = &sl_stack_table[i];
        const char *const statistic = sl_statistic_table[row->id].name;
        add(&table, "", statistic + strlen("agg."), row->words, "%", figure_class, statistic);
    }
    return table.count;
}
