/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid`: L1 caches that serve each other's misses, by a sharing tracker
 * (papers/003 chapter 3; docs/memory-systems.md). */
#ifndef SLUICE_MEM_HYBRID_HYBRID_H
#define SLUICE_MEM_HYBRID_HYBRID_H

#include "mem/mem.h"

extern const struct mem_ops mem_hybrid;

#endif
