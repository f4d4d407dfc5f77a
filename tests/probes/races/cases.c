/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of cases (cases.def), and what they come to. */
#include "probes/races/cases.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

#define TOGETHER ((struct races_layout){1, 4})
#define APART    ((struct races_layout){4, 1})
#define PAIRS    ((struct races_layout){2, 2})
#define MANY     ((struct races_layout){32, 2})
#define GRAPH    ((struct races_layout){0, 0})

#define RACES_CASE(name, base, layout, racy, lacks, one, other, text, ...)                         \
    {#name, #base, layout, racy, #lacks, {#one, #other}, text},
static const struct races_case all[] = {
#include "probes/races/cases.def"
};

static const struct races_result results[] = {
    {"pass", 1, {0, 1, 0, 0}},
    {"chain", 1, {0, 1, 1, 0}},
    {"both", 0, {1, 1, 0, 0}},
    {"wide", 1, {0, 1, 0, 0}},
    {"handed", 1, {0, 0, 1, 0}},
    {"reserved", 1, {0, 1, 0, 0}},
    {"fences", 1, {0, 1, 0, 0}},
    {"bytes", 0x010101, {1, 2, 3, 4}},
    {"counter", 4, {1, 2, 3, 4}},
    {"mutex", 2, {0, 2, 0, 0}},
    {"lock", 2, {0, 2, 0, 0}},
    {"trylock", 2, {1, 2, 0, 0}},
    {"exchange", 0, {1, 1, 1, 1}},
    {"stencil", 0, {6, 6, 6, 6}},
    {"channel", 0, {RACES_GOODS * RACES_ROUNDS * (RACES_ROUNDS + 1) / 2, 0, 0, 0}},
};

const struct races_case *races_case(size_t number)
{
    return number < sizeof all / sizeof all[0] ? &all[number] : NULL;
}

const char *races_racy_word(enum races_racy racy)
{
    static const char *const words[] = {
        [NOWHERE] = "nowhere",
        [DIRECT] = "direct",
        [SCOPED] = "scoped",
        [EVERYWHERE] = "everywhere",
    };
    return words[racy];
}

static const struct races_result *result_of(const struct races_case *one)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (strcmp(results[i].base, one->base) == 0) {
            return &results[i];
        }
    }
    assert(!"a base without result");
    return NULL;
}

static bool is_equal(const struct races_case *one, const char *what, uint32_t is, uint32_t should)
{
    return sl_app_check(is == should, "%s: %s is 0x%" PRIx32 ", should be 0x%" PRIx32, one->name,
                        what, is, should);
}

bool races_is_right(const struct races_case *one, const struct races_data *data)
{
    if (one->racy > DIRECT) {
        return true;
    }
    const struct races_result *const result = result_of(one);
    const uint32_t roles = one->layout.groups > RACES_ROLES ? one->layout.wavefronts : RACES_ROLES;
    bool is_right = is_equal(one, "x", data->x, result->x);

    for (uint32_t i = 0; i < roles; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "what role %" PRIu32 " saw", i);
        is_right &= is_equal(one, what, data->seen[i], result->seen[i]);
    }
    return is_right;
}
