/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Prototypes as they are read from what the kernels' compilers write (tests/unit/code/target). */
#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"
#include "host/driver/code/prototype.h"

static struct sl_elf elf;
static Dwarf *lines;

static int setup(void **state)
{
    const char *const build = getenv("SLUICE_BUILD");
    char path[1024];
    char error[1024];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/tests/prototypes.elf", build == NULL ? "build" : build);
    if (sl_elf_open(&elf, path, error, sizeof error) != 0) {
        print_error("%s\n", error);
        return -1;
    }
    lines = sl_debug_lines_open(elf.elf);
    return lines != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    sl_debug_lines_close(lines);
    sl_elf_close(&elf);
    return 0;
}

static struct sl_prototype prototype_of(const char *function)
{
    for (size_t i = 0; i < elf.function_count; i++) {
        if (strcmp(elf.functions[i].name, function) == 0) {
            return sl_prototype_at(lines, elf.functions[i].address);
        }
    }
    fail_msg("there is no function %s", function);
    return (struct sl_prototype){0};
}

/* The list of parameters in words. */
static void expect(const char *function, const char *wanted)
{
    const struct sl_prototype prototype = prototype_of(function);
    char text[2048] = "";
    assert_true(prototype.is_known);
    sl_prototype_append(&prototype, text, sizeof text);
    assert_string_equal(text, wanted);
}

/* A letter for each parameter: i, p, f, d, or - for what is none of these. */
static void expect_kinds(const char *function, const char *wanted)
{
    static const char letters[] = {'i', 'p', 'f', 'd', '-'};
    const struct sl_prototype prototype = prototype_of(function);
    char text[SL_PROTOTYPE_PARAMETERS + 1] = "";
    for (unsigned i = 0; i < prototype.count; i++) {
        text[i] = letters[prototype.parameter[i].kind];
    }
    assert_string_equal(text, wanted);
}

TEST(a_prototype)
{
    const struct sl_prototype prototype = prototype_of("saxpy");
    assert_int_equal(prototype.count, 4);
    assert_string_equal(prototype.parameter[0].name, "a");
    assert_string_equal(prototype.file, "prototypes.c");
    assert_true(prototype.line > 0);
    assert_false(prototype.is_variadic);
    assert_false(prototype.is_old_style);
    expect("saxpy", "float a, const float *x, float *y, uint32_t n");
    expect_kinds("saxpy", "fppi");
    expect("nothing", "void");
}

TEST(integers)
{
    static const struct {
        uint64_t bytes;
        bool is_signed;
    } wanted[] = {{1, false}, {1, true},  {1, false}, {2, true},  {2, false},
                  {4, true},  {4, false}, {8, true},  {8, false}, {1, false}};
    const struct sl_prototype prototype = prototype_of("integers");
    expect_kinds("integers", "iiiiiiiiii");
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(prototype.parameter[i].bytes, wanted[i].bytes);
        assert_int_equal(prototype.parameter[i].is_signed, wanted[i].is_signed);
        assert_int_equal(prototype.parameter[i].is_bool, i == 9);
    }
    expect("enumerations", "enum colour a, enum sign b");
    expect_kinds("enumerations", "ii");
    assert_true(prototype_of("enumerations").parameter[1].is_signed);
}

TEST(names)
{
    expect("names", "scalar a, scalars b, volatile const uint64_t c, size_t d");
    expect_kinds("names", "fpii");
    expect("pointers", "void *a, const struct point *b, char *const *c, void (*)() d, int *e, "
                       "volatile int *restrict f");
    expect_kinds("pointers", "pppppp");
}

TEST(none_that_is_passed)
{
    expect("structures", "struct point a, union word b, pair c");
    expect_kinds("structures", "---");
    expect_kinds("wide", "---");
    assert_string_equal(prototype_of("wide").parameter[0].type, "__int128");
    assert_true(prototype_of("variadic").is_variadic);
    expect("variadic", "int a, ...");
    assert_int_equal(prototype_of("many").count, 20);
}

TEST(without_prototype)
{
    expect("empty", "void");
    assert_false(prototype_of("empty").is_old_style);
    expect("old", "float a, short int n");
    assert_true(prototype_of("old").is_old_style);
}

TEST(of_cxx)
{
    expect("_ZN5space7mangledEfRKNS_5pointENS_6colourEPS0_b",
           "float a, const struct point &b, enum colour c, struct point *d, bool e");
    expect_kinds("_ZN5space7mangledEfRKNS_5pointENS_6colourEPS0_b", "fpipi");
    assert_false(prototype_of("plain").is_old_style);
    expect("plain", "double a, struct point b, int64_t &&c");
    expect_kinds("plain", "d-p");
}

/* What has no debug information of a compiler. */
TEST(unknown)
{
    assert_false(prototype_of("routine").is_known);
    assert_false(sl_prototype_at(lines, 16).is_known);
    assert_false(sl_prototype_at(NULL, elf.functions[0].address).is_known);
}

/* Replaces a string by one as long, wherever it is. */
static void replace(char *bytes, size_t count, const char *from, const char *to)
{
    const size_t length = strlen(from) + 1; /* with its end */
    bool is_any = false;
    for (size_t i = 1; i + length <= count; i++) {
        if (bytes[i - 1] == '\0' && memcmp(bytes + i, from, length) == 0) {
            memcpy(bytes + i, to, length);
            is_any = true;
        }
    }
    assert_true(is_any);
}

/* Names of debug information that could steer a terminal or end a line are none. */
TEST(names_that_are_no_text)
{
    static char bytes[1 << 22];
    char path[] = "/tmp/sluice-names-XXXXXX";
    char error[1024];
    char text[512] = "";
    struct sl_elf other;

    FILE *const from = fopen(elf.path, "rb");
    assert_non_null(from);
    const size_t count = fread(bytes, 1, sizeof bytes, from);
    assert_true(count > 0 && count < sizeof bytes);
    (void)fclose(from);
    replace(bytes, count, "colour", "col\x1bur");
    replace(bytes, count, "tests/unit/code/target/prototypes.c",
            "tests/unit/code/target/prototype\n.c");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, count), count);
    (void)close(fd);
    assert_int_equal(sl_elf_open(&other, path, error, sizeof error), 0);
    (void)unlink(path);
    Dwarf *const damaged = sl_debug_lines_open(other.elf);
    for (size_t i = 0; i < elf.function_count; i++) {
        const uint64_t address = elf.functions[i].address;
        if (strcmp(elf.functions[i].name, "enumerations") == 0) {
            const struct sl_prototype prototype = sl_prototype_at(damaged, address);
            sl_prototype_append(&prototype, text, sizeof text);
            assert_string_equal(text, "enum (unnamed) a, enum sign b");
            assert_non_null(sl_debug_line_at(lines, address).path);
            assert_null(sl_debug_line_at(damaged, address).path);
        }
    }
    assert_string_not_equal(text, "");
    sl_debug_lines_close(damaged);
    sl_elf_close(&other);
}

/* Debug information is what a file says, which may be that blocks are nested as deep as no stack
 * is, or that a type is made of itself. */
TEST(nested)
{
    struct sl_debug_frame frame[2];
    uint64_t entry = 0;
    for (size_t i = 0; i < elf.function_count; i++) {
        entry = strcmp(elf.functions[i].name, "nested") == 0 ? elf.functions[i].address : entry;
    }
    assert_false(sl_prototype_at(lines, entry).is_known); /* it has no parameters, nor types */
    assert_int_equal(sl_debug_frames(lines, entry, frame, 2), 1);
    assert_null(frame[0].function); /* it is not told */
    assert_null(sl_debug_line_outside(lines, entry).path);
}

/* Which instruction is of which of two functions is the compiler's choice: both have some. */
TEST(functions_of_source)
{
    const char *const file = "tests/unit/code/target/prototypes.c";
    const struct sl_elf_function *function = elf.functions;
    unsigned count[2] = {0, 0};
    while (strcmp(function->name, "containing") != 0) {
        function++;
    }
    for (uint64_t i = 0; i < function->bytes; i += 4) {
        const struct sl_debug_function of =
            sl_debug_function_of_source(lines, function->address + i);
        assert_string_equal(of.name, of.is_inlined ? "inlined" : "containing");
        assert_string_equal(of.path, file);
        count[of.is_inlined]++;
    }
    assert_true(count[false] > 0 && count[true] > 0);
    assert_null(sl_debug_function_of_source(lines, 0).name);
    assert_null(sl_debug_function_of_source(NULL, function->address).name);
}

TEST(made_of_itself)
{
    Dwarf_Attribute attribute;
    Dwarf_Die function, parameter, type;
    uint64_t entry = 0;
    for (size_t i = 0; i < elf.function_count; i++) {
        entry = strcmp(elf.functions[i].name, "names") == 0 ? elf.functions[i].address : entry;
    }
    assert_true(sl_debug_function_at(lines, entry, &function));
    assert_int_equal(dwarf_child(&function, &parameter), 0);
    assert_non_null(dwarf_formref_die(dwarf_attr(&parameter, DW_AT_type, &attribute), &type));
    assert_int_equal(dwarf_tag(&type), DW_TAG_typedef);
    const uint32_t here = (uint32_t)dwarf_cuoffset(&type);
    assert_non_null(dwarf_attr(&type, DW_AT_type, &attribute));
    assert_int_equal(attribute.form, DW_FORM_ref4);
    memcpy(attribute.valp, &here, sizeof here);
    expect("names", "scalar a, scalars b, volatile const uint64_t c, size_t d");
    expect_kinds("names", "-pii");
}

TEST_GROUP(setup, teardown);
