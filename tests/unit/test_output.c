/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that get their name when they are whole (hal/host/machine/output.h): what is under the name
 * meanwhile and where something goes wrong, what is written to instead, and that nothing is left
 * beside it. */
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/machine/output.h"

#define NOBODY 65534 /* for root, whom no mode keeps from a folder */

struct fixture {
    char folder[64];
    char path[PATH_MAX];
};

static void check_is(const struct fixture *f, const char *text)
{
    char is[64] = "";
    FILE *const file = fopen(f->path, "r");
    assert_non_null(file);
    is[fread(is, 1, sizeof is - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(is, text);
}

/* How many files the folder has. */
static size_t files(const struct fixture *f)
{
    char pattern[96];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s/*", f->folder);
    const int status = glob(pattern, 0, NULL, &found);
    const size_t count = status == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static int setup(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/sluice-output-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->path, sizeof f->path, "%s/file", f->folder);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *const f = *state;
    (void)unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else is left */
    free(f);
    return 0;
}

/* Writes a text, and ends with this reason. */
static int write_text(const char *path, const char *text, int reason)
{
    struct sl_output output;
    assert_int_equal(sl_output_open(&output, path), 0);
    assert_true(fputs(text, output.file) >= 0);
    return sl_output_close(&output, reason);
}

/* Until it is whole, there is what was there before. */
static void test_whole(void **state)
{
    const struct fixture *const f = *state;
    struct sl_output output;

    assert_int_equal(sl_output_open(&output, f->path), 0);
    assert_int_equal(fflush(output.file), 0);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_true(fputs("one", output.file) >= 0);
    assert_int_equal(sl_output_close(&output, 0), 0);
    check_is(f, "one");

    assert_int_equal(sl_output_open(&output, f->path), 0);
    assert_true(fputs("two", output.file) >= 0);
    assert_int_equal(fflush(output.file), 0);
    check_is(f, "one");
    assert_int_equal(files(f), 2);
    assert_int_equal(sl_output_close(&output, 0), 0);
    check_is(f, "two");
    assert_int_equal(files(f), 1);
}

static void test_failed(void **state)
{
    const struct fixture *const f = *state;

    assert_int_equal(write_text(f->path, "half", ENOMEM), ENOMEM);
    assert_int_equal(files(f), 0);
    assert_int_equal(write_text(f->path, "whole", 0), 0);
    assert_int_equal(write_text(f->path, "half", ENOMEM), ENOMEM);
    check_is(f, "whole");
    assert_int_equal(files(f), 1);
}

/* More than a buffer of text, so that writing fails before the end, too. */
static void test_full(void **state)
{
    (void)state;
    static char text[100000];
    memset(text, 'x', sizeof text - 1);
    for (unsigned i = 0; i < 2; i++) {
        struct sl_output output;
        assert_int_equal(sl_output_open(&output, "/dev/full"), 0);
        (void)fputs(i == 0 ? "x" : text, output.file);
        assert_int_equal(sl_output_close(&output, 0), ENOSPC);
    }
    struct stat device;
    assert_int_equal(stat("/dev/full", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

static void test_fifo(void **state)
{
    const struct fixture *const f = *state;
    char got[8] = "";

    assert_int_equal(mkfifo(f->path, 0600), 0);
    const int reader = open(f->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(write_text(f->path, "text", 0), 0);
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_string_equal(got, "text");
    assert_int_equal(close(reader), 0);
    struct stat fifo;
    assert_int_equal(stat(f->path, &fifo), 0);
    assert_true(S_ISFIFO(fifo.st_mode));
}

/* A link stays one, and what it names is written. */
static void test_link(void **state)
{
    const struct fixture *const f = *state;
    struct stat link_state;
    char target[96];
    (void)snprintf(target, sizeof target, "%s/target", f->folder);
    assert_int_equal(symlink(target, f->path), 0);
    for (int i = 0; i < 2; i++) { /* where it is not there yet, and where it is */
        assert_int_equal(write_text(f->path, i == 0 ? "first" : "second", 0), 0);
        check_is(f, i == 0 ? "first" : "second");
        assert_int_equal(lstat(f->path, &link_state), 0);
        assert_true(S_ISLNK(link_state.st_mode));
        assert_int_equal(files(f), 2);
    }
    assert_int_equal(unlink(target), 0);
}

/* A name of its own length is no room for one beside it. */
static void test_long_name(void **state)
{
    struct fixture *const f = *state;

    (void)snprintf(f->path, sizeof f->path, "%s/%0255d", f->folder, 0);
    assert_int_equal(write_text(f->path, "direct", 0), 0);
    check_is(f, "direct");
}

static void test_closed_folder(void **state)
{
    struct fixture *const f = *state;
    const bool is_root = geteuid() == 0;

    assert_int_equal(write_text(f->path, "before", 0), 0);
    assert_int_equal(chmod(f->path, 0666), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_true(!is_root || seteuid(NOBODY) == 0);
    const int status = write_text(f->path, "direct", 0);
    struct sl_output output;
    char other[96];
    (void)snprintf(other, sizeof other, "%s/other", f->folder);
    const int opened = sl_output_open(&output, other);
    const int closed = sl_output_close(&output, 0);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(chmod(f->folder, 0755), 0);
    assert_int_equal(status, 0);
    check_is(f, "direct");
    assert_int_equal(opened, EACCES);
    assert_int_equal(closed, EACCES);
}

static void test_no_folder(void **state)
{
    (void)state;
    struct sl_output output;
    char path[PATH_MAX + 8];

    assert_int_equal(sl_output_open(&output, "/no/such/folder/file"), ENOENT);
    assert_null(output.file);
    assert_int_equal(sl_output_close(&output, EIO), ENOENT);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(sl_output_open(&output, path), ENAMETOOLONG);
    assert_int_equal(sl_output_close(&output, 0), ENAMETOOLONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failed, setup, teardown),
        cmocka_unit_test(test_full),
        cmocka_unit_test_setup_teardown(test_fifo, setup, teardown),
        cmocka_unit_test_setup_teardown(test_link, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_closed_folder, setup, teardown),
        cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
