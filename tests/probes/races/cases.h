/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cases of races.c as its host side has them. */
#ifndef SLUICE_PROBES_RACES_CASES_H
#define SLUICE_PROBES_RACES_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "probes/races/data.h"
#include "sluice/sluice.h"

/* In which models a race is found. */
enum races_racy { NOWHERE, DIRECT, SCOPED, EVERYWHERE };

struct races_layout {
    uint32_t groups; /* 0: a graph */
    uint32_t wavefronts;
};

/* What a base comes to, in `seen` of its roles and in `x`. */
struct races_result {
    const char *base;
    uint32_t x;
    uint32_t seen[RACES_ROLES];
};

struct races_case {
    const char *name;
    const char *base;
    struct races_layout layout;
    enum races_racy racy;
    const char *lacks;
    const char *sides[2]; /* labels of lines */
    const char *text;
};

/* NULL behind the last. */
const struct races_case *races_case(size_t number);

/* A word for --list. */
const char *races_racy_word(enum races_racy racy);

/* Runs a case, of the kernels of sl_app_kernels(), with `data` as it has to begin. */
SL_MUST_USE enum sl_status races_run(struct sl_soc *soc, const struct races_case *one,
                                     struct races_data *data);

/* Whether `data` is what the case has to come to; says on standard error what differs. One with a
 * race in hrf-indirect may come to anything. */
bool races_is_right(const struct races_case *one, const struct races_data *data);

#endif
