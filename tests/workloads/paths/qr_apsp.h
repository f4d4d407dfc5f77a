/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_apsp.c share: an edge to a node, and how the search goes. */
#ifndef SLUICE_WORKLOADS_PATHS_QR_APSP_H
#define SLUICE_WORKLOADS_PATHS_QR_APSP_H

#include <stdint.h>

struct edge {
    uint32_t from;
    uint32_t weight;
};

/* What has no line in common with what all work-items read. */
struct search {
    uint32_t changed;  /* not 0: the last launch has found a shorter path */
    uint32_t launches; /* that have looked for one */
};

#endif
