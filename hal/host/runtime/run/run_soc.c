/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine with all that is on it: opened, closed, and asked for the results of its runs. */
#include "host/base/std_fds.h"
#include "host/driver/code/module.h"
#include "host/driver/graph/graph.h"
#include "host/driver/machine/futex.h"
#include "host/runtime/run/run.h"
#include "sluice/registers.h"

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
    return status == SL_OK ? sl_run_boot(soc) : status;
}

enum sl_status sl_soc_open(const struct sl_config *config, struct sl_soc **out)
{
    sl_standard_occupy();
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

/* All are tried; the first that has failed since the last call is told. */
static enum sl_status write_files(struct sl_soc *soc)
{
    struct sl_observation *const observation = &soc->run->observation;
    sl_observe_note(observation, soc, sl_observe_profile(observation, soc));
    sl_observe_note(observation, soc, sl_observe_kernels(observation, soc));
    sl_observe_note(observation, soc, sl_observe_timeline(observation, soc));
    sl_observe_note(observation, soc, sl_observe_report(observation, soc));
    sl_observe_note(observation, soc, sl_observe_races(observation, soc));
    sl_observe_note(observation, soc, sl_soc_write_console(soc));
    return sl_observe_tell(observation, soc);
}

void sl_soc_close(struct sl_soc *soc)
{
    if (soc == NULL) {
        return;
    }
    if (soc->run != NULL) {
        (void)write_files(soc);
    }
    sl_soc_stop(soc);
    while (soc->graphs != NULL) {
        sl_graph_free(soc->graphs);
    }
    if (soc->run != NULL) {
        sl_trees_destroy_all(soc->run);
        sl_tasks_destroy_all(soc->run);
    }
    sl_run_destroy(soc); /* a trace of it may have to be written yet, with the module's names */
    sl_module_destroy(soc->module);
    sl_soc_free(soc);
}

struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    return soc->run->counts;
}

uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id)
{
    SL_HOLD(soc);
    return soc->run->results.statistics[id];
}

double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id)
{
    SL_HOLD(soc);
    return sl_statistics_real(soc->run->results.statistics, id);
}

const struct sl_served *sl_statistic_served(const struct sl_soc *soc)
{
    return &soc->run->results.served;
}

void sl_statistics_accumulate(struct sl_soc *soc)
{
    SL_HOLD(soc);
    sl_results_accumulate(&soc->run->results);
}

enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path)
{
    SL_HOLD(soc);
    return sl_results_write(&soc->run->results, &soc->config, path, soc->error, sizeof soc->error);
}

void sl_soc_print_to(struct sl_soc *soc, FILE *stream)
{
    SL_HOLD(soc);
    soc->run->print.stream = stream;
}

enum sl_status sl_soc_write_report(struct sl_soc *soc)
{
    SL_HOLD(soc);
    return write_files(soc);
}

uint64_t sl_soc_race_count(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    return soc->run != NULL ? soc->run->observation.races.count : 0;
}

void sl_soc_tell_races(const struct sl_soc *soc, sl_line_fn line, void *user)
{
    SL_HOLD(soc);
    if (soc->run != NULL) {
        sl_races_tell(&soc->run->observation.races, &soc->config, line, user);
    }
}

uint64_t sl_profile_lost(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    const struct sl_profile *const profile = soc->run->observation.profile;
    return profile != NULL ? profile->lost_calls : 0;
}

unsigned sl_kernel_reasons(const struct sl_soc *soc, struct sl_kernel_reason *reasons,
                           unsigned most)
{
    SL_HOLD(soc);
    return sl_kernel_sums_reasons(&soc->run->results.kernels, reasons, most);
}

uint64_t sl_stray_stores(const struct sl_soc *soc, char *out, size_t bytes)
{
    SL_HOLD(soc);
    if (bytes > 0) {
        out[0] = '\0';
        sl_text_append_stray(soc, "", out, bytes);
    }
    return sl_soc_register(soc, SL_REG_STRAY_STORES);
}

uint64_t sl_kernel_profile_lost(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    const struct sl_kernel_costs *const costs = &soc->run->observation.kernel_costs;
    return costs->lost_rows + costs->lost_calls;
}

uint64_t sl_timeline_lost(const struct sl_soc *soc)
{
    SL_HOLD(soc);
    return soc->run->observation.trace.lost;
}
