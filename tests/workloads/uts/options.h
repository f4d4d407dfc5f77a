/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The tree as options: those of the benchmark, and names of trees that others have measured. */
#ifndef SLUICE_WORKLOADS_UTS_OPTIONS_H
#define SLUICE_WORKLOADS_UTS_OPTIONS_H

#include "sluice/argument.h"
#include "workloads/uts/run.h"

/* What a tree has no use for is what the benchmark has where nothing is said. */
#define UTS_REST .q = 0.234375, .m = 4

/* T1, the tree where nothing is said. */
#define UTS_T1 UTS_GEOMETRIC, UTS_FIXED, .depth = 8, .b = 4, .seed = 21, UTS_REST

/* Rows of a program's table, whose struct of arguments is a struct uts_tree: SL_ROWS(). */
extern const struct sl_argument uts_tree_rows[];

/* Counts the tree's nodes; one that is too large ends the program with a message. */
void uts_count(struct uts_input *input);

/* "T1", or the options that make the tree; those live in `out`. */
#define UTS_NAME_BYTES 128
const char *uts_name(const struct uts_tree *tree, char out[UTS_NAME_BYTES]);

#endif
