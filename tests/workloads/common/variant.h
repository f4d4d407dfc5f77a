/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channel variants of the core paper's section 8.1, as an option of programs. */
#ifndef SLUICE_WORKLOADS_COMMON_VARIANT_H
#define SLUICE_WORKLOADS_COMMON_VARIANT_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/view.h"

#define VARIANT_NAMES "wavefront, workitem, padded, soa or stamped"

/* A line of an argp option table. */
#define VARIANT_OPTION(option, key)                                                                \
    {                                                                                              \
        option, key, "NAME", 0, "Variant of the channels: " VARIANT_NAMES " (default wavefront)",  \
            0                                                                                      \
    }

/* --variant, and --channels, which programs have that call something else a variant. */
#define VARIANT_OPTIONS(key)                                                                       \
    VARIANT_OPTION("variant", key),                                                                \
    {                                                                                              \
        "channels", 0, NULL, OPTION_ALIAS, NULL, 0                                                 \
    }

/* Rows of a program's table: --variant or --channels, and --channels alone, for programs that call
 * something else a variant; the field is a struct sl_channel_options. PACKED is for programs that
 * have no kernels for padded elements and structures of arrays. */
#define VARIANT_ROW(name, type, field, take)                                                       \
    {                                                                                              \
        name, 0, SL_TAKE, 0, 0, SL_INTO(type, field),                                              \
            "Variant of the channels: " VARIANT_NAMES " (default wavefront)", "NAME", take         \
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

/* The flags (enum sl_channel_flag) of the variant of this name. What is none ends the program with
 * a message that lists the names; so does one that takes kernels for its form of elements, where
 * the program has none. */
uint32_t variant_flags(const struct argp_state *state, const char *name, bool has_forms);

/* Whether elements are one behind the other, as all kernels expect them that know no form. */
bool variant_is_packed(uint32_t flags);

/* Name of the kernel file of a program for the variant: `name`.elf, or, of a program that
 * `has_forms` in a file of their own, `name`_forms.elf for padded elements and structures of
 * arrays; each with _stamped behind the name where it is for stamped channels. Lives in `out`. */
const char *variant_file(const char *name, uint32_t flags, bool has_forms, char *out, size_t bytes);

/* Name of a kernel that exists once for each form of elements: `name`, `name`_padded or `name`_soa.
 * Lives in `out`. */
const char *variant_kernel(const char *name, uint32_t flags, char *out, size_t bytes);

#endif
