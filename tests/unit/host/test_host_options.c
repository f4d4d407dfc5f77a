/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The command line: options of all programs, and a table of a program's own. What is wrong ends the
 * program, so that each line is parsed in a child process, whose exit status and messages are
 * looked at. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"
#include "sluice/config.h"
#include "sluice/program.h"

#define ARGUMENTS_MAX 12

static char output[4096];

struct arguments {
    uint32_t n;
    uint16_t width;
    uint64_t bytes;
    uint32_t seed;
    double rate;
    enum { RANDOM, GRID, RING } graph;
    bool is_fast;
    uint8_t level;
    const char *text;
    const char *file;
    struct sl_app_policy policy;
    struct sl_channel_options channel;
    unsigned cases;
};

static const struct sl_argument shared_rows[] = {
    SL_POLICY_ROW(struct arguments, policy),
    SL_PREDICATE_ROW(struct arguments, channel),
    {0},
};

static void count_case(const char *what, const char *text, void *field)
{
    if (strcmp(text, "bad") == 0) {
        sl_argument_fail("%s: '%s' is no case", what, text);
    }
    ++*(unsigned *)field;
}

static void count_flag(const char *what, const char *text, void *field)
{
    assert_string_equal(what, "--count");
    assert_null(text);
    ++*(unsigned *)field;
}

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 40, SL_INTO(struct arguments, n)},
    {"[CASE...]", 0, SL_TAKE, 0, 0, SL_INTO(struct arguments, cases), .take = count_case},
    {"width", 'w', SL_POWER_OF_TWO, 16, 0, SL_INTO(struct arguments, width), "Width of all",
     "LANES"},
    {.name = "breadth"},
    {"bytes", 0, SL_SIZE, 1, 1 << 20, SL_INTO(struct arguments, bytes), "Room"},
    {"seed", 0, SL_SEED, 0, 0, SL_INTO(struct arguments, seed), "Of the graph"},
    {"rate", 0, SL_REAL, 0.5L, 100, SL_INTO(struct arguments, rate), "Requests"},
    {"graph", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, graph), "What it is",
     "random|grid|ring"},
    {"fast", 'f', SL_FLAG, 0, 0, SL_INTO(struct arguments, is_fast), "Hurry"},
    {"very", 0, SL_FLAG, 0, 7, SL_INTO(struct arguments, level), "Much"},
    {"text", 0, SL_TEXT, 0, 0, SL_INTO(struct arguments, text), "To say (default: nothing)"},
    {"in", 0, SL_INPUT, 0, 0, SL_INTO(struct arguments, file), "To read"},
    {"out", 0, SL_OUTPUT, 0, 0, SL_INTO(struct arguments, file), "To write"},
    {"count", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, cases), "Count", .take = count_flag},
    {.rows = shared_rows},
    {0},
};

static void check(void *input)
{
    const struct arguments *const arguments = input;
    if (arguments->n == 39 && arguments->is_fast) {
        sl_argument_fail("--fast: not with %u", arguments->n);
    }
}

static struct arguments arguments = {.width = 64, .bytes = 2048, .rate = 1.5, .graph = GRID};

static const struct sl_app app = {
    .doc = "Do something.\vThe result is a number.",
    .table = table,
    .arguments = &arguments,
    .check = check,
};

/* What the table has filled, where it is not the default. */
static void print_own(void)
{
    const struct arguments *const a = &arguments;
    const struct {
        const char *name;
        double value, fallback;
    } numbers[] = {
        {"width", a->width, 64},
        {"bytes", (double)a->bytes, 2048},
        {"seed", a->seed, 0},
        {"rate", a->rate, 1.5},
        {"graph", a->graph, GRID},
        {"fast", a->is_fast, 0},
        {"level", a->level, 0},
        {"cases", a->cases, 0},
        {"policy", a->policy.is_given ? (int)a->policy.policy : -1, -1},
        {"flags", a->policy.flags, 0},
        {"predicate", a->channel.predicate, 0},
        {"argument", a->channel.predicate_argument, 0},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value != numbers[i].fallback) {
            (void)printf(" %s=%.10g", numbers[i].name, numbers[i].value);
        }
    }
    if (a->text != NULL || a->file != NULL) {
        (void)printf(" %s", a->text != NULL ? a->text : a->file);
    }
}

/* Parses `line`, words separated by spaces, as program "prog". Returns the exit status; where it is
 * 0, what came out of it was `expected` (formatted below). */
static int parse(const char *line)
{
    const int capture = memfd_create("output", 0);
    assert_true(capture >= 0);
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        static struct sl_app_options options;
        char words[1024];
        char *argv[ARGUMENTS_MAX + 1] = {NULL};
        int argc = 0;
        (void)dup2(capture, STDOUT_FILENO);
        (void)dup2(capture, STDERR_FILENO);
        (void)snprintf(words, sizeof words, "prog %s", line);
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
            argv[argc++] = word;
        }
        program_invocation_short_name = argv[0];
        sl_app_read(&app, argc, argv, &options);
        (void)printf("N=%d cus=%d lanes=%d stats=%s quiet=%d", (int)arguments.n,
                     (int)options.config.number[SL_CFG_GPU_CUS],
                     (int)options.config.number[SL_CFG_GPU_LANES],
                     options.stats != NULL ? options.stats : "-", options.is_quiet);
        print_own();
        (void)fflush(NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    const ssize_t length = pread(capture, output, sizeof output - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    (void)close(capture);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_output(const char *part)
{
    if (strstr(output, part) == NULL) {
        fail_msg("'%s' does not contain '%s'", output, part);
    }
}

TEST(takes_defaults)
{
    assert_int_equal(parse("24"), 0);
    assert_string_equal(output, "N=24 cus=8 lanes=64 stats=- quiet=0");
}

TEST(takes_all_options)
{
    assert_int_equal(parse("--set gpu.cus=2 --quiet --stats out.json 7 --set gpu.lanes=32"), 0);
    assert_string_equal(output, "N=7 cus=2 lanes=32 stats=out.json quiet=1");
}

TEST(settings_win_over_files)
{
    char path[] = "/tmp/sluice-options-XXXXXX";
    char line[128];
    const int file = mkstemp(path);
    const char text[] = "[gpu]\ncus = 4\nlanes = 16\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    (void)close(file);
    (void)snprintf(line, sizeof line, "--set gpu.cus=3 --config %s 1", path);
    const int status = parse(line);
    (void)unlink(path);
    assert_int_equal(status, 0);
    assert_string_equal(output, "N=1 cus=3 lanes=16 stats=- quiet=0");
}

TEST(refuses_what_is_wrong)
{
    assert_int_equal(parse("--nonsense"), SL_APP_USAGE);
    assert_int_equal(parse("--set gpu.cuss=3 1"), SL_APP_USAGE);
    assert_output("gpu.cus");
    assert_int_equal(parse("--set gpu.cus=0 1"), SL_APP_USAGE);
    assert_output("gpu.cus");
    assert_int_equal(parse("--config /nonexistent.ini 1"), SL_APP_USAGE);
    assert_output("/nonexistent.ini");
    static const char *const numbers[] = {"0", "41", "4x", "x", "1e3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_int_equal(parse(numbers[i]), SL_APP_USAGE);
        assert_output("is not a number from 1 to 40");
    }
}

/* What is said of an option that is a setting is said of the option. */
TEST(names_the_option)
{
    char line[700] = "--trace t --trace-filter kernel=";
    assert_int_equal(parse("--sample -5 1"), SL_APP_USAGE);
    assert_output("prog: --sample: sample.interval: -5 is out of range");
    assert_int_equal(parse("--check-races none 1"), SL_APP_USAGE);
    assert_output("prog: --check-races: debug.races: ");
    assert_int_equal(parse("--trace t --trace-filter cu=0,wave= 1"), 0);
    assert_int_equal(parse("--trace t --trace-filter cu=0,what=all 1"), SL_APP_USAGE);
    assert_output("prog: --trace-filter: trace.what: ");
    (void)memset(line + strlen(line), 'k', SL_CONFIG_TEXT_MAX);
    (void)strcat(line, " 1");
    assert_int_equal(parse(line), SL_APP_USAGE);
    assert_output("value longer than");
}

TEST(takes_a_file_once)
{
    char path[] = "/tmp/sluice-options-XXXXXX";
    char line[128];
    assert_int_equal(parse("--stats new --trace new 1"), SL_APP_USAGE);
    assert_output("--stats and --trace: both would write 'new'; give each a file of its own");
    assert_int_equal(parse("--sample 10 --set trace.file=samples.csv 1"), SL_APP_USAGE);
    assert_output("--trace and --sample: both would write 'samples.csv'");
    assert_int_equal(parse("--set trace.file=samples.csv 1"), 0);
    assert_int_equal(parse("--stats /dev/null --trace /dev/null --trace - --sample 10:- 1"), 0);
    (void)close(mkstemp(path));
    (void)snprintf(line, sizeof line, "--report %s --profile /tmp/.%s 1", path, path + 4);
    const int status = parse(line);
    (void)unlink(path);
    assert_int_equal(status, SL_APP_USAGE);
    assert_output("--profile and --report: both would write");
}

/* "-" is no file of that name where it is standard output. */
TEST(writes_to_standard_output)
{
    char folder[] = "/tmp/sluice-options-XXXXXX";
    char *const before = getcwd(NULL, 0);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("-", 0700), 0);
    const int trace = parse("--trace - --sample 10:- 1");
    const int stats = parse("--stats - 1");
    assert_int_equal(rmdir("-"), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
    free(before);
    assert_int_equal(trace, 0);
    assert_int_equal(stats, SL_APP_USAGE);
}

TEST(helps)
{
    assert_int_equal(parse("--help"), 0);
    assert_output("--config=FILE");
    assert_output("--stats=FILE");
}

/* ---- the program's own ---- */

static void assert_parsed(const char *line, const char *own)
{
    char expected[256];
    assert_int_equal(parse(line), 0);
    (void)snprintf(expected, sizeof expected, "N=5 cus=8 lanes=64 stats=- quiet=0%s", own);
    assert_string_equal(output, expected);
}

static void assert_refused(const char *line, const char *message)
{
    char expected[256];
    assert_int_equal(parse(line), SL_APP_USAGE);
    (void)snprintf(expected, sizeof expected, "prog: %s\n", message);
    assert_string_equal(output, expected);
}

TEST(reads_numbers)
{
    assert_parsed("5 -w 128", " width=128");
    assert_parsed("5 --breadth 0x20", " width=32");
    assert_parsed("5 --bytes 007", " bytes=7");
    assert_parsed("5 --bytes 64KiB", " bytes=65536");
    assert_parsed("5 --bytes=0.5MiB", " bytes=524288");
    assert_parsed("5 --seed 4294967295", " seed=4294967295");
    assert_parsed("5 --rate 0.5", " rate=0.5");
}

TEST(reads_words_and_files)
{
    assert_parsed("5 --graph ring", " graph=2");
    assert_parsed("5 -f --very", " fast=1 level=7");
    assert_parsed("5 one two three", " cases=3");
    assert_parsed("5 --count --count", " cases=2");
    assert_parsed("5 --text words", " words");
    assert_parsed("5 --in /dev/null", " /dev/null");
    assert_parsed("5 --out /dev/null", " /dev/null");
    assert_parsed("5 --policy levelized:drained", " policy=1 flags=1");
    assert_parsed("5 --predicate age:70", " predicate=2 argument=70");
}

TEST(refuses_numbers)
{
    assert_refused("5 -w 8", "--width: '8' is not a number from 16 to 65535");
    assert_refused("5 -w 65536", "--width: '65536' is not a number from 16 to 65535");
    assert_refused("5 --breadth 48", "--width: 48 is not a power of two");
    assert_refused("5 --bytes 0", "--bytes: '0' is not a size from 1 B to 1 MiB");
    assert_refused("5 --bytes 2MiB", "--bytes: '2MiB' is not a size from 1 B to 1 MiB");
    assert_refused("5 --bytes 1.3B", "--bytes: '1.3B' is not a size from 1 B to 1 MiB");
    assert_refused("5 --bytes 1kb", "--bytes: '1kb' is not a size from 1 B to 1 MiB");
    assert_refused("5 --seed 4294967296",
                   "--seed: '4294967296' is not a number from 0 to 4294967295");
    assert_refused("5 --rate 0.4", "--rate: '0.4' is not a number from 0.5 to 100");
    assert_refused("5 --rate nan", "--rate: 'nan' is not a number from 0.5 to 100");
}

TEST(refuses_words_and_files)
{
    assert_refused("5 --graph rin", "--graph: 'rin' is none of random, grid and ring");
    assert_refused("5 --in /no/such", "--in: cannot read '/no/such': No such file or directory");
    assert_refused("5 --out /no/such", "--out: cannot write '/no/such': No such file or directory");
    assert_refused("5 one bad", "CASE: 'bad' is no case");
    assert_refused("5 --policy none", "--policy: 'none' is none of flat, levelized");
    assert_refused("5 --policy flat:drained", "--policy: 'drained' is none of throttle");
    assert_refused("5 --predicate age:x", "--predicate: 'x' is not a number from 0 to 4294967295");
    assert_refused("39 -f", "--fast: not with 39");
}

TEST(misses_an_argument)
{
    assert_int_equal(parse("-f"), SL_APP_USAGE);
    assert_output("prog: the argument N is missing: a number from 1 to 40\nTry `prog --help'");
}

/* Ranges and defaults come from the table and from what the arguments hold at first. */
TEST(helps_with_its_own)
{
    assert_int_equal(parse("--help"), 0);
    assert_output("Usage: prog [OPTION...] N [CASE...]\nDo something.\n");
    assert_output("  -w, --width=LANES, --breadth=LANES");
    assert_output("Width of all, a power of two from 16 to 65535");
    assert_output("Room, 1 B to 1 MiB (default 2 KiB)");
    assert_output("--seed=SEED            Of the graph (default 0)");
    assert_output("--rate=NUMBER          Requests, 0.5 to 100 (default 1.5)");
    assert_output("--graph=random|grid|ring   What it is (default grid)");
    assert_output("-f, --fast                 Hurry\n");
    assert_output("--text=TEXT            To say (default: nothing)\n");
    assert_output("--in=FILE              To read\n");
    assert_output("N is from 1 to 40. The result is a number. The exit status is 0 where");
}
