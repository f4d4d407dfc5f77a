/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races of all runs together (races.h). */
#include "host/observe/races/races.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NAME_BYTES 256

const char *sl_race_scope(unsigned scope)
{
    static const char *const names[] = {"wavefront", "work-group", "device", "system"};
    return names[scope % (sizeof names / sizeof names[0])];
}

const char *sl_race_operation(const struct sl_race_side *side)
{
    const bool reads = (side->flags & SL_RACE_READS) != 0;
    const bool writes = (side->flags & SL_RACE_WRITES) != 0;
    return reads && writes ? "atomic" : writes ? "store" : "load";
}

const char *sl_race_model(const struct sl_config *config)
{
    static const char *const words[] = {"off", "drf", "hrf-direct", "hrf-indirect"};
    return words[config->number[SL_CFG_DEBUG_RACES]];
}

bool sl_race_is_stale(const struct sl_config *config)
{
    const int64_t system = config->number[SL_CFG_MEM_SYSTEM];
    return system == SL_MEM_SYSTEM_WT || system == SL_MEM_SYSTEM_QUICKRELEASE ||
           system == SL_MEM_SYSTEM_SCOPED || system == SL_MEM_SYSTEM_HYBRID;
}

/* ---- merging ---- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* A line of an inlined function is another one in each kernel. Without debug information an
 * instruction stands for its line. */
static bool is_same_place(const struct sl_race_place *a, const struct sl_race_side *a_side,
                          const struct sl_race_place *b, const struct sl_race_side *b_side)
{
    if (((a_side->flags ^ b_side->flags) & SL_RACE_AGGREGATOR) != 0 ||
        !is_same_text(a->kernel, b->kernel)) {
        return false;
    }
    if (a->code.file == NULL || b->code.file == NULL) {
        return a->code.file == b->code.file && a_side->pc == b_side->pc;
    }
    return a->code.line == b->code.line && is_same_text(a->code.path, b->code.path);
}

static bool is_same_pair(const struct sl_race_pair *a, const struct sl_race_pair *b)
{
    const struct sl_race *const left = &a->race;
    const struct sl_race *const right = &b->race;
    return (is_same_place(&a->earlier, &left->earlier, &b->earlier, &right->earlier) &&
            is_same_place(&a->later, &left->later, &b->later, &right->later)) ||
           (is_same_place(&a->earlier, &left->earlier, &b->later, &right->later) &&
            is_same_place(&a->later, &left->later, &b->earlier, &right->earlier));
}

static int find_place(struct sl_race_place *place, const struct sl_race_side *side,
                      const struct sl_module *module, const struct sl_trace_names *names)
{
    char name[NAME_BYTES];
    *place = (struct sl_race_place){.kernel = NULL};
    if ((side->flags & SL_RACE_AGGREGATOR) != 0) {
        return 0;
    }
    if (module != NULL) {
        place->code = sl_module_place(module, side->pc);
    }
    names->kernel(names->owner, side->kernel, name, sizeof name);
    place->kernel = strdup(name);
    return place->kernel != NULL ? 0 : -1;
}

static void forget(struct sl_race_pair *pair)
{
    free(pair->earlier.kernel);
    free(pair->later.kernel);
}

static int grow(struct sl_race_list *list)
{
    if (list->count < list->capacity) {
        return 0;
    }
    const size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
    struct sl_race_pair *const pairs = realloc(list->pairs, capacity * sizeof *pairs);
    if (pairs == NULL) {
        return -1;
    }
    list->pairs = pairs;
    list->capacity = capacity;
    return 0;
}

/* Takes the pair, or adds it to the one of its lines that is there. */
static int merge(struct sl_race_list *list, struct sl_race_pair *pair)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_same_pair(&list->pairs[i], pair)) {
            list->pairs[i].race.count += pair->race.count;
            forget(pair);
            return 0;
        }
    }
    if (grow(list) != 0) {
        forget(pair);
        return -1;
    }
    list->pairs[list->count++] = *pair;
    return 0;
}

int sl_races_take(struct sl_race_list *list, const struct sl_module *module,
                  const struct sl_trace_names *names)
{
    const struct sl_races *const shared = list->shared;
    int failed = 0;
    list->runs++;
    list->lost += shared->lost;
    list->out_of_memory |= shared->out_of_memory != 0;
    for (uint64_t i = 0; failed == 0 && i < shared->count; i++) {
        struct sl_race_pair pair = {.race = shared->races[i], .run = list->runs};
        failed = find_place(&pair.earlier, &pair.race.earlier, module, names) |
                 find_place(&pair.later, &pair.race.later, module, names);
        if (failed != 0) {
            forget(&pair);
        } else {
            failed = merge(list, &pair);
        }
    }
    return failed;
}

void sl_races_close(struct sl_race_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        forget(&list->pairs[i]);
    }
    free(list->pairs);
    if (list->shared != NULL) {
        (void)munmap(list->shared, sizeof(struct sl_races));
    }
    *list = (struct sl_race_list){.shared = NULL};
}
