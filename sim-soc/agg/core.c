/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of core models, in the order of the choices of agg.core. */
#include "agg/core.h"

static const struct agg_core_ops *const cores[] = {&agg_core_simple};

struct agg_core *agg_core_create(const struct sl_config *config, struct mem_system *mem,
                                 struct counters *counters)
{
    return cores[config->number[SL_CFG_AGG_CORE]]->create(config, mem, counters);
}
