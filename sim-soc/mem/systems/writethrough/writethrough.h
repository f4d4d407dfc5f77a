/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory systems `nol1` and `wt` (writethrough.c). */
#ifndef SLUICE_MEM_SYSTEMS_WRITETHROUGH_H
#define SLUICE_MEM_SYSTEMS_WRITETHROUGH_H

#include "mem/mem.h"

extern const struct mem_ops mem_nol1;
extern const struct mem_ops mem_wt;

#endif
