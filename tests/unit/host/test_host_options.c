/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The command line of all programs. What is wrong ends the program, so that each line is parsed in
 * a child process, whose exit status and messages are looked at. */
#define _GNU_SOURCE 1
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

static error_t parse_number(int key, char *argument, struct argp_state *state)
{
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    *(uint64_t *)state->input = sl_app_number(state, "N", argument, 1, 40);
    return 0;
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
        static const struct argp program = {.parser = parse_number, .args_doc = "N"};
        static struct sl_app_options options;
        char words[1024];
        char *argv[ARGUMENTS_MAX + 1] = {NULL};
        int argc = 0;
        uint64_t number = 0;
        (void)dup2(capture, STDOUT_FILENO);
        (void)dup2(capture, STDERR_FILENO);
        (void)snprintf(words, sizeof words, "prog %s", line);
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
            argv[argc++] = word;
        }
        sl_app_parse(&program, argc, argv, &number, &options);
        (void)printf("N=%d cus=%d lanes=%d stats=%s quiet=%d", (int)number,
                     (int)options.config.number[SL_CFG_GPU_CUS],
                     (int)options.config.number[SL_CFG_GPU_LANES],
                     options.stats != NULL ? options.stats : "-", options.is_quiet);
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
