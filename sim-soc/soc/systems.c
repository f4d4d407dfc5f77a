/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of memory systems, in the order of the choices of mem.system. */
#include "soc/systems.h"

#include "mem/flat/flat.h"
#include "mem/moesi/moesi.h"

static const struct mem_ops *const systems[] = {&mem_flat, &mem_moesi};

struct mem_system *systems_create(const struct mem_parts *parts)
{
    return systems[parts->config->number[SL_CFG_MEM_SYSTEM]]->create(parts);
}
