/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races in words. */
#include <inttypes.h>

#include "host/base/text.h"
#include "host/observe/diagnose/diagnose.h"
#include "host/observe/races/races.h"
#include "isa/isa.h"

#define TEXT_BYTES 2048

/* "step (uts_kernel.c:71)" */
static void append_place(const struct sl_race_place *place, uint64_t pc, char *out, size_t bytes)
{
    const struct sl_code_place *const code = &place->code;
    if (code->function == NULL) {
        sl_text_append(out, bytes, "0x%" PRIx64, pc);
    } else if (code->file == NULL) {
        sl_text_append(out, bytes, "%s", code->function);
    } else {
        sl_text_append(out, bytes, "%s (%s:%d)", code->function, code->file, code->line);
    }
}

/* "load by step (uts_kernel.c:71), lane 5, CU 3" */
static void append_side(const struct sl_race_side *side, const struct sl_race_place *place,
                        char *out, size_t bytes)
{
    if ((side->flags & SL_RACE_AGGREGATOR) != 0) {
        sl_text_append(out, bytes, "%s by the aggregator", sl_race_operation(side));
        return;
    }
    if ((side->flags & SL_RACE_SYNC) != 0) {
        sl_text_append(out, bytes, "%s-scope ", sl_race_scope(side->scope));
    }
    sl_text_append(out, bytes, "%s by ", sl_race_operation(side));
    append_place(place, side->pc, out, bytes);
    sl_text_append_mask(",", side->lanes, out, bytes);
    sl_text_append(out, bytes, ", CU %u", side->cu);
}

/* "device scope", "wavefront and work-group scope" */
static void append_scopes(unsigned scopes, char *out, size_t bytes)
{
    const char *separator = "";
    for (unsigned scope = SL_SCOPE_WAVEFRONT; scope <= SL_SCOPE_SYSTEM; scope++) {
        if ((scopes >> scope & 1) != 0) {
            sl_text_append(out, bytes, "%s%s", separator, sl_race_scope(scope));
            separator = " and ";
        }
    }
    sl_text_append(out, bytes, " scope");
}

/* Synchronization operations race by their scopes, whatever else would order them. */
static void append_instances(const struct sl_race *race, char *out, size_t bytes)
{
    if (race->earlier.scope == race->later.scope) {
        sl_text_append(out, bytes, "one variable at %s scope of two %ss",
                       sl_race_scope(race->later.scope), sl_race_scope(race->later.scope));
    } else {
        sl_text_append(out, bytes, "one variable at two scopes");
    }
}

static void append_lacks(const struct sl_race *race, char *out, size_t bytes)
{
    if (race->is_synchronization) {
        append_instances(race, out, bytes);
        return;
    }
    switch ((enum sl_race_lacks)race->lacks) {
    case SL_RACE_LACKS_RELEASE:
        sl_text_append(out, bytes, "not released since");
        break;
    case SL_RACE_LACKS_ACQUIRE:
        sl_text_append(out, bytes, "released at ");
        append_scopes(race->released, out, bytes);
        sl_text_append(out, bytes, ", not acquired since");
        break;
    case SL_RACE_LACKS_RELEASE_SCOPE:
        sl_text_append(out, bytes, "released at ");
        append_scopes(race->released, out, bytes);
        break;
    case SL_RACE_LACKS_ACQUIRE_SCOPE:
        sl_text_append(out, bytes, "acquired at ");
        append_scopes(race->acquired, out, bytes);
        break;
    case SL_RACE_LACKS_ONE_SCOPE:
        sl_text_append(out, bytes, "released at ");
        append_scopes(race->released, out, bytes);
        sl_text_append(out, bytes, ", acquired at ");
        append_scopes(race->acquired, out, bytes);
        break;
    case SL_RACE_LACKS_CHAIN:
        sl_text_append(out, bytes, "ordered along a chain of several scopes only");
        break;
    case SL_RACE_LACKS_LANES:
        sl_text_append(out, bytes, "lanes of one wavefront, not released and acquired in between");
        break;
    default:
        sl_text_append(out, bytes, "released and acquired, but not by one word");
        break;
    }
}

static void describe(const struct sl_race_pair *pair, const struct sl_config *config, char *out,
                     size_t bytes)
{
    const struct sl_race *const race = &pair->race;
    out[0] = '\0';
    sl_text_append(out, bytes, "race (%s): ", sl_race_model(config));
    append_side(&race->later, &pair->later, out, bytes);
    sl_text_append(out, bytes, ", unordered after ");
    append_side(&race->earlier, &pair->earlier, out, bytes);
    sl_text_append(out, bytes, ",\n  ");
    append_lacks(race, out, bytes);
    sl_text_append(out, bytes, "; %s scope holds both", sl_race_scope(race->holds));
    if (race->count > 1) {
        sl_text_append(out, bytes, "; %" PRIu64 " times", race->count);
    }
}

/* What is not in the list. */
static void tell_rest(const struct sl_race_list *list, size_t told, sl_line_fn line, void *user)
{
    char text[TEXT_BYTES] = "";
    if (list->count > told) {
        (void)snprintf(text, sizeof text, "%zu further pair%s of source lines race",
                       list->count - told, list->count - told == 1 ? "" : "s");
        line(user, text);
    }
    if (list->lost > 0) {
        (void)snprintf(text, sizeof text,
                       "%" PRIu64 " races of instructions beyond the first %u pairs of a run are "
                       "not in the list",
                       list->lost, SL_RACES_MAX);
        line(user, text);
    }
    if (list->out_of_memory) {
        line(user, "the simulator had no memory left to look for all races");
    }
}

void sl_races_tell(const struct sl_race_list *list, const struct sl_config *config, sl_line_fn line,
                   void *user)
{
    const size_t limit = (size_t)config->number[SL_CFG_DEBUG_RACES_LIMIT];
    char text[TEXT_BYTES];
    size_t told = 0;
    for (; told < list->count && told < limit; told++) {
        describe(&list->pairs[told], config, text, sizeof text);
        line(user, text);
        if (told == 0 && sl_race_is_stale(config)) {
            line(user, "memory may hold old bytes from here on: execution need not be sequentially "
                       "consistent any more, and what follows may come of that");
        }
    }
    tell_rest(list, told, line, user);
}
