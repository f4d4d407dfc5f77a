/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cores from settings. */
#include "unit/aggregator/hand_core.h"

#include "common/check.h"
#include "common/ideal.h"

struct agg_core *hand_core(struct sl_config *config, struct mem_system *memory,
                           const char *const *settings)
{
    char error[512];

    ideal_config(config);
    for (; *settings != NULL; settings++) {
        if (sl_config_set(config, *settings, error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
    }
    struct agg_core *const core = agg_core_create(config, memory);
    assert_non_null(core);
    core->ops->begin(core);
    return core;
}
