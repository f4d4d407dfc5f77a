/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host makes of what kernels have cost: sums of runs by names, the Callgrind file to the
 * letter, and the names in the file of statistics. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/profile/kernel_profile.h"

#define BASE 0x80400000u

static struct sl_kernel_profile *profile;
static struct sl_kernel_costs costs;
static struct sl_kernel_sums sums;

static int setup(void **state)
{
    (void)state;
    profile = calloc(1, sizeof *profile);
    return profile != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sl_kernel_costs_clear(&costs);
    sl_kernel_sums_clear(&sums);
    free(profile);
    return 0;
}

/* Kernels at 10 and 11 are of one name. */
static void kernel_name(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "kernel%" PRIu64, kernel == 11 ? 10 : kernel);
}

static const struct sl_kernel_names names = {.kernel = kernel_name};

/* Instructions 0 to 3 are of `entry`, 4 and up of `routine`; 1 is of a header, inlined on line 12.
 */
static struct sl_source source(void *code, uint64_t pc)
{
    const int place = (int)(pc - BASE) / 4;
    (void)code;
    if (place == 1) {
        return (struct sl_source){"entry", "a.c", "b.h", 3};
    }
    return place < 4 ? (struct sl_source){"entry", "a.c", "a.c", 10 + place}
                     : (struct sl_source){"routine", "r.S", "r.S", 20 + place};
}

static int outer_line(void *code, uint64_t pc)
{
    const int place = (int)(pc - BASE) / 4;
    (void)code;
    return place == 1 ? 12 : place < 4 ? 10 + place : 20 + place;
}

/* A cost of `unit` of each count, of waiting for DRAM and of issuing. */
static struct sl_kernel_cost cost(uint64_t unit)
{
    return (struct sl_kernel_cost){
        .wave_instructions = unit,
        .lane_instructions = 2 * unit,
        .line_accesses = 3 * unit,
        .l1_misses = 4 * unit,
        .l2_misses = 5 * unit,
        .cycles = {[SL_STALL_ISSUE] = 6 * unit, [SL_STALL_MEMORY_DRAM] = 7 * unit},
    };
}

static void row(uint64_t kernel, unsigned place, uint64_t unit)
{
    profile->rows[profile->row_count++] =
        (struct sl_kernel_profile_row){kernel, BASE + 4 * place, cost(unit)};
}

static void call(uint64_t kernel, unsigned site, unsigned callee, uint64_t count, uint64_t unit)
{
    profile->calls[profile->call_count++] = (struct sl_kernel_profile_call){
        kernel, BASE + 4 * site, BASE + 4 * callee, count, cost(unit)};
}

static void run(void)
{
    assert_int_equal(sl_kernel_costs_take(&costs, profile, &names), 0);
    assert_int_equal(sl_kernel_sums_take(&sums, profile, &names), 0);
    sl_kernel_profile_empty(profile);
}

/* A line of the file: costs of so many units. */
static const char *costs_of(uint64_t unit, char *out, size_t bytes)
{
    size_t length = (size_t)snprintf(out, bytes, " %" PRIu64, 13 * unit);
    for (uint64_t i = 1; i <= 5; i++) {
        length += (size_t)snprintf(out + length, bytes - length, " %" PRIu64, i * unit);
    }
    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        const uint64_t cycles = stall == SL_STALL_ISSUE         ? 6 * unit
                                : stall == SL_STALL_MEMORY_DRAM ? 7 * unit
                                                                : 0;
        length += (size_t)snprintf(out + length, bytes - length, " %" PRIu64, cycles);
    }
    return out;
}

/* Each '@N;' in the text stands for costs of N units. */
static void expect(const char *text)
{
    const struct sl_kernel_file file = {
        .costs = &costs, .command = "program", .source = source, .outer_line = outer_line};
    char wanted[8192] = "";
    char *written = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&written, &bytes);
    assert_non_null(stream);
    assert_int_equal(sl_kernel_file_write(&file, stream), 0);
    assert_int_equal(fclose(stream), 0);
    for (const char *at = text; *at != '\0';) {
        char line[512];
        const size_t length = strlen(wanted);
        if (*at == '@') {
            char *end;
            const uint64_t unit = strtoull(at + 1, &end, 10);
            (void)snprintf(wanted + length, sizeof wanted - length, "%s",
                           costs_of(unit, line, sizeof line));
            at = end + 1;
        } else {
            (void)snprintf(wanted + length, sizeof wanted - length, "%c", *at++);
        }
    }
    const char *const body = strstr(written, "\nevents: ");
    assert_non_null(body);
    assert_string_equal(strchr(body + 1, '\n'), wanted);
    free(written);
}

TEST_WITH(no_costs_are_a_file_too, setup, teardown)
{
    run();
    expect("\n\ntotals:@0;\n");
}

TEST_WITH(the_header_names_events, setup, teardown)
{
    const struct sl_kernel_file file = {
        .costs = &costs, .command = "program", .source = source, .outer_line = outer_line};
    char *written = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&written, &bytes);
    profile->lost_rows = 3;
    profile->lost_calls = 4;
    run();
    assert_int_equal(sl_kernel_file_write(&file, stream), 0);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(written, "cmd: program\n"));
    assert_non_null(strstr(written, "desc: Instructions that found no room: 3; calls: 4\n"));
    assert_non_null(strstr(written, "\nevent: Cycles : Resident cycles\n"));
    assert_non_null(strstr(written, "\nevent: memory_dram : Cycles, DRAM\n"));
    assert_non_null(strstr(written, "\nevents: Cycles Wi Li Lines L1m L2m issue no_slot "));
    free(written);
}

/* Rows of one line are added up; a function that two kernels call is there twice. */
TEST_WITH(kernels_are_objects, setup, teardown)
{
    row(12, 5, 7);
    row(10, 5, 4);
    row(10, 1, 2);
    row(10, 0, 1);
    row(10, 2, 3);
    call(10, 1, 5, 9, 4);
    run();
    expect("\n\nob=kernel10\n\nfl=a.c\nfn=entry\n10@1;\nfi=b.h\n3@2;\n"
           "fe=a.c\ncob=kernel10\ncfi=r.S\ncfn=routine\ncalls=9 25\n12@4;\n12@3;\n"
           "\nfl=r.S\nfn=routine\n25@4;\n"
           "\nob=kernel12\n\nfl=r.S\nfn=routine\n25@7;\n"
           "\ntotals:@17;\n");
}

/* What the simulator has counted is taken once, and of several runs together. */
TEST_WITH(runs_add_up, setup, teardown)
{
    row(10, 0, 1);
    call(10, 0, 4, 1, 100);
    run();
    profile->rows[0].cost = cost(2);
    profile->calls[0].count = 5;
    profile->calls[0].cost = cost(200);
    row(11, 0, 10);
    row(9, 0, 0);
    run();
    run();
    assert_int_equal(costs.runs, 3);
    expect("\n\nob=kernel10\n\nfl=a.c\nfn=entry\n10@13;\n"
           "cob=kernel10\ncfi=r.S\ncfn=routine\ncalls=6 24\n10@300;\n"
           "\ntotals:@13;\n");
    assert_int_equal(sums.count, 1);
}

static uint64_t figure(const json_t *object, const char *name)
{
    const json_t *const value = json_object_get(object, name);
    if (value == NULL) {
        fail_msg("no %s", name);
    }
    return (uint64_t)json_integer_value(value);
}

TEST_WITH(statistics_have_names, setup, teardown)
{
    json_t *const object = json_object();
    row(11, 0, 1);
    row(10, 1, 2);
    row(5, 1, 4);
    run();
    assert_int_equal(sl_kernel_sums_put(object, &sums), 0);
    assert_int_equal(figure(object, "kernel.kernel10.wave_instructions"), 3);
    assert_int_equal(figure(object, "kernel.kernel10.lane_instructions"), 6);
    assert_int_equal(figure(object, "kernel.kernel10.line_accesses"), 9);
    assert_int_equal(figure(object, "kernel.kernel10.l1_misses"), 12);
    assert_int_equal(figure(object, "kernel.kernel10.l2_misses"), 15);
    assert_int_equal(figure(object, "kernel.kernel10.resident_cycles"), 39);
    assert_int_equal(figure(object, "kernel.kernel10.cycles.issue"), 18);
    assert_int_equal(figure(object, "kernel.kernel10.cycles.memory_dram"), 21);
    assert_int_equal(figure(object, "kernel.kernel10.cycles.barrier"), 0);
    assert_int_equal(figure(object, "kernel.kernel5.resident_cycles"), 52);
    assert_int_equal(json_object_size(object), 2 * (6 + SL_STALL_COUNT));
    json_decref(object);
}

TEST_WITH(reasons_are_those_of_all_kernels, setup, teardown)
{
    struct sl_kernel_reason reasons[2];
    row(1, 0, 1);
    row(2, 0, 2);
    profile->rows[1].cost.cycles[SL_STALL_BARRIER] = 19;
    run();
    assert_int_equal(sl_kernel_sums_reasons(&sums, reasons, 2), 3);
    assert_string_equal(reasons[0].name, "memory_dram");
    assert_string_equal(reasons[0].words, "DRAM");
    assert_int_equal(reasons[0].cycles, 21);
    assert_string_equal(reasons[1].name, "barrier");
    assert_int_equal(reasons[1].cycles, 19);
}
