/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The file of races (races.file; docs/do/find-races.md, "The file"). */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "host/base/atomic_file.h"
#include "host/base/utf8.h"
#include "host/observe/diagnose/diagnose.h"
#include "host/observe/races/races.h"

#define LANES_BYTES 256

static json_t *text_of(const char *text)
{
    return text != NULL ? sl_json_text(text) : json_null();
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *hexadecimal(uint64_t value)
{
    return json_sprintf("0x%" PRIx64, value);
}

/* "0-3,7" */
static json_t *lanes_of(uint64_t lanes)
{
    char text[LANES_BYTES] = "";
    sl_text_append_mask("", lanes, text, sizeof text);
    const size_t word = __builtin_popcountll(lanes) == 1 ? sizeof " lane" : sizeof " lanes";
    return json_string(text + word);
}

static int put_wavefront(json_t *object, const struct sl_race_side *side,
                         const struct sl_race_place *place)
{
    return json_object_set_new(object, "kernel", text_of(place->kernel)) |
           json_object_set_new(object, "function", text_of(place->code.function)) |
           json_object_set_new(object, "file", text_of(place->code.path)) |
           json_object_set_new(object, "line", number((uint64_t)place->code.line)) |
           json_object_set_new(object, "wave_function", text_of(place->code.wave)) |
           json_object_set_new(object, "pc", hexadecimal(side->pc)) |
           json_object_set_new(object, "lanes", lanes_of(side->lanes)) |
           json_object_set_new(object, "wavefront", number(side->wavefront)) |
           json_object_set_new(object, "workgroup",
                               side->group == SL_RACE_NO_GROUP ? json_null()
                                                               : number(side->group)) |
           json_object_set_new(object, "dispatch", number(side->dispatch)) |
           json_object_set_new(object, "cu", number(side->cu)) |
           json_object_set_new(object, "place", number(side->place));
}

static json_t *side_json(const struct sl_race_side *side, const struct sl_race_place *place)
{
    const bool is_aggregator = (side->flags & SL_RACE_AGGREGATOR) != 0;
    const bool is_synchronization = (side->flags & SL_RACE_SYNC) != 0;
    json_t *const object = json_object();
    int failed =
        json_object_set_new(object, "by", json_string(is_aggregator ? "aggregator" : "wavefront")) |
        json_object_set_new(object, "operation", json_string(sl_race_operation(side))) |
        json_object_set_new(object, "synchronization", json_boolean(is_synchronization)) |
        json_object_set_new(object, "scope",
                            text_of(is_synchronization ? sl_race_scope(side->scope) : NULL)) |
        json_object_set_new(object, "time_ps", number(side->time_ps));
    if (!is_aggregator) {
        failed |= put_wavefront(object, side, place);
    }
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *scopes_json(unsigned scopes)
{
    json_t *const array = json_array();
    for (unsigned scope = 0; scope < 4; scope++) {
        if ((scopes >> scope & 1) != 0 &&
            json_array_append_new(array, json_string(sl_race_scope(scope))) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *pair_json(const struct sl_race_pair *pair)
{
    static const char *const lacks[SL_RACE_LACKS] = {
        [SL_RACE_LACKS_RELEASE] = "release",
        [SL_RACE_LACKS_ACQUIRE] = "acquire",
        [SL_RACE_LACKS_RELEASE_SCOPE] = "release scope",
        [SL_RACE_LACKS_ACQUIRE_SCOPE] = "acquire scope",
        [SL_RACE_LACKS_ONE_SCOPE] = "one scope",
        [SL_RACE_LACKS_CHAIN] = "one scope along the chain",
        [SL_RACE_LACKS_PAIR] = "one word",
        [SL_RACE_LACKS_LANES] = "release and acquire between lanes",
    };
    const struct sl_race *const race = &pair->race;
    json_t *const object = json_object();
    const int failed =
        json_object_set_new(
            object, "kind",
            json_string(race->is_synchronization ? "synchronization" : "ordinary")) |
        json_object_set_new(object, "count", number(race->count)) |
        json_object_set_new(object, "run", number(pair->run)) |
        json_object_set_new(object, "lacks", text_of(lacks[race->lacks])) |
        json_object_set_new(object, "released", scopes_json(race->released)) |
        json_object_set_new(object, "acquired", scopes_json(race->acquired)) |
        json_object_set_new(object, "smallest_scope", json_string(sl_race_scope(race->holds))) |
        json_object_set_new(object, "memory", json_string(race->is_lds ? "lds" : "shared")) |
        json_object_set_new(object, "address", hexadecimal(race->address)) |
        json_object_set_new(object, "earlier", side_json(&race->earlier, &pair->earlier)) |
        json_object_set_new(object, "later", side_json(&race->later, &pair->later));
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *list_json(const struct sl_race_list *list, const struct sl_config *config)
{
    json_t *const object = json_object();
    json_t *const pairs = json_array();
    int failed = json_object_set_new(object, "model", json_string(sl_race_model(config))) |
                 json_object_set_new(object, "runs", number(list->runs)) |
                 json_object_set_new(object, "goes_stale", json_boolean(sl_race_is_stale(config))) |
                 json_object_set_new(object, "is_complete",
                                     json_boolean(list->lost == 0 && !list->out_of_memory)) |
                 json_object_set_new(object, "lost", number(list->lost)) |
                 json_object_set_new(object, "races", pairs);
    for (size_t i = 0; failed == 0 && i < list->count; i++) {
        failed = json_array_append_new(pairs, pair_json(&list->pairs[i]));
    }
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

int sl_races_write(const struct sl_race_list *list, const struct sl_config *config,
                   const char *path)
{
    json_t *const object = list_json(list, config);
    if (object == NULL) {
        errno = ENOMEM;
        return -1;
    }
    const int reason = sl_output_json(path, object, JSON_INDENT(2));
    json_decref(object);
    errno = reason;
    return reason == 0 ? 0 : -1;
}
