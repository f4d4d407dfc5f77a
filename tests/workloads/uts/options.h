/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The tree as options: those of the benchmark, and names of trees that others have measured. */
#ifndef SLUICE_WORKLOADS_UTS_OPTIONS_H
#define SLUICE_WORKLOADS_UTS_OPTIONS_H

#include <argp.h>

#include "workloads/uts/run.h"

/* An argp parser whose input is a struct uts_input. At the end of the command line it has counted
 * the tree's nodes; one that is too large ends the program with a message. */
extern const struct argp uts_tree_argp;

/* "T1", or the options that make the tree; those live in `out`. */
#define UTS_NAME_BYTES 128
const char *uts_name(const struct uts_tree *tree, char out[UTS_NAME_BYTES]);

#endif
