/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The list of scheduling policies, in the order of the choices of gpu.scheduler. */
#include "simt/schedule/scheduler.h"

static const struct simt_scheduler *const schedulers[] = {&simt_round_robin, &simt_greedy_oldest};

const struct simt_scheduler *simt_scheduler_of(const struct sl_config *config)
{
    return schedulers[config->number[SL_CFG_GPU_SCHEDULER]];
}
