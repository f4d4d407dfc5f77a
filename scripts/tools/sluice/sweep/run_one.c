/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One run of a sweep. It is locked while it goes, so that two engines on one folder do not disturb
 * each other; a lock ends with its process. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/programs.h"
#include "sweep/sweep.h"

/* In the child: standard output and error go to the run's files. */
static int redirect(const struct sweep *sweep, size_t run)
{
    static const char *const files[] = {"out", "err"};
    char path[SWEEP_PATH_MAX];

    for (int i = 0; i < 2; i++) {
        sweep_path(sweep, run, files[i], path);
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 || dup2(fd, i + 1) < 0) {
            return -1;
        }
    }
    return 0;
}

static void become_run(const struct sweep *sweep, size_t run, pid_t parent)
{
    const json_t *const planned = json_array_get(sweep->runs, run);
    const json_t *const words = json_object_get(planned, "words");
    char path[SWEEP_PATH_MAX];
    char stats[SWEEP_PATH_MAX];
    char report[SWEEP_PATH_MAX];
    size_t count = json_array_size(words);

    const char **const argv = calloc(count + 5, sizeof *argv);
    for (size_t i = 0; i < count && argv != NULL; i++) {
        argv[i] = json_string_value(json_array_get(words, i));
    }
    if (argv == NULL) {
        _exit(CLI_FAILED);
    }
    sweep_path(sweep, run, "stats.json", stats);
    argv[count++] = "--stats";
    argv[count++] = stats;
    if (json_is_true(json_object_get(planned, "report"))) {
        sweep_path(sweep, run, "report.json", report);
        argv[count++] = "--report";
        argv[count++] = report;
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || redirect(sweep, run) != 0 ||
        cli_find_program(argv[0], path, sizeof path) != 0) {
        _exit(CLI_FAILED);
    }
    (void)execv(path, (char *const *)(uintptr_t)argv);
    _exit(CLI_FAILED);
}

/* The program's exit status, or -1 after a message where it did not end by itself. */
static int execute(const struct sweep *sweep, size_t run)
{
    const pid_t parent = getpid();
    const pid_t child = fork();
    int status;

    if (child == 0) {
        become_run(sweep, run, parent);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        (void)cli_fail(sweep->command, CLI_FAILED, "run %zu: %s", run, strerror(errno));
        return -1;
    }
    if (!WIFEXITED(status)) {
        (void)cli_fail(sweep->command, CLI_FAILED, "run %zu was ended by signal %d", run,
                       WTERMSIG(status));
        return -1;
    }
    return WEXITSTATUS(status);
}

static int run_locked(const struct sweep *sweep, size_t run)
{
    if (sweep_is_done(sweep, run)) {
        return CLI_DONE;
    }
    if (sweep_forget(sweep, run) != CLI_DONE) { /* cut short, of another build, or damaged */
        return CLI_FAILED;
    }
    const int ended = execute(sweep, run);
    return ended >= 0 ? sweep_record(sweep, run, ended) : CLI_FAILED;
}

int sweep_run_one(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];

    /* All figures but those of the simulator are the same, and it starts faster. */
    (void)setenv("SLUICE_ENGINE", "native", 0);
    if (run >= json_array_size(sweep->runs)) {
        return cli_fail(sweep->command, CLI_USAGE, "there is no run %zu; there are %zu", run,
                        json_array_size(sweep->runs));
    }
    sweep_path(sweep, run, "", path);
    int status = sweep_make_folder(sweep, path);
    if (status != CLI_DONE) {
        return status;
    }
    sweep_path(sweep, run, "lock", path);
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        status = cli_fail(sweep->command, CLI_FAILED, "cannot lock %s: %s", path, strerror(errno));
    } else {
        status = run_locked(sweep, run);
    }
    if (lock >= 0) {
        (void)close(lock);
    }
    return status;
}
