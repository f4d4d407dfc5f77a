/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The folder of a sweep: it is made with a plan, or found with one, which is checked. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/atomic_file.h"
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

int sweep_make_folder(const struct sweep *sweep, const char *path)
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
    int status = sweep_make_folder(sweep, sweep->folder);
    if (status == CLI_DONE) {
        status = sweep_make_folder(sweep, runs);
    }
    return status == CLI_DONE ? write_json(sweep, plan, file) : status;
}

/* Against others who would put another plan there. */
static int lock_folder(struct sweep *sweep)
{
    char path[SWEEP_PATH_MAX + 8];
    const int status = sweep_make_folder(sweep, sweep->folder);

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
