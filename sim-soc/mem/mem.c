/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of memory systems, by the choices of mem.system. */
#include "mem/mem.h"

static const struct mem_ops *const systems[] = {
    [SL_MEM_SYSTEM_FLAT] = &mem_flat,
    [SL_MEM_SYSTEM_MOESI] = &mem_moesi,
};

struct mem_system *mem_create(const struct sl_config *config, const struct dram *dram)
{
    return systems[config->number[SL_CFG_MEM_SYSTEM]]->create(config, dram);
}
