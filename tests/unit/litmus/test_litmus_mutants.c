/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Litmus tests find consistency models that are wrong: compute units whose model
 * (ordering/consistency_model.h) lacks a rule end some test in a way that the machine of
 * docs/know/memory-model.md does not, and those that have all rules never do. */
#include <stdio.h>

#include "common/check.h"
#include "litmus/alone.h"
#include "litmus/parse.h"
#include "litmus/place.h"
#include "simt/ordering/consistency_model.h"
#include "sluice/config.h"

#define RUNS 1000

/* ---- models that lack a rule ---- */

static bool blocks_loads(const struct simt_op *op)
{
    return op->class != SL_CLASS_STORE;
}

static const struct mem_instr *drains_nothing(const struct wave *wave, const struct simt_op *op,
                                              uint64_t lanes)
{
    (void)wave;
    (void)op;
    (void)lanes;
    return NULL;
}

static const struct mem_instr *drains_but_for_atomics(const struct wave *wave,
                                                      const struct simt_op *op, uint64_t lanes)
{
    const bool is_plain = !op->acquire && !op->release && op->drain == DRAIN_NONE;

    return is_plain && op->class != SL_CLASS_LOAD ? NULL : order_tso.drains(wave, op, lanes);
}

/* Stores are under way in any number, and take effect as they get there. */
static void drain_out_of_order(struct order_model *model)
{
    *model = (struct order_model){.name = "tso", .holds_back = true, .blocks = blocks_loads};
}

/* A load passes stores of the buffer, those to its own bytes, too. */
static void ignore_match(struct order_model *model)
{
    model->passes = false;
}

static void ignore_buffer_by_atomics(struct order_model *model)
{
    model->drains = drains_but_for_atomics;
}

/* Fences and all else pass the buffer. */
static void never_drain(struct order_model *model)
{
    model->drains = drains_nothing;
    model->passes = true;
}

/* Stores are done when they issue. */
static void forget_stores(struct order_model *model)
{
    model->blocks = blocks_loads;
}

static void lack_nothing(struct order_model *model)
{
    (void)model;
}

/* ---- running them ---- */

static void (*mutation)(struct order_model *model);
static struct order_model changed;

static void change(struct gpu *gpu)
{
    changed = *gpu->cus[0].order;
    mutation(&changed);
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        gpu->cus[c].order = &changed;
    }
}

/* How many runs of a test end as the machine of the setting does not. */
static uint64_t forbidden_runs(const char *name, const char *setting,
                               void (*mutate)(struct order_model *model))
{
    struct litmus_test test;
    struct litmus_outcomes outcomes;
    struct litmus_places places;
    struct sl_config config;
    char path[128];
    char error[LITMUS_ERROR_BYTES];

    (void)snprintf(path, sizeof path, "tests/litmus/order/%s.litmus", name);
    if (!litmus_parse_file(path, &test, error)) {
        fail_msg("%s", error);
    }
    litmus_place_apart(&test);
    sl_config_init(&config);
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    assert_int_equal(litmus_outcomes_ask(&outcomes, litmus_order_of(&config)), LITMUS_EXPLORED);
    mutation = mutate;
    const struct litmus_alone alone = {
        .config = &config, .test = &test, .runs = RUNS, .seed = 1, .change = change};
    if (litmus_alone_run(&alone, &outcomes, &places, error) != SL_OK) {
        fail_msg("%s: %s", name, error);
    }
    assert_int_equal(outcomes.observed, RUNS);
    const uint64_t forbidden = litmus_outcomes_forbidden(&outcomes);
    litmus_outcomes_free(&outcomes);
    return forbidden;
}

struct mutant {
    const char *name;
    const char *setting;
    void (*mutate)(struct order_model *model);
    const char *caught_by[3];
};

static const struct mutant mutants[] = {
    {"drained out of order", "gpu.consistency=tso", drain_out_of_order, {"MP", "S", "2+2W"}},
    {"match ignored", "gpu.consistency=tso", ignore_match, {"CoWR", "SB+rfi"}},
    {"an atomic does not drain", "gpu.consistency=tso", ignore_buffer_by_atomics, {"SB+amos"}},
    {"nothing drains", "gpu.consistency=tso", never_drain, {"SB+fences", "R+fences"}},
    {"a load passes the buffer", "gpu.consistency=sc_wb", never_drain, {"SB", "R"}},
    {"stores do not block", "gpu.consistency=sc", forget_stores, {"SB", "2+2W"}},
};

TEST(test_mutants)
{
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
        const struct mutant *const mutant = &mutants[i];
        for (unsigned t = 0; t < 3 && mutant->caught_by[t] != NULL; t++) {
            const char *const name = mutant->caught_by[t];
            if (forbidden_runs(name, mutant->setting, lack_nothing) != 0) {
                fail_msg("%s: a machine that lacks nothing is caught by %s", mutant->setting, name);
            }
            if (forbidden_runs(name, mutant->setting, mutant->mutate) == 0) {
                fail_msg("%s: not caught by %s", mutant->name, name);
            }
        }
    }
}
