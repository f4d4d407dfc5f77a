/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine with all that is on it. */
#include "host/graph/graph.h"
#include "host/load/module.h"
#include "host/machine/futex.h"
#include "host/run/run.h"

static enum sl_status open_all(struct sl_soc *soc)
{
    struct sl_run *const run = sl_run_create(soc);
    if (run == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    enum sl_status status = sl_soc_open_parts(soc);
    if (status == SL_OK) {
        status = sl_observe_open(&run->observation, soc);
    }
    const int64_t limit_ms = soc->config.number[SL_CFG_HOST_BOOT_LIMIT] / 1000000000;
    const int64_t start_ms = sl_wall_ms();
    if (status == SL_OK) {
        status = sl_soc_start(soc, limit_ms);
    }
    if (status == SL_OK) {
        status = sl_wait_boot(soc, start_ms + limit_ms);
    }
    return status == SL_OK ? sl_observe_booted(&run->observation, soc) : status;
}

enum sl_status sl_soc_open(const struct sl_config *config, struct sl_soc **out)
{
    struct sl_soc *const soc = sl_soc_new(config);
    *out = soc;
    if (soc == NULL) {
        return SL_ERROR_MACHINE;
    }
    const enum sl_status status = open_all(soc);
    if (status != SL_OK) {
        sl_soc_stop(soc);
    }
    return status;
}

void sl_soc_close(struct sl_soc *soc)
{
    if (soc == NULL) {
        return;
    }
    sl_soc_stop(soc);
    while (soc->graphs != NULL) {
        sl_graph_destroy(soc->graphs);
    }
    sl_module_destroy(soc->module);
    sl_run_destroy(soc);
    sl_soc_free(soc);
}
