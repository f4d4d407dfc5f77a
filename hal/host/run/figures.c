/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a host program can ask of its runs' results, and where it has what kernels print. */
#include "host/machine/machine.h"
#include "host/machine/soc.h"
#include "host/observation/results.h"
#include "host/observation/statistics.h"

uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id)
{
    return soc->results.statistics[id];
}

double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id)
{
    return sl_statistics_real(soc->results.statistics, id);
}

const struct sl_served *sl_statistic_served(const struct sl_soc *soc)
{
    return &soc->results.served;
}

void sl_statistics_accumulate(struct sl_soc *soc)
{
    sl_results_accumulate(&soc->results);
}

enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path)
{
    char error[SL_SOC_ERROR_BYTES];
    const enum sl_status status =
        sl_results_write(&soc->results, &soc->config, path, error, sizeof error);
    return status == SL_OK ? SL_OK : sl_soc_fail(soc, status, "%s", error);
}

void sl_soc_print_to(struct sl_soc *soc, FILE *stream)
{
    soc->print.stream = stream;
}
