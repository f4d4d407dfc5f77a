/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a host program can ask of its runs' results, and where it has what kernels print. */
#include <limits.h>

#include "host/machine/machine.h"
#include "host/observation/statistics.h"
#include "host/run/run.h"

struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc)
{
    return sl_run_of(soc)->counts;
}

uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id)
{
    return sl_run_of(soc)->results.statistics[id];
}

double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id)
{
    return sl_statistics_real(sl_run_of(soc)->results.statistics, id);
}

const struct sl_served *sl_statistic_served(const struct sl_soc *soc)
{
    return &sl_run_of(soc)->results.served;
}

void sl_statistics_accumulate(struct sl_soc *soc)
{
    sl_results_accumulate(&sl_run_of(soc)->results);
}

enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path)
{
    char error[PATH_MAX + 256];
    const enum sl_status status =
        sl_results_write(&sl_run_of(soc)->results, sl_soc_config(soc), path, error, sizeof error);
    return status == SL_OK ? SL_OK : sl_soc_fail(soc, status, "%s", error);
}

void sl_soc_print_to(struct sl_soc *soc, FILE *stream)
{
    sl_run_of(soc)->print.stream = stream;
}

uint64_t sl_profile_lost(const struct sl_soc *soc)
{
    const struct sl_profile *const profile = sl_run_of(soc)->observation.profile;
    return profile != NULL ? profile->lost_calls : 0;
}

uint64_t sl_timeline_lost(const struct sl_soc *soc)
{
    return sl_run_of(soc)->observation.trace.lost;
}
