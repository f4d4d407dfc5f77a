/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The watch of wall time: what counts, what QEMU does by the text of the system's files, and who is
 * connected to its debugger's socket. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/machine/stall_watch.h"

TEST(counts_while_time_stands)
{
    struct sl_stall_watch stall;
    sl_stall_watch_begin(&stall);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 1000), 0);
    assert_int_equal(stall.cpu_from_ms, -1);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 1100), 100);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 1200), 200);
    assert_int_equal(sl_stall_watch_look(&stall, 6, 1300), 0);
    assert_int_equal(sl_stall_watch_look(&stall, 6, 1350), 50);
    /* Backwards is a move, too: a run begins. */
    assert_int_equal(sl_stall_watch_look(&stall, 0, 1400), 0);
}

/* This process was stopped, or the whole machine slept: that is no fault of QEMU's. */
TEST(does_not_count_its_own_pauses)
{
    struct sl_stall_watch stall;
    sl_stall_watch_begin(&stall);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 1000), 0);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 3600000), SL_STALL_WATCH_GAP_MS);
    assert_int_equal(sl_stall_watch_look(&stall, 5, 3600100), SL_STALL_WATCH_GAP_MS + 100);
}

TEST(judges_what_qemu_does)
{
    static const struct {
        struct sl_process_look look;
        bool is_real;
    } known[] = {
        {{'T', 500, false}, true},   {{'S', 500, false}, true},   {{'D', 500, false}, true},
        {{'R', 1499, false}, false}, {{'R', 1500, false}, true},  {{'t', 500, true}, false},
        {{'S', 9000, true}, false},  {{'Z', 9000, false}, false}, {{0, 0, false}, false},
    };
    const struct sl_stall_watch stall = {.cpu_from_ms = 500};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(sl_stall_watch_is_real(&stall, &known[i].look, 10000), known[i].is_real);
    }
}

TEST(reads_the_state_of_a_process)
{
    const long tick = sysconf(_SC_CLK_TCK);
    struct sl_process_look look = sl_process_look_parse(
        "4711 (a ) T (b)) R 1 2 3 4 5 6 7 8 9 10 300 150 0 0 20 0 3 0 12345\n");
    assert_int_equal(look.state, 'R');
    assert_int_equal(look.cpu_ms, 450 * 1000 / tick);
    assert_false(look.is_traced);
    look = sl_process_look_parse("4711 (qemu) t 1 2 3 4 5 6 7 8 9 10 0 0");
    assert_true(look.is_traced);
    assert_int_equal(sl_process_look_parse("nothing of the kind").state, 0);
    assert_int_equal(sl_process_look_at(getpid()).state, 'R');
    assert_int_equal(sl_process_look_at(0).state, 0);
}

TEST(finds_who_is_connected_by_path)
{
    static const char table[] =
        "Num       RefCount Protocol Flags    Type St Inode Path\n"
        "0000000000000000: 00000002 00000000 00010000 0001 01 17 /tmp/a.gdb\n"
        "0000000000000000: 00000003 00000000 00000000 0001 03 18\n"
        "0000000000000000: 00000003 00000000 00000000 0001 03 19 /tmp/b c.gdb\n"
        "0000000000000000: 00000003 00000000 00000000 0001 03 20 d.gdb\n";
    assert_false(sl_debugger_in_unix(table, "/tmp/a.gdb"));
    assert_true(sl_debugger_in_unix(table, "/tmp/b c.gdb"));
    assert_false(sl_debugger_in_unix(table, "/tmp/b c"));
    assert_true(sl_debugger_in_unix(table, "d.gdb"));
    assert_false(sl_debugger_in_unix("", "d.gdb"));
    assert_false(sl_debugger_is_connected("", getpid()));
    assert_false(sl_debugger_is_connected("/tmp/nobody.gdb", getpid()));
    assert_false(sl_debugger_is_connected("localhost:1", getpid()));
    assert_true(sl_debugger_is_connected("localhost:1", 0));
}

TEST(finds_who_is_connected_by_port)
{
    static const char table[] =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"
        "   0: 0100007F:04D2 00000000:0000 0A 00000000:00000000 00:00000000\n"
        "   1: 0100007F:C350 0100007F:04D3 01 00000000:00000000 00:00000000\n"
        "  12: 00000000000000000000000001000000:04D4 00000000000000000000000001000000:C351 01 "
        "0:0\n";
    assert_false(sl_debugger_in_tcp(table, 1234));
    assert_false(sl_debugger_in_tcp(table, 1235));
    assert_true(sl_debugger_in_tcp(table, 1236));
    assert_true(sl_debugger_in_tcp(table, 50000));
}

TEST(says_what_to_do)
{
    const struct sl_stall_watch stall = {.cpu_from_ms = 500};
    char text[512];
    sl_stall_watch_text(&stall, &(struct sl_process_look){'T', 0, false}, text, sizeof text);
    assert_non_null(strstr(text, "stopped by a signal (state T)"));
    sl_stall_watch_text(&stall, &(struct sl_process_look){'R', 9700, false}, text, sizeof text);
    assert_non_null(strstr(text, "(state R, 9.2 s of processor time since)"));
    sl_stall_watch_text(&stall, &(struct sl_process_look){'D', 0, false}, text, sizeof text);
    assert_non_null(strstr(text, "it sleeps (state D)"));
}
