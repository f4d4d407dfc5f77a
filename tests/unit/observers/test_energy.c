/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Figures of energy (sim-soc/observers/energy_use.h), worked out by hand from papers/003 Table 4.3;
 * and which machines have any. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/statistics/run_results.h"
#include "observers/energy_use.h"
#include "sluice/config.h"

/* The machine of Table 4.1, with other settings behind; NULL ends them. */
static struct sl_config machine(const char *const *others)
{
    static const char *const table[] = {
        "mem.system=hybrid", "gpu.cus=16", "l1d.size=64KiB", "l1d.line=128", "l1d.ways=4",
        "l2.size=1MiB",      "l2.line=32", "l2.ways=8",      NULL,
    };
    struct sl_config config;
    char error[256];

    sl_config_init(&config);
    for (size_t i = 0; table[i] != NULL; i++) {
        assert_int_equal(sl_config_set(&config, table[i], error, sizeof error), 0);
    }
    for (size_t i = 0; others != NULL && others[i] != NULL; i++) {
        assert_int_equal(sl_config_set(&config, others[i], error, sizeof error), 0);
    }
    return config;
}

static const struct mem_counters counted = {
    .l1 = {[L1D] = {.read_hits = 100, .supplied = 10, .fills = 20, .updates = 5}},
    .tracker = {.lookups = 30, .marks = 20, .drops = 3, .reports = 7, .evictions = 1000},
    .l2 = {.line_reads = 40, .line_writes = 10, .atomic_buffer_hits = 1000},
    .network_bytes = {1000, 500, 250, 125},
    .dram_reads = 3,
    .dram_writes = 2,
};

static void expect(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-6) {
        fail_msg("%.9g is not %.9g", value, wanted);
    }
}

/* What a machine's accesses cost in a run of some length, and its area. */
static void expect_energies(const char *const *others, uint64_t run_ps, const struct energy *wanted,
                            double area_mm2)
{
    const struct sl_config config = machine(others);
    struct sl_energy_model model;

    assert_true(sl_energy_model(&config, &model));
    const struct energy energy = energy_of(&model, &counted, run_ps);
    expect(energy.l1, wanted->l1);
    expect(energy.tracker, wanted->tracker);
    expect(energy.l2, wanted->l2);
    expect(energy.network, wanted->network);
    expect(energy.dram, wanted->dram);
    expect(energy.dynamic,
           wanted->l1 + wanted->tracker + wanted->l2 + wanted->network + wanted->dram);
    expect(energy.leakage, wanted->leakage);
    expect(model.area_mm2, area_mm2);
}

/* L1 110 x 30.5 + 25 x 44.5, tracker 30 x 2.3 + 30 x 3.9, L2 40 x 99.7 + 10 x 96.1; bytes over 6,
 * 2, 6 and 8 mm are 9500 byte-millimetres at 0.144; 5 lines of DRAM at 4480. 183.11 + 13.35 +
 * 211.24 mW are 407.7 nJ in a microsecond. */
TEST(proposed)
{
    static const struct energy wanted = {
        .l1 = 4467.5,
        .tracker = 186,
        .l2 = 4949,
        .network = 1368,
        .dram = 22400,
        .leakage = 407700,
    };

    expect_energies(NULL, 1000000, &wanted, 7.11);
}

/* L1 110 x 30.5 + 25 x 44.4; no tracker, whatever is counted; L2 40 x 62.1 + 10 x 61.5; 125 bytes
 * go 100 mm. 170.38 + 59.82 mW. */
TEST(baseline)
{
    static const char *const others[] = {"tracker.count=0",        "l2.size=128KiB",
                                         "energy.l1_tracker_mm=0", "energy.tracker_l2_mm=0",
                                         "energy.l1_l2_mm=0",      "energy.l1_l1_mm=100",
                                         "tracker.ways=4",         NULL};
    static const struct energy wanted = {
        .l1 = 4465, .l2 = 3099, .network = 1800, .dram = 22400, .leakage = 230.2};

    expect_energies(others, 1000, &wanted, 6.22);
}

struct row {
    const char *setting[3];
    double read_pj;
    double write_pj;
    double leakage_mw; /* of all */
};

/* All rows of the table: of one tracker look-up and mark, and of the L2. */
TEST(rows)
{
    static const struct row trackers[] = {
        {{"tracker.count=1", NULL}, 2.3, 3.9, 407.70},
        {{"tracker.count=2", NULL}, 1.7, 2.9, 407.07},
        {{"tracker.count=4", "tracker.sharers=4", NULL}, 1.2, 2.1, 406.65},
    };
    static const struct row l2s[] = {
        {{"l2.size=128KiB", NULL}, 62.1, 61.5, 256.28},
        {{"l2.size=256KiB", NULL}, 67.7, 67.5, 277.72},
        {{"l2.size=512KiB", NULL}, 78.5, 77.2, 320.73},
        {{"l2.size=1MiB", NULL}, 99.7, 96.1, 407.70},
    };
    struct sl_energy_model model;

    for (size_t i = 0; i < sizeof trackers / sizeof trackers[0]; i++) {
        const struct sl_config config = machine(trackers[i].setting);
        assert_true(sl_energy_model(&config, &model));
        expect(model.tracker.read_pj, trackers[i].read_pj);
        expect(model.tracker.write_pj, trackers[i].write_pj);
        expect(model.leakage_mw, trackers[i].leakage_mw);
    }
    for (size_t i = 0; i < sizeof l2s / sizeof l2s[0]; i++) {
        const struct sl_config config = machine(l2s[i].setting);
        assert_true(sl_energy_model(&config, &model));
        expect(model.l2.read_pj, l2s[i].read_pj);
        expect(model.l2.write_pj, l2s[i].write_pj);
        expect(model.leakage_mw, l2s[i].leakage_mw);
    }
}

static json_t *statistics_of(const struct sl_config *config)
{
    struct sl_results results = {.is_sum = false};
    const double pj = 12.5;
    char error[256] = "";

    memcpy(&results.statistics[SL_STAT_ENERGY_DYNAMIC_PJ], &pj, sizeof pj);
    json_t *const object = sl_results_json(&results, config, error, sizeof error);
    assert_non_null(object);
    return object;
}

static size_t figures_of_energy(const json_t *statistics)
{
    const char *name;
    json_t *value;
    size_t count = 0;

    json_object_foreach((json_t *)(uintptr_t)statistics, name, value)
    {
        count += strncmp(name, "energy.", 7) == 0;
    }
    return count;
}

/* The file of statistics has no energies of machines that are not in the table. */
TEST(absent)
{
    static const char *const others[][3] = {
        {"mem.system=moesi", NULL},  {"gpu.cus=8", NULL},
        {"l1d.size=32KiB", NULL},    {"l1d.ways=8", NULL},
        {"l1d.ports=2", NULL},       {"l1d.line=64", NULL},
        {"l2.size=2MiB", NULL},      {"l2.line=64", NULL},
        {"l2.ways=16", NULL},        {"l2.banks=4", NULL},
        {"tracker.count=8", NULL},   {"tracker.sets=512", NULL},
        {"tracker.ways=4", NULL},    {"tracker.banks=4", NULL},
        {"tracker.sharers=1", NULL}, {"tracker.count=2", "tracker.sharers=16", NULL},
    };
    struct sl_config config = machine(NULL);

    json_t *statistics = statistics_of(&config);
    assert_int_equal(figures_of_energy(statistics), 8);
    assert_true(json_real_value(json_object_get(statistics, "energy.dynamic_pj")) == 12.5);
    json_decref(statistics);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        config = machine(others[i]);
        statistics = statistics_of(&config);
        assert_int_equal(figures_of_energy(statistics), 0);
        json_decref(statistics);
    }
}
