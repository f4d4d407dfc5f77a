/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of scheduling policies, by the choices of gpu.scheduler. */
#include "simt/schedule/issue_scheduler.h"
#include "sluice/config.h"

static const struct simt_scheduler *const schedulers[] = {
    [SL_GPU_SCHEDULER_ROUND_ROBIN] = &simt_round_robin,
    [SL_GPU_SCHEDULER_GREEDY_OLDEST] = &simt_greedy_oldest,
};

const struct simt_scheduler *simt_scheduler_of(const struct sl_config *config)
{
    return schedulers[config->number[SL_CFG_GPU_SCHEDULER]];
}
