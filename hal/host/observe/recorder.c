/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the simulator's records and the names of the host library come together. */
#define _GNU_SOURCE 1
#include "host/observe/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/base/atomic_file.h"
#include "host/base/safe_write.h"
#include "host/driver/code/module.h"
#include "host/driver/machine/paths.h"

/* A memfd of a size, mapped; NULL with errno. Pages come into being when they are touched. */
static void *create_block(struct sl_soc *soc, enum sl_memory_block block, size_t bytes)
{
    int *const fd = &soc->memory.block_fd[block];
    char name[32];

    (void)snprintf(name, sizeof name, "sluice-%s", sl_memory_block_name[block]);
    *fd = sl_memory_file(name);
    if (*fd < 0) {
        return NULL;
    }
    errno = sl_write_truncate(*fd, (off_t)bytes);
    if (errno != 0) {
        return NULL;
    }
    void *const mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, 0);
    return mapped != MAP_FAILED ? mapped : NULL;
}

static enum sl_status fail_file(struct sl_soc *soc, enum sl_config_key key, int reason)
{
    const enum sl_status status = sl_target_is_of_name(reason) ? SL_ERROR_USAGE : SL_ERROR_MACHINE;

    return sl_soc_fail(soc, status, "%s: cannot write '%s': %s", sl_config_table[key].key,
                       soc->config.text[key], strerror(reason));
}

static enum sl_status fail_memory(struct sl_soc *soc, enum sl_config_key key, size_t bytes)
{
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s: no %zu bytes of memory for it: %s",
                       sl_config_table[key].key, bytes, strerror(errno));
}

/* That a file cannot be written is told before the run, too. */
static enum sl_status check_file(struct sl_soc *soc, enum sl_config_key key)
{
    const char *const path = soc->config.text[key];
    const int reason = path[0] != '\0' ? sl_path_check_output(path) : 0;
    return reason == 0 ? SL_OK : fail_file(soc, key, reason);
}

static bool has_firmware(const struct sl_observation *observation)
{
    return observation->code.elf.elf != NULL;
}

/* The firmware's functions and lines, of which there is one for all that ask for them. */
static enum sl_status open_firmware(struct sl_observation *observation, struct sl_soc *soc)
{
    return has_firmware(observation) ? SL_OK
                                     : sl_firmware_code_open(&observation->code, &soc->config,
                                                             soc->error, sizeof soc->error);
}

/* For its own file, or the functions in the report. */
static enum sl_status open_profile(struct sl_observation *observation, struct sl_soc *soc)
{
    enum sl_status status = check_file(soc, SL_CFG_PROFILE_FILE);
    if (status == SL_OK) {
        status = open_firmware(observation, soc);
    }
    if (status != SL_OK) {
        return status;
    }
    observation->profile = create_block(soc, SL_MEMORY_PROFILE, sizeof(struct sl_profile));
    if (observation->profile == NULL) {
        return fail_memory(soc, SL_CFG_PROFILE_FILE, sizeof(struct sl_profile));
    }
    sl_firmware_code_mark(&observation->code, observation->profile);
    return SL_OK;
}

static enum sl_status open_timeline(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const uint64_t events = (uint64_t)config->number[SL_CFG_TIMELINE_EVENTS];
    if (sl_trace_open(&observation->trace, config->text[SL_CFG_TIMELINE_FILE],
                      (uint32_t)config->number[SL_CFG_GPU_CUS],
                      (uint32_t)config->number[SL_CFG_GPU_CONTEXTS]) != 0) {
        return fail_file(soc, SL_CFG_TIMELINE_FILE, errno);
    }
    observation->timeline_bytes =
        sizeof(struct sl_timeline) + events * sizeof(struct sl_trace_record);
    observation->timeline = create_block(soc, SL_MEMORY_TIMELINE, observation->timeline_bytes);
    if (observation->timeline == NULL) {
        return fail_memory(soc, SL_CFG_TIMELINE_FILE, observation->timeline_bytes);
    }
    observation->timeline->capacity = events;
    return SL_OK;
}

/* The timeline in the report. */
static enum sl_status open_slices(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    return sl_slices_open(&observation->report.slices, (uint32_t)config->number[SL_CFG_GPU_CUS],
                          (uint32_t)config->number[SL_CFG_GPU_CONTEXTS], SL_SLICES_MOST) == 0
               ? SL_OK
               : fail_memory(soc, SL_CFG_TIMELINE_FILE, sizeof(struct sl_slices));
}

static enum sl_status open_report(struct sl_observation *observation, struct sl_soc *soc)
{
    const enum sl_status status = check_file(soc, SL_CFG_REPORT_FILE);
    if (status != SL_OK) {
        return status;
    }
    if (sl_report_check(&soc->config, soc->error, sizeof soc->error) != 0) {
        return SL_ERROR_USAGE;
    }
    struct sl_report *const shared = create_block(soc, SL_MEMORY_REPORT, sizeof(struct sl_report));
    if (shared == NULL || sl_report_open(&observation->report, shared) != 0) {
        return fail_memory(soc, SL_CFG_REPORT_FILE, sizeof(struct sl_report));
    }
    return SL_OK;
}

static enum sl_status open_races(struct sl_observation *observation, struct sl_soc *soc)
{
    const enum sl_status status = check_file(soc, SL_CFG_RACES_FILE);
    if (status != SL_OK) {
        return status;
    }
    observation->races.shared = create_block(soc, SL_MEMORY_RACES, sizeof(struct sl_races));
    return observation->races.shared != NULL
               ? SL_OK
               : fail_memory(soc, SL_CFG_DEBUG_RACES, sizeof(struct sl_races));
}

static enum sl_status open_sharing(struct sl_observation *observation, struct sl_soc *soc)
{
    observation->sharing = create_block(soc, SL_MEMORY_SHARING, sizeof(struct sl_sharing));
    return observation->sharing != NULL
               ? SL_OK
               : fail_memory(soc, SL_CFG_MEM_SHARING, sizeof(struct sl_sharing));
}

static enum sl_status open_channels(struct sl_observation *observation, struct sl_soc *soc)
{
    const size_t bytes = sizeof(struct sl_channel_latency);
    observation->channels = create_block(soc, SL_MEMORY_CHANNELS, bytes);
    return observation->channels != NULL ? SL_OK : fail_memory(soc, SL_CFG_LATENCY_MEASURE, bytes);
}

static enum sl_status open_kernels(struct sl_observation *observation, struct sl_soc *soc)
{
    const enum sl_status status = check_file(soc, SL_CFG_KERNEL_PROFILE_FILE);
    if (status != SL_OK) {
        return status;
    }
    observation->kernels = create_block(soc, SL_MEMORY_KERNELS, sizeof(struct sl_kernel_profile));
    return observation->kernels != NULL
               ? SL_OK
               : fail_memory(soc, SL_CFG_KERNEL_PROFILE_FILE, sizeof(struct sl_kernel_profile));
}

/* What is written while runs are on: a message, or why the file could not be created. */
static enum sl_status fail_records(struct sl_soc *soc, enum sl_config_key key, int reason)
{
    return reason > 0 ? fail_file(soc, key, reason) : SL_ERROR_USAGE;
}

static enum sl_status open_trace(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const bool wants_firmware = config->number[SL_CFG_TRACE_WHAT] != SL_TRACE_WHAT_WAVES;
    const enum sl_status status = wants_firmware ? open_firmware(observation, soc) : SL_OK;
    if (status != SL_OK) {
        return status;
    }
    struct sl_instructions *const shared =
        create_block(soc, SL_MEMORY_TRACE, sizeof(struct sl_instructions));
    if (shared == NULL) {
        return fail_memory(soc, SL_CFG_TRACE_FILE, sizeof(struct sl_instructions));
    }
    const int reason = sl_record_trace_open(&observation->instructions, shared, config, soc->error,
                                            sizeof soc->error);
    return reason == 0 ? SL_OK : fail_records(soc, SL_CFG_TRACE_FILE, reason);
}

static enum sl_status open_samples(struct sl_observation *observation, struct sl_soc *soc)
{
    struct sl_samples *const shared =
        create_block(soc, SL_MEMORY_SAMPLE, sizeof(struct sl_samples));
    if (shared == NULL) {
        return fail_memory(soc, SL_CFG_SAMPLE_FILE, sizeof(struct sl_samples));
    }
    const int reason = sl_record_samples_open(&observation->samples, shared, &soc->config,
                                              soc->error, sizeof soc->error);
    return reason == 0 ? SL_OK : fail_records(soc, SL_CFG_SAMPLE_FILE, reason);
}

enum sl_status sl_observe_open(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const bool wants_report = config->text[SL_CFG_REPORT_FILE][0] != '\0';
    enum sl_status status = SL_OK;
    if (wants_report) {
        status = open_report(observation, soc);
    }
    if (status == SL_OK && (wants_report || config->text[SL_CFG_PROFILE_FILE][0] != '\0')) {
        status = open_profile(observation, soc);
    }
    if (status == SL_OK && config->text[SL_CFG_KERNEL_PROFILE_FILE][0] != '\0') {
        status = open_kernels(observation, soc);
    }
    if (status == SL_OK && config->text[SL_CFG_TIMELINE_FILE][0] != '\0') {
        status = open_timeline(observation, soc);
        if (status == SL_OK && wants_report) {
            status = open_slices(observation, soc);
        }
    }
    if (status == SL_OK && config->number[SL_CFG_DEBUG_RACES] != SL_DEBUG_RACES_OFF) {
        status = open_races(observation, soc);
    }
    if (status == SL_OK && config->number[SL_CFG_MEM_SHARING] == SL_MEM_SHARING_ON) {
        status = open_sharing(observation, soc);
    }
    if (status == SL_OK &&
        (wants_report || config->number[SL_CFG_LATENCY_MEASURE] == SL_LATENCY_MEASURE_ON)) {
        status = open_channels(observation, soc);
    }
    if (status == SL_OK && config->text[SL_CFG_TRACE_FILE][0] != '\0') {
        status = open_trace(observation, soc);
    }
    if (status == SL_OK && config->number[SL_CFG_SAMPLE_INTERVAL] > 0) {
        status = open_samples(observation, soc);
    }
    return status;
}

enum sl_status sl_observe_booted(const struct sl_observation *observation, struct sl_soc *soc)
{
    if (has_firmware(observation) &&
        !sl_firmware_code_is(&observation->code, (const void *)(uintptr_t)SL_FIRMWARE_BASE)) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "profile.firmware: file '%s' is not what the flash image was made of; "
                           "set profile.firmware to the ELF file that mkflash was given",
                           observation->code.elf.path);
    }
    return SL_OK;
}

void sl_observe_restart(struct sl_observation *observation)
{
    if (observation->kernels != NULL) {
        sl_kernel_profile_empty(observation->kernels);
    }
    if (observation->channels != NULL) {
        sl_channel_latency_clear(observation->channels);
    }
    if (observation->report.shared != NULL) {
        sl_report_forget(&observation->report);
    }
}

/* What was opened, or could not be, with the reason why writing it has failed, or 0. */
static enum sl_status close_file(struct sl_soc *soc, enum sl_config_key key,
                                 struct sl_output *output, int reason)
{
    reason = sl_output_close(output, reason);
    return reason == 0 ? SL_OK : fail_file(soc, key, reason);
}

enum sl_status sl_observe_begin(struct sl_observation *observation, struct sl_soc *soc)
{
    observation->is_ending = false;
    if (observation->instructions.shared == NULL) {
        return SL_OK;
    }
    return sl_record_trace_begin(&observation->instructions, &soc->config,
                                 soc->module != NULL ? sl_module_elf(soc->module) : NULL,
                                 has_firmware(observation) ? &observation->code.elf : NULL,
                                 soc->error, sizeof soc->error) == 0
               ? SL_OK
               : SL_ERROR_USAGE;
}

bool sl_observe_is_awaited(const struct sl_observation *observation)
{
    return sl_ring_reader_is_awaited(&observation->instructions.drain) ||
           sl_ring_reader_is_awaited(&observation->samples.drain);
}

bool sl_observe_has_records(struct sl_observation *observation)
{
    if (!observation->is_ending) {
        sl_ring_reader_flush(&observation->instructions.drain);
        sl_ring_reader_flush(&observation->samples.drain);
        observation->is_ending = true;
    }
    return sl_ring_reader_is_flushed(&observation->instructions.drain) &&
           sl_ring_reader_is_flushed(&observation->samples.drain);
}

void sl_observe_sleep(const struct sl_observation *observation, int limit_ms)
{
    const struct sl_ring_reader *const trace = &observation->instructions.drain;
    sl_ring_reader_sleep(sl_ring_reader_is_flushed(trace) ? &observation->samples.drain : trace,
                         limit_ms);
}

bool sl_observe_unread(const struct sl_observation *observation, enum sl_config_key *key)
{
    const struct {
        const struct sl_ring_reader *drain;
        enum sl_config_key key;
    } files[] = {{&observation->instructions.drain, SL_CFG_TRACE_FILE},
                 {&observation->samples.drain, SL_CFG_SAMPLE_FILE}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!sl_ring_reader_is_flushed(files[i].drain) ||
            sl_ring_reader_is_awaited(files[i].drain)) {
            *key = files[i].key;
            return true;
        }
    }
    return false;
}

enum sl_status sl_observe_profile(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    struct sl_output output;
    if (observation->profile_runs_written == observation->profile_runs) {
        return SL_OK;
    }
    const struct sl_firmware_profile firmware = {
        .profile = observation->profile,
        .places = sl_firmware_code_places(&observation->code),
        .command = program_invocation_short_name,
        .code = &observation->code.names,
        .source = sl_code_source,
        .outer_line = sl_code_outer_line,
    };
    int reason = sl_output_open(&output, config->text[SL_CFG_PROFILE_FILE]);
    if (reason == 0 && sl_firmware_profile_write(&firmware, output.file) != 0) {
        reason = errno;
    }
    observation->profile_runs_written = observation->profile_runs;
    return close_file(soc, SL_CFG_PROFILE_FILE, &output, reason);
}

/* Whether a file is written after runs, too. What cannot be written anew, a FIFO for one, is
 * written at the end alone: its reader takes one file, as slowly as it likes, and may be gone then.
 */
static bool is_kept_up(const struct sl_soc *soc, enum sl_config_key key)
{
    struct sl_target place;
    return sl_target_resolve(&place, soc->config.text[key]) != 0 || sl_target_is_file(&place);
}

/* Many runs must not cost a file each: it is written again when a tenth is new. */
static bool is_tenth_new(uint64_t now, uint64_t written)
{
    return 10 * (now - written) > written;
}

static enum sl_status take_profile(struct sl_observation *observation, struct sl_soc *soc)
{
    if (soc->config.text[SL_CFG_PROFILE_FILE][0] == '\0') {
        return SL_OK;
    }
    observation->profile_runs++;
    return is_tenth_new(observation->profile_runs, observation->profile_runs_written) &&
                   is_kept_up(soc, SL_CFG_PROFILE_FILE)
               ? sl_observe_profile(observation, soc)
               : SL_OK;
}

enum sl_status sl_observe_kernels(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_kernel_costs *const costs = &observation->kernel_costs;
    if (observation->kernel_runs_written == costs->runs) {
        return SL_OK;
    }
    struct sl_code_names names = {
        .elf = sl_module_elf(soc->module),
        .lines = sl_module_lines(soc->module),
    };
    const struct sl_kernel_file kernels = {
        .costs = costs,
        .command = program_invocation_short_name,
        .code = &names,
        .source = sl_code_source,
        .outer_line = sl_code_outer_line,
    };
    struct sl_output output;
    int reason = sl_output_open(&output, soc->config.text[SL_CFG_KERNEL_PROFILE_FILE]);
    if (reason == 0 && sl_kernel_file_write(&kernels, output.file) != 0) {
        reason = errno;
    }
    observation->kernel_runs_written = costs->runs;
    return close_file(soc, SL_CFG_KERNEL_PROFILE_FILE, &output, reason);
}

static enum sl_status write_kernels(struct sl_observation *observation, struct sl_soc *soc)
{
    return is_tenth_new(observation->kernel_costs.runs, observation->kernel_runs_written) &&
                   is_kept_up(soc, SL_CFG_KERNEL_PROFILE_FILE)
               ? sl_observe_kernels(observation, soc)
               : SL_OK;
}

enum sl_status sl_observe_timeline(struct sl_observation *observation, struct sl_soc *soc)
{
    return sl_trace_publish(&observation->trace) == 0 ? SL_OK
                                                      : fail_file(soc, SL_CFG_TIMELINE_FILE, errno);
}

static enum sl_status write_timeline(struct sl_observation *observation, struct sl_soc *soc,
                                     const struct sl_trace_names *names)
{
    const int status = sl_trace_append(&observation->trace, observation->timeline, names);
    const int reason = errno;
    observation->timeline->capacity -= observation->timeline->count;
    return status == 0 ? SL_OK : fail_file(soc, SL_CFG_TIMELINE_FILE, reason);
}

static enum sl_status take_report(struct sl_observation *observation, struct sl_soc *soc,
                                  const struct sl_observed_run *run)
{
    struct sl_run_report *const report = &observation->report;
    struct sl_slices *const slices = &report->slices;
    if (sl_report_take(report, run->statistics, run->served, run->names) != 0 ||
        (slices->rows != NULL && sl_slices_take(slices, observation->timeline, run->names) != 0)) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "report.file: out of memory");
    }
    return is_tenth_new(report->shared->end_ps, report->written_ps) &&
                   is_kept_up(soc, SL_CFG_REPORT_FILE)
               ? sl_observe_report(observation, soc)
               : SL_OK;
}

enum sl_status sl_observe_races(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    if (observation->race_runs_written == observation->races.runs ||
        config->text[SL_CFG_RACES_FILE][0] == '\0') {
        return SL_OK;
    }
    observation->race_runs_written = observation->races.runs;
    return sl_races_write(&observation->races, config, config->text[SL_CFG_RACES_FILE]) == 0
               ? SL_OK
               : fail_file(soc, SL_CFG_RACES_FILE, errno);
}

/* The file follows where a run has brought races; without any, at the end. A run of which nobody
 * knows whether it has races is none that has none. */
static enum sl_status take_races(struct sl_observation *observation, struct sl_soc *soc,
                                 const struct sl_observed_run *run)
{
    const bool is_new = observation->races.shared->count > 0 || observation->races.runs == 0;
    if (sl_races_take(&observation->races, soc->module, run->names) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "debug.races: out of memory");
    }
    const enum sl_status status =
        is_new && is_kept_up(soc, SL_CFG_RACES_FILE) ? sl_observe_races(observation, soc) : SL_OK;
    if (status == SL_OK && observation->races.shared->out_of_memory != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE,
                           "debug.races: the simulator had no memory left to look for races: not "
                           "all of the run was looked at; take a smaller input");
    }
    return status;
}

/* Whether all could be written while the run was on. */
static enum sl_status end_records(const struct sl_observation *observation, struct sl_soc *soc)
{
    const int trace = sl_stream_failure(&observation->instructions.text.sink);
    const int samples = sl_stream_failure(&observation->samples.text.sink);
    if (trace != 0) {
        return fail_file(soc, SL_CFG_TRACE_FILE, trace);
    }
    return samples != 0 ? fail_file(soc, SL_CFG_SAMPLE_FILE, samples) : SL_OK;
}

void sl_observe_note(struct sl_observation *observation, const struct sl_soc *soc,
                     enum sl_status status)
{
    if (status != SL_OK && observation->failed == SL_OK) {
        observation->failed = status;
        memcpy(observation->failure, soc->error, sizeof observation->failure);
    }
}

enum sl_status sl_observe_tell(struct sl_observation *observation, struct sl_soc *soc)
{
    const enum sl_status status = observation->failed;
    observation->failed = SL_OK;
    return status == SL_OK ? SL_OK : sl_soc_fail(soc, status, "%s", observation->failure);
}

void sl_observe_run(struct sl_observation *observation, struct sl_soc *soc,
                    const struct sl_observed_run *run)
{
    sl_observe_note(observation, soc, take_profile(observation, soc));
    sl_observe_note(observation, soc, write_kernels(observation, soc));
    sl_observe_note(observation, soc, end_records(observation, soc));
    if (observation->timeline != NULL) {
        sl_observe_note(observation, soc, write_timeline(observation, soc, run->names));
    }
    if (observation->report.shared != NULL) {
        sl_observe_note(observation, soc, take_report(observation, soc, run));
    }
    if (observation->races.shared != NULL) {
        sl_observe_note(observation, soc, take_races(observation, soc, run));
    }
}

enum sl_status sl_observe_report(struct sl_observation *observation, struct sl_soc *soc)
{
    struct sl_run_report *const report = &observation->report;
    if (report->shared == NULL || report->written_runs == report->runs) {
        return SL_OK;
    }
    const struct sl_report_source source = {
        .config = &soc->config,
        .profile = observation->profile,
        .code = &observation->code,
    };
    return sl_report_write(report, &source, soc->error, sizeof soc->error) == 0 ? SL_OK
                                                                                : SL_ERROR_MACHINE;
}

static void close_records(struct sl_observation *observation)
{
    sl_record_trace_close(&observation->instructions);
    sl_record_samples_close(&observation->samples);
    if (observation->instructions.shared != NULL) {
        (void)munmap(observation->instructions.shared, sizeof(struct sl_instructions));
        observation->instructions.shared = NULL;
    }
    if (observation->samples.shared != NULL) {
        (void)munmap(observation->samples.shared, sizeof(struct sl_samples));
        observation->samples.shared = NULL;
    }
}

void sl_observe_close(struct sl_observation *observation)
{
    (void)sl_trace_close(&observation->trace);
    close_records(observation);
    sl_firmware_code_close(&observation->code);
    if (observation->profile != NULL) {
        (void)munmap(observation->profile, sizeof(struct sl_profile));
        observation->profile = NULL;
    }
    if (observation->kernels != NULL) {
        (void)munmap(observation->kernels, sizeof(struct sl_kernel_profile));
        observation->kernels = NULL;
    }
    sl_kernel_costs_clear(&observation->kernel_costs);
    if (observation->timeline != NULL) {
        (void)munmap(observation->timeline, observation->timeline_bytes);
        observation->timeline = NULL;
    }
    if (observation->report.shared != NULL) {
        (void)munmap(observation->report.shared, sizeof(struct sl_report));
        sl_report_close(&observation->report);
    }
    sl_races_close(&observation->races);
    if (observation->sharing != NULL) {
        (void)munmap(observation->sharing, sizeof(struct sl_sharing));
        observation->sharing = NULL;
    }
    if (observation->channels != NULL) {
        (void)munmap(observation->channels, sizeof(struct sl_channel_latency));
        observation->channels = NULL;
    }
}
