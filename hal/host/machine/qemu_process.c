/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The launcher thread: asks QEMU for its version, starts it, and waits for its end.
 *
 * The death signal that ends QEMU with the host program is tied to the thread that forked it, which
 * is why one thread lives from open to close. A child that has ended stays a zombie until the
 * launcher has locked the mutex, so that whoever holds it may send signals to process->child. */
#define _GNU_SOURCE 1
#include "host/machine/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/machine/futex.h"

#define VERSION_TEXT_BYTES 4096
#define NOT_EXECUTED       127

static void set_state(struct sl_process *process, enum sl_process_state state)
{
    pthread_mutex_lock(&process->mutex);
    process->state = state;
    pthread_cond_broadcast(&process->changed);
    pthread_mutex_unlock(&process->mutex);
}

/* What a child needs between fork() and execv(), made before. */
struct child {
    char *const *arguments;
    int output_fd;                  /* becomes standard output and error */
    const struct sl_memory *memory; /* whose files stay open; or NULL */
    int null_fd;                    /* becomes standard input */
    int error_fd;                   /* closed on exec; gets errno where exec fails */
    pid_t parent;
};

static void keep_open(int fd)
{
    if (fd >= 0) {
        (void)fcntl(fd, F_SETFD, 0);
    }
}

static void keep_memory(const struct sl_memory *memory)
{
    keep_open(memory->dram_fd);
    keep_open(memory->uart_fd);
    for (unsigned block = 0; block < SL_MEMORY_BLOCKS; block++) {
        keep_open(memory->block_fd[block]);
    }
}

/* Runs in the child: async-signal-safe calls only. */
static void child_run(const struct child *child)
{
    sigset_t none;
    sigemptyset(&none);
    int reason = ESRCH;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == child->parent &&
        dup2(child->null_fd, STDIN_FILENO) >= 0 && dup2(child->output_fd, STDOUT_FILENO) >= 0 &&
        dup2(child->output_fd, STDERR_FILENO) >= 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0) {
        if (child->memory != NULL) {
            keep_memory(child->memory);
        }
        execv(child->arguments[0], child->arguments);
        reason = errno;
    }
    (void)!write(child->error_fd, &reason, sizeof reason);
    _exit(NOT_EXECUTED);
}

/* Forks and executes. Returns 0 with process->child set, or errno. */
static int spawn(struct sl_process *process, struct child *child)
{
    int error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC) != 0) {
        return errno;
    }
    child->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    child->error_fd = error_pipe[1];
    child->parent = getpid();
    int reason = child->null_fd < 0 ? errno : 0;

    pthread_mutex_lock(&process->mutex);
    if (reason == 0 && process->stop) {
        reason = ECANCELED;
    }
    if (reason == 0) {
        const pid_t pid = fork();
        if (pid == 0) {
            child_run(child);
        }
        process->child = pid > 0 ? pid : 0;
        reason = pid < 0 ? errno : 0;
    }
    pthread_mutex_unlock(&process->mutex);

    (void)close(error_pipe[1]);
    if (reason == 0 && read(error_pipe[0], &reason, sizeof reason) != (ssize_t)sizeof reason) {
        reason = 0; /* the pipe was closed by exec */
    }
    (void)close(error_pipe[0]);
    if (child->null_fd >= 0) {
        (void)close(child->null_fd);
    }
    return reason;
}

/* Waits for the child's end. Returns its wait status. */
static int reap(struct sl_process *process)
{
    siginfo_t information;
    while (waitid(P_PID, (id_t)process->child, &information, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    int status = 0;
    pthread_mutex_lock(&process->mutex);
    (void)waitpid(process->child, &status, 0);
    process->child = 0;
    pthread_mutex_unlock(&process->mutex);
    return status;
}

/* Runs `qemu --version`. Returns true with process->version set. */
static bool ask_version(struct sl_process *process, const struct sl_qemu_paths *paths)
{
    char program[PATH_MAX];
    (void)snprintf(program, sizeof program, "%s", paths->qemu);
    char option[] = "--version";
    char *const arguments[] = {program, option, NULL};
    struct child child = {.arguments = arguments,
                          .output_fd = sl_memory_file("sluice-qemu-version")};
    int reason = child.output_fd < 0 ? errno : spawn(process, &child);
    const int status = process->child != 0 ? reap(process) : 0;
    char *const text = sl_memory_file_text(child.output_fd, 0, VERSION_TEXT_BYTES);
    const bool is_known = reason == 0 && status == 0 && text != NULL &&
                          sl_qemu_version_parse(text, &process->version) == 0;
    if (reason != 0) {
        (void)snprintf(process->error, sizeof process->error,
                       "host.qemu: cannot run '%s --version': %s", paths->qemu, strerror(reason));
    } else if (!is_known) {
        (void)snprintf(process->error, sizeof process->error,
                       "host.qemu: '%s --version' says '%.200s', which is not a QEMU's version; "
                       "set host.qemu to the path of a qemu-system-riscv64",
                       paths->qemu, text != NULL ? process->version.line : "");
    }
    free(text);
    if (child.output_fd >= 0) {
        (void)close(child.output_fd);
    }
    return is_known;
}

/* Starts QEMU itself. Returns true where it runs. */
static bool start_qemu(struct sl_process *process, const struct sl_qemu_paths *paths,
                       const char *plugin)
{
    const struct sl_memory *const memory = process->memory;
    struct sl_qemu_command command;
    int reason = ENOMEM;
    if (sl_qemu_command_build(&command, process->config, paths, plugin, memory) == 0) {
        struct child child = {
            .arguments = command.argument, .output_fd = memory->log_fd, .memory = memory};
        reason = spawn(process, &child);
        if (reason != 0 && process->child != 0) {
            (void)reap(process);
        }
    }
    sl_qemu_command_destroy(&command);
    if (reason != 0) {
        (void)snprintf(process->error, sizeof process->error, "host.qemu: cannot start '%s': %s",
                       paths->qemu, strerror(reason));
    }
    return reason == 0;
}

/* Finds out what to start, and starts it. */
static enum sl_status launch(struct sl_process *process)
{
    struct sl_qemu_paths paths;
    char plugin[PATH_MAX + 32];
    if (sl_qemu_paths_find(process->config, &paths, process->error, sizeof process->error) != 0 ||
        !ask_version(process, &paths) ||
        sl_qemu_plugin_path(&paths, &process->version, plugin, sizeof plugin, process->error,
                            sizeof process->error) != 0) {
        return SL_ERROR_USAGE;
    }
    return start_qemu(process, &paths, plugin) ? SL_OK : SL_ERROR_MACHINE;
}

static void *launcher_main(void *argument)
{
    struct sl_process *const process = argument;
    process->status = launch(process);
    process->qemu = process->status == SL_OK ? process->child : 0;
    set_state(process, process->status == SL_OK ? SL_PROCESS_RUNNING : SL_PROCESS_FAILED);
    if (process->status != SL_OK) {
        return NULL;
    }
    process->wait_status = reap(process);
    atomic_store(&process->ended, true);
    set_state(process, SL_PROCESS_ENDED);
    /* A waiter that has looked at `ended` but not gone to sleep yet misses this; its sleep is
     * short. */
    sl_futex_wake(process->wake);
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
}

enum sl_status sl_process_start(struct sl_process *process, const struct sl_config *config,
                                const struct sl_memory *memory, const uint32_t *wake,
                                int64_t limit_ms)
{
    pthread_condattr_t attributes;
    process->config = config;
    process->memory = memory;
    process->wake = wake;
    process->state = SL_PROCESS_STARTING;
    process->stop = false;
    process->qemu = 0;
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
    const bool in_time = wait_while(process, SL_PROCESS_STARTING, limit_ms);
    const enum sl_process_state state = process->state;
    process->stop = !in_time;
    pthread_mutex_unlock(&process->mutex);
    if (!in_time) {
        sl_process_close(process, 0);
        (void)snprintf(process->error, sizeof process->error,
                       "host.qemu: '%s --version' did not answer within %lld ms (host.boot_limit)",
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
    if (process->state == SL_PROCESS_NONE) {
        return;
    }
    pthread_mutex_lock(&process->mutex);
    process->stop = true;
    if (process->state == SL_PROCESS_RUNNING) {
        (void)wait_while(process, SL_PROCESS_RUNNING, limit_ms);
    }
    if (process->child != 0) {
        (void)kill(process->child, SIGKILL);
    }
    pthread_mutex_unlock(&process->mutex);
    (void)pthread_join(process->launcher, NULL);
    destroy(process);
}
