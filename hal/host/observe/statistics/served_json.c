/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names and sums of what struct sl_served has (hal/contract/served.def):
 *     served.REQUESTER.KIND.PLACE             cu0, cu1, ..., agg
 *     served.STRUCTURE.SIDE.KIND.PLACE        cus, agg
 *     load_latency.SIDE.from_CYCLES           at least so many CU cycles, and less than the next */
#include "host/observe/statistics/run_results.h"

#include <stdbool.h>
#include <stdio.h>

#include "sluice/mem_systems.h"

#define NAME_BYTES 96

static const char *const kinds[] = {
#define SL_SERVED_KIND(ID, name, text) name,
#include "contract/served.def"
};
static const char *const places[] = {
#define SL_SERVED_PLACE(ID, name, text) name,
#include "contract/served.def"
};
static const char *const structures[] = {
#define SL_SERVED_STRUCTURE(ID, name, text) name,
#include "contract/served.def"
};
static const char *const sides[SL_SERVED_SIDES] = {
    [SL_SERVED_CUS] = "cus", [SL_SERVED_AGG] = "agg"};

void sl_served_add(struct sl_served *served, const struct sl_served *run)
{
    uint64_t *const sum = (uint64_t *)served;
    const uint64_t *const more = (const uint64_t *)run;

    for (size_t i = 0; i < SL_SERVED_WORDS; i++) {
        sum[i] += more[i];
    }
}

static int put_row(json_t *object, const char *row,
                   const uint64_t figures[SL_SERVED_KINDS][SL_SERVED_PLACES])
{
    int failed = 0;

    for (int kind = 0; kind < SL_SERVED_KINDS; kind++) {
        for (int place = 0; place < SL_SERVED_PLACES; place++) {
            char name[NAME_BYTES];
            (void)snprintf(name, sizeof name, "served.%s.%s.%s", row, kinds[kind], places[place]);
            failed |=
                json_object_set_new(object, name, json_integer((json_int_t)figures[kind][place]));
        }
    }
    return failed;
}

static int put_requesters(json_t *object, const struct sl_served *served, unsigned cus)
{
    int failed = 0;

    for (unsigned cu = 0; cu < cus; cu++) {
        char row[NAME_BYTES / 2];
        (void)snprintf(row, sizeof row, "cu%u", cu);
        failed |= put_row(object, row, served->by_requester[cu]);
    }
    return failed | put_row(object, "agg", served->by_requester[SL_SERVED_AGGREGATOR]);
}

static int put_structures(json_t *object, const struct sl_served *served)
{
    int failed = 0;

    for (int structure = 0; structure < SL_SERVED_STRUCTURES; structure++) {
        for (int side = 0; side < SL_SERVED_SIDES; side++) {
            char row[NAME_BYTES / 2];
            (void)snprintf(row, sizeof row, "%s.%s", structures[structure], sides[side]);
            failed |= put_row(object, row, served->by_structure[side][structure]);
        }
    }
    return failed;
}

static int put_latencies(json_t *object, const struct sl_served *served)
{
    int failed = 0;

    for (int side = 0; side < SL_SERVED_SIDES; side++) {
        for (unsigned bin = 0; bin < SL_LATENCY_BINS; bin++) {
            char name[NAME_BYTES];
            const uint64_t figure = served->load_latency[side][bin];
            (void)snprintf(name, sizeof name, "load_latency.%s.from_%u", sides[side],
                           bin == 0 ? 0 : 1u << (bin - 1));
            failed |= json_object_set_new(object, name, json_integer((json_int_t)figure));
        }
    }
    return failed;
}

int sl_served_put(json_t *object, const struct sl_served *served, const struct sl_config *config)
{
    static const bool tells[] = {
#define SYSTEM(ID, name, tells) [SL_MEM_SYSTEM_##ID] = (tells),
        SL_MEM_SYSTEMS(SYSTEM)
#undef SYSTEM
    };
    if (!tells[config->number[SL_CFG_MEM_SYSTEM]]) {
        return 0;
    }
    int failed = put_requesters(object, served, (unsigned)config->number[SL_CFG_GPU_CUS]);
    if (config->number[SL_CFG_MEM_MATRIX] == SL_MEM_MATRIX_ON) {
        failed |= put_structures(object, served);
    }
    failed |= put_latencies(object, served);
    return failed == 0 ? 0 : -1;
}
