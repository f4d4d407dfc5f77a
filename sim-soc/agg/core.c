/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of core models, by the choices of core.model. */
#include "agg/core.h"
#include "sluice/config.h"

static const struct agg_core_ops *const cores[] = {
    [SL_CORE_MODEL_SIMPLE] = &agg_core_simple,
    [SL_CORE_MODEL_INORDER] = &agg_core_inorder,
    [SL_CORE_MODEL_OOO] = &agg_core_ooo,
};

uint64_t agg_cycle_ps(const struct sl_config *config)
{
    return sl_config_period_ps(config, SL_CFG_AGG_CLOCK);
}

struct agg_core *agg_core_create(const struct sl_config *config, struct mem_system *mem)
{
    return cores[config->number[SL_CFG_CORE_MODEL]]->create(config, mem);
}
