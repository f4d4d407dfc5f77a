/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Between fork() and execv() there are async-signal-safe calls only; what they need is made before.
 */
#define _GNU_SOURCE 1
#include "host/driver/machine/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_EXECUTED 127

void sl_descriptor_close(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

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
static void child_run(const struct sl_child *child)
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

int sl_child_start(struct sl_process *process, struct sl_child *child)
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

/* Kills the child, and what it has started. The mutex is held. One that has left its group has its
 * own signal. Where the number is not the child's any more, the lifeline ends what it has left. */
static void kill_child(const struct sl_process *process)
{
    if (is_our_child(process->child)) {
        (void)kill(-process->child, SIGKILL);
        (void)kill(process->child, SIGKILL);
    }
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

int sl_child_reap(struct sl_process *process)
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

int sl_lifeline_open(struct sl_process *process, int *end)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return errno;
    }
    process->lifeline = ends[0];
    *end = ends[1];
    return 0;
}

bool sl_lifeline_wait(const struct sl_process *process, int limit_ms)
{
    struct pollfd end = {.fd = process->lifeline, .events = POLLIN};
    int count;
    do {
        count = poll(&end, 1, limit_ms);
    } while (count < 0 && errno == EINTR);
    return count > 0;
}
