/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The launcher thread: starts QEMU and waits for its end. Where the plugin has never run, it asks
 * what it has started for its version, so that the message can say that it is no QEMU.
 *
 * What is started as QEMU may be a script that starts it, and more. It has a process group of its
 * own, which is killed as one, and holds one end of a socket, the lifeline: the system has been
 * asked to kill the group when the other end is closed, as by the end of this program. A QEMU in
 * another group has the plugin ask for itself. That all of QEMU has gone is told by the end of the
 * lifeline. The death signal that ends QEMU with the host program is tied to the thread that forked
 * it, which is why one thread lives from open to close. A child that has ended stays a zombie until
 * the launcher has locked the mutex, so that whoever holds it may send signals to process->child
 * and its group. That is so unless the program ignores SIGCHLD, or waits for all children there
 * are: then how it ended is lost, and its number may be another's. */
#define _GNU_SOURCE 1
#include "host/machine/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/machine/futex.h"
#include "host/machine/path.h"
#include "host/machine/starts.h"
#include "sluice/version.h"

#define VERSION_TEXT_BYTES 4096
#define VERSION_LIMIT_MS   2000
#define NOT_EXECUTED       127
/* For a process that was killed to be gone, on a host that has much else to do. */
#define GONE_LIMIT_MS 5000

static void close_file(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

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
    int output_fd;                  /* becomes standard output */
    int message_fd;                 /* becomes standard error */
    int lifeline_fd;                /* stays open, and kills the group */
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

/* This process has a group, which is killed where the other end of the lifeline is closed. */
static bool lead_group(int lifeline_fd)
{
    return setpgid(0, 0) == 0 && fcntl(lifeline_fd, F_SETOWN, -getpid()) == 0 &&
           fcntl(lifeline_fd, F_SETSIG, SIGKILL) == 0 &&
           fcntl(lifeline_fd, F_SETFL, fcntl(lifeline_fd, F_GETFL) | O_ASYNC) == 0;
}

/* Runs in the child: async-signal-safe calls only. */
static void child_run(const struct child *child)
{
    sigset_t none;
    sigemptyset(&none);
    int reason = ESRCH;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == child->parent &&
        signal(SIGCHLD, SIG_DFL) != SIG_ERR && /* that it is ignored would go on in it */
        dup2(child->null_fd, STDIN_FILENO) >= 0 && dup2(child->output_fd, STDOUT_FILENO) >= 0 &&
        dup2(child->message_fd, STDERR_FILENO) >= 0 && lead_group(child->lifeline_fd) &&
        sigprocmask(SIG_SETMASK, &none, NULL) == 0) {
        if (child->memory != NULL) {
            keep_memory(child->memory);
        }
        keep_open(child->lifeline_fd);
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
        if (pid > 0) {
            (void)setpgid(pid, pid); /* whoever of the two comes first */
        }
        process->child = pid > 0 ? pid : 0;
        reason = pid < 0 ? errno : 0;
    }
    pthread_mutex_unlock(&process->mutex);

    (void)close(error_pipe[1]);
    if (reason == 0 &&
        TEMP_FAILURE_RETRY(read(error_pipe[0], &reason, sizeof reason)) != (ssize_t)sizeof reason) {
        reason = 0; /* the pipe was closed by exec */
    }
    (void)close(error_pipe[0]);
    if (child->null_fd >= 0) {
        (void)close(child->null_fd);
    }
    return reason;
}

/* Whether the number is still that of our child, which runs or is a zombie. */
static bool is_our_child(pid_t child)
{
    siginfo_t information;
    return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* The child, and what it has started. The mutex is held. One that has left its group has its own
 * signal. Where the number is not the child's any more, the lifeline ends what it has left. */
static void kill_child(const struct sl_process *process)
{
    if (is_our_child(process->child)) {
        (void)kill(-process->child, SIGKILL);
        (void)kill(process->child, SIGKILL);
    }
}

/* Waits for the child's end, and ends what it has left. Returns its wait status, or SL_WAIT_LOST.
 */
static int reap(struct sl_process *process)
{
    siginfo_t information;
    while (waitid(P_PID, (id_t)process->child, &information, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    int status = SL_WAIT_LOST;
    pthread_mutex_lock(&process->mutex);
    sl_effort_add_tree(&process->past, process->child);
    process->past.is_ready = false;
    kill_child(process);
    (void)waitpid(process->child, &status, 0);
    process->child = 0;
    pthread_mutex_unlock(&process->mutex);
    return status;
}

/* The system has run out of something, which is nobody's mistake in the configuration. */
static enum sl_status status_of(int reason)
{
    return sl_path_is_short(reason) ? SL_ERROR_MACHINE : SL_ERROR_USAGE;
}

/* *end is the child's. Returns 0, or errno. */
static int open_lifeline(struct sl_process *process, int *end)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return errno;
    }
    process->lifeline = ends[0];
    *end = ends[1];
    return 0;
}

/* Waits until nobody holds the other end of the lifeline, for so long. Returns whether that is so.
 */
static bool wait_for_lifeline(const struct sl_process *process, int limit_ms)
{
    struct pollfd end = {.fd = process->lifeline, .events = POLLIN};
    int count;
    do {
        count = poll(&end, 1, limit_ms);
    } while (count < 0 && errno == EINTR);
    return count > 0;
}

static bool is_native(const struct sl_config *config)
{
    return config->number[SL_CFG_HOST_ENGINE] == SL_HOST_ENGINE_NATIVE;
}

const char *sl_engine_name(const struct sl_config *config)
{
    return is_native(config) ? "the native engine" : "QEMU";
}

static int build_command(struct sl_qemu_command *command, const struct sl_process *process,
                         const struct sl_qemu_paths *paths, int lifeline_fd)
{
    return is_native(process->config)
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
    int reason = open_lifeline(process, &lifeline_fd);
    if (reason == 0 && build_command(&command, process, paths, lifeline_fd) != 0) {
        reason = ENOMEM;
    }
    if (reason == 0) {
        struct child child = {.arguments = command.argument,
                              .output_fd = memory->log_fd,
                              .message_fd = memory->log_fd,
                              .lifeline_fd = lifeline_fd,
                              .memory = memory};
        reason = spawn(process, &child);
        if (reason != 0 && process->child != 0) {
            (void)reap(process);
        }
    }
    sl_qemu_command_destroy(&command);
    close_file(&lifeline_fd);
    if (reason == 0) {
        sl_starts_count();
        return SL_OK;
    }
    close_file(&process->lifeline);
    (void)snprintf(process->error, sizeof process->error, "host.%s: cannot start '%s': %s",
                   is_native(process->config) ? "engine" : "qemu", paths->qemu, strerror(reason));
    return status_of(reason);
}

/* What was started has ended: kills a QEMU that it has started and left, and waits until that has
 * gone, too. Its end of the lifeline is closed then. */
static void end_lifeline(struct sl_process *process)
{
    (void)shutdown(process->lifeline, SHUT_WR);
    (void)wait_for_lifeline(process, GONE_LIMIT_MS);
    close_file(&process->lifeline);
}

/* ---- the version ---- */

/* What `qemu --version` has written, and how it has ended. */
struct version_answer {
    bool is_late;
    int wait_status;
    char *output;
    char *messages;
};

static void judge_version(const char *qemu, const struct version_answer *answer, char *error,
                          size_t error_bytes)
{
    char end[64] = "";
    if (answer->wait_status == SL_WAIT_LOST) {
        /* the answer says enough */
    } else if (WIFSIGNALED(answer->wait_status)) {
        (void)snprintf(end, sizeof end, ", and was ended by signal %d",
                       WTERMSIG(answer->wait_status));
    } else if (answer->wait_status != 0) {
        (void)snprintf(end, sizeof end, ", and ended with exit status %d",
                       WEXITSTATUS(answer->wait_status));
    }
    const int length = (int)strcspn(answer->messages, "\r\n");
    (void)snprintf(error, error_bytes,
                   "host.qemu: '%s --version' says '%s'%s%.*s%s%s, which is not a QEMU's version; "
                   "set host.qemu to the path of a qemu-system-riscv64",
                   qemu, answer->output, length > 0 ? ", and on standard error '" : "",
                   length < 200 ? length : 200, answer->messages, length > 0 ? "'" : "", end);
}

/* Takes the answer. *line is its first line. */
static enum sl_status take_version(const char *qemu, struct version_answer *answer,
                                   char line[SL_QEMU_VERSION_BYTES], char *error,
                                   size_t error_bytes)
{
    if (answer->output == NULL || answer->messages == NULL) {
        (void)snprintf(error, error_bytes, "host.qemu: '%s --version': out of memory", qemu);
        return SL_ERROR_MACHINE;
    }
    answer->output[strcspn(answer->output, "\r\n")] = '\0';
    (void)snprintf(line, SL_QEMU_VERSION_BYTES, "%s", answer->output);
    if (answer->is_late) {
        (void)snprintf(error, error_bytes, "host.qemu: '%s --version' did not answer within %d ms",
                       qemu, VERSION_LIMIT_MS);
        return SL_ERROR_MACHINE;
    }
    const bool is_good = answer->wait_status == 0 || answer->wait_status == SL_WAIT_LOST;
    if (is_good && strncmp(line, "QEMU", 4) == 0 && strstr(line, "version ") != NULL) {
        return SL_OK;
    }
    judge_version(qemu, answer, error, error_bytes);
    return SL_ERROR_USAGE;
}

/* Starts `qemu --version`, and waits for its end. Returns 0, or errno. */
static int run_version(struct sl_process *process, const char *qemu, struct child *child,
                       struct version_answer *answer)
{
    char program[PATH_MAX];
    (void)snprintf(program, sizeof program, "%s", qemu);
    char option[] = "--version";
    char *const arguments[] = {program, option, NULL};
    child->arguments = arguments;
    int reason = open_lifeline(process, &child->lifeline_fd);
    if (reason == 0) {
        reason = spawn(process, child);
    }
    close_file(&child->lifeline_fd);
    if (process->child != 0) {
        answer->is_late = !wait_for_lifeline(process, VERSION_LIMIT_MS);
        if (answer->is_late) {
            sl_process_kill(process);
        }
        answer->wait_status = reap(process);
    }
    close_file(&process->lifeline);
    return reason;
}

static enum sl_status ask_version(struct sl_process *process, const char *qemu,
                                  char line[SL_QEMU_VERSION_BYTES], char *error, size_t error_bytes)
{
    struct version_answer answer = {.is_late = false};
    struct child child = {.output_fd = sl_memory_file("sluice-qemu-version"),
                          .message_fd = sl_memory_file("sluice-qemu-messages"),
                          .lifeline_fd = -1};
    const bool is_open = child.output_fd >= 0 && child.message_fd >= 0;
    const int reason = is_open ? run_version(process, qemu, &child, &answer) : errno;
    enum sl_status status = SL_ERROR_MACHINE;
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "host.qemu: cannot run '%s --version': %s", qemu,
                       strerror(reason));
    } else {
        answer.output = sl_memory_file_text(child.output_fd, 0, VERSION_TEXT_BYTES);
        answer.messages = sl_memory_file_text(child.message_fd, 0, VERSION_TEXT_BYTES);
        status = take_version(qemu, &answer, line, error, error_bytes);
        free(answer.output);
        free(answer.messages);
    }
    close_file(&child.output_fd);
    close_file(&child.message_fd);
    return status;
}

enum sl_status sl_qemu_version_ask(const struct sl_config *config, char line[SL_QEMU_VERSION_BYTES],
                                   char *error, size_t error_bytes)
{
    struct sl_process asker = {.config = config, .is_open = true, .lifeline = -1};
    char qemu[PATH_MAX];
    line[0] = '\0';
    if (is_native(config)) {
        (void)snprintf(line, SL_QEMU_VERSION_BYTES, "native engine of Sluice %s", SL_VERSION);
        return SL_OK;
    }
    const int reason = sl_path_find_program(config->text[SL_CFG_HOST_QEMU], qemu, sizeof qemu);
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "host.qemu: cannot run '%s': %s",
                       config->text[SL_CFG_HOST_QEMU], strerror(reason));
        return status_of(reason);
    }
    pthread_mutex_init(&asker.mutex, NULL);
    const enum sl_status status = ask_version(&asker, qemu, line, error, error_bytes);
    pthread_mutex_destroy(&asker.mutex);
    return status;
}

/* ---- the launcher thread ---- */

/* QEMU has ended. Where the plugin has never run, what was started may be something else. */
static void explain_end(struct sl_process *process, const struct sl_qemu_paths *paths)
{
    char line[SL_QEMU_VERSION_BYTES];
    if (!is_native(process->config) && process->mailbox->qemu == 0) {
        process->is_other = ask_version(process, paths->qemu, line, process->error,
                                        sizeof process->error) == SL_ERROR_USAGE;
    }
}

/* Finds out what to start, and starts it. */
static enum sl_status launch(struct sl_process *process, struct sl_qemu_paths *paths)
{
    return sl_qemu_paths_find(process->config, paths, process->error, sizeof process->error) == 0
               ? start_qemu(process, paths)
               : SL_ERROR_USAGE;
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
    process->wait_status = reap(process);
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
        left_ms = sl_patience_left_ms(&process->boot, sl_wall_ms(), &effort, limit_ms);
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
    return sl_patience_left_ms(&process->boot, sl_wall_ms(), &effort, limit_ms);
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
    sl_patience_begin(&process->boot, sl_wall_ms(), &process->past);
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

void sl_process_kill(struct sl_process *process)
{
    if (!process->is_open) {
        return;
    }
    pthread_mutex_lock(&process->mutex);
    if (process->child != 0) {
        kill_child(process);
    }
    pthread_mutex_unlock(&process->mutex);
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
