/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the simulator's records and the names of the host library come together. */
#define _GNU_SOURCE 1
#include "host/observation/observation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/machine/machine.h"
#include "host/machine/path.h"

/* A memfd of a size, mapped; NULL with errno. Pages come into being when they are touched. */
static void *create_block(const char *name, size_t bytes, int *fd)
{
    *fd = sl_memory_file(name);
    if (*fd < 0 || ftruncate(*fd, (off_t)bytes) != 0) {
        return NULL;
    }
    void *const block =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, 0);
    return block != MAP_FAILED ? block : NULL;
}

static enum sl_status fail_file(struct sl_soc *soc, enum sl_status status, enum sl_config_key key,
                                int reason)
{
    return sl_soc_fail(soc, status, "%s: cannot write '%s': %s", sl_config_table[key].key,
                       soc->config.text[key], strerror(reason));
}

static enum sl_status fail_memory(struct sl_soc *soc, enum sl_config_key key, size_t bytes)
{
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s: no %zu bytes of memory for it: %s",
                       sl_config_table[key].key, bytes, strerror(errno));
}

static enum sl_status open_profile(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const int reason = sl_path_check_output(config->text[SL_CFG_PROFILE_FILE]);
    if (reason != 0) {
        return fail_file(soc, SL_ERROR_USAGE, SL_CFG_PROFILE_FILE, reason);
    }
    if (sl_firmware_code_open(&observation->code, config, soc->error, sizeof soc->error) != 0) {
        return SL_ERROR_USAGE;
    }
    observation->profile =
        create_block("sluice-profile", sizeof(struct sl_profile), &soc->memory.profile_fd);
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
        return fail_file(soc, SL_ERROR_USAGE, SL_CFG_TIMELINE_FILE, errno);
    }
    observation->timeline_bytes =
        sizeof(struct sl_timeline) + events * sizeof(struct sl_trace_record);
    observation->timeline =
        create_block("sluice-timeline", observation->timeline_bytes, &soc->memory.timeline_fd);
    if (observation->timeline == NULL) {
        return fail_memory(soc, SL_CFG_TIMELINE_FILE, observation->timeline_bytes);
    }
    observation->timeline->capacity = events;
    return SL_OK;
}

enum sl_status sl_observe_open(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    enum sl_status status = SL_OK;
    if (config->text[SL_CFG_PROFILE_FILE][0] != '\0') {
        status = open_profile(observation, soc);
    }
    if (status == SL_OK && config->text[SL_CFG_TIMELINE_FILE][0] != '\0') {
        status = open_timeline(observation, soc);
    }
    return status;
}

enum sl_status sl_observe_booted(const struct sl_observation *observation, struct sl_soc *soc)
{
    if (observation->profile != NULL &&
        !sl_firmware_code_is(&observation->code, (const void *)(uintptr_t)SL_FIRMWARE_BASE)) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "profile.firmware: file '%s' is not what the flash image was made of; "
                           "set profile.firmware to the ELF file that mkflash was given",
                           observation->code.elf.path);
    }
    return SL_OK;
}

static enum sl_status write_profile(struct sl_observation *observation, struct sl_soc *soc)
{
    const struct sl_config *const config = &soc->config;
    const struct sl_callgrind callgrind = {
        .profile = observation->profile,
        .places = sl_firmware_code_places(&observation->code),
        .cycle_ps = 1000000000000ull / (uint64_t)config->number[SL_CFG_AGG_CLOCK],
        .command = program_invocation_short_name,
        .code = &observation->code,
        .source = sl_firmware_code_source,
        .outer_line = sl_firmware_code_outer_line,
    };
    FILE *const file = fopen(config->text[SL_CFG_PROFILE_FILE], "we");
    int reason = file == NULL || sl_callgrind_write(&callgrind, file) != 0 ? errno : 0;
    if (file != NULL && fclose(file) != 0 && reason == 0) {
        reason = errno;
    }
    return reason == 0 ? SL_OK : fail_file(soc, SL_ERROR_MACHINE, SL_CFG_PROFILE_FILE, reason);
}

static enum sl_status write_timeline(struct sl_observation *observation, struct sl_soc *soc,
                                     const struct sl_trace_names *names)
{
    const int status = sl_trace_append(&observation->trace, observation->timeline, names);
    const int reason = errno;
    observation->timeline->capacity -= observation->timeline->count;
    return status == 0 ? SL_OK : fail_file(soc, SL_ERROR_MACHINE, SL_CFG_TIMELINE_FILE, reason);
}

enum sl_status sl_observe_run(struct sl_observation *observation, struct sl_soc *soc,
                              const struct sl_trace_names *names)
{
    const enum sl_status profile =
        observation->profile != NULL ? write_profile(observation, soc) : SL_OK;
    const enum sl_status timeline =
        observation->timeline != NULL ? write_timeline(observation, soc, names) : SL_OK;
    return profile != SL_OK ? profile : timeline;
}

void sl_observe_close(struct sl_observation *observation)
{
    (void)sl_trace_close(&observation->trace);
    sl_firmware_code_close(&observation->code);
    if (observation->profile != NULL) {
        (void)munmap(observation->profile, sizeof(struct sl_profile));
        observation->profile = NULL;
    }
    if (observation->timeline != NULL) {
        (void)munmap(observation->timeline, observation->timeline_bytes);
        observation->timeline = NULL;
    }
}
