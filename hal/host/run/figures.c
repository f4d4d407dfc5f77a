/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a host program can ask of its runs' results, and where it has what kernels print. */
#include "host/observation/statistics.h"
#include "host/run/run.h"

struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc)
{
    return soc->run->counts;
}

uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id)
{
    return soc->run->results.statistics[id];
}

double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id)
{
    return sl_statistics_real(soc->run->results.statistics, id);
}

const struct sl_served *sl_statistic_served(const struct sl_soc *soc)
{
    return &soc->run->results.served;
}

void sl_statistics_accumulate(struct sl_soc *soc)
{
    sl_results_accumulate(&soc->run->results);
}

enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path)
{
    return sl_results_write(&soc->run->results, &soc->config, path, soc->error, sizeof soc->error);
}

void sl_soc_print_to(struct sl_soc *soc, FILE *stream)
{
    soc->run->print.stream = stream;
}

uint64_t sl_profile_lost(const struct sl_soc *soc)
{
    const struct sl_profile *const profile = soc->run->observation.profile;
    return profile != NULL ? profile->lost_calls : 0;
}

uint64_t sl_timeline_lost(const struct sl_soc *soc)
{
    return soc->run->observation.trace.lost;
}
