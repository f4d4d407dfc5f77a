/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The engines of sweeps. Both are programs that others keep: GNU parallel on this machine, Slurm on
 * a cluster. Each is given a list of runs, and starts `sluice sweep --run N` for each. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/programs.h"
#include "cli/sweep.h"

/* Tasks of one job array: Slurm's default limit is 1,001 (MaxArraySize). */
#define ARRAY_TASKS 1000u

static void become(const char *const *argv, int in, int out, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && (in < 0 || dup2(in, 0) >= 0) && (out < 0 || dup2(out, 1) >= 0)) {
        (void)execvp(argv[0], (char *const *)(uintptr_t)argv);
    }
    _exit(127);
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
        become(argv, in, pipe_fd[1], parent);
    }
    if (out != NULL) {
        (void)close(pipe_fd[1]);
        read_line(pipe_fd[0], out, bytes);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int missing(const struct sweep *sweep, const char *program, const char *package)
{
    return cli_fail(sweep->command, CLI_FAILED, "cannot run %s; it is in Debian's package %s",
                    program, package);
}

int sweep_local(const struct sweep *sweep, const char *list, size_t count,
                const struct sweep_engine_options *options)
{
    char jobs[16] = "100%";
    char own[SWEEP_PATH_MAX];
    const char *argv[20] = {"parallel", "--will-cite", "--quote", "--jobs",
                            jobs,       "--halt",      "never"};
    size_t n = 7;

    (void)count;
    if (options->jobs > 0) {
        (void)snprintf(jobs, sizeof jobs, "%u", options->jobs);
    }
    if (!options->is_quiet && isatty(STDERR_FILENO)) {
        argv[n++] = "--bar"; /* with the time left */
    }
    if (cli_beside("sluice", own, sizeof own) != 0) {
        return cli_fail(sweep->command, CLI_FAILED, "cannot tell where the command is");
    }
    argv[n++] = own;
    argv[n++] = "sweep";
    argv[n++] = "--out";
    argv[n++] = sweep->folder;
    argv[n++] = "--run";
    const int in = open(list, O_RDONLY | O_CLOEXEC);
    if (in < 0) {
        return cli_fail(sweep->command, CLI_FAILED, "%s: %s", list, strerror(errno));
    }
    const int status = sweep_spawn(argv, in, NULL, 0);
    (void)close(in);
    return status == 127 ? missing(sweep, "GNU parallel", "parallel") : CLI_DONE;
}

/* The job script: which run a task is stands in the list, on the line of its number. */
static int write_script(const char *path, const struct sweep *sweep, const char *list,
                        const char *own, size_t first)
{
    FILE *const file = fopen(path, "we");

    if (file == NULL) {
        return -1;
    }
    (void)fprintf(file,
                  "#!/bin/sh\n"
                  "run=$(sed -n \"$((%zu + SLURM_ARRAY_TASK_ID))p\" '%s')\n"
                  "exec '%s' sweep --out '%s' --run \"$run\"\n",
                  first + 1, list, own, sweep->folder);
    return fclose(file);
}

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

/* One array of at most ARRAY_TASKS; waits for its end, and takes it back where we are ended. */
static int run_array(const struct sweep *sweep, const char *script, size_t tasks, unsigned jobs)
{
    char array[64];
    char output[SWEEP_PATH_MAX + 32];
    const char *argv[] = {"sbatch", "--wait", "--parsable", "--job-name=sluice",
                          array,    output,   script,       NULL};
    char job[64];
    struct sigaction action = {.sa_handler = interrupt};

    (void)snprintf(array, sizeof array, "--array=0-%zu", tasks - 1);
    if (jobs > 0) {
        (void)snprintf(array, sizeof array, "--array=0-%zu%%%u", tasks - 1, jobs);
    }
    (void)snprintf(output, sizeof output, "--output=%s/slurm.log", sweep->folder);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    const int status = sweep_spawn(argv, -1, job, sizeof job);
    if (status == 127) {
        return missing(sweep, "sbatch", "slurm-client");
    }
    if (interrupted != 0) {
        const char *const cancel[] = {"scancel", job, NULL};
        (void)sweep_spawn(cancel, -1, NULL, 0);
        return cli_fail(sweep->command, CLI_FAILED, "ended by signal %d; job %s is cancelled",
                        (int)interrupted, job);
    }
    if (job[0] == '\0') {
        return cli_fail(sweep->command, CLI_FAILED, "sbatch ended with status %d", status);
    }
    return CLI_DONE;
}

int sweep_slurm(const struct sweep *sweep, const char *list, size_t count,
                const struct sweep_engine_options *options)
{
    char own[SWEEP_PATH_MAX];
    char script[SWEEP_PATH_MAX + 16];
    int status = CLI_DONE;

    (void)snprintf(script, sizeof script, "%s/slurm.sh", sweep->folder);
    if (cli_beside("sluice", own, sizeof own) != 0) {
        return cli_fail(sweep->command, CLI_FAILED, "cannot tell where the command is");
    }
    for (size_t first = 0; first < count && status == CLI_DONE; first += ARRAY_TASKS) {
        const size_t tasks = count - first < ARRAY_TASKS ? count - first : ARRAY_TASKS;
        if (write_script(script, sweep, list, own, first) != 0) {
            return cli_fail(sweep->command, CLI_FAILED, "cannot write %s: %s", script,
                            strerror(errno));
        }
        status = run_array(sweep, script, tasks, options->jobs);
    }
    return status;
}
