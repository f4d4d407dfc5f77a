/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channel variants of the core paper's section 8.1, as an option of programs. */
#ifndef SLUICE_WORKLOADS_COMMON_VARIANT_H
#define SLUICE_WORKLOADS_COMMON_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"
#include "sluice/view.h"

/* Rows of a program's table: --variant or --channels, and --channels alone, for programs that call
 * something else a variant; the field is a struct sl_channel_options. PACKED is for programs that
 * have no kernels for padded elements and structures of arrays. */
#define VARIANT_ROW(name, type, field, take)                                                       \
    {                                                                                              \
        name, 0, SL_TAKE, 0, 0, SL_INTO(type, field),                                              \
            "Variant of the channels: wavefront, workitem, padded, soa or stamped (default "       \
            "wavefront)",                                                                          \
            "NAME", take                                                                           \
    }
#define VARIANT_ROWS(type, field)                                                                  \
    VARIANT_ROW("variant", type, field, variant_take),                                             \
    {                                                                                              \
        .name = "channels"                                                                         \
    }
#define VARIANT_ROWS_PACKED(type, field)                                                           \
    VARIANT_ROW("variant", type, field, variant_take_packed),                                      \
    {                                                                                              \
        .name = "channels"                                                                         \
    }
#define VARIANT_ROW_CHANNELS(type, field) VARIANT_ROW("channels", type, field, variant_take)

sl_argument_take variant_take, variant_take_packed;

/* Whether elements are one behind the other, as all kernels expect them that know no form. */
bool variant_is_packed(uint32_t flags);

/* Loads the kernel file of a program for the variant, or ends the program: `name`.elf, or, of a
 * program that `has_forms` in a file of their own, `name`_forms.elf for padded elements and
 * structures of arrays; each with _stamped behind the name where it is for stamped channels. */
void variant_load(struct sl_soc *soc, const char *name, uint32_t flags, bool has_forms);

/* Adds a kernel that exists once for each form of elements, `name`, `name`_padded or `name`_soa:
 * sl_graph_kernel(). */
int variant_kernel(struct sl_graph_builder *graph, const char *name, uint32_t flags);

#endif
