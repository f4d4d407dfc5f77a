/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A value, as the register of a parameter has it. */
#ifndef SLUICE_HOST_DRIVER_CODE_VALUE_CONVERT_H
#define SLUICE_HOST_DRIVER_CODE_VALUE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "host/driver/code/prototype.h"
#include "sluice/value.h"

enum sl_value_verdict {
    SL_VALUE_CONVERTED,
    SL_VALUE_WRONG_KIND,
    SL_VALUE_TOO_LARGE, /* an integer that the type cannot hold */
};

/* Converts a value as a call in C does, where that takes no guess: integers to integers that hold
 * them, float and double to each other, addresses to pointers and to integers of 64 bits. 64 bits
 * that are not said to be a float are none, as their value could be meant or a float's bits.
 * `is_old_style` is that of the prototype. Of a parameter that a kernel can be given. */
enum sl_value_verdict sl_value_convert(const struct sl_value *value,
                                       const struct sl_parameter *parameter, bool is_old_style,
                                       uint64_t *bits);

/* A value as a parameter of its own type has it. */
uint64_t sl_value_register(const struct sl_value *value);

#endif
