/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Pages of a template of this test's own: what is put together and escaped, and the messages where
 * a part is missing or the page cannot be written. */
#define _GNU_SOURCE 1
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/check.h"
#include "host/observe/report/page.h"

#define TEMPLATE                                                                                   \
    "<title>x</title>\n<style>\n@include a.css\n</style>\n@data\n<script>\n@library\n</script>\n"

struct fixture {
    char folder[64];
    char page[96];
    char library[96];
    char error[512];
    json_t *data;
};

static void put(const struct fixture *f, const char *name, const char *text)
{
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/sluice-page-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->page, sizeof f->page, "%s/out.html", f->folder);
    (void)snprintf(f->library, sizeof f->library, "%s/d3.js", f->folder);
    assert_int_equal(setenv("SLUICE_PAGE", f->folder, 1), 0);
    assert_int_equal(setenv("SLUICE_D3", f->library, 1), 0);
    put(f, "page.html", TEMPLATE);
    put(f, "a.css", "body {}\n");
    put(f, "d3.js", "library();\n");
    f->data = json_pack("{s:s, s:f, s:i}", "title", "</script><!-- \xc3\xa9", "third", 1.0 / 3.0,
                        "whole", 7);
    assert_non_null(f->data);
    *state = f;
    return 0;
}

static void remove_all(const struct fixture *f)
{
    char pattern[96];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s/*", f->folder);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            (void)unlink(found.gl_pathv[i]);
        }
        globfree(&found);
    }
    assert_int_equal(rmdir(f->folder), 0);
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    remove_all(f);
    json_decref(f->data);
    free(f);
    return 0;
}

/* How many files have a name that begins with that of the page. */
static size_t pages(const struct fixture *f)
{
    char pattern[128];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s*", f->page);
    if (glob(pattern, 0, NULL, &found) != 0) {
        return 0;
    }
    const size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static int write_page(struct fixture *f)
{
    return sl_page_write(f->page, "panels", f->data, f->error, sizeof f->error);
}

static void says(const struct fixture *f, const char *words)
{
    if (strstr(f->error, words) == NULL) {
        fail_msg("\"%s\" has no \"%s\"", f->error, words);
    }
}

static void assert_page_is(const struct fixture *f, const char *expected)
{
    char text[1024] = "";
    FILE *const file = fopen(f->page, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_true(length < sizeof text - 1);
    assert_string_equal(text, expected);
}

TEST_WITH(test_page_is_put_together, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(write_page(f), 0);
    assert_page_is(f, "<title>x</title>\n<style>\nbody {}\n</style>\n"
                      "<script type=\"application/json\" id=\"data\">\n"
                      "{\"view\":\"panels\",\"data\":{\"title\":\"\\u003c/script>\\u003c!-- "
                      "\xc3\xa9\",\"third\":0.3333333333,\"whole\":7}}\n</script>\n"
                      "<script>\nlibrary();\n</script>\n");
    assert_int_equal(pages(f), 1);
}

TEST_WITH(test_page_replaces_an_older_one, setup, teardown)
{
    struct fixture *f = *state;
    put(f, "out.html", "older, and longer than nothing");
    put(f, "page.html", "new\n");
    assert_int_equal(write_page(f), 0);
    assert_page_is(f, "new\n");
}

TEST_WITH(test_check_passes_and_writes_nothing, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(sl_page_check(f->error, sizeof f->error), 0);
    assert_int_equal(pages(f), 0);
}

TEST_WITH(test_missing_library_names_its_package, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(unlink(f->library), 0);
    assert_int_equal(sl_page_check(f->error, sizeof f->error), -1);
    says(f, f->library);
    says(f, "apt-get install --no-install-recommends node-d3");
    f->error[0] = '\0';
    assert_int_equal(write_page(f), -1);
    says(f, "node-d3");
    assert_int_equal(pages(f), 0);
}

TEST_WITH(test_missing_source_is_named, setup, teardown)
{
    struct fixture *f = *state;
    put(f, "page.html", "@include b.js\n");
    assert_int_equal(sl_page_check(f->error, sizeof f->error), -1);
    says(f, "/b.js: No such file");
    says(f, "SLUICE_HOME"); /* a unit test is in no installation */
    assert_int_equal(setenv("SLUICE_PAGE", "/nonexistent/page", 1), 0);
    assert_int_equal(sl_page_check(f->error, sizeof f->error), -1);
    says(f, "/nonexistent/page/page.html");
}

TEST_WITH(test_source_that_is_a_folder_is_named, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(setenv("SLUICE_D3", f->folder, 1), 0);
    assert_int_equal(write_page(f), -1);
    says(f, f->folder);
    says(f, "Is a directory");
    assert_int_equal(pages(f), 0);
}

TEST_WITH(test_folder_that_is_not_there, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(
        sl_page_write("/nonexistent/out.html", "panels", f->data, f->error, sizeof f->error), -1);
    says(f, "cannot write /nonexistent/out.html: No such file or directory");
}

TEST_WITH(test_full_device, setup, teardown)
{
    struct fixture *f = *state;
    struct stat device;
    assert_int_equal(sl_page_write("/dev/full", "panels", f->data, f->error, sizeof f->error), -1);
    says(f, "cannot write /dev/full: No space left on device");
    assert_int_equal(stat("/dev/full", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

/* A disk may be full while the page is written, or at its end: with limits below the template's
 * length, within the library, and one byte less than all. The page of before stays. */
TEST_WITH(test_full_disk_leaves_the_older_page, setup, teardown)
{
    struct fixture *f = *state;
    static char library[100000];
    struct rlimit before;
    struct stat whole;
    memset(library, 'x', sizeof library - 1);
    put(f, "d3.js", library);
    assert_int_equal(write_page(f), 0);
    assert_int_equal(stat(f->page, &whole), 0);
    put(f, "out.html", "older");

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const sighandler_t handler = signal(SIGXFSZ, SIG_IGN);
    const rlim_t limits[] = {0, 10, 50000, (rlim_t)whole.st_size - 1};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct rlimit limit = {limits[i], before.rlim_max};
        f->error[0] = '\0';
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const int status = write_page(f);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, -1);
        says(f, "out.html: File too large");
        assert_page_is(f, "older");
        assert_int_equal(pages(f), 1);
    }
    (void)signal(SIGXFSZ, handler);
}
