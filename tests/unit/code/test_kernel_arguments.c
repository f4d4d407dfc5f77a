/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels are given, held against prototypes: what registers hold then, and each refusal. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "host/driver/code/kernel_arguments.h"

#define BOX UINT64_C(0xffffffff00000000)

/* Parameters by letters: b c h H i u l p f d are truth value, signed char, short and unsigned
 * short, int, unsigned, long, pointer, float, double; s is a structure. */
static struct sl_prototype prototype_of(const char *letters)
{
    static const struct {
        char letter;
        struct sl_parameter parameter;
    } table[] = {
        {'b', {"b", "_Bool", SL_PARAMETER_INTEGER, 1, false, true}},
        {'c', {"c", "signed char", SL_PARAMETER_INTEGER, 1, true, false}},
        {'h', {"h", "short", SL_PARAMETER_INTEGER, 2, true, false}},
        {'H', {"H", "uint16_t", SL_PARAMETER_INTEGER, 2, false, false}},
        {'i', {"i", "int", SL_PARAMETER_INTEGER, 4, true, false}},
        {'u', {"u", "uint32_t", SL_PARAMETER_INTEGER, 4, false, false}},
        {'l', {"l", "uint64_t", SL_PARAMETER_INTEGER, 8, false, false}},
        {'p', {"p", "float *", SL_PARAMETER_POINTER, 8, false, false}},
        {'f', {"f", "float", SL_PARAMETER_FLOAT, 4, false, false}},
        {'d', {"d", "double", SL_PARAMETER_DOUBLE, 8, false, false}},
        {'s', {"s", "struct point", SL_PARAMETER_OTHER, 8, false, false}},
    };
    struct sl_prototype prototype = {.is_known = true, .file = "k.c", .line = 7};
    for (; letters[prototype.count] != '\0'; prototype.count++) {
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            if (table[i].letter == letters[prototype.count]) {
                prototype.parameter[prototype.count] = table[i].parameter;
            }
        }
    }
    return prototype;
}

static struct sl_kernel kernel;
static char error[1024];

static int place(const struct sl_prototype *prototype, const struct sl_value *values,
                 unsigned count)
{
    struct sl_arguments given = {.count = count};
    for (unsigned i = 0; i < count && i < SL_LAUNCH_ARGUMENTS; i++) {
        given.value[i] = values[i];
    }
    memset(&kernel, 0xff, sizeof kernel);
    return sl_arguments_place(prototype, &given, &kernel, error, sizeof error);
}

/* One value for a parameter of this letter, and what its register holds. */
static void expect_register(const char *letter, struct sl_value value, uint64_t wanted)
{
    const struct sl_prototype prototype = prototype_of(letter);
    const int status = place(&prototype, &value, 1);
    if (status != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(kernel.argument[0], wanted);
    assert_int_equal(kernel.argument_count, 1);
    assert_int_equal(kernel.float_arguments, *letter == 'f' || *letter == 'd');
}

static void expect_refused(const struct sl_prototype *prototype, const char *message,
                           const struct sl_value *values, unsigned count)
{
    assert_int_equal(place(prototype, values, count), -1);
    if (strstr(error, message) == NULL) {
        fail_msg("'%s' has no '%s'", error, message);
    }
}

TEST(integers)
{
    expect_register("i", SL_VALUE(-5), (uint64_t)-5);
    expect_register("i", SL_VALUE(0xfffffffbu), (uint64_t)-5);
    expect_register("u", SL_VALUE(0x80000000u), UINT64_C(0xffffffff80000000));
    expect_register("u", sl_value_u64(0x80000000u), UINT64_C(0xffffffff80000000));
    expect_register("u", SL_VALUE(-1), UINT64_MAX);
    expect_register("l", SL_VALUE(0x80000000u), 0x80000000u);
    expect_register("l", SL_VALUE(INT64_MIN), UINT64_C(1) << 63);
    expect_register("c", SL_VALUE(200), (uint64_t)-56);
    expect_register("h", SL_VALUE((short)-300), (uint64_t)-300);
    expect_register("H", SL_VALUE((short)-300), 65236);
    expect_register("b", SL_VALUE((_Bool)1), 1);
    expect_register("l", SL_VALUE(&kernel), (uintptr_t)&kernel);
    expect_register("p", SL_VALUE(&kernel), (uintptr_t)&kernel);
    expect_register("p", SL_VALUE((const char *)error), (uintptr_t)error);
    expect_register("p", sl_value_u64(0x80801000), 0x80801000);
}

TEST(floats)
{
    expect_register("f", SL_VALUE(2.5f), BOX | 0x40200000);
    expect_register("f", SL_VALUE(2.5), BOX | 0x40200000);
    expect_register("f", SL_VALUE(0.1), BOX | 0x3dcccccd);
    expect_register("f", SL_VALUE(-0.0f), BOX | 0x80000000);
    expect_register("d", SL_VALUE(2.5), UINT64_C(0x4004000000000000));
    expect_register("d", SL_VALUE(2.5f), UINT64_C(0x4004000000000000));
    /* A function that is defined without a prototype takes doubles. */
    struct sl_prototype old = prototype_of("f");
    old.is_old_style = true;
    assert_int_equal(place(&old, SL_VALUES(2.5f)), 0);
    assert_int_equal(kernel.argument[0], UINT64_C(0x4004000000000000));
}

TEST(mixed)
{
    const struct sl_prototype prototype = prototype_of("fpudpi");
    assert_int_equal(place(&prototype, SL_VALUES(1.0f, error, 3, 4.0, &kernel, -6)), 0);
    assert_int_equal(kernel.argument_count, 6);
    assert_int_equal(kernel.float_arguments, 9);
    assert_int_equal(kernel.argument[5], (uint64_t)-6);
}

TEST(number)
{
    const struct sl_prototype prototype = prototype_of("fppu");
    const struct sl_prototype none = prototype_of("");
    const struct sl_prototype nine = prototype_of("iiiiiiiii");
    expect_refused(&prototype,
                   "it takes 4 arguments (float f, float *p, float *p, uint32_t u; k.c:7), 3 were "
                   "given: 'u' is missing (argument 3)",
                   SL_VALUES(1.0f, error, error));
    expect_refused(&prototype, "5 were given: there is no argument 4",
                   SL_VALUES(1.0f, error, error, 4, 5));
    expect_refused(&none,
                   "it takes no arguments (void; k.c:7), 1 was given: there is no argument 0",
                   SL_VALUES(1));
    expect_refused(&prototype, "9 were given", SL_VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9));
    expect_refused(&nine, "a kernel can be given 8 constant arguments; put more into a structure",
                   SL_VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(kinds)
{
    const struct sl_prototype prototype = prototype_of("fpud");
    expect_refused(&prototype, "argument 0 'f' is float, an integer was given: use sl_value_f32()",
                   SL_VALUES(1, error, 3, 4.0));
    expect_refused(&prototype, "argument 1 'p' is float *, an integer was given: use sl_value_poin",
                   SL_VALUES(1.0f, 2, 3, 4.0));
    expect_refused(&prototype, "argument 1 'p' is float *, a double was given",
                   SL_VALUES(1.0f, 2.0, 3, 4.0));
    expect_refused(&prototype, "argument 2 'u' is uint32_t, an address was given: use sl_value_i64",
                   SL_VALUES(1.0f, error, error, 4.0));
    expect_refused(&prototype, "argument 2 'u' is uint32_t, a float was given",
                   SL_VALUES(1.0f, error, 3.0f, 4.0));
    expect_refused(&prototype, "argument 3 'd' is double, an integer was given: use sl_value_f64()",
                   SL_VALUES(1.0f, error, 3, UINT64_C(0x4004000000000000)));
}

TEST(ranges)
{
    static const struct {
        const char *letter;
        int64_t first, last, below, above;
    } cases[] = {
        {"b", 0, 1, -1, 2},
        {"c", INT8_MIN, UINT8_MAX, INT8_MIN - 1, UINT8_MAX + 1},
        {"H", INT16_MIN, UINT16_MAX, INT16_MIN - 1, UINT16_MAX + 1},
        {"u", INT32_MIN, UINT32_MAX, INT64_C(-2147483649), INT64_C(4294967296)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sl_prototype prototype = prototype_of(cases[i].letter);
        assert_int_equal(place(&prototype, SL_VALUES(cases[i].first)), 0);
        assert_int_equal(place(&prototype, SL_VALUES(cases[i].last)), 0);
        expect_refused(&prototype, "which cannot hold", SL_VALUES(cases[i].below));
        expect_refused(&prototype, "which cannot hold", SL_VALUES(cases[i].above));
    }
}

TEST(none_that_is_passed)
{
    struct sl_prototype prototype = prototype_of("is");
    expect_refused(&prototype, "argument 1 's' is struct point, which is not an integer",
                   SL_VALUES(1, 2));
    prototype = prototype_of("i");
    prototype.is_variadic = true;
    expect_refused(&prototype, "leave out '...'", SL_VALUES(1));
}

static int place_of_graph(const char *letters, const struct sl_arguments *given)
{
    const struct sl_prototype prototype = prototype_of(letters);
    struct sl_arguments of_graph = *given;
    of_graph.is_graph = true;
    memset(&kernel, 0, sizeof kernel);
    return sl_arguments_place(&prototype, &of_graph, &kernel, error, sizeof error);
}

TEST(graphs)
{
    const struct sl_arguments two = {
        .count = 2, .set = 3, .value = {SL_VALUE(1.0f), SL_VALUE(error)}};
    const struct sl_arguments second = {.count = 2, .set = 2, .value = {{0}, SL_VALUE(error)}};
    assert_int_equal(place_of_graph("iifp", &two), 0);
    assert_int_equal(kernel.argument_count, 2);
    assert_int_equal(kernel.float_arguments, 1);
    assert_int_equal(kernel.argument[1], (uintptr_t)error);
    assert_int_equal(place_of_graph("iifp", &second), -1);
    assert_non_null(strstr(error, "argument 2 'f' is not set; a graph sets those from 2 on"));
    assert_int_equal(place_of_graph("iif", &two), -1);
    assert_non_null(strstr(error, "argument 3 is set, and it has none"));
    assert_int_equal(place_of_graph("fif", &two), -1);
    assert_non_null(strstr(error, "gets its channel and its index first, as int, and argument 0 "
                                  "'f' is float"));
    assert_int_equal(place_of_graph("iiiiiiiii", &two), -1);
    assert_non_null(strstr(error, "a kernel of a graph can be given 6 constant arguments"));
    assert_int_equal(place_of_graph("", &(struct sl_arguments){.count = 0}), 0);
}

/* Without debug information, each is passed as what it is. */
TEST(unknown)
{
    const struct sl_prototype prototype = {.is_known = false};
    assert_int_equal(place(&prototype, SL_VALUES(-1, 2.5f, error, 2.5)), 0);
    assert_int_equal(kernel.argument_count, 4);
    assert_int_equal(kernel.float_arguments, 10);
    assert_int_equal(kernel.argument[0], UINT64_MAX);
    assert_int_equal(kernel.argument[1], BOX | 0x40200000);
    assert_int_equal(kernel.argument[3], UINT64_C(0x4004000000000000));
    expect_refused(&prototype, "9 arguments; at most 8 are possible",
                   SL_VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9));
}
