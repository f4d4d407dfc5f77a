/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sequences of launches from the host: the description and the message that the firmware gets,
 * refusals that name the step, and what is said of a step when something went wrong. */
#include "check/launch/sequence_check.h"
#include "common/check.h"
#include "host/runtime/run/run.h"
#include "unit/common/host_fixture.h"

#define STEPS 3

static struct sl_soc *soc;
static struct sl_module *module;
static struct sl_mailbox mailbox;
static struct sl_launch_step steps[SL_SEQUENCE_LAUNCHES + 1];
static uint32_t *words;

static int setup(void **state)
{
    (void)state;
    soc = fixture_open(&module);
    fixture_open_mailbox(soc, &mailbox);
    words = sl_alloc(soc, 64, 0);
    for (unsigned i = 0; i <= SL_SEQUENCE_LAUNCHES; i++) {
        steps[i] = (struct sl_launch_step){.kernel = i == 1 ? "second_kernel" : "first_kernel",
                                           .grid = {1000 + i, 1, 1},
                                           .group = {256, 1, 1},
                                           .lds_bytes = 16,
                                           .argument_count = 1,
                                           .argument = {i}};
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_close(soc);
    return 0;
}

TEST_WITH(sends_a_sequence, setup, teardown)
{
    steps[2].grid_word = &words[1];
    assert_int_equal(sl_launch_sequence(module, steps, STEPS, 1, 2, &words[0]), SL_OK);
    assert_int_equal(mailbox.host_tail, 1);
    assert_int_equal(mailbox.host[0].type, SL_HOST_SEQUENCE);
    const struct sl_sequence *const sequence = sl_sequence_shared(soc);
    assert_int_equal(mailbox.host[0].argument[0], (uintptr_t)sequence);
    assert_int_equal(sequence->count, STEPS);
    assert_int_equal(sequence->first, 1);
    assert_int_equal(sequence->last, 2);
    assert_int_equal(sequence->word, (uintptr_t)&words[0]);
    const struct sl_launch *const launches = sl_sequence_launches(sequence);
    for (unsigned i = 0; i < STEPS; i++) {
        assert_int_equal(launches[i].magic, SL_LAUNCH_MAGIC);
        assert_int_equal(launches[i].grid[0], 1000 + i);
        assert_int_equal(launches[i].grid_word, i == 2 ? (uintptr_t)&words[1] : 0);
        assert_int_equal(launches[i].group[0], 256);
        assert_int_equal(launches[i].lds_bytes, 16);
        assert_int_equal(launches[i].kernel.entry, SL_KERNEL_BASE + (i == 1 ? 128 : 0));
        assert_int_equal(launches[i].kernel.argument_count, 1);
        assert_int_equal(launches[i].kernel.argument[0], i);
        assert_string_equal(sl_launched_kernel(&soc->run->launched, (uintptr_t)&launches[i].kernel),
                            i == 1 ? "second_kernel" : "first_kernel");
    }
    assert_null(sl_launched_kernel(&soc->run->launched, (uintptr_t)&launches[STEPS].kernel));
    assert_int_equal(sl_launch_sequence(module, steps, 1, 0, 0, NULL), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc),
                        "sequence of launches: a graph is running: wait for its end before");
}

/* Another sequence takes the memory of the last one; the longest fits. */
TEST_WITH(reuses_its_memory, setup, teardown)
{
    const uint64_t before = sl_heap_space(&soc->heap).total;
    for (unsigned i = 0; i < 3; i++) {
        const unsigned count = i == 1 ? SL_SEQUENCE_LAUNCHES : 1;
        assert_int_equal(sl_launch_sequence(module, steps, count, 0, 0, NULL), SL_OK);
        assert_int_equal(sl_sequence_shared(soc)->count, count);
        assert_true(before - sl_heap_space(&soc->heap).total <
                    (count + 1) * 256 + 256 + sizeof(struct sl_protection));
        soc->is_running = false;
        mailbox.host_head = mailbox.host_tail;
    }
}

static void expect_refused(unsigned count, unsigned first, unsigned last, const uint32_t *word,
                           const char *message)
{
    assert_int_equal(sl_launch_sequence(module, steps, count, first, last, word), SL_ERROR_USAGE);
    assert_string_equal(sl_soc_error(soc), message);
    assert_false(soc->is_running);
    assert_int_equal(mailbox.host_tail, 0);
}

TEST_WITH(refuses, setup, teardown)
{
    expect_refused(0, 0, 0, NULL, "sequence of launches: 0 launches; from 1 to 256 are possible");
    expect_refused(SL_SEQUENCE_LAUNCHES + 1, 0, 0, NULL,
                   "sequence of launches: 257 launches; from 1 to 256 are possible");
    expect_refused(STEPS, 2, 1, words,
                   "sequence of launches: the repeated part begins or ends outside the sequence, "
                   "or ends before it begins: step 2 against step 1");
    expect_refused(STEPS, 0, STEPS, words,
                   "sequence of launches: the repeated part begins or ends outside the sequence, "
                   "or ends before it begins: step 3 against step 2");
    steps[1].grid[2] = 0;
    expect_refused(STEPS, 0, 0, NULL,
                   "sequence of launches: step 1: the grid has no work-items in z; a dimension "
                   "that is not used is 1");
    steps[1].kernel = "third_kernel";
    expect_refused(STEPS, 0, 0, NULL,
                   "sequence of launches: step 1, kernel 'third_kernel': there is no function "
                   "'third_kernel'");
    steps[0].argument_count = 9;
    expect_refused(STEPS, 0, 0, NULL,
                   "sequence of launches: step 0, kernel 'first_kernel': 9 arguments; at most 8 "
                   "are possible");
}

static void expect_step(const struct sl_message_agg *message, const char *expected)
{
    char text[256] = "it faulted";
    sl_kind_sequence.append_position(&soc->run->launched, message, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST_WITH(names_the_step, setup, teardown)
{
    assert_int_equal(sl_launch_sequence(module, steps, STEPS, 0, 0, NULL), SL_OK);
    struct sl_message_agg message = {.argument = {[6] = 1}};
    expect_step(&message, "it faulted; step 1 of 0 to 2, kernel second_kernel");
    message.argument[7] = 17;
    expect_step(&message, "it faulted; step 1 of 0 to 2, kernel second_kernel, repeat 17");
    /* One that the library has not described. */
    soc->run->launched.count = 0;
    expect_step(&message, "it faulted; step 1, repeat 17");
}
