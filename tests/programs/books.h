/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What books.c and its kernels share. */
#ifndef SLUICE_PROGRAMS_BOOKS_H
#define SLUICE_PROGRAMS_BOOKS_H

/* Elements of the graph, a lane each. */
#define BOOKS_ELEMENTS 8
#define BOOKS_WIDTH    128

#endif
