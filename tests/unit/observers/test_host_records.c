/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Traces and samples as text: lines and rows of records made here, and what the configuration's
 * filters and columns mean. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "host/observe/trace/instruction_trace.h"
#include "host/observe/trace/sample_table.h"
#include "isa/isa.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

static char path[] = "/tmp/sluice-records-XXXXXX";
static char content[8192];
static char error[4096];
static struct sl_config config;

static int setup(void **state)
{
    (void)state;
    sl_config_init(&config);
    error[0] = '\0';
    (void)strcpy(path + strlen(path) - 6, "XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    return close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

static void set(const char *setting)
{
    assert_int_equal(sl_config_set(&config, setting, error, sizeof error), 0);
}

/* What the file has, but for its first line. */
static const char *lines(void)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(content, 1, sizeof content - 1, file);
    content[length] = '\0';
    assert_int_equal(fclose(file), 0);
    const char *end = strchr(content, '\n');
    assert_non_null(end);
    return end + 1;
}

/* ---- names: a file of kernels with three functions, and firmware with two ---- */

static struct sl_elf_function kernel_functions[] = {
    {.name = "sum_kernel",
     .address = 0x80400000,
     .bytes = 0x20,
     .is_global = true,
     .is_entry = true},
    {.name = "helper", .address = 0x80400020, .bytes = 0x10, .is_global = true},
    {.name = "sum_last", .address = 0x80400030, .bytes = 8, .is_global = true, .is_entry = true},
};
static uint16_t firmware_code[] = {0x8082, 0x0533, 0x00b5}; /* c.jr ra; add a0,a0,a1 */
static struct sl_elf_function firmware_functions[] = {
    {.name = "boot", .address = SL_FIRMWARE_BASE, .bytes = 2},
    {.name = "sum", .address = SL_FIRMWARE_BASE + 2, .bytes = 4},
};
static const struct sl_elf kernels = {.functions = kernel_functions, .function_count = 3};
static const struct sl_elf firmware = {
    .functions = firmware_functions,
    .function_count = 2,
    .segments = {{.address = SL_FIRMWARE_BASE,
                  .bytes = sizeof firmware_code,
                  .file_bytes = sizeof firmware_code,
                  .data = firmware_code}},
};

/* ---- trace ---- */

struct with_values {
    struct sl_traced_record record;
    uint64_t value[64];
};

static void take(struct sl_instruction_text *text, struct sl_traced_record record, uint64_t count,
                 const uint64_t *values)
{
    struct with_values whole = {.record = record};

    whole.record.words = (uint16_t)(SL_TRACED_WORDS + count);
    for (uint64_t i = 0; i < count; i++) {
        whole.value[i] = values[i];
    }
    assert_true(sl_instruction_text_take(text, (const void *)&whole));
}

TEST_WITH(trace_lines, setup, teardown)
{
    static const uint64_t one[] = {0xdeadbeef};
    static const uint64_t each[] = {0, 0x8000000000000000, 7};
    const struct sl_traced_record wave = {.kind = SL_TRACED_ISSUE,
                                          .context = 5,
                                          .word = 0x00b50533,
                                          .time_ps = 1234567,
                                          .pc = 0x80400024,
                                          .lanes = 0x8000000000000005,
                                          .entry = 0x80400000,
                                          .wave = 17,
                                          .cu = 3};
    struct sl_traced_record result = wave;
    struct sl_instruction_text text;

    assert_int_equal(sl_instruction_text_open(&text, path, 9), 0);
    sl_instruction_text_names(&text, &kernels, &firmware);
    take(&text, (struct sl_traced_record){.kind = SL_TRACED_BEGIN}, 0, NULL);
    take(&text, wave, 0, NULL);
    result.kind = SL_TRACED_RESULT;
    result.rd = 10;
    take(&text, result, 1, one);
    take(&text, wave, 0, NULL);
    result.kind = SL_TRACED_LATE;
    result.rd = SL_F_REGISTERS + 10;
    take(&text, result, 3, each);
    take(&text,
         (struct sl_traced_record){
             .kind = SL_TRACED_FIRMWARE, .time_ps = 1, .pc = SL_FIRMWARE_BASE + 2},
         0, NULL);
    take(&text,
         (struct sl_traced_record){
             .kind = SL_TRACED_FIRMWARE, .time_ps = 12345678901234, .pc = SL_FIRMWARE_BASE},
         0, NULL);
    result = wave;
    result.entry = 0x80401000; /* no function */
    result.pc = 0x80401004;
    result.word = 0;
    take(&text, result, 0, NULL);
    take(&text, (struct sl_traced_record){.kind = SL_TRACED_END, .wave = 12}, 0, NULL);
    assert_true(sl_instruction_text_rest(&text));
    assert_string_equal(
        lines(),
        "# run 1\n"
        "     1234.567 cu3 w17 c5 sum_kernel 8000000000000005 80400024 helper+0x4 add a0,a0,a1 ; "
        "a0=0xdeadbeef\n"
        "     1234.567 cu3 w17 c5 sum_kernel 8000000000000005 80400024 helper+0x4 add a0,a0,a1\n"
        "     1234.567 cu3 w17 c5 sum_kernel 8000000000000005 80400024 helper+0x4 <- "
        "fa0={0:0x0,2:0x8000000000000000,63:0x7}\n"
        "        0.001 agg - - - - 80000002 sum+0x0 add a0,a0,a1\n"
        "12345678901.234 agg - - - - 80000000 boot+0x0 c.jr ra\n"
        "     1234.567 cu3 w17 c5 0x80401000 8000000000000005 80401004 - c.unimp\n"
        "# run 1: 12 more lines are left out, behind 9 (trace.lines)\n");
    sl_instruction_text_close(&text);
}

/* The longest line, again and again: none is torn, whatever the buffer. */
TEST_WITH(trace_of_many_lines, setup, teardown)
{
    uint64_t values[64];
    const struct sl_traced_record late = {.kind = SL_TRACED_LATE,
                                          .word = 0x00b50533,
                                          .time_ps = UINT64_MAX,
                                          .pc = 0x80400024,
                                          .lanes = UINT64_MAX,
                                          .entry = 0x80400000,
                                          .wave = UINT64_MAX,
                                          .cu = 63,
                                          .rd = 31};
    struct sl_instruction_text text;

    for (unsigned i = 0; i < 64; i++) {
        values[i] = UINT64_MAX - i;
    }
    assert_int_equal(sl_instruction_text_open(&text, path, UINT64_MAX), 0);
    sl_instruction_text_names(&text, &kernels, NULL);
    for (unsigned i = 0; i < 1000; i++) {
        take(&text, late, 64, values);
    }
    sl_instruction_text_close(&text);
    FILE *file = fopen(path, "r");
    char first[4096] = "";
    char line[4096];
    unsigned count = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        if (count++ == 0) {
            (void)strcpy(first, line);
        }
        assert_string_equal(line, first);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(count, 1000);
}

/* Names count from the run on that begins with them: what is left of the one before has its own. */
TEST_WITH(trace_names, setup, teardown)
{
    const struct sl_traced_record wave = {
        .kind = SL_TRACED_ISSUE, .word = 0x00b50533, .pc = 0x80400024, .entry = 0x80400000};
    const struct sl_traced_record begin = {.kind = SL_TRACED_BEGIN};
    struct sl_instruction_text text;

    assert_int_equal(sl_instruction_text_open(&text, path, 9), 0);
    sl_instruction_text_names(&text, NULL, NULL);
    take(&text, begin, 0, NULL);
    sl_instruction_text_names(&text, &kernels, NULL);
    take(&text, wave, 0, NULL);
    take(&text, begin, 0, NULL);
    take(&text, wave, 0, NULL);
    assert_true(sl_instruction_text_rest(&text));
    sl_instruction_text_close(&text);
    assert_string_equal(
        lines(), "# run 1\n"
                 "        0.000 cu0 w0 c0 0x80400000 0000000000000000 80400024 - add a0,a0,a1\n"
                 "# run 2\n"
                 "        0.000 cu0 w0 c0 sum_kernel 0000000000000000 80400024 helper+0x4 "
                 "add a0,a0,a1\n");
}

TEST_WITH(trace_that_cannot_be_written, setup, teardown)
{
    struct sl_instruction_text text;

    assert_int_equal(sl_instruction_text_open(&text, "/nonexistent/trace", 1), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sl_instruction_text_open(&text, "/dev/full", 1), 0);
    assert_int_equal(sl_stream_failure(&text.sink), 0);
    assert_false(sl_instruction_text_rest(&text));
    assert_int_equal(sl_stream_failure(&text.sink), ENOSPC);
    sl_instruction_text_close(&text);
}

/* ---- filters ---- */

static struct sl_traced wanted;

static int set_wanted(void)
{
    return sl_trace_filter_set(&wanted, &config, error, sizeof error) != 0 ||
                   sl_trace_filter_name(&wanted, &config, &kernels, &firmware, error,
                                        sizeof error) != 0
               ? -1
               : 0;
}

static void expect_range(const struct sl_traced_list *list, unsigned number, uint64_t first,
                         uint64_t last)
{
    assert_true(number < list->count);
    assert_int_equal(list->range[number].first, first);
    assert_int_equal(list->range[number].last, last);
}

TEST_WITH(wanted_by_default, setup, teardown)
{
    assert_int_equal(set_wanted(), 0);
    assert_int_equal(wanted.waves, 1);
    assert_int_equal(wanted.firmware, 0);
    assert_int_equal(wanted.results, 0);
    assert_int_equal(wanted.from_ps, 0);
    assert_true(wanted.to_ps == UINT64_MAX);
    assert_int_equal(wanted.lines, 10000000);
    assert_int_equal(
        wanted.kernels.count + wanted.numbers.count + wanted.cus.count + wanted.pcs.count, 0);
}

TEST_WITH(wanted_lists, setup, teardown)
{
    set("trace.what=both");
    set("trace.registers=on");
    set("trace.from=2ns");
    set("trace.to=1us");
    set("trace.lines=0");
    set("trace.wave=3,8-11");
    set("trace.cu=0x2");
    set("trace.kernel=sum_*,sum_last");
    set("trace.function=sum,helper");
    set("trace.pc=0x80400000-0x80400003");
    assert_int_equal(set_wanted(), 0);
    assert_int_equal(wanted.firmware, 1);
    assert_int_equal(wanted.results, 1);
    assert_int_equal(wanted.from_ps, 2000);
    assert_int_equal(wanted.to_ps, 1000000);
    assert_true(wanted.lines == UINT64_MAX);
    expect_range(&wanted.numbers, 0, 3, 3);
    expect_range(&wanted.numbers, 1, 8, 11);
    expect_range(&wanted.cus, 0, 2, 2);
    assert_int_equal(wanted.kernels.count, 3);
    expect_range(&wanted.kernels, 0, 0x80400000, 0x80400000);
    expect_range(&wanted.kernels, 1, 0x80400030, 0x80400030);
    assert_int_equal(wanted.pcs.count, 3);
    expect_range(&wanted.pcs, 0, SL_FIRMWARE_BASE + 2, SL_FIRMWARE_BASE + 5);
    expect_range(&wanted.pcs, 1, 0x80400020, 0x8040002f);
    expect_range(&wanted.pcs, 2, 0x80400000, 0x80400003);
}

static void refused(const char *setting, const char *message)
{
    sl_config_init(&config);
    set(setting);
    assert_int_equal(set_wanted(), -1);
    assert_string_equal(error, message);
}

TEST_WITH(wanted_mistakes, setup, teardown)
{
    char many[SL_CONFIG_TEXT_MAX] = "trace.wave=0";

    refused("trace.wave=4-", "trace.wave: '4-' is neither a number nor a range of them like 4-7");
    refused("trace.wave=-4", "trace.wave: '-4' is neither a number nor a range of them like 4-7");
    refused("trace.cu=7-4", "trace.cu: '7-4' is neither a number nor a range of them like 4-7");
    refused("trace.cu=1,,2", "trace.cu: '' is neither a number nor a range of them like 4-7");
    refused("trace.pc=main", "trace.pc: 'main' is neither a number nor a range of them like 4-7");
    refused("trace.kernel=helper",
            "trace.kernel: no kernel has the name 'helper'; there are: sum_kernel, sum_last");
    refused("trace.function=sum,no*",
            "trace.function: no function has the name 'no*'; there are: sum_kernel, helper, "
            "sum_last, boot, sum");
    while (strlen(many) + 3 < sizeof many) {
        (void)strcat(many, ",1");
    }
    sl_config_init(&config);
    set(many);
    assert_int_equal(set_wanted(), 0); /* as many as a value can have */
}

/* ---- samples ---- */

static void choose(struct sl_sample_text *text, const char *columns)
{
    (void)snprintf(config.text[SL_CFG_SAMPLE_STATISTICS], SL_CONFIG_TEXT_MAX, "%s", columns);
    *text = (struct sl_sample_text){.run = 0};
    if (sl_sample_text_choose(text, &config, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

static void put_real(uint64_t *word, double value)
{
    memcpy(word, &value, sizeof value);
}

/* 100 cycles with 40 % active, then 50 cycles more: 40 % of 150 are 60, that is 20 of the 50. */
TEST_WITH(sample_rows, setup, teardown)
{
    struct sl_sample sample = {.words = SL_SAMPLE_WORDS, .kind = SL_SAMPLE_BEGIN};
    struct sl_sample_text text;

    choose(&text, "simt.wave_instructions,gpu.active_pct,gpu.resident_max,now.r*,gpu.cycles,"
                  "gpu.blocked.end_cycles,latency.p50_ns");
    assert_int_equal(sl_sample_text_open(&text, path), 0);
    assert_true(sl_sample_text_take(&text, (const void *)&sample));
    sample.kind = SL_SAMPLE_TAKEN;
    sample.time_ps = 100500;
    sample.gauges[SL_GAUGE_RESIDENT] = 3;
    sample.gauges[SL_GAUGE_READY] = 65;
    sample.statistics[SL_STAT_GPU_CYCLES] = 100;
    sample.statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS] = 1000;
    sample.statistics[SL_STAT_GPU_RESIDENT_MAX] = 4;
    sample.statistics[SL_STAT_GPU_BLOCKED_END_CYCLES] = 30;
    put_real(&sample.statistics[SL_STAT_GPU_ACTIVE_PCT], 40);
    put_real(&sample.statistics[SL_STAT_LATENCY_P50_NS], 7.5);
    assert_true(sl_sample_text_take(&text, (const void *)&sample));
    sample.kind = SL_SAMPLE_LAST;
    sample.time_ps = 150000;
    sample.gauges[SL_GAUGE_RESIDENT] = 0;
    sample.statistics[SL_STAT_GPU_CYCLES] = 150;
    sample.statistics[SL_STAT_SIMT_WAVE_INSTRUCTIONS] = 1001;
    sample.statistics[SL_STAT_GPU_BLOCKED_END_CYCLES] = 5;
    assert_true(sl_sample_text_take(&text, (const void *)&sample));
    sample.kind = SL_SAMPLE_BEGIN;
    memset(sample.statistics, 0, sizeof sample.statistics);
    assert_true(sl_sample_text_take(&text, (const void *)&sample));
    sample.kind = SL_SAMPLE_LAST;
    sample.statistics[SL_STAT_GPU_CYCLES] = 9;
    assert_true(sl_sample_text_take(&text, (const void *)&sample));
    assert_true(sl_sample_text_rest(&text));
    assert_string_equal(lines(), "1,100.500,1000,40,4,3,65,100,30,7.5\n"
                                 "1,150.000,1,40,4,0,65,50,-25,7.5\n"
                                 "2,150.000,0,0,0,0,65,9,0,0\n");
    assert_non_null(strstr(content, "run,time_ns,simt.wave_instructions,gpu.active_pct,"
                                    "gpu.resident_max,now.resident,now.ready,gpu.cycles,"));
    sl_sample_text_close(&text);
}

TEST_WITH(sample_columns, setup, teardown)
{
    struct sl_sample_text text;

    choose(&text, "dram.bytes,dram.*");
    assert_int_equal(text.columns[0], SL_STAT_DRAM_BYTES);
    assert_true(text.count > 3);
    choose(&text, "*");
    const unsigned all = text.count;
    for (unsigned i = 0; i < all; i++) {
        assert_int_not_equal(text.columns[i], SL_STAT_SIM_WALL_S);
        assert_int_not_equal(text.columns[i], SL_STAT_TREES_FORKS);
    }
    choose(&text, "*,sim.*");
    assert_int_equal(text.count, all + 2);
    choose(&text, sl_config_table[SL_CFG_SAMPLE_STATISTICS].initial_text);
    assert_int_equal(text.count, 16);
}

TEST_WITH(sample_mistakes, setup, teardown)
{
    static const struct {
        const char *columns;
        const char *message;
    } mistakes[] = {
        {"gpu.cycle", "no statistic has the name 'gpu.cycle'; did you mean 'gpu.cycles'?"},
        {"gpu.cycles,", "no statistic has the name ''; docs/look-up/statistics.md has all"},
        {"trees.forks", "'trees.forks' is known at the end of a run alone"},
    };
    struct sl_sample_text text;

    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        (void)snprintf(config.text[SL_CFG_SAMPLE_STATISTICS], SL_CONFIG_TEXT_MAX, "%s",
                       mistakes[i].columns);
        assert_int_equal(sl_sample_text_choose(&text, &config, error, sizeof error), -1);
        assert_non_null(strstr(error, mistakes[i].message));
    }
}
