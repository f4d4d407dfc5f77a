/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What messages call kernels, lanes and places in the code. */
#ifndef SLUICE_HOST_NAMES_H
#define SLUICE_HOST_NAMES_H

#include "host/messages/messages.h"

/* The name of the kernel whose struct sl_kernel is at an address; NULL where it is not known. */
const char *sl_kernel_name(const struct sl_message_context *context, uint64_t kernel);

/* "kernel fib_kernel", or the kernel's address where the name is not known. */
void sl_kernel_text(const struct sl_message_context *context, uint64_t kernel, char *out,
                    size_t bytes);

/* "function (file.c:12)", or the address where there is no module. */
void sl_place_text(const struct sl_message_context *context, uint64_t pc, char *out, size_t bytes);

/* Appends "BEFORE lanes 0-3,7". */
void sl_text_append_mask(const char *before, uint64_t lanes, char *out, size_t bytes);

/* Appends ", lanes 0-3,7 (5 of 64)"; nothing where there are none. The configuration may be NULL.
 */
void sl_text_append_lanes(uint64_t lanes, const struct sl_config *config, char *out, size_t bytes);

#endif
