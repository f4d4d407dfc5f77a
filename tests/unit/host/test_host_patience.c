/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Limits of time that leave out what a process waits for a processor. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/machine/cpu_time_limit.h"

#define MS 1000000ll

static const struct sl_effort none = {.ran_ns = 0};

TEST(reads_what_the_system_says)
{
    struct sl_effort effort = {.ran_ns = 1, .waited_ns = 2};
    assert_true(sl_effort_add_line(&effort, "1000 500 7\n"));
    assert_int_equal(effort.ran_ns, 1001);
    assert_int_equal(effort.waited_ns, 502);
    assert_false(sl_effort_add_line(&effort, "nothing of the kind"));
    assert_int_equal(effort.ran_ns, 1001);
}

/* A child's time is in that of its parent's tree, the wait for it is not ready to run. */
TEST(looks_at_descendants)
{
    struct sl_effort effort = none;
    sl_effort_add_tree(&effort, 0);
    assert_int_equal(effort.ran_ns, 0);
    assert_false(effort.is_ready);
    sl_effort_add_tree(&effort, getpid());
    if (effort.ran_ns == 0) {
        skip(); /* a system without schedstat */
    }
    assert_true(effort.is_ready);
    const pid_t child = fork();
    if (child == 0) {
        for (volatile int is_on = 1; is_on;) {
        }
    }
    const int64_t own_ns = effort.ran_ns;
    do {
        struct sl_effort of_child = none;
        sl_effort_add_tree(&of_child, child);
        effort = none;
        sl_effort_add_tree(&effort, getpid());
        assert_true(effort.ran_ns >= of_child.ran_ns);
    } while (effort.ran_ns < own_ns + 20 * MS);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(counts_what_was_not_waited)
{
    struct sl_cpu_limit patience;
    const struct sl_effort waited = {.ran_ns = 100 * MS, .waited_ns = 600 * MS};
    const struct sl_effort slept = {.ran_ns = 100 * MS};
    const struct sl_effort spun = {.ran_ns = 1000 * MS, .waited_ns = 5000 * MS, .is_ready = true};
    sl_cpu_limit_begin(&patience, 50, &none);
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 250, &slept, 1000), 800);
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 1050, &waited, 1000), 600);
    assert_true(sl_cpu_limit_left_ms(&patience, 1050, &slept, 1000) <= 0);
    assert_true(sl_cpu_limit_left_ms(&patience, 6050, &spun, 1000) <= 0);
    /* What was before does not count, and threads that have ended take nothing back. */
    sl_cpu_limit_begin(&patience, 50, &spun);
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 150, &spun, 1000), 900);
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 150, &slept, 1000), 900);
}

/* How long a process has waited is told when it gets a processor. */
TEST(looks_again_at_what_is_ready)
{
    struct sl_cpu_limit patience;
    struct sl_effort effort = {.ran_ns = 10 * MS, .is_ready = true};
    sl_cpu_limit_begin(&patience, 0, &none);
    for (int64_t now = 1000; now < 5000; now += SL_CPU_LIMIT_LOOK_MS) {
        assert_int_equal(sl_cpu_limit_left_ms(&patience, now, &effort, 1000), SL_CPU_LIMIT_LOOK_MS);
    }
    effort.waited_ns = 4900 * MS;
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 5000, &effort, 1000), 900);
    /* It has had one, and the limit has passed all the same. */
    assert_int_equal(sl_cpu_limit_left_ms(&patience, 6000, &effort, 1000), SL_CPU_LIMIT_LOOK_MS);
    effort.ran_ns += MS;
    assert_true(sl_cpu_limit_left_ms(&patience, 6020, &effort, 1000) <= 0);
    /* One that sleeps is not ready. */
    effort.is_ready = false;
    sl_cpu_limit_begin(&patience, 0, &none);
    effort.waited_ns = 0;
    assert_true(sl_cpu_limit_left_ms(&patience, 1000, &effort, 1000) <= 0);
}
