/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A profile of kernels, written and read back; and files that are none, or damaged: each is told,
 * none is taken for less than it is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/profile/kernel_view.h"

#define BASE   0x80400000u
#define TRIALS 4000

static struct sl_kernel_profile *profile;
static char *text; /* a file */
static size_t text_bytes;
static char error[1024];

static void kernel_name(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "kernel%" PRIu64, kernel);
}

/* Four instructions for each function: f0 calls f1; the second one of each is of a header. */
static struct sl_source source(void *code, uint64_t pc)
{
    static const char *const functions[] = {"f0", "f1", "f2"};
    const unsigned place = (unsigned)(pc - BASE) / 4;
    (void)code;
    return (struct sl_source){functions[place / 4], "a.c", place % 4 == 1 ? "b.h" : "a.c",
                              place % 4 == 1 ? 7 : 100 + (int)place / 2};
}

static int outer_line(void *code, uint64_t pc)
{
    (void)code;
    return 100 + (int)(pc - BASE) / 8;
}

static struct sl_kernel_cost cost(uint64_t unit)
{
    return (struct sl_kernel_cost){
        .wave_instructions = unit,
        .lane_instructions = 40 * unit,
        .cycles = {[SL_STALL_ISSUE] = 4 * unit, [SL_STALL_BARRIER] = unit},
    };
}

static int write_file(void **state)
{
    const struct sl_kernel_names names = {.kernel = kernel_name};
    struct sl_kernel_costs costs = {.kernels = NULL};
    const struct sl_kernel_file file = {
        .costs = &costs, .command = "program", .source = source, .outer_line = outer_line};
    (void)state;
    profile = calloc(1, sizeof *profile);
    assert_non_null(profile);
    for (unsigned place = 0; place < 12; place++) {
        profile->rows[profile->row_count++] =
            (struct sl_kernel_profile_row){place < 8 ? 1 : 2, BASE + 4 * place, cost(place + 1)};
    }
    profile->calls[profile->call_count++] =
        (struct sl_kernel_profile_call){1, BASE + 4, BASE + 16, 3, cost(26)};
    profile->calls[profile->call_count++] =
        (struct sl_kernel_profile_call){1, BASE + 20, BASE + 16, 2, cost(10)};
    profile->lost_calls = 1;
    assert_int_equal(sl_kernel_costs_take(&costs, profile, &names), 0);
    FILE *const stream = open_memstream(&text, &text_bytes);
    assert_int_equal(sl_kernel_file_write(&file, stream), 0);
    (void)fclose(stream);
    sl_kernel_costs_clear(&costs);
    return 0;
}

static int forget_file(void **state)
{
    (void)state;
    free(profile);
    free(text);
    text = NULL;
    return 0;
}

/* Reads `bytes` of a text; an empty one, too, which fmemopen() refuses. */
static int read_text(struct sl_kernel_view *view, const char *from, size_t bytes)
{
    FILE *const stream =
        bytes > 0 ? fmemopen((void *)(uintptr_t)from, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(stream);
    error[0] = '\0';
    const int status = sl_kernel_view_read(view, stream, "the file", error, sizeof error);
    (void)fclose(stream);
    return status;
}

TEST(what_is_written_is_read)
{
    struct sl_kernel_view view;
    assert_int_equal(read_text(&view, text, text_bytes), 0);
    assert_string_equal(view.command, "program");
    assert_string_equal(view.lost, "Instructions that found no room: 0; calls: 1");
    assert_int_equal(view.kernel_count, 2);
    assert_int_equal(view.function_count, 3);
    assert_string_equal(view.names[view.kernels[1].name], "kernel2");
    assert_int_equal(view.total[SL_KERNEL_EVENT_WAVES], 78);
    assert_int_equal(view.total[SL_KERNEL_EVENT_RESIDENT], 5 * 78);
    assert_int_equal(view.kernels[0].cost[SL_KERNEL_EVENT_WAVES], 36);
    assert_int_equal(view.functions[0].cost[SL_KERNEL_EVENT_WAVES], 1 + 2 + 3 + 4);
    assert_int_equal(view.functions[0].called[SL_KERNEL_EVENT_WAVES], 26);
    assert_int_equal(view.functions[1].called[SL_KERNEL_EVENT_WAVES], 0); /* itself alone */
    /* f0: lines 100 and 101 of a.c, of which the first is interrupted by b.h:7 */
    assert_int_equal(view.line_count, 3 * 3);
    assert_int_equal(view.lines[0].line, 100);
    assert_int_equal(view.lines[0].cost[SL_KERNEL_EVENT_STALL + SL_STALL_BARRIER], 1);
    assert_int_equal(view.lines[1].cost[SL_KERNEL_EVENT_WAVES], 3 + 4);
    assert_string_equal(view.names[view.lines[2].file], "b.h");
    sl_kernel_view_clear(&view);
}

/* What a text that was changed at one place is told to be. */
static void expect_error(const char *from, const char *to, const char *message)
{
    struct sl_kernel_view view;
    char changed[16384];
    const char *const at = strstr(text, from);
    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to,
                   at + strlen(from));
    assert_int_equal(read_text(&view, changed, strlen(changed)), -1);
    if (strstr(error, message) == NULL) {
        fail_msg("'%s' has no '%s'", error, message);
    }
    sl_kernel_view_clear(&view);
}

TEST(what_is_none_is_told)
{
    struct sl_kernel_view view;
    assert_int_equal(read_text(&view, text, 0), -1);
    assert_non_null(strstr(error, "'the file' is no profile of kernels: it is empty; option "
                                  "--kernel-profile of a program writes one"));
    sl_kernel_view_clear(&view);
    expect_error("# callgrind format", "# another format", "does not begin with");
    expect_error("positions: line", "positions: instr", "other ones than lines");
    expect_error(" Cycles Wi ", " Cycles Ir ", "its event 2 is 'Ir', not 'Wi'");
    expect_error(" drain\n", " drain more\n", "it has further events");
    expect_error("events: ", "other: ", "it has no events");
}

TEST(damage_is_told)
{
    expect_error("ob=kernel1\n", "", "function 'f0' is of no kernel or file");
    expect_error("fn=f0\n", "fn\n", "'fn' is not understood");
    expect_error("fn=f0\n", "fm=f0\n", "'fm=' is not known");
    expect_error("fn=f0\n", "", "costs of no function");
    expect_error("\n100 5", "\n100 6", "the reasons add up to 5 cycles, not 6");
    expect_error("\n100 5 1 ", "\n100 5 2 ",
                 "lines add up to 79 of event Wi, and the totals say 78");
    expect_error("\n100 5 1 ", "\n100 5 ", "25 costs, of which 26 are wanted");
    expect_error("\n100 5 1 ", "\n100 5 1 1 ", "more costs than events");
    expect_error("\n100 5 1 ", "\n100 5 -1 ", "1 costs, of which 26 are wanted");
    expect_error("\n100 5 ", "\n+1 5 ", "'+1 5");
    expect_error("\n100 5 ", "\n99999999999 5 ", "no line of a source");
    expect_error("calls=3", "calls=three", "'three 102' is no count");
    expect_error("totals:", "part:", "it ends without totals");
    expect_error("\nfn=", "\nfn=\x1b[2J", "it has what is no text");
    expect_error("\nfn=", "\nfn=\xc2\x9b", "it has what is no text");
}

TEST(half_a_file_is_damaged)
{
    for (size_t bytes = 0; bytes + 1 < text_bytes; bytes++) {
        struct sl_kernel_view view;
        const bool is_whole = bytes + 1 == text_bytes - 1; /* but for its last newline */
        if (!is_whole) {
            assert_int_equal(read_text(&view, text, bytes), -1);
            assert_true(error[0] != '\0');
            sl_kernel_view_clear(&view);
        }
    }
}

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * limit >> 32);
}

/* Whatever is read adds up. */
static void check_sums(const struct sl_kernel_view *view)
{
    uint64_t lines = 0;
    uint64_t functions = 0;
    uint64_t kernels = 0;
    for (size_t i = 0; i < view->line_count; i++) {
        assert_true(view->lines[i].function < view->function_count);
        assert_true(view->lines[i].file < view->name_count);
        lines += view->lines[i].cost[SL_KERNEL_EVENT_RESIDENT];
    }
    for (size_t i = 0; i < view->function_count; i++) {
        assert_true(view->functions[i].kernel < view->kernel_count);
        functions += view->functions[i].cost[SL_KERNEL_EVENT_RESIDENT];
    }
    for (size_t i = 0; i < view->kernel_count; i++) {
        kernels += view->kernels[i].cost[SL_KERNEL_EVENT_RESIDENT];
    }
    assert_int_equal(lines, view->total[SL_KERNEL_EVENT_RESIDENT]);
    assert_int_equal(functions, lines);
    assert_int_equal(kernels, lines);
}

/* Bytes that are changed, lost or doubled. */
TEST(changed_files_do_no_harm)
{
    uint32_t seed = 1;
    unsigned accepted = 0;
    char *const changed = malloc(2 * text_bytes);
    assert_non_null(changed);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct sl_kernel_view view;
        size_t bytes = text_bytes;
        memcpy(changed, text, bytes);
        for (unsigned change = random_below(&seed, 4) + 1; change > 0; change--) {
            const size_t at = random_below(&seed, (uint32_t)bytes);
            const size_t length = random_below(&seed, 40);
            switch (random_below(&seed, 3)) {
            case 0:
                changed[at] = (char)random_below(&seed, 256);
                break;
            case 1:
                changed[at] = "0123456789 =:+-\n"[random_below(&seed, 16)];
                break;
            default:
                if (at + length < bytes) {
                    memmove(changed + at, changed + at + length, bytes - at - length);
                    bytes -= length;
                }
                break;
            }
        }
        const int status = read_text(&view, changed, bytes);
        assert_int_equal(status != 0, error[0] != '\0');
        if (status == 0) {
            check_sums(&view);
            accepted++;
        }
        sl_kernel_view_clear(&view);
    }
    assert_in_range(accepted, 1, TRIALS / 2); /* changes of names and comments */
    free(changed);
}

TEST_GROUP(write_file, forget_file);
