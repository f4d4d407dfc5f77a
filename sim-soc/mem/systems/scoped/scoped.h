/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `scoped` (scoped.c). */
#ifndef SLUICE_MEM_SYSTEMS_SCOPED_H
#define SLUICE_MEM_SYSTEMS_SCOPED_H

#include "mem/mem.h"

extern const struct mem_ops mem_scoped;

#endif
