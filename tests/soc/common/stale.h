/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `stale` of tests. */
#ifndef SLUICE_TESTS_STALE_H
#define SLUICE_TESTS_STALE_H

#include "mem/mem.h"

extern const struct mem_ops mem_stale;

#endif
