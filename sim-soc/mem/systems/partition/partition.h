/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `partition` (partition.c). */
#ifndef SLUICE_MEM_SYSTEMS_PARTITION_H
#define SLUICE_MEM_SYSTEMS_PARTITION_H

#include "mem/mem.h"

extern const struct mem_ops mem_partition;

#endif
