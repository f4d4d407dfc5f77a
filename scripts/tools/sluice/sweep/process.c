/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The programs that a sweep starts. None of them outlives it: an interrupted sweep ends them and
 * cleans up, a killed one takes them with it. Each has a keeper, a process between it and the
 * sweep: PR_SET_CHILD_SUBREAPER makes all that it has started children of the keeper when their own
 * parents are gone, and PR_SET_PDEATHSIG tells the keeper when the sweep is. So GNU parallel leaves
 * none of the processes that it starts to find out how many there may be. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/sweep.h"

#define END SIGUSR1 /* tells a keeper to end all that it has */

static volatile sig_atomic_t interrupted; /* by this signal */
static volatile sig_atomic_t keeper;      /* of what runs, or 0 */

static void interrupt(int number)
{
    interrupted = number;
    if (keeper != 0) {
        (void)kill((pid_t)keeper, END);
    }
}

/* The signals by which a user ends a command. They are blocked while nothing runs: none is lost
 * between two steps, and each is seen by what is started next. */
static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ENDING (sizeof ending / sizeof ending[0])

static bool is_catching;
static sigset_t ending_set;
static sigset_t mask_before;

void sweep_catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    struct sigaction before;

    (void)sigemptyset(&ending_set);
    for (size_t i = 0; i < ENDING; i++) {
        (void)sigaddset(&ending_set, ending[i]);
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(ending[i], &action, NULL);
        }
    }
    (void)sigprocmask(SIG_BLOCK, &ending_set, &mask_before);
    is_catching = true;
}

static void let_signals_in(bool is_in)
{
    if (is_catching) {
        (void)sigprocmask(is_in ? SIG_SETMASK : SIG_BLOCK, is_in ? &mask_before : &ending_set,
                          NULL);
    }
}

int sweep_interrupted(void)
{
    return (int)interrupted;
}

void sweep_end_as_interrupted(void)
{
    let_signals_in(true);
    if (interrupted != 0) {
        (void)signal(interrupted, SIG_DFL);
        (void)raise(interrupted);
    }
}

static void become(const char *const *argv, int in, int out, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && (in < 0 || dup2(in, 0) >= 0) && (out < 0 || dup2(out, 1) >= 0)) {
        (void)execvp(argv[0], (char *const *)(uintptr_t)argv);
    }
    _exit(127);
}

static void kill_children(void)
{
    char path[64];
    long child;

    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *const file = fopen(path, "r");
    while (file != NULL && fscanf(file, "%ld", &child) == 1) {
        (void)kill((pid_t)child, SIGKILL);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static void end_children(void)
{
    do {
        kill_children();
    } while (waitpid(-1, NULL, 0) > 0);
}

/* Waits for the end of a child, or of the sweep. Returns an exit status. */
static int watch(pid_t child, const sigset_t *signals)
{
    int status = 0;
    pid_t ended = 0;

    while (ended != child && sigwaitinfo(signals, NULL) != END) {
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0 && ended != child) {
        }
    }
    end_children();
    if (ended != child) {
        return 128 + SIGKILL;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The keeper's life; it has the user's signals blocked. */
_Noreturn static void keep(const char *const *argv, int in, int out, pid_t parent)
{
    const pid_t self = getpid();
    sigset_t signals;
    sigset_t before;

    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, END);
    (void)sigaddset(&signals, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &signals, &before);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void)prctl(PR_SET_PDEATHSIG, END);
    if (getppid() != parent) {
        _exit(127);
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        let_signals_in(true);
        become(argv, in, out, self);
    }
    (void)close_range(STDERR_FILENO + 1, ~0u, 0); /* among them are locks */
    _exit(child > 0 ? watch(child, &signals) : 127);
}

/* The first line that comes through a pipe; the rest is read and forgotten. */
static void read_line(int fd, char *out, size_t bytes)
{
    FILE *const file = fdopen(fd, "r");
    char rest[256];

    out[0] = '\0';
    if (file == NULL || fgets(out, (int)bytes, file) == NULL) {
        out[0] = '\0';
    }
    out[strcspn(out, "\n")] = '\0';
    while (file != NULL && fgets(rest, sizeof rest, file) != NULL) {
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

int sweep_spawn(const char *const *argv, int in, char *out, size_t bytes)
{
    int pipe_fd[2] = {-1, -1};
    int status;
    const pid_t parent = getpid();

    if (out != NULL && pipe2(pipe_fd, O_CLOEXEC) != 0) {
        return -1;
    }
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        keep(argv, in, pipe_fd[1], parent);
    }
    keeper = child > 0 ? child : 0;
    let_signals_in(true);
    if (out != NULL) {
        (void)close(pipe_fd[1]);
        read_line(pipe_fd[0], out, bytes);
    }
    siginfo_t end;
    if (child > 0) {
        (void)waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT); /* its number is still its own */
    }
    let_signals_in(false);
    keeper = 0;
    const bool is_over = child > 0 && waitpid(child, &status, 0) == child;
    if (!is_over) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
