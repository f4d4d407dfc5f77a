/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `flat`. */
#ifndef SLUICE_MEM_SYSTEMS_FLAT_H
#define SLUICE_MEM_SYSTEMS_FLAT_H

#include "mem/mem.h"

extern const struct mem_ops mem_flat;

#endif
