/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of trees_cases.c share. */
#ifndef SLUICE_PROBES_TREES_TREES_CASES_H
#define SLUICE_PROBES_TREES_TREES_CASES_H

#include <stdint.h>

/* As the kernel's SL_TASKS() numbers them: the first task. */
#define ROOT      1
#define FUNCTIONS 7
#define MAPS      1

/* What the first task does. */
enum root_kind { RETURNS, FORKS_AGAIN, MAPS_ONLY, MAPS_AND_FORKS };

struct notes {
    uint32_t visits; /* of tasks that return without join or emit */
    uint32_t items;  /* work-items of maps */
    uint32_t seen;   /* of them, when such a task ran */
};

#endif
