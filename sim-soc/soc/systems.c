/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of memory systems, by the choices of mem.system. */
#include "soc/systems.h"

#include "sluice/config.h"
#include "sluice/mem_systems.h"

#define SYSTEM(ID, name, tells) extern const struct mem_ops mem_##name;
SL_MEM_SYSTEMS(SYSTEM)
#undef SYSTEM

static const struct mem_ops *const systems[] = {
#define SYSTEM(ID, name, tells) [SL_MEM_SYSTEM_##ID] = &mem_##name,
    SL_MEM_SYSTEMS(SYSTEM)
#undef SYSTEM
};

struct mem_system *systems_create(const struct mem_parts *parts)
{
    return systems[parts->config->number[SL_CFG_MEM_SYSTEM]]->create(parts);
}
