/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory systems that a machine can have. */
#ifndef SLUICE_SOC_SYSTEMS_H
#define SLUICE_SOC_SYSTEMS_H

#include "mem/mem.h"

/* The one that the configuration names (mem.system). NULL when out of memory. */
struct mem_system *systems_create(const struct mem_parts *parts);

#endif
