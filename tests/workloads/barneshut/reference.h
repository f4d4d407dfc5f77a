/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the octree of barneshut.c has to be. */
#ifndef SLUICE_WORKLOADS_BARNESHUT_REFERENCE_H
#define SLUICE_WORKLOADS_BARNESHUT_REFERENCE_H

#include <stdbool.h>

#include "workloads/barneshut/tree.h"

/* Whether the tree's cells, with slots that have locks or not, are those that the particles' places
 * ask for, each once, with every particle in its place, and the centres of mass of all to the last
 * bit; says on standard error what is wrong first. */
bool reference_is_tree(const struct tree *tree, bool has_locks);

#endif
