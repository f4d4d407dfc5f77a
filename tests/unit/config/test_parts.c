/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where parts are looked for, in trees of folders that are made for it. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/check.h"
#include "config/install_paths.h"

static char root[PATH_MAX];
static char is[PATH_MAX];
static char should[PATH_MAX];

/* Parents before children. */
static const char *const folders[] = {
    "/in stalled", "/in stalled/lib", "/in stalled/lib/sluice", "/in stalled/lib/sluice/bin",
    "/build",      "/build/lib",      "/build/stamps",          "/program",
};

#define FOLDERS (sizeof folders / sizeof folders[0])

static const char *at(const char *path, char out[PATH_MAX])
{
    (void)snprintf(out, PATH_MAX, "%.200s%s", root, path);
    return out;
}

static int setup(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/sluice-parts-XXXXXX");
    if (mkdtemp(root) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < FOLDERS; i++) {
        if (mkdir(at(folders[i], is), 0700) != 0) {
            return -1;
        }
    }
    return unsetenv("SLUICE_HOME");
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = FOLDERS; i > 0; i--) {
        (void)rmdir(at(folders[i - 1], is));
    }
    return rmdir(root) | unsetenv("SLUICE_HOME");
}

static void assert_home_of(const char *file, const char *home)
{
    char path[PATH_MAX];
    assert_int_equal(sl_home_of(at(file, path), "lib", is, sizeof is), 0);
    (void)snprintf(should, sizeof should, "%.200s%s/lib", root, home);
    assert_string_equal(is, should);
}

TEST_WITH(finds_home_by_the_codes_file, setup, teardown)
{
    assert_home_of("/in stalled/lib/libsluice.so.0.1.0", "/in stalled/lib/sluice");
    assert_home_of("/in stalled/lib/sluice/bin/sluice", "/in stalled/lib/sluice");
    assert_home_of("/build/lib/libsluice.so.0.1.0", "/build");
    assert_home_of("/build/bin/fib", "/build");
    /* A program beside a folder of that name is no library. */
    assert_home_of("/in stalled/lib/program", "/in stalled");
    assert_int_equal(sl_home_of("program", "lib", is, sizeof is), -1);
    assert_int_equal(sl_home_of(at("/build/bin/fib", should), "lib", is, 8), -1);
}

TEST_WITH(environment_names_home_or_prefix, setup, teardown)
{
    (void)setenv("SLUICE_HOME", at("/in stalled", is), 1);
    assert_int_equal(sl_home_path("firmware", is, sizeof is), 0);
    assert_string_equal(is, at("/in stalled/lib/sluice/firmware", should));
    assert_int_equal(sl_home_kind(), SL_HOME_INSTALLED);
    (void)setenv("SLUICE_HOME", at("/build", is), 1);
    assert_int_equal(sl_home_path("firmware", is, sizeof is), 0);
    assert_string_equal(is, at("/build/firmware", should));
    assert_int_equal(sl_home_kind(), SL_HOME_BUILD);
    (void)setenv("SLUICE_HOME", at("/program", is), 1);
    assert_int_equal(sl_home_kind(), SL_HOME_NONE);
}

/* Without it, home is that of the running program. */
TEST_WITH(empty_environment_names_nothing, setup, teardown)
{
    char program[PATH_MAX];
    assert_int_equal(sl_program_directory(program, sizeof program), 0);
    *strrchr(program, '/') = '\0';
    (void)setenv("SLUICE_HOME", "", 1);
    assert_int_equal(sl_home_path("lib", is, sizeof is), 0);
    (void)snprintf(should, sizeof should, "%.200s/lib", program);
    assert_string_equal(is, should);
}

TEST_WITH(says_what_to_do, setup, teardown)
{
    char path[PATH_MAX];
    char error[2 * PATH_MAX];
    (void)setenv("SLUICE_HOME", at("/build", is), 1);
    assert_int_equal(sl_home_find("lib", "all", path, sizeof path, error, sizeof error), 0);
    assert_int_equal(sl_home_find("none", "flash", path, sizeof path, error, sizeof error), -1);
    assert_string_equal(path, at("/build/none", should));
    assert_non_null(
        strstr(error, "/build/none: No such file or directory; build it with 'make flash'"));
    (void)setenv("SLUICE_HOME", at("/in stalled", is), 1);
    assert_non_null(strstr(sl_home_advice("all", error, sizeof error), "install Sluice again"));
    (void)setenv("SLUICE_HOME", at("/program", is), 1);
    assert_non_null(strstr(sl_home_advice("all", error, sizeof error), "SLUICE_HOME is "));
    (void)unsetenv("SLUICE_HOME");
    assert_non_null(strstr(sl_home_advice("all", error, sizeof error), "set SLUICE_HOME to "));
}
