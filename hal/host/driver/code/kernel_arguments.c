/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Arguments against a prototype: what no kernel can be given first, then their number, then each by
 * itself (value_convert.c). Each message says what the kernel takes. */
#include "host/driver/code/kernel_arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/code/value_convert.h"

/* Where a message goes, and what it is about. */
struct check {
    const struct sl_prototype *prototype;
    const struct sl_arguments *given;
    char *error;
    size_t bytes;
};

static unsigned first_of(const struct sl_arguments *given)
{
    return given->is_graph ? SL_GRAPH_PARAMETERS : 0;
}

/* The most constant arguments that can be given: so many that registers of one kind hold them all.
 */
static unsigned most_of(const struct sl_arguments *given)
{
    return given->is_graph ? SL_KERNEL_ARGUMENTS : SL_LAUNCH_ARGUMENTS;
}

/* Appends what the kernel takes: "it takes 2 arguments (float a, uint32_t n; saxpy_kernel.c:12)".
 */
static void append_prototype(const struct check *check)
{
    const struct sl_prototype *const prototype = check->prototype;

    if (prototype->count == 0 && !prototype->is_variadic) {
        sl_text_append(check->error, check->bytes, "it takes no arguments (");
    } else {
        sl_text_append(check->error, check->bytes, "it takes %u argument%s (", prototype->count,
                       prototype->count == 1 ? "" : "s");
    }
    sl_prototype_append(prototype, check->error, check->bytes);
    if (prototype->file != NULL) {
        sl_text_append(check->error, check->bytes, "; %s:%d", prototype->file, prototype->line);
    }
    sl_text_append(check->error, check->bytes, ")");
}

/* Appends "argument 3 'n'". */
static void append_argument(const struct check *check, unsigned number)
{
    const char *const name = check->prototype->parameter[number].name;

    sl_text_append(check->error, check->bytes, "argument %u", number);
    if (name != NULL) {
        sl_text_append(check->error, check->bytes, " '%s'", name);
    }
}

static int refuse_missing(const struct check *check, unsigned number)
{
    append_prototype(check);
    if (check->given->is_graph) {
        sl_text_append(check->error, check->bytes, ": ");
        append_argument(check, number);
        sl_text_append(check->error, check->bytes,
                       " is not set; a graph sets those from %d on: call sl_graph_argument(), or "
                       "sl_graph_value()",
                       SL_GRAPH_PARAMETERS);
        return -1;
    }
    const unsigned count = check->given->count;
    sl_text_append(check->error, check->bytes, ", %u %s given: ", count,
                   count == 1 ? "was" : "were");
    if (check->prototype->parameter[number].name != NULL) {
        sl_text_append(check->error, check->bytes, "'%s' is missing (argument %u)",
                       check->prototype->parameter[number].name, number);
    } else {
        sl_text_append(check->error, check->bytes, "argument %u is missing", number);
    }
    return -1;
}

static int refuse_unused(const struct check *check, unsigned number)
{
    append_prototype(check);
    if (check->given->is_graph) {
        sl_text_append(check->error, check->bytes, ": argument %u is set, and it has none", number);
    } else {
        const unsigned count = check->given->count;
        sl_text_append(check->error, check->bytes, ", %u %s given: there is no argument %u", count,
                       count == 1 ? "was" : "were", number);
    }
    return -1;
}

/* The arguments are as many as the parameters, of which a graph gives the first ones itself. */
static int check_number(const struct check *check)
{
    const struct sl_arguments *const given = check->given;
    const unsigned first = first_of(given);
    const unsigned count = check->prototype->count;

    for (unsigned i = 0; i < most_of(given); i++) {
        const bool is_given = given->is_graph ? (given->set >> i & 1) != 0 : i < given->count;
        if (is_given && first + i >= count) {
            return refuse_unused(check, first + i);
        }
        if (!is_given && first + i < count) {
            return refuse_missing(check, first + i);
        }
    }
    if (given->count > SL_LAUNCH_ARGUMENTS && count <= SL_LAUNCH_ARGUMENTS) {
        return refuse_unused(check, SL_LAUNCH_ARGUMENTS);
    }
    return 0;
}

/* The device fills registers, and no stack. */
static int check_room(const struct check *check)
{
    const unsigned most = most_of(check->given);

    if (check->prototype->count <= first_of(check->given) + most) {
        return 0;
    }
    append_prototype(check);
    sl_text_append(
        check->error, check->bytes,
        ": a kernel%s can be given %u constant arguments; put more into a structure, and "
        "give its address",
        check->given->is_graph ? " of a graph" : "", most);
    return -1;
}

/* Parameters that no kernel can be given. */
static int check_parameters(const struct check *check)
{
    const struct sl_prototype *const prototype = check->prototype;

    if (prototype->is_variadic) {
        append_prototype(check);
        sl_text_append(check->error, check->bytes,
                       ": a kernel's arguments are those of its prototype; leave out '...'");
        return -1;
    }
    for (unsigned i = 0; i < prototype->count && i < SL_PROTOTYPE_PARAMETERS; i++) {
        const struct sl_parameter *const parameter = &prototype->parameter[i];
        if (parameter->kind == SL_PARAMETER_OTHER) {
            append_prototype(check);
            sl_text_append(check->error, check->bytes, ": ");
            append_argument(check, i);
            sl_text_append(check->error, check->bytes,
                           " is %s, which is not an integer of up to 64 bits, a float, a double or "
                           "a pointer: give the address of one in shared memory",
                           parameter->type);
            return -1;
        }
        if (check->given->is_graph && i < SL_GRAPH_PARAMETERS &&
            parameter->kind != SL_PARAMETER_INTEGER) {
            append_prototype(check);
            sl_text_append(check->error, check->bytes,
                           ": a kernel of a graph gets its channel and its index first, as int, "
                           "and ");
            append_argument(check, i);
            sl_text_append(check->error, check->bytes, " is %s", parameter->type);
            return -1;
        }
    }
    return check_room(check);
}

/* ---- values ---- */

static const char *const kinds[] = {
    [SL_VALUE_WORD] = "an integer",    [SL_VALUE_INTEGER] = "an integer",
    [SL_VALUE_POINTER] = "an address", [SL_VALUE_FLOAT] = "a float",
    [SL_VALUE_DOUBLE] = "a double",
};

/* What would be right for a parameter. */
static const char *right_call(enum sl_parameter_kind kind)
{
    switch (kind) {
    case SL_PARAMETER_FLOAT:
        return "sl_value_f32(), or SL_VALUE() of a float";
    case SL_PARAMETER_DOUBLE:
        return "sl_value_f64(), or SL_VALUE() of a double";
    case SL_PARAMETER_POINTER:
        return "sl_value_pointer(), or SL_VALUE() of a pointer";
    default:
        return "sl_value_i64(), or SL_VALUE() of an integer";
    }
}

static int refuse_kind(const struct check *check, unsigned number, enum sl_value_kind kind)
{
    const struct sl_parameter *const parameter = &check->prototype->parameter[number];

    append_prototype(check);
    sl_text_append(check->error, check->bytes, ": ");
    append_argument(check, number);
    sl_text_append(check->error, check->bytes, " is %s, %s was given: use %s (sluice/value.h)",
                   parameter->type, kinds[kind], right_call(parameter->kind));
    return -1;
}

static int refuse_value(const struct check *check, unsigned number, uint64_t bits)
{
    append_prototype(check);
    sl_text_append(check->error, check->bytes, ": ");
    append_argument(check, number);
    sl_text_append(check->error, check->bytes, " is %s, which cannot hold %" PRId64,
                   check->prototype->parameter[number].type, (int64_t)bits);
    return -1;
}

static int place_known(const struct check *check, struct sl_kernel *kernel)
{
    const unsigned first = first_of(check->given);

    for (unsigned i = 0; i < kernel->argument_count; i++) {
        const struct sl_value *const value = &check->given->value[i];
        const struct sl_parameter *const parameter = &check->prototype->parameter[first + i];
        switch (sl_value_convert(value, parameter, check->prototype->is_old_style,
                                 &kernel->argument[i])) {
        case SL_VALUE_CONVERTED:
            break;
        case SL_VALUE_TOO_LARGE:
            return refuse_value(check, first + i, value->bits);
        default:
            return refuse_kind(check, first + i, value->kind);
        }
        if (parameter->kind == SL_PARAMETER_FLOAT || parameter->kind == SL_PARAMETER_DOUBLE) {
            kernel->float_arguments |= 1u << i;
        }
    }
    return 0;
}

/* As what it is. */
static void place_unknown(const struct check *check, struct sl_kernel *kernel)
{
    for (unsigned i = 0; i < kernel->argument_count; i++) {
        const struct sl_value *const value = &check->given->value[i];
        kernel->argument[i] = sl_value_register(value);
        if (value->kind == SL_VALUE_FLOAT || value->kind == SL_VALUE_DOUBLE) {
            kernel->float_arguments |= 1u << i;
        }
    }
}

int sl_arguments_place(const struct sl_prototype *prototype, const struct sl_arguments *given,
                       struct sl_kernel *kernel, char *error, size_t bytes)
{
    const struct check check = {prototype, given, error, bytes};

    error[0] = '\0';
    if (prototype->is_known && (check_parameters(&check) != 0 || check_number(&check) != 0)) {
        return -1;
    }
    if (given->count > most_of(given)) {
        sl_text_append(error, bytes, "%u arguments; at most %u are possible", given->count,
                       most_of(given));
        return -1;
    }
    memset(kernel->argument, 0, sizeof kernel->argument);
    kernel->float_arguments = 0;
    kernel->argument_count = given->count;
    if (prototype->is_known) {
        return place_known(&check, kernel);
    }
    place_unknown(&check, kernel);
    return 0;
}
