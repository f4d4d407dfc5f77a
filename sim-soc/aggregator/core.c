/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of core models, by the choices of core.model. */
#include "aggregator/core.h"

static const struct agg_core_ops *const cores[] = {
    [SL_CORE_MODEL_SIMPLE] = &agg_core_simple,
    [SL_CORE_MODEL_INORDER] = &agg_core_inorder,
    [SL_CORE_MODEL_OOO] = &agg_core_ooo,
};

struct agg_core *agg_core_create(const struct sl_config *config, struct mem_system *mem)
{
    return cores[config->number[SL_CFG_CORE_MODEL]]->create(config, mem);
}
