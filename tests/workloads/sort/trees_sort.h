/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What trees_sort.c shares with its kernels. */
#ifndef SLUICE_WORKLOADS_SORT_TREES_SORT_H
#define SLUICE_WORKLOADS_SORT_TREES_SORT_H

/* Work-items of a map, and the keys that it sorts or merges in LDS: two for each. */
#define SORT_MAP_ITEMS 256u
#define SORT_MAP_KEYS  (2 * SORT_MAP_ITEMS)

#endif
