/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The Callgrind file of a profile that is made up here, to the letter. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/profile/firmware_profile.h"

#define HEADER                                                                                     \
    "# callgrind format\nversion: 1\ncreator: sluice\ncmd: program\npart: 1\n"                     \
    "desc: Aggregator firmware, within the runs of graphs and launches\n"
#define EVENTS                                                                                     \
    "positions: line\n"                                                                            \
    "event: Cycles : Aggregator cycles\n"                                                          \
    "event: Ir : Instructions\n"                                                                   \
    "event: I1m : L1I misses\n"                                                                    \
    "event: D1m : L1D misses\n"                                                                    \
    "event: Bm : Mispredicted branches\n"                                                          \
    "event: retiring : retiring\n"                                                                 \
    "event: bad_speculation : bad speculation\n"                                                   \
    "event: frontend_fetch : fetch\n"                                                              \
    "event: frontend_taken : taken branch\n"                                                       \
    "event: frontend_l1i_l2 : L1I miss, L2\n"                                                      \
    "event: frontend_l1i_dram : L1I miss, DRAM\n"                                                  \
    "event: memory_load_l1 : load, L1\n"                                                           \
    "event: memory_load_other_l1 : load, other L1\n"                                               \
    "event: memory_load_l2 : load, L2\n"                                                           \
    "event: memory_load_dram : load, DRAM\n"                                                       \
    "event: memory_forward : store to load\n"                                                      \
    "event: memory_mshr : MSHRs full\n"                                                            \
    "event: memory_store : store\n"                                                                \
    "event: memory_order : fence\n"                                                                \
    "event: memory_atomic : atomic\n"                                                              \
    "event: memory_device : device register\n"                                                     \
    "event: core_rob : ROB full\n"                                                                 \
    "event: core_registers : registers full\n"                                                     \
    "event: core_load_queue : LQ full\n"                                                           \
    "event: core_store_queue : SQ full\n"                                                          \
    "event: core_issue_queue : IQ full\n"                                                          \
    "event: core_dispatch : dispatch\n"                                                            \
    "event: core_execute : execution\n"                                                            \
    "event: frontend = frontend_fetch + frontend_taken + frontend_l1i_l2 + "                       \
    "frontend_l1i_dram : all frontend_*\n"                                                         \
    "event: memory = memory_load_l1 + memory_load_other_l1 + memory_load_l2 + "                    \
    "memory_load_dram + memory_forward + memory_mshr + memory_store + memory_order + "             \
    "memory_atomic + memory_device : all memory_*\n"                                               \
    "event: core = core_rob + core_registers + core_load_queue + core_store_queue + "              \
    "core_issue_queue + core_dispatch + core_execute : all core_*\n"                               \
    "events: Cycles Ir I1m D1m Bm retiring bad_speculation frontend_fetch "                        \
    "frontend_taken frontend_l1i_l2 frontend_l1i_dram memory_load_l1 "                             \
    "memory_load_other_l1 memory_load_l2 memory_load_dram memory_forward memory_mshr "             \
    "memory_store memory_order memory_atomic memory_device core_rob core_registers "               \
    "core_load_queue core_store_queue core_issue_queue core_dispatch core_execute\n"

/* Behind the cycles of the first class: no others. */
#define NONE " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static struct sl_profile *profile;

static int setup(void **state)
{
    (void)state;
    profile = calloc(1, sizeof *profile);
    return profile != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(profile);
    return 0;
}

/* Function `first` at places 0 to 9, `second` behind it up to 19, nothing from 20 on. Places 4 and
 * 5 are of a function in a header, inlined on line 12. */
static struct sl_source source(void *code, uint64_t pc)
{
    const uint64_t place = (pc - SL_FIRMWARE_BASE) / 2;
    (void)code;
    if (place >= 20) {
        return (struct sl_source){.function = NULL};
    }
    if (place == 4 || place == 5) {
        return (struct sl_source){"first", "a.c", "b.h", 3};
    }
    const int line = 10 + (int)place / 2;
    return place < 10 ? (struct sl_source){"first", "a.c", "a.c", line}
                      : (struct sl_source){"second", "c.c", "c.c", line};
}

static int outer_line(void *code, uint64_t pc)
{
    const int place = (int)(pc - SL_FIRMWARE_BASE) / 2;
    (void)code;
    return place == 4 || place == 5 ? 12 : 10 + place / 2;
}

static void cost(uint64_t place, uint64_t cycles, uint64_t instructions)
{
    profile->places[place].cost[SL_COST_STACK] = cycles;
    profile->places[place].cost[SL_COST_INSTRUCTIONS] = instructions;
}

static void call(unsigned entry, uint32_t site, uint32_t callee, uint64_t count, uint64_t cycles)
{
    profile->calls[entry] = (struct sl_profile_call){
        .site = site,
        .callee = callee,
        .count = count,
        .cost = {[SL_COST_INSTRUCTIONS] = cycles / 2, [SL_COST_STACK] = cycles},
    };
}

static void expect(const char *text)
{
    const struct sl_firmware_profile firmware = {
        .profile = profile,
        .places = 40,
        .command = "program",
        .source = source,
        .outer_line = outer_line,
    };
    char *written = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&written, &bytes);
    assert_non_null(stream);
    assert_int_equal(sl_firmware_profile_write(&firmware, stream), 0);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(written, text);
    free(written);
}

TEST_WITH(nothing_is_a_file_too, setup, teardown)
{
    expect(HEADER EVENTS "\ntotals: 0 0 0 0 0 0" NONE);
}

TEST_WITH(lines_add_up, setup, teardown)
{
    cost(0, 5, 1);
    cost(1, 6, 2); /* the same line */
    cost(2, 7, 3);
    cost(12, 1, 1);
    profile->places[2].cost[SL_COST_L1I_MISSES] = 21;
    profile->places[2].cost[SL_COST_L1D_MISSES] = 22;
    profile->places[2].cost[SL_COST_MISPREDICTIONS] = 23;
    expect(HEADER EVENTS "\nfl=a.c\nfn=first\n10 11 3 0 0 0 11" NONE "11 7 3 21 22 23 7" NONE
                         "\nfl=c.c\nfn=second\n16 1 1 0 0 0 1" NONE
                         "\ntotals: 19 7 21 22 23 19" NONE);
}

/* Cycles are those of all classes, of lines and of calls. */
TEST_WITH(classes_are_columns, setup, teardown)
{
    cost(0, 5, 1);
    cost(10, 1, 1);
    for (unsigned i = SL_COST_STACK; i < SL_COST_COUNT; i++) {
        profile->places[1].cost[i] = 1ull << (i - SL_COST_STACK);
    }
    call(0, 1, 10, 1, 3);
    profile->calls[0].cost[SL_COST_COUNT - 1] = 8;
    expect(HEADER EVENTS
           "\nfl=a.c\nfn=first\n"
           "10 8388612 1 0 0 0 6 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 "
           "32768 65536 131072 262144 524288 1048576 2097152 4194304\n"
           "cfi=c.c\ncfn=second\ncalls=1 15\n"
           "10 11 1 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 8\n"
           "\nfl=c.c\nfn=second\n15 1 1 0 0 0 1" NONE
           "\ntotals: 8388613 2 0 0 0 7 2 4 8 16 32 64 128 256 512 1024 2048 4096 "
           "8192 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304\n");
}

/* Inlined code is on its own lines; its calls are the function's that it is inlined into. */
TEST_WITH(inlined_code_is_in_its_file, setup, teardown)
{
    cost(2, 1, 1);
    cost(4, 2, 1);
    cost(5, 4, 1);
    cost(6, 8, 1);
    cost(10, 1, 1);
    call(7, 4, 10, 9, 1);
    expect(HEADER EVENTS "\nfl=a.c\nfn=first\n11 1 1 0 0 0 1" NONE "fi=b.h\n3 2 1 0 0 0 2" NONE
                         "fe=a.c\ncfi=c.c\ncfn=second\ncalls=9 15\n12 1 0 0 0 0 1" NONE
                         "fi=b.h\n3 4 1 0 0 0 4" NONE "fe=a.c\n13 8 1 0 0 0 8" NONE
                         "\nfl=c.c\nfn=second\n15 1 1 0 0 0 1" NONE "\ntotals: 16 5 0 0 0 16" NONE);
}

TEST_WITH(calls_are_in_the_order_of_places, setup, teardown)
{
    cost(0, 1, 1);
    cost(10, 1, 1);
    call(300, 0, 10, 2, 40);
    call(20, 0, 0, 1, 20);
    call(1, 10, 0, 3, 60);
    expect(HEADER EVENTS "\nfl=a.c\nfn=first\n10 1 1 0 0 0 1" NONE
                         "cfi=a.c\ncfn=first\ncalls=1 10\n10 20 10 0 0 0 20" NONE
                         "cfi=c.c\ncfn=second\ncalls=2 15\n10 40 20 0 0 0 40" NONE
                         "\nfl=c.c\nfn=second\n15 1 1 0 0 0 1" NONE
                         "cfi=a.c\ncfn=first\ncalls=3 10\n15 60 30 0 0 0 60" NONE
                         "\ntotals: 2 2 0 0 0 2" NONE);
}

TEST_WITH(unknown_code_counts, setup, teardown)
{
    cost(30, 3, 1);
    cost(SL_PROFILE_PLACES, 4, 1);
    profile->lost_calls = 17;
    expect(HEADER "desc: Calls that found no room: 17\n" EVENTS "\nfl=\?\?\?\nfn=\?\?\?\n"
                  "0 7 2 0 0 0 7" NONE "\ntotals: 7 2 0 0 0 7" NONE);
}

TEST_WITH(a_full_disk_is_an_error, setup, teardown)
{
    const struct sl_firmware_profile firmware = {.profile = profile, .command = "program"};
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    assert_int_equal(sl_firmware_profile_write(&firmware, stream), -1);
    assert_int_equal(errno, ENOSPC);
    (void)fclose(stream);
}
