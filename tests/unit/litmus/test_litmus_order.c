/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the machines of gpu.consistency may end the tests of tests/litmus/order with: whether their
 * conditions may come true, and how many ends some of them have, by hand. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "litmus/outcomes.h"
#include "litmus/parse.h"
#include "litmus/place.h"
#include "sluice/config.h"

#define FOLDER "tests/litmus/order/"

static struct litmus_test test;
static struct litmus_outcomes outcomes;

enum { SC = 1, SC_WB = 2, TSO = 4, RMO = 8, BLOCK = 16, ORDERS = 5 };

static const struct litmus_order *const orders[ORDERS] = {&litmus_sc, &litmus_sc_wb, &litmus_tso,
                                                          &litmus_rmo, &litmus_rmo_block};

/* Machines, as bits, on which the condition may come true. In lanes of one wavefront that can only
 * be tso: there accesses to one variable are in the order of their issue under rmo, whatever lane
 * they are of, which makes all of it sequentially consistent. Under tso one lane's store is in the
 * buffer while another lane loads. */
struct known {
    const char *name;
    unsigned apart; /* threads on compute units of their own, or in wavefronts of their own */
    unsigned lanes; /* in lanes of one wavefront */
};

/* With loads that block, rmo has stores alone that are passed, by loads and by stores. */
#define STORE_LOAD  (TSO | RMO | BLOCK)
#define STORE_STORE (RMO | BLOCK)
#define LOAD_ANY    RMO

static const struct known known[] = {
    {"SB", STORE_LOAD, TSO},
    {"SB+fences", 0, 0},
    {"SB+fence+po", STORE_LOAD, 0},
    {"SB+rel-acq", 0, 0},
    {"SB+rels", STORE_LOAD, TSO},
    /* An atomic waits for the buffer, not for stores of rmo. */
    {"SB+amos", STORE_STORE, 0},
    {"SB+swaps", LOAD_ANY, 0},
    {"SB+rel-amos", 0, 0},
    {"SB+cas", STORE_STORE, 0},
    {"SB+rfi", LOAD_ANY, 0},
    {"SB+rfi+addrs", 0, 0},
    /* Fences at wavefront scope order nothing for another wavefront, but drain the buffer. */
    {"SB+wf-fences", RMO | BLOCK, 0},
    {"SB+wf-rel-acqs", 0, 0},
    {"MP+wf-fences", STORE_STORE, 0},
    {"R+wf-fences", RMO | BLOCK, 0},
    {"MP", STORE_STORE, 0},
    {"MP+fences", 0, 0},
    {"MP+fence+po", LOAD_ANY, 0},
    {"MP+po+fence", STORE_STORE, 0},
    {"MP+fence+addr", 0, 0},
    {"MP+fence+ctrl", 0, 0},
    {"MP+po+addr", STORE_STORE, 0},
    {"MP+rel-acq", 0, 0},
    {"MP+rel-fence", 0, 0},
    {"MP+amos", STORE_STORE, 0},
    {"MP+acqrel-amos", 0, 0},
    {"MP+one", STORE_STORE, 0},
    {"LB", LOAD_ANY, 0},
    {"LB+datas", 0, 0},
    {"LB+addrs", 0, 0},
    {"LB+ctrls", 0, 0},
    {"LB+fences", 0, 0},
    {"LB+acqs", 0, 0},
    {"LB+rels", 0, 0},
    {"LB+amos", LOAD_ANY, 0},
    {"LB+data+po", LOAD_ANY, 0},
    {"S", STORE_STORE, 0},
    {"S+fences", 0, 0},
    {"S+fence+data", 0, 0},
    {"S+fence+addr", 0, 0},
    {"S+po+addr", STORE_STORE, 0},
    {"R", STORE_LOAD, TSO},
    {"R+fences", 0, 0},
    {"R+fence+po", STORE_LOAD, 0},
    {"R+po+fence", STORE_STORE, 0},
    {"R+po+amo", STORE_STORE, 0},
    {"2+2W", STORE_STORE, 0},
    {"2+2W+fences", 0, 0},
    {"2+2W+rels", 0, 0},
    {"WRC", LOAD_ANY, 0},
    {"WRC+addrs", 0, 0},
    {"WRC+fences", 0, 0},
    {"WRC+data+po", LOAD_ANY, 0},
    {"WRC+rel-acq", 0, 0},
    {"IRIW", LOAD_ANY, 0},
    {"IRIW+fences", 0, 0},
    {"IRIW+addrs", 0, 0},
    {"IRIW+acqs", 0, 0},
    {"CoRR", 0, 0},
    {"CoRR+line", 0, 0},
    {"CoWW", 0, 0},
    {"CoRW", 0, 0},
    {"CoWR", 0, 0},
    {"CoWR+amo", 0, 0},
};

#define KNOWN (sizeof known / sizeof known[0])

static void read_test(const char *name, void (*place)(struct litmus_test *))
{
    char path[128];
    char error[LITMUS_ERROR_BYTES];

    (void)snprintf(path, sizeof path, FOLDER "%s.litmus", name);
    if (!litmus_parse_file(path, &test, error)) {
        fail_msg("%s", error);
    }
    place(&test);
}

static void ask(const struct litmus_order *order)
{
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    assert_int_equal(litmus_outcomes_ask(&outcomes, order), LITMUS_EXPLORED);
}

/* The machines on which the condition may come true. */
static unsigned where(const char *name, void (*place)(struct litmus_test *))
{
    unsigned found = 0;

    read_test(name, place);
    for (unsigned i = 0; i < ORDERS; i++) {
        uint64_t observed;
        ask(orders[i]);
        const enum litmus_verdict verdict = litmus_outcomes_condition(&outcomes, &observed);
        assert_int_not_equal(verdict, LITMUS_ALLOWED_RACY);
        found |= (unsigned)(verdict != LITMUS_FORBIDDEN) << i;
        litmus_outcomes_free(&outcomes);
    }
    return found;
}

TEST(test_conditions)
{
    for (size_t i = 0; i < KNOWN; i++) {
        const unsigned apart = where(known[i].name, litmus_place_apart);
        const unsigned group = where(known[i].name, litmus_place_in_group);
        const unsigned lanes = where(known[i].name, litmus_place_in_wave);
        if (apart != known[i].apart || group != known[i].apart || lanes != known[i].lanes) {
            fail_msg("%s: machines 0x%x apart, 0x%x in a work-group, 0x%x in a wavefront",
                     known[i].name, apart, group, lanes);
        }
    }
}

/* No file is missing above. */
TEST(test_files)
{
    glob_t files;

    assert_int_equal(glob(FOLDER "*.litmus", 0, NULL, &files), 0);
    assert_int_equal(files.gl_pathc, KNOWN);
    globfree(&files);
}

/* sc and sc_wb end each test in all ways that are sequentially consistent, and in no other; the
 * others in these and, perhaps, more; and what tso allows of threads that are no lanes of one
 * wavefront, rmo does. */
TEST(test_strength)
{
    void (*const places[])(struct litmus_test *) = {litmus_place_apart, litmus_place_in_group,
                                                    litmus_place_in_wave};

    for (size_t i = 0; i < 3 * KNOWN; i++) {
        read_test(known[i / 3].name, places[i % 3]);
        for (unsigned order = 0; order < ORDERS; order++) {
            ask(orders[order]);
            for (unsigned row = 0; row < outcomes.count; row++) {
                assert_true(outcomes.row[row].is_ordered || !outcomes.row[row].is_sc);
                assert_true(outcomes.row[row].is_sc || order > 1);
            }
            litmus_outcomes_free(&outcomes);
        }
    }
}

struct counted {
    const char *name;
    unsigned count[ORDERS];
};

/* Of two registers or variables with two values each, four ends; one is not sequentially
 * consistent. In IRIW sixteen. S has y = 1 at the end, r1 = 0 or 1, x = 1 or 2: r1 = 1 with x = 2
 * is the weak one. R has y = 1 or 2, r1 = 0 or 1; y = 2 with r1 = 0 is. CoRR has 00, 01 and 11. WRC
 * has three registers, and one weak end of eight. SB+rfi has r2 = 1 in all. */
static const struct counted counts[] = {
    {"SB", {3, 3, 4, 4, 4}},     {"MP", {3, 3, 3, 4, 4}},        {"LB", {3, 3, 3, 4, 3}},
    {"S", {3, 3, 3, 4, 4}},      {"R", {3, 3, 4, 4, 4}},         {"2+2W", {3, 3, 3, 4, 4}},
    {"WRC", {7, 7, 7, 8, 7}},    {"IRIW", {15, 15, 15, 16, 15}}, {"CoRR", {3, 3, 3, 3, 3}},
    {"SB+rfi", {3, 3, 3, 4, 3}},
};

TEST(test_counts)
{
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        read_test(counts[i].name, litmus_place_apart);
        for (unsigned order = 0; order < ORDERS; order++) {
            unsigned count = 0;
            ask(orders[order]);
            for (unsigned row = 0; row < outcomes.count; row++) {
                count += outcomes.row[row].is_ordered;
            }
            litmus_outcomes_free(&outcomes);
            if (count != counts[i].count[order]) {
                fail_msg("%s: %u outcomes of %s", counts[i].name, count, orders[order]->name);
            }
        }
    }
}

TEST(test_machine_of_configuration)
{
    static const struct {
        const char *setting;
        const char *other;
        const struct litmus_order *order;
    } asked[] = {
        {"gpu.consistency=rmo", "mem.system=moesi", &litmus_rmo},
        {"gpu.consistency=rmo", "gpu.rmo_loads=block", &litmus_rmo_block},
        {"gpu.consistency=sc", "mem.system=flat", &litmus_sc},
        {"gpu.consistency=sc_wb", "mem.system=nol1", &litmus_sc_wb},
        {"gpu.consistency=tso", "mem.system=moesi", &litmus_tso},
        {"gpu.consistency=rmo", "mem.system=wt", NULL},
        {"gpu.consistency=rmo", "mem.system=scoped", NULL},
    };

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct sl_config config;
        char error[512];
        sl_config_init(&config);
        assert_int_equal(sl_config_set(&config, asked[i].setting, error, sizeof error), 0);
        assert_int_equal(sl_config_set(&config, asked[i].other, error, sizeof error), 0);
        assert_ptr_equal(litmus_order_of(&config), asked[i].order);
    }
}

/* More states than are looked at: independent stores of four threads, in any order. */
TEST(test_too_many)
{
    static const char *const row = "st x,1|st y,1|st z,1|st u,1;\n";
    char text[1024] = "Sluice A\n{ x=0; y=0; z=0; u=0; }\nP0|P1|P2|P3;\n";
    char error[LITMUS_ERROR_BYTES];

    for (int i = 0; i < 8; i++) {
        strcat(text, row);
    }
    strcat(text, "exists (x=1)");
    assert_true(litmus_parse("f", text, &test, error));
    assert_true(litmus_outcomes_of(&test, &litmus_hrf_indirect, &outcomes));
    assert_int_equal(litmus_outcomes_ask(&outcomes, &litmus_tso), LITMUS_EXPLORE_LIMIT);
    litmus_outcomes_free(&outcomes);
}
