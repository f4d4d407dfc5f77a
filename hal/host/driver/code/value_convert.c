/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Conversions, and what RISC-V's calling convention says of registers that are wider than what is
 * in them. */
#include "host/driver/code/value_convert.h"

#include <string.h>

#define NAN_BOX UINT64_C(0xffffffff00000000) /* above a float in a register of 64 bits */

/* An integer is extended by its type's sign to 32 bits, and by their highest one to 64. */
static uint64_t extended(const struct sl_parameter *parameter, uint64_t bits)
{
    switch (parameter->bytes) {
    case 1:
        return parameter->is_signed ? (uint64_t)(int8_t)bits : (uint8_t)bits;
    case 2:
        return parameter->is_signed ? (uint64_t)(int16_t)bits : (uint16_t)bits;
    case 4:
        return (uint64_t)(int32_t)bits;
    default:
        return bits;
    }
}

/* Whether nothing of an integer gets lost in the type, be it read with its sign or without. */
static bool is_held(const struct sl_parameter *parameter, uint64_t bits)
{
    if (parameter->is_bool) {
        return bits <= 1;
    }
    const uint64_t width = 8 * parameter->bytes;
    return width == 64 || bits >> width == 0 || (int64_t)bits >> (width - 1) == -1;
}

static enum sl_value_verdict to_integer(const struct sl_value *value,
                                        const struct sl_parameter *parameter, uint64_t *bits)
{
    if (value->kind == SL_VALUE_FLOAT || value->kind == SL_VALUE_DOUBLE ||
        (value->kind == SL_VALUE_POINTER && parameter->bytes < sizeof value->bits)) {
        return SL_VALUE_WRONG_KIND;
    }
    *bits = extended(parameter, value->bits);
    return is_held(parameter, value->bits) ? SL_VALUE_CONVERTED : SL_VALUE_TOO_LARGE;
}

static enum sl_value_verdict to_pointer(const struct sl_value *value, uint64_t *bits)
{
    *bits = value->bits;
    return value->kind == SL_VALUE_WORD || value->kind == SL_VALUE_POINTER ? SL_VALUE_CONVERTED
                                                                           : SL_VALUE_WRONG_KIND;
}

static struct sl_value to_double(const struct sl_value *value)
{
    const uint32_t bits = (uint32_t)value->bits;
    float number;

    memcpy(&number, &bits, sizeof number);
    return value->kind == SL_VALUE_FLOAT ? sl_value_f64(number) : *value;
}

static struct sl_value to_float(const struct sl_value *value)
{
    double number;

    memcpy(&number, &value->bits, sizeof number);
    return value->kind == SL_VALUE_DOUBLE ? sl_value_f32((float)number) : *value;
}

enum sl_value_verdict sl_value_convert(const struct sl_value *value,
                                       const struct sl_parameter *parameter, bool is_old_style,
                                       uint64_t *bits)
{
    if (parameter->kind == SL_PARAMETER_INTEGER) {
        return to_integer(value, parameter, bits);
    }
    if (parameter->kind == SL_PARAMETER_POINTER) {
        return to_pointer(value, bits);
    }
    if (value->kind != SL_VALUE_FLOAT && value->kind != SL_VALUE_DOUBLE) {
        return SL_VALUE_WRONG_KIND;
    }
    const bool is_double = parameter->kind == SL_PARAMETER_DOUBLE || is_old_style;
    const struct sl_value number = is_double ? to_double(value) : to_float(value);
    *bits = sl_value_register(&number);
    return SL_VALUE_CONVERTED;
}

uint64_t sl_value_register(const struct sl_value *value)
{
    return value->kind == SL_VALUE_FLOAT ? NAN_BOX | value->bits : value->bits;
}
