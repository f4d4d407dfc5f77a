/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Waiting with a line of progress, on a terminal of the test's own, where what the library says of
 * a graph and of the wait is the test's. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.h"
#include "sluice/program.h"

static int is_prepared;
static struct sl_channel channels[2];
static int waits;
static int last_timeout_ms;

struct sl_channel *sl_graph_shared_channel(struct sl_graph_builder *graph, int channel)
{
    (void)graph;
    return is_prepared && channel < 2 ? &channels[channel] : NULL;
}

uint64_t sl_soc_time_ps(const struct sl_soc *soc)
{
    (void)soc;
    return 0;
}

uint64_t sl_soc_active(const struct sl_soc *soc)
{
    (void)soc;
    return 17;
}

enum sl_status sl_soc_wait(struct sl_soc *soc, int timeout_ms)
{
    (void)soc;
    last_timeout_ms = timeout_ms;
    waits++;
    return !is_prepared ? SL_ERROR_USAGE : waits < 3 ? SL_ERROR_TIMEOUT : SL_OK;
}

/* sl_app_wait() of a graph that is none, where standard error is a terminal. */
static enum sl_status wait_on_terminal(void)
{
    struct sl_graph_builder *const graph = (void *)&waits;
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    const int before = dup(STDERR_FILENO);
    assert_true(terminal >= 0 && before >= 0);
    assert_int_equal(dup2(terminal, STDERR_FILENO), STDERR_FILENO);
    const int is_terminal = isatty(STDERR_FILENO);
    waits = 0;
    const enum sl_status status = sl_app_wait(NULL, graph);
    assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
    assert_int_equal(close(before) | close(terminal), 0);
    assert_int_equal(is_terminal, 1);
    return status;
}

TEST(returns_for_a_graph_that_was_never_prepared)
{
    is_prepared = 0;
    assert_int_equal(wait_on_terminal(), SL_ERROR_USAGE);
    assert_int_equal(waits, 1);
}

TEST(waits_until_the_end)
{
    is_prepared = 1;
    assert_int_equal(wait_on_terminal(), SL_OK);
    assert_int_equal(waits, 3);
}

/* What sl_app_wait() writes where standard error is a file, of so many waits. */
static void wait_into_file(char *text, size_t bytes)
{
    struct sl_graph_builder *const graph = (void *)&waits;
    const int file = memfd_create("err", MFD_CLOEXEC);
    const int before = dup(STDERR_FILENO);
    assert_true(file >= 0 && before >= 0);
    assert_int_equal(dup2(file, STDERR_FILENO), STDERR_FILENO);
    waits = 0;
    const enum sl_status status = sl_app_wait(NULL, graph);
    assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
    assert_int_equal(status, SL_OK);
    const ssize_t got = pread(file, text, bytes - 1, 0);
    assert_true(got >= 0);
    text[got] = '\0';
    assert_int_equal(close(before) | close(file), 0);
}

TEST(writes_lines_elsewhere)
{
    char text[1024];
    is_prepared = 1;
    wait_into_file(text, sizeof text);
    assert_int_equal(waits, 3);
    assert_int_equal(last_timeout_ms, 10000);
    assert_string_equal(text,
                        "# 0.000 ms simulated, 0 elements done, 17 wavefronts in flight, 0.0 s\n"
                        "# 0.000 ms simulated, 0 elements done, 17 wavefronts in flight, 0.0 s\n");
}

TEST(writes_none_where_it_is_to_be_quiet)
{
    struct sl_graph_builder *const builder = (void *)&waits;
    is_prepared = 1;
    sl_app_be_quiet(true);
    waits = 2;
    const enum sl_status status = sl_app_wait(NULL, builder);
    sl_app_be_quiet(false);
    assert_int_equal(status, SL_OK);
    assert_int_equal(waits, 3);
    assert_int_equal(last_timeout_ms, -1);
}
