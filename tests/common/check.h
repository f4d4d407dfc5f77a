/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tests with cmocka: TEST(name) { ... } defines a test and registers it, in a section that the
 * linker gathers. The tests of a file are one group of cmocka, in the order of the file; the
 * program of a kind has those of all its files (check_main.c). */
#ifndef SLUICE_TESTS_COMMON_CHECK_H
#define SLUICE_TESTS_COMMON_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test; without a function, its setup and teardown are those of the file's group, or `start` is
 * called as soon as the program starts. */
struct check_entry {
    struct CMUnitTest test;
    const char *file;
    int number; /* in the file's order, which the section need not have */
    void (*start)(int argc, char **argv);
};

/* The section has pointers, which are next to each other whatever a sanitizer puts around objects.
 */
#define CHECK_ENTRY(...)            CHECK_NUMBERED(__COUNTER__, __VA_ARGS__)
#define CHECK_NUMBERED(number, ...) CHECK_DEFINE(number, __VA_ARGS__)
#define CHECK_DEFINE(count, ...)                                                                   \
    static const struct check_entry check_entry_##count = {                                        \
        .file = __BASE_FILE__, .number = count, __VA_ARGS__};                                      \
    static const struct check_entry *const check_pointer_##count                                   \
        __attribute__((used, section("check_entries"))) = &check_entry_##count

/* TEST_WITH(name, setup, teardown): each of the two is a CMFixtureFunction, called before and after
 * the test, or NULL. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    CHECK_ENTRY(.test = {#name, name, setup, teardown, NULL});                                     \
    static void name(void **state __attribute__((unused)))

/* One more test of a function (void **state), called `text`, which finds `value` at *state. */
#define TEST_CASE(function, text, value)                                                           \
    CHECK_ENTRY(.test = {text, function, NULL, NULL, (void *)(value)})

/* What is called before and after all tests of the file; NULL for none. */
#define TEST_GROUP(setup, teardown) CHECK_ENTRY(.test = {NULL, NULL, setup, teardown, NULL})

/* The program calls this first, whichever files' tests it is to run. */
#define TEST_START(function) CHECK_ENTRY(.start = (function))

#endif
