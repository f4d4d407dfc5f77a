/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host makes of races that the simulator has left in the shared block
 * (docs/do/find-races.md): pairs of instructions become pairs of source lines, over all runs; what
 * found no room, and that memory ran out, is told. Instructions of the first kernel are at lines of
 * their offsets. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/check.h"
#include "isa/isa.h"
#include "sluice/config.h"
#include "sluice/statistics.h"
#include "unit/common/host_fixture.h"

#define TEXT_BYTES 4096

struct bench {
    struct sl_soc *soc;
    struct sl_races *shared;
    char text[TEXT_BYTES]; /* what is told */
};

static struct bench bench_create(void)
{
    struct bench b = {.soc = NULL};
    struct sl_module *module;

    b.soc = fixture_open(&module);
    b.soc->config.number[SL_CFG_DEBUG_RACES] = SL_DEBUG_RACES_HRF_DIRECT;
    b.shared =
        mmap(NULL, sizeof *b.shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(b.shared, MAP_FAILED);
    b.soc->run->observation.races.shared = b.shared;
    return b;
}

static struct sl_race_side side(uint32_t line, uint8_t flags)
{
    return (struct sl_race_side){.pc = SL_KERNEL_BASE + line, .lanes = 1, .flags = flags};
}

/* A load after a store, so many times. */
static void put(const struct bench *b, uint32_t earlier, uint32_t later, uint64_t count)
{
    b->shared->races[b->shared->count++] =
        (struct sl_race){.count = count,
                         .lacks = SL_RACE_LACKS_RELEASE,
                         .holds = SL_SCOPE_DEVICE,
                         .earlier = side(earlier, SL_RACE_WRITES),
                         .later = side(later, SL_RACE_READS)};
}

/* A run ends, and the next one begins. */
static enum sl_status end_run(const struct bench *b)
{
    const uint64_t statistics[SL_STAT_COUNT] = {0};
    const struct sl_served served = {0};

    b->soc->run->kind = &sl_kind_graph;
    sl_run_observe(b->soc, statistics, &served);
    *b->shared = (struct sl_races){.count = 0};
    return sl_observe_tell(&b->soc->run->observation, b->soc);
}

static void add(void *user, const char *line)
{
    struct bench *b = user;
    const size_t used = strlen(b->text);

    assert_in_range(snprintf(b->text + used, TEXT_BYTES - used, "%s\n", line), 0,
                    TEXT_BYTES - used - 1);
}

/* Also whichever of the two lines comes first. */
TEST(test_pairs_of_lines)
{
    struct bench b = bench_create();

    put(&b, 8, 12, 3);
    put(&b, 12, 8, 1);
    assert_int_equal(end_run(&b), SL_OK);
    assert_int_equal(sl_soc_race_count(b.soc), 1);
    put(&b, 8, 12, 5);
    put(&b, 8, 16, 1);
    assert_int_equal(end_run(&b), SL_OK);
    assert_int_equal(end_run(&b), SL_OK);
    assert_int_equal(sl_soc_race_count(b.soc), 2);
    sl_soc_tell_races(b.soc, add, &b);
    assert_string_equal(
        b.text,
        "race (hrf-direct): load by first_kernel (test.c:12), lane 0, CU 0, unordered after "
        "store by first_kernel (test.c:8), lane 0, CU 0,\n"
        "  not released since; device scope holds both; 9 times\n"
        "race (hrf-direct): load by first_kernel (test.c:16), lane 0, CU 0, unordered after "
        "store by first_kernel (test.c:8), lane 0, CU 0,\n"
        "  not released since; device scope holds both\n");
    fixture_close(b.soc);
}

TEST(test_no_room)
{
    struct bench b = bench_create();

    b.shared->lost = 7;
    assert_int_equal(end_run(&b), SL_OK);
    sl_soc_tell_races(b.soc, add, &b);
    assert_string_equal(b.text, "7 races of instructions beyond the first 4096 pairs of a run are "
                                "not in the list\n");
    fixture_close(b.soc);
}

/* That no race was found says nothing then: the run fails. */
TEST(test_no_memory)
{
    struct bench b = bench_create();

    b.shared->out_of_memory = 1;
    assert_int_equal(end_run(&b), SL_ERROR_MACHINE);
    assert_string_equal(sl_soc_error(b.soc),
                        "debug.races: the simulator had no memory left to look for races: not all "
                        "of the run was looked at; take a smaller input");
    assert_int_equal(sl_soc_race_count(b.soc), 0);
    sl_soc_tell_races(b.soc, add, &b);
    assert_string_equal(b.text, "the simulator had no memory left to look for all races\n");
    assert_int_equal(end_run(&b), SL_OK);
    fixture_close(b.soc);
}
