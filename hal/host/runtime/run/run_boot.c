/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU is started, and started anew for a run where it has ended. */
#include "host/runtime/run/run.h"

enum sl_status sl_run_boot(struct sl_soc *soc)
{
    const int64_t limit_ms = soc->config.number[SL_CFG_HOST_BOOT_LIMIT] / 1000000000;
    enum sl_status status = sl_soc_start(soc, limit_ms);
    if (status == SL_OK) {
        status = sl_wait_boot(soc, limit_ms);
    }
    return status == SL_OK ? sl_observe_booted(&soc->run->observation, soc) : status;
}

bool sl_run_has_died(const struct sl_soc *soc, unsigned before)
{
    return soc->run->deaths != before && soc->run->deaths < SL_DEATHS_MAX;
}

enum sl_status sl_run_restart(struct sl_soc *soc)
{
    unsigned deaths;
    enum sl_status status;
    do {
        deaths = soc->run->deaths;
        status = sl_soc_reset(soc);
        if (status == SL_OK) {
            sl_observe_restart(&soc->run->observation);
            status = sl_run_boot(soc);
        }
    } while (status != SL_OK && sl_run_has_died(soc, deaths));
    if (status != SL_OK) {
        status = sl_soc_fail(soc, SL_ERROR_MACHINE, "the machine cannot be started again: %s",
                             soc->error);
        sl_soc_stop(soc);
    }
    return status;
}
