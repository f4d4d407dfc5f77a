/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The folder of a sweep, and one run of it. Each run is locked while it goes, so that two engines
 * on one folder do not disturb each other; a lock ends with its process. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/programs.h"
#include "host/files/output.h"
#include "sweep/sweep.h"

void sweep_path(const struct sweep *sweep, size_t run, const char *file, char *out)
{
    const json_t *const name = json_object_get(json_array_get(sweep->runs, run), "folder");
    char number[32];

    (void)snprintf(number, sizeof number, "%05zu", run);
    (void)snprintf(out, SWEEP_PATH_MAX, "%s/runs/%s/%s", sweep->folder,
                   name != NULL ? json_string_value(name) : number, file);
}

static int write_json(const struct sweep *sweep, const json_t *value, const char *path)
{
    const int reason = sl_output_json(path, value, JSON_INDENT(1));

    return reason != 0
               ? cli_fail(sweep->command, CLI_FAILED, "cannot write %s: %s", path, strerror(reason))
               : CLI_DONE;
}

/* That a new one is there is synced, too. */
static int make_folder(const struct sweep *sweep, const char *path)
{
    char above[SWEEP_PATH_MAX + 8];

    (void)snprintf(above, sizeof above, "%s/..", path);
    const bool is_made = mkdir(path, 0777) == 0;
    int reason = is_made || errno == EEXIST ? 0 : errno;
    if (is_made) {
        reason = sl_output_sync_folder(above);
    }
    return reason == 0 ? CLI_DONE
                       : cli_fail(sweep->command, CLI_FAILED, "cannot make the folder %s: %s", path,
                                  strerror(reason));
}

static int make_folders(const struct sweep *sweep, const json_t *plan, const char *file)
{
    char runs[SWEEP_PATH_MAX + 8];

    (void)snprintf(runs, sizeof runs, "%s/runs", sweep->folder);
    int status = make_folder(sweep, sweep->folder);
    if (status == CLI_DONE) {
        status = make_folder(sweep, runs);
    }
    return status == CLI_DONE ? write_json(sweep, plan, file) : status;
}

/* Against others who would put another plan there. */
static int lock_folder(struct sweep *sweep)
{
    char path[SWEEP_PATH_MAX + 8];
    const int status = make_folder(sweep, sweep->folder);

    if (status != CLI_DONE) {
        return status;
    }
    (void)snprintf(path, sizeof path, "%s/lock", sweep->folder);
    sweep->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (sweep->lock >= 0 && flock(sweep->lock, LOCK_EX | LOCK_NB) == 0) {
        return CLI_DONE;
    }
    return errno == EWOULDBLOCK
               ? cli_fail(sweep->command, CLI_FAILED, "another %s is being made in %s",
                          sweep->command->name, sweep->folder)
               : cli_fail(sweep->command, CLI_FAILED, "cannot lock %s: %s", path, strerror(errno));
}

/* ---- sweep.json, which anybody may have written ---- */

static bool is_texts(const json_t *array)
{
    size_t i;
    const json_t *text;

    json_array_foreach(array, i, text)
    {
        if (!json_is_string(text)) {
            return false;
        }
    }
    return json_is_array(array);
}

/* One folder in runs/. */
static bool is_folder_name(const json_t *name)
{
    const char *const text = json_string_value(name);

    return text != NULL && text[0] != '\0' && strlen(text) <= NAME_MAX &&
           strchr(text, '/') == NULL && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

/* What is wrong with a run, or NULL. */
static const char *mistake_of(const json_t *run, size_t keys)
{
    const json_t *const words = json_object_get(run, "words");
    const json_t *const values = json_object_get(run, "values");
    const json_t *const program = json_object_get(run, "program");
    const json_t *const folder = json_object_get(run, "folder");
    const json_t *const report = json_object_get(run, "report");

    if (!is_texts(words) || json_array_size(words) == 0) {
        return "'words' is to be an array of strings, the first of them a program";
    }
    if (program != NULL && !is_texts(program)) {
        return "'program' is to be an array of strings";
    }
    if ((values != NULL && !is_texts(values)) || json_array_size(values) != keys) {
        return "'values' is to be an array of strings, one for each of 'keys'";
    }
    if (folder != NULL && !is_folder_name(folder)) {
        return "'folder' is to be the name of a folder in runs/";
    }
    return report != NULL && !json_is_boolean(report) ? "'report' is to be true or false" : NULL;
}

static int check_plan(const struct sweep *sweep, const char *file)
{
    const json_t *const keys = json_object_get(sweep->plan, "keys");
    size_t i;
    const json_t *run;

    if (!json_is_array(sweep->runs) || !is_texts(keys)) {
        return cli_fail(sweep->command, CLI_FAILED,
                        "%s: no sweep: it is to have arrays 'keys', of strings, and 'runs'", file);
    }
    json_array_foreach(sweep->runs, i, run)
    {
        const char *const mistake = mistake_of(run, json_array_size(keys));
        if (mistake != NULL) {
            return cli_fail(sweep->command, CLI_FAILED, "%s: no sweep: run %zu: %s", file, i,
                            mistake);
        }
    }
    return CLI_DONE;
}

/* ---- opening ---- */

static int open_folder(struct sweep *sweep, const struct cli_command *command, const char *folder,
                       const json_t *plan, bool is_replaced)
{
    char file[SWEEP_PATH_MAX + 16];
    json_error_t error;

    *sweep = (struct sweep){
        .command = command,
        .hashes = json_object(),
        .builds = json_object(),
        .lock = -1,
    };
    if (strlen(folder) >= sizeof sweep->folder - NAME_MAX - 64) {
        return cli_fail(command, CLI_USAGE, "the folder's name is too long");
    }
    (void)snprintf(sweep->folder, sizeof sweep->folder, "%s", folder);
    (void)snprintf(file, sizeof file, "%s/sweep.json", folder);
    int status = is_replaced ? lock_folder(sweep) : CLI_DONE;
    if (status == CLI_DONE && plan != NULL && (is_replaced || access(file, F_OK) != 0)) {
        status = make_folders(sweep, plan, file);
    }
    if (status != CLI_DONE) {
        return status;
    }
    sweep->plan = json_load_file(file, 0, &error);
    sweep->runs = json_object_get(sweep->plan, "runs");
    if (sweep->plan == NULL) {
        return cli_fail(command, CLI_FAILED, "%s: no sweep: %s", file, error.text);
    }
    status = check_plan(sweep, file);
    if (status != CLI_DONE) {
        return status;
    }
    if (plan != NULL && !json_equal(plan, sweep->plan)) {
        return cli_fail(command, CLI_USAGE,
                        "%s holds another sweep; take another folder, or remove that one", folder);
    }
    return CLI_DONE;
}

int sweep_open(struct sweep *sweep, const struct cli_command *command, const char *folder,
               const json_t *plan)
{
    return open_folder(sweep, command, folder, plan, false);
}

int sweep_reopen(struct sweep *sweep, const struct cli_command *command, const char *folder,
                 const json_t *plan)
{
    return open_folder(sweep, command, folder, plan, true);
}

void sweep_close(struct sweep *sweep)
{
    json_decref(sweep->plan);
    json_decref(sweep->hashes);
    json_decref(sweep->builds);
    sweep->plan = NULL;
    sweep->hashes = NULL;
    sweep->builds = NULL;
    if (sweep->lock >= 0) {
        (void)close(sweep->lock);
        sweep->lock = -1;
    }
}

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
    int status = make_folder(sweep, path);
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
