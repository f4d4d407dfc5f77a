/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What books.c and its kernels share. */
#ifndef SLUICE_PROBES_FAULTS_BOOKS_H
#define SLUICE_PROBES_FAULTS_BOOKS_H

/* Elements of the graph, a lane each. */
#define BOOKS_ELEMENTS 8
#define BOOKS_WIDTH    128

#endif
