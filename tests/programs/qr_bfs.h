/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of qr_bfs.c share: a graph as lists of edges. */
#ifndef SLUICE_PROGRAMS_QR_BFS_H
#define SLUICE_PROGRAMS_QR_BFS_H

#include <stdint.h>

#define NOT_REACHED UINT32_MAX

/* A node's edges: those from `first` on. */
struct node {
    uint32_t first;
    uint32_t count;
};

#endif
