/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of races.c: one for each case, two for each on channels. Their names are those of the
 * cases with races_ in front. */
#include <stdbool.h>

#include "probes/races/channels.h"
#include "probes/races/groups.h"
#include "probes/races/sections.h"
#include "probes/races/words.h"

#define LAUNCHED(name, base, ...)                                                                  \
    SL_KERNEL void races_##name(struct races_data *data)                                           \
    {                                                                                              \
        races_base_##base(data, (const struct races_form_##base){__VA_ARGS__});                    \
    }

#define CHANNELLED(name, base, ...)                                                                \
    SL_KERNEL void races_##name##_make(int source, int index, int goods)                           \
    {                                                                                              \
        races_base_##base##_make(source, index, goods,                                             \
                                 (const struct races_form_##base){__VA_ARGS__});                   \
    }                                                                                              \
    SL_KERNEL void races_##name##_take(int source, int index, struct races_data *data)             \
    {                                                                                              \
        races_base_##base##_take(source, index, data,                                              \
                                 (const struct races_form_##base){__VA_ARGS__});                   \
    }

#define KERNELS_TOGETHER LAUNCHED
#define KERNELS_APART    LAUNCHED
#define KERNELS_PAIRS    LAUNCHED
#define KERNELS_MANY     LAUNCHED
#define KERNELS_GRAPH    CHANNELLED

#define RACES_CASE(name, base, layout, racy, lacks, one, other, text, ...)                         \
    KERNELS_##layout(name, base, __VA_ARGS__)
#include "probes/races/cases.def"
