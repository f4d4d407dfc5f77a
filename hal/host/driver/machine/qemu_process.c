/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The launcher thread: starts QEMU and waits for its end. Where the plugin has never run, it asks
 * what it has started for its version, so that the message can say that it is no QEMU. One thread
 * lives from open to close, because the end of the one that forked a child ends that
 * (host/driver/machine/child.h). */
#define _GNU_SOURCE 1
#include "host/driver/machine/qemu.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/driver/machine/child.h"
#include "host/driver/machine/contracts.h"
#include "host/driver/machine/futex.h"
#include "host/driver/machine/paths.h"
#include "host/driver/machine/starts.h"

/* For a process that was killed to be gone, on a host that has much else to do. */
#define GONE_LIMIT_MS 5000

static void set_state(struct sl_process *process, enum sl_process_state state)
{
    pthread_mutex_lock(&process->mutex);
    process->state = state;
    pthread_cond_broadcast(&process->changed);
    pthread_mutex_unlock(&process->mutex);
}

static int build_command(struct sl_qemu_command *command, const struct sl_process *process,
                         const struct sl_qemu_paths *paths, int lifeline_fd)
{
    return sl_engine_is_native(process->config)
               ? sl_native_command_build(command, paths, process->memory, lifeline_fd)
               : sl_qemu_command_build(command, process->config, paths, process->memory,
                                       lifeline_fd);
}

/* Starts QEMU itself, or the native engine. */
static enum sl_status start_qemu(struct sl_process *process, const struct sl_qemu_paths *paths)
{
    const struct sl_memory *const memory = process->memory;
    struct sl_qemu_command command = {.count = 0};
    int lifeline_fd = -1;
    int reason = sl_lifeline_open(process, &lifeline_fd);
    if (reason == 0 && build_command(&command, process, paths, lifeline_fd) != 0) {
        reason = ENOMEM;
    }
    if (reason == 0) {
        struct sl_child child = {.arguments = command.argument,
                                 .output_fd = memory->log_fd,
                                 .message_fd = memory->log_fd,
                                 .lifeline_fd = lifeline_fd,
                                 .memory = memory};
        reason = sl_child_start(process, &child);
        if (reason != 0 && process->child != 0) {
            (void)sl_child_reap(process);
        }
    }
    sl_qemu_command_destroy(&command);
    sl_descriptor_close(&lifeline_fd);
    if (reason == 0) {
        sl_starts_count();
        return SL_OK;
    }
    sl_descriptor_close(&process->lifeline);
    (void)snprintf(process->error, sizeof process->error, "host.%s: cannot start '%s': %s",
                   sl_engine_is_native(process->config) ? "engine" : "qemu", paths->qemu,
                   strerror(reason));
    return sl_path_status(reason);
}

/* What was started has ended: kills a QEMU that it has started and left, and waits until that has
 * gone, too. Its end of the lifeline is closed then. */
static void end_lifeline(struct sl_process *process)
{
    (void)shutdown(process->lifeline, SHUT_WR);
    (void)sl_lifeline_wait(process, GONE_LIMIT_MS);
    sl_descriptor_close(&process->lifeline);
}

/* ---- the launcher thread ---- */

/* QEMU has ended. Where the plugin has never run, what was started may be something else. */
static void explain_end(struct sl_process *process, const struct sl_qemu_paths *paths)
{
    char line[SL_QEMU_VERSION_BYTES];
    if (!sl_engine_is_native(process->config) && process->mailbox->qemu == 0) {
        process->is_other = sl_qemu_version_take(process, paths->qemu, line, process->error,
                                                 sizeof process->error) == SL_ERROR_USAGE;
    }
}

/* Finds out what to start, and starts it. */
static enum sl_status launch(struct sl_process *process, struct sl_qemu_paths *paths)
{
    enum sl_status status =
        sl_qemu_paths_find(process->config, paths, process->error, sizeof process->error);
    if (status == SL_OK) {
        status = sl_contracts_check(paths, process->error, sizeof process->error);
    }
    return status == SL_OK ? start_qemu(process, paths) : status;
}

static void *launcher_main(void *argument)
{
    struct sl_process *const process = argument;
    struct sl_qemu_paths paths;
    pthread_mutex_lock(&process->mutex);
    process->launcher_id = gettid();
    pthread_mutex_unlock(&process->mutex);
    process->status = launch(process, &paths);
    process->qemu = process->status == SL_OK ? process->child : 0;
    set_state(process, process->status == SL_OK ? SL_PROCESS_RUNNING : SL_PROCESS_FAILED);
    if (process->status != SL_OK) {
        return NULL;
    }
    process->wait_status = sl_child_reap(process);
    end_lifeline(process);
    explain_end(process, &paths);
    atomic_store(&process->ended, true);
    set_state(process, SL_PROCESS_ENDED);
    /* A waiter that has looked at `ended` but not gone to sleep yet misses this; its sleep is
     * short. */
    sl_mailbox_wake_host(process->mailbox);
    return NULL;
}

/* Waits until the state is not `state`, for limit_ms. The mutex is held. Returns false at the
 * limit. */
static bool wait_while(struct sl_process *process, enum sl_process_state state, int64_t limit_ms)
{
    struct timespec limit;
    (void)clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += (time_t)(limit_ms / 1000);
    limit.tv_nsec += (long)(limit_ms % 1000) * 1000000L;
    if (limit.tv_nsec >= 1000000000L) {
        limit.tv_nsec -= 1000000000L;
        limit.tv_sec++;
    }
    while (process->state == state) {
        if (pthread_cond_timedwait(&process->changed, &process->mutex, &limit) == ETIMEDOUT) {
            return process->state != state;
        }
    }
    return true;
}

/* The mutex is held. */
static struct sl_effort effort_of(const struct sl_process *process)
{
    struct sl_effort effort = process->past;
    if (process->launcher_id != 0) {
        sl_effort_add_thread(&effort, process->launcher_id);
    }
    if (process->child != 0) {
        sl_effort_add_tree(&effort, process->child);
    }
    return effort;
}

/* The same, while the launcher starts QEMU, which has limit_ms for it. */
static bool wait_for_start(struct sl_process *process, int64_t limit_ms)
{
    for (int64_t left_ms = limit_ms; left_ms > 0;) {
        if (wait_while(process, SL_PROCESS_STARTING, left_ms)) {
            return true;
        }
        const struct sl_effort effort = effort_of(process);
        left_ms = sl_cpu_limit_left_ms(&process->boot, sl_wall_ms(), &effort, limit_ms);
    }
    return false;
}

struct sl_effort sl_process_effort(struct sl_process *process)
{
    pthread_mutex_lock(&process->mutex);
    const struct sl_effort effort = effort_of(process);
    pthread_mutex_unlock(&process->mutex);
    return effort;
}

int64_t sl_process_boot_left_ms(struct sl_process *process, int64_t limit_ms)
{
    const struct sl_effort effort = sl_process_effort(process);
    return sl_cpu_limit_left_ms(&process->boot, sl_wall_ms(), &effort, limit_ms);
}

/* A thread with all signals blocked: they are the program's, not the launcher's. */
static int create_launcher(struct sl_process *process)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(&process->launcher, NULL, launcher_main, process);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

static void destroy(struct sl_process *process)
{
    pthread_cond_destroy(&process->changed);
    pthread_mutex_destroy(&process->mutex);
    process->state = SL_PROCESS_NONE;
    process->is_open = false;
}

enum sl_status sl_process_start(struct sl_process *process, const struct sl_config *config,
                                const struct sl_memory *memory, const struct sl_mailbox *mailbox,
                                int64_t limit_ms)
{
    pthread_condattr_t attributes;
    process->config = config;
    process->memory = memory;
    process->mailbox = mailbox;
    process->state = SL_PROCESS_STARTING;
    process->is_open = true;
    process->stop = false;
    process->is_other = false;
    process->qemu = 0;
    process->lifeline = -1;
    process->launcher_id = 0;
    process->past = (struct sl_effort){.ran_ns = 0};
    sl_cpu_limit_begin(&process->boot, sl_wall_ms(), &process->past);
    atomic_store(&process->ended, false);
    pthread_mutex_init(&process->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&process->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    const int reason = create_launcher(process);
    if (reason != 0) {
        destroy(process);
        (void)snprintf(process->error, sizeof process->error,
                       "cannot start the launcher thread: %s", strerror(reason));
        return SL_ERROR_MACHINE;
    }
    pthread_mutex_lock(&process->mutex);
    const bool in_time = wait_for_start(process, limit_ms);
    const enum sl_process_state state = process->state;
    process->stop = !in_time;
    pthread_mutex_unlock(&process->mutex);
    if (!in_time) {
        sl_process_close(process, 0);
        (void)snprintf(process->error, sizeof process->error,
                       "host.qemu: '%s' did not start within %lld ms (host.boot_limit)",
                       config->text[SL_CFG_HOST_QEMU], (long long)limit_ms);
        return SL_ERROR_MACHINE;
    }
    return state == SL_PROCESS_FAILED ? process->status : SL_OK;
}

bool sl_process_has_ended(struct sl_process *process, int *wait_status)
{
    if (!atomic_load(&process->ended)) {
        return false;
    }
    *wait_status = process->wait_status;
    return true;
}

void sl_process_close(struct sl_process *process, int64_t limit_ms)
{
    if (!process->is_open) {
        return;
    }
    pthread_mutex_lock(&process->mutex);
    process->stop = true;
    if (process->state == SL_PROCESS_RUNNING) {
        (void)wait_while(process, SL_PROCESS_RUNNING, limit_ms);
    }
    pthread_mutex_unlock(&process->mutex);
    sl_process_kill(process);
    (void)pthread_join(process->launcher, NULL);
    destroy(process);
}
