/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The program of a kind of tests, which runs those of one file when it is called by the file's
 * name: build/tests/unit/workloads/test_uts is a link to build/tests/unit/unit. With names as
 * arguments it runs those files, or test_uts/test_sha1 alone of one; under its own name without
 * arguments all of them, each in a process of its own; --list names them. Status: the number of
 * failures, at most 100; 101 for an unknown name. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"

enum { MOST_FAILURES = 100, STATUS_UNKNOWN };

/* The linker defines where the section begins and ends. */
extern const struct check_entry *const __start_check_entries[];
extern const struct check_entry *const __stop_check_entries[];

static int order(const void *a, const void *b)
{
    const struct check_entry *const first = *(const struct check_entry *const *)a;
    const struct check_entry *const second = *(const struct check_entry *const *)b;
    const int files = strcmp(first->file, second->file);

    return files != 0 ? files : first->number - second->number;
}

/* Of "tests/unit/workloads/test_uts.c", the part "test_uts" and its length. */
static const char *name_of(const char *path, int *length)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;

    *length = (int)strcspn(name, ".");
    return name;
}

static bool is_named(const struct check_entry *entry, const char *wanted)
{
    int length;
    const char *const name = name_of(entry->file, &length);

    return strcspn(wanted, "/") == (size_t)length && strncmp(name, wanted, (size_t)length) == 0;
}

/* The entries of one file, in order. Returns how many tests failed. */
static int run_file(const struct check_entry *const *entries, size_t count)
{
    struct CMUnitTest *const tests = calloc(count, sizeof *tests);
    struct CMUnitTest group = {0};
    size_t used = 0;
    char name[128];
    int length;

    if (tests == NULL) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i]->test.test_func != NULL) {
            tests[used++] = entries[i]->test;
        } else if (entries[i]->start == NULL) {
            group = entries[i]->test;
        }
    }
    const char *const text = name_of(entries[0]->file, &length);
    (void)snprintf(name, sizeof name, "%.*s", length, text);
    const int failed =
        _cmocka_run_group_tests(name, tests, used, group.setup_func, group.teardown_func);
    free(tests);
    return failed;
}

/* The same in a process of its own. */
static int run_file_apart(const struct check_entry *const *entries, size_t count)
{
    int status = 0;

    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int failed = run_file(entries, count);
        exit(failed < MOST_FAILURES ? failed : MOST_FAILURES);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) {
        return 1;
    }
    return WEXITSTATUS(status);
}

static bool is_wanted(const struct check_entry *entry, int names, char *const *name)
{
    for (int i = 0; i < names; i++) {
        if (is_named(entry, name[i])) {
            return true;
        }
    }
    return names == 0;
}

/* Runs, or lists, the files of these names; of all files when there are none. */
static int run(const struct check_entry *const *entries, size_t count, int names, char *const *name,
               bool is_list)
{
    int failed = 0;
    size_t end;

    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin + 1; end < count; end++) {
            if (strcmp(entries[begin]->file, entries[end]->file) != 0) {
                break;
            }
        }
        if (!is_wanted(entries[begin], names, name)) {
            continue;
        }
        if (is_list) {
            int length;
            const char *const text = name_of(entries[begin]->file, &length);
            (void)printf("%.*s\n", length, text);
        } else if (names == 1) {
            failed += run_file(entries + begin, end - begin);
        } else {
            failed += run_file_apart(entries + begin, end - begin);
        }
    }
    return failed < MOST_FAILURES ? failed : MOST_FAILURES;
}

int main(int argc, char **argv)
{
    const size_t count = (size_t)(__stop_check_entries - __start_check_entries);
    const struct check_entry **const entries = calloc(count, sizeof *entries);
    char *const slash = strrchr(argv[0], '/');
    char *own[] = {slash != NULL ? slash + 1 : argv[0]};
    int names = argc - 1;
    char *const *name = argv + 1;

    if (entries == NULL) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = __start_check_entries[i];
        if (entries[i]->start != NULL) {
            entries[i]->start(argc, argv);
        }
    }
    qsort(entries, count, sizeof *entries, order);
    const bool is_list = names == 1 && strcmp(name[0], "--list") == 0;
    if (is_list) {
        names = 0;
    } else if (names == 0 && strncmp(own[0], "test_", 5) == 0) {
        names = 1;
        name = own;
    }
    for (int i = 0; i < names; i++) {
        size_t at = 0;
        while (at < count && !is_named(entries[at], name[i])) {
            at++;
        }
        if (strchr(name[i], '/') != NULL) {
            cmocka_set_test_filter(strchr(name[i], '/') + 1);
        }
        if (at == count) {
            (void)fprintf(stderr, "%s: no such file; --list names them\n", name[i]);
            free(entries);
            return STATUS_UNKNOWN;
        }
    }
    const int failed = run(entries, count, names, name, is_list);
    free(entries);
    return failed;
}
