/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The engines of sweeps. Both are programs that others keep: GNU parallel on this machine, Slurm on
 * a cluster. Each is given a list of runs, and starts `sluice sweep --run N` for each. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/own_folder.h"
#include "common/programs.h"
#include "host/base/atomic_file.h"
#include "host/driver/machine/paths.h"
#include "sweep/sweep.h"

/* Tasks of one job array: Slurm's default limit is 1,001 (MaxArraySize). */
#define ARRAY_TASKS 1000u

static int missing(const struct sweep *sweep, const char *program, const char *package)
{
    return cli_fail(sweep->command, CLI_FAILED, "cannot run %s; it is in Debian's package %s",
                    program, package);
}

bool sweep_has_parallel(char *version, size_t bytes)
{
    static const char *const argv[] = {"parallel", "--version", NULL};

    /* moreutils has another program of this name */
    return sweep_spawn(argv, -1, version, bytes) == 0 && strncmp(version, "GNU ", 4) == 0;
}

/* A file in memory that has the runs, a number on each line, to be read from its beginning. */
static int list_of(const size_t *runs, size_t count)
{
    const int list = memfd_create("runs", MFD_CLOEXEC);

    for (size_t i = 0; i < count && list >= 0; i++) {
        (void)dprintf(list, "%zu\n", runs[i]);
    }
    (void)lseek(list, 0, SEEK_SET);
    return list;
}

/* Killed in between, it leaves one, "par" and a few letters. */
static void remove_temporary(const char *path)
{
    DIR *const folder = opendir(path);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, "par", 3) == 0) {
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

/* GNU parallel makes its temporary files, which it removes at once, beside those of runs. What it
 * keeps from one call to the next is in the sweep's folder, too, not in the user's home, and is
 * forgotten: it trusts a file that a full disk has cut short. It makes that folder. */
static int set_places(const struct sweep *sweep, char *temporary, size_t bytes)
{
    char folder[SWEEP_PATH_MAX];
    char home[SWEEP_PATH_MAX + 16];

    if (realpath(sweep->folder, folder) == NULL) {
        return -1;
    }
    (void)snprintf(temporary, bytes, "%s/runs", folder);
    (void)snprintf(home, sizeof home, "%s/parallel", folder);
    folder_remove(home);
    if (setenv("PARALLEL_HOME", home, 1) != 0) {
        return -1;
    }
    return setenv("HOME", home, 0); /* without one it takes /tmp */
}

/* Names reach the shell by the environment: in the command, GNU parallel would replace braces. */
#define LOCAL_COMMAND "exec \"$SLUICE_COMMAND\" sweep --out \"$SLUICE_SWEEP\" --run {}"

static int run_local(const struct sweep *sweep, const size_t *runs, size_t count,
                     const struct sweep_engine_options *options)
{
    char jobs[16] = "100%";
    char own[SWEEP_PATH_MAX];
    char version[128];
    char temporary[SWEEP_PATH_MAX + 32];
    const char *argv[16] = {"parallel", "--plain", "--will-cite", "--halt", "never",
                            "--jobs",   jobs,      "--tmpdir",    temporary};
    size_t n = 9;

    if (!options->is_quiet && isatty(STDERR_FILENO)) {
        argv[n++] = "--bar"; /* with the time left */
    }
    argv[n] = LOCAL_COMMAND;
    if (options->jobs > 0) {
        (void)snprintf(jobs, sizeof jobs, "%u", options->jobs);
    }
    if (sl_path_beside_program("sluice", own, sizeof own) != 0) {
        return cli_fail(sweep->command, CLI_FAILED, "cannot tell where the command is");
    }
    const int list = list_of(runs, count);
    if (list < 0 || setenv("PARALLEL_SHELL", "/bin/sh", 1) != 0 ||
        setenv("SLUICE_COMMAND", own, 1) != 0 || setenv("SLUICE_SWEEP", sweep->folder, 1) != 0 ||
        set_places(sweep, temporary, sizeof temporary) != 0) {
        return cli_fail(sweep->command, CLI_FAILED, "%s", strerror(errno));
    }
    const int status = sweep_spawn(argv, list, NULL, 0);
    (void)close(list);
    if (sweep_interrupted() != 0) {
        remove_temporary(temporary);
        return cli_fail(sweep->command, CLI_FAILED, "ended by signal %d", sweep_interrupted());
    }
    if (status == 127 || (status != 0 && !sweep_has_parallel(version, sizeof version))) {
        return missing(sweep, "GNU parallel", "parallel");
    }
    return status == 0
               ? CLI_DONE
               : cli_fail(sweep->command, CLI_FAILED,
                          "GNU parallel ended with status %d: not all runs could be made", status);
}

/* As one word of a shell. */
static void print_quoted(FILE *file, const char *text)
{
    (void)fputc('\'', file);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, file);
    }
    (void)fputc('\'', file);
}

/* The job script. Which run a task is stands in it, so that it does not depend on what later
 * sweeps write into the folder. */
static void print_script(FILE *file, const char *folder, const char *own, const size_t *runs,
                         size_t tasks)
{
    char log[SWEEP_PATH_MAX + 16];

    (void)snprintf(log, sizeof log, "%s/slurm.log", folder);
    (void)fputs("#!/bin/sh\nexec >>", file);
    print_quoted(file, log);
    (void)fputs(" 2>&1\nset --", file);
    for (size_t i = 0; i < tasks; i++) {
        (void)fprintf(file, " %zu", runs[i]);
    }
    (void)fputs("\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec ", file);
    print_quoted(file, own);
    (void)fputs(" sweep --out ", file);
    print_quoted(file, folder);
    (void)fputs(" --run \"$1\"\n", file);
}

/* Returns 0 or an errno. */
static int write_script(const char *path, const char *folder, const char *own, const size_t *runs,
                        size_t tasks)
{
    struct sl_output output;

    if (sl_output_open(&output, path) == 0) {
        print_script(output.file, folder, own, runs, tasks);
    }
    return sl_output_close(&output, 0);
}

/* One array of at most ARRAY_TASKS; waits for its end, and takes it back where we are ended. */
static int run_array(const struct sweep *sweep, const char *script, size_t tasks, unsigned jobs)
{
    char array[64];
    const char *const argv[] = {
        "sbatch", "--wait", "--parsable", "--job-name=sluice", array, "--output=/dev/null",
        script,   NULL};
    char job[64];

    (void)snprintf(array, sizeof array, "--array=0-%zu", tasks - 1);
    if (jobs > 0) {
        (void)snprintf(array, sizeof array, "--array=0-%zu%%%u", tasks - 1, jobs);
    }
    const int status = sweep_spawn(argv, -1, job, sizeof job);
    job[strcspn(job, ";")] = '\0'; /* behind it stands the cluster */
    if (sweep_interrupted() != 0) {
        const char *const cancel[] = {"scancel", job, NULL};
        const bool is_cancelled = job[0] != '\0' && sweep_spawn(cancel, -1, NULL, 0) == 0;
        return cli_fail(sweep->command, CLI_FAILED, "ended by signal %d; job '%s' is %s",
                        sweep_interrupted(), job, is_cancelled ? "cancelled" : "not cancelled");
    }
    if (status == 127) {
        return missing(sweep, "sbatch", "slurm-client");
    }
    if (job[0] == '\0') {
        return cli_fail(sweep->command, CLI_FAILED, "sbatch ended with status %d", status);
    }
    return CLI_DONE;
}

static int run_slurm(const struct sweep *sweep, const size_t *runs, size_t count,
                     const struct sweep_engine_options *options)
{
    char own[SWEEP_PATH_MAX];
    char folder[SWEEP_PATH_MAX];
    char script[SWEEP_PATH_MAX + 16];
    int status = CLI_DONE;

    if (sl_path_beside_program("sluice", own, sizeof own) != 0 ||
        realpath(sweep->folder, folder) == NULL) {
        return cli_fail(sweep->command, CLI_FAILED, "cannot tell where the command or %s is",
                        sweep->folder);
    }
    (void)snprintf(script, sizeof script, "%s/slurm.sh", folder);
    for (size_t first = 0; first < count && status == CLI_DONE; first += ARRAY_TASKS) {
        const size_t tasks = count - first < ARRAY_TASKS ? count - first : ARRAY_TASKS;
        const int reason = write_script(script, folder, own, runs + first, tasks);
        if (reason != 0) {
            return cli_fail(sweep->command, CLI_FAILED, "cannot write %s: %s", script,
                            strerror(reason));
        }
        status = run_array(sweep, script, tasks, options->jobs);
    }
    return status;
}

static const struct {
    const char *name;
    int (*run)(const struct sweep *, const size_t *, size_t, const struct sweep_engine_options *);
} engines[] = {{"local", run_local}, {"slurm", run_slurm}};

/* Its index, or -1. */
static int find_engine(const char *name)
{
    for (int i = 0; i < (int)(sizeof engines / sizeof engines[0]); i++) {
        if (strcmp(engines[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool sweep_has_engine(const char *name)
{
    return find_engine(name) >= 0;
}

/* The runs that are to do, in order; returns how many. */
static size_t runs_to_do(const struct sweep *sweep, bool failed_too, size_t *runs)
{
    size_t count = 0;

    for (size_t run = 0; run < json_array_size(sweep->runs); run++) {
        json_t *const status = sweep_status(sweep, run);
        const bool has_failed = json_integer_value(json_object_get(status, "status")) != 0;
        if (has_failed && failed_too) {
            char done[SWEEP_PATH_MAX];
            sweep_path(sweep, run, "status.json", done);
            (void)unlink(done);
        }
        if (status == NULL || (has_failed && failed_too)) {
            runs[count++] = run;
        }
        json_decref(status);
    }
    return count;
}

int sweep_run(const struct sweep *sweep, const struct sweep_engine_options *options)
{
    size_t *const runs = calloc(json_array_size(sweep->runs) + 1, sizeof *runs);

    if (runs == NULL) {
        return cli_fail(sweep->command, CLI_FAILED, "%s", strerror(errno));
    }
    const size_t count = runs_to_do(sweep, options->failed_too, runs);
    const int status = count == 0
                           ? CLI_DONE
                           : engines[find_engine(options->engine)].run(sweep, runs, count, options);
    free(runs);
    return status;
}
