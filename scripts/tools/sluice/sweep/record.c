/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a run of a sweep has left, and whether it is still that. Its files are synced before
 * status.json is written, which has their hashes and its own; a run whose files are not what
 * status.json says is not done. So neither a power cut, nor a full disk, nor a hand that slipped
 * gives figures that no run has measured. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/atomic_file.h"
#include "sweep/sweep.h"

#define STATUS_FILE "status.json"
#define FORMAT      JSON_INDENT(1)

/* What a run leaves. */
static const char *const files[] = {"out", "err", "stats.json", "report.json"};
#define FILES (sizeof files / sizeof files[0])

/* ---- hashes ---- */

/* A regular file's bytes: malloc()ed, with a zero behind them. NULL with errno; EINVAL where it is
 * something else. */
static char *read_file(const char *path, size_t *bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat state;

    if (fd < 0) {
        return NULL;
    }
    const bool is_file = fstat(fd, &state) == 0 && S_ISREG(state.st_mode);
    char *const text = is_file ? malloc((size_t)state.st_size + 1) : NULL;
    const int reason = is_file ? ENOMEM : EINVAL;
    *bytes = 0;
    ssize_t got = 1;
    while (text != NULL && got > 0 && *bytes < (size_t)state.st_size) {
        got = read(fd, text + *bytes, (size_t)state.st_size - *bytes);
        *bytes += got > 0 ? (size_t)got : 0;
    }
    (void)close(fd);
    if (text == NULL || got < 0) {
        errno = text == NULL ? reason : errno;
        free(text);
        return NULL;
    }
    text[*bytes] = '\0';
    return text;
}

/* The hash of a run's file, null where it is not there; NULL where it cannot be read. */
static json_t *hash_of(const struct sweep *sweep, size_t run, const char *file)
{
    char path[SWEEP_PATH_MAX];
    char hash[SWEEP_HASH_BYTES];
    size_t bytes;

    sweep_path(sweep, run, file, path);
    char *const text = read_file(path, &bytes);
    if (text == NULL) {
        return errno == ENOENT ? json_null() : NULL;
    }
    sweep_hash(text, bytes, hash);
    free(text);
    return json_string(hash);
}

/* Of a status without its own hash. */
static json_t *hash_of_status(const json_t *status)
{
    char hash[SWEEP_HASH_BYTES];
    char *const text = json_dumps(status, JSON_COMPACT | JSON_SORT_KEYS);

    sweep_hash(text, text != NULL ? strlen(text) : 0, hash);
    free(text);
    return json_string(hash);
}

/* ---- reading ---- */

/* Whether the file's text is, to the byte, what would be written for its value. */
static bool is_as_written(const json_t *status, const char *text, size_t bytes)
{
    char *const written = json_dumps(status, FORMAT);
    const size_t length = written != NULL ? strlen(written) : 0;
    const bool is_same = written != NULL && bytes == length + 1 &&
                         memcmp(text, written, length) == 0 && text[length] == '\n';

    free(written);
    return is_same;
}

/* status.json, where nobody has changed it since it was written; NULL otherwise. */
static json_t *read_status(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];
    size_t bytes;

    sweep_path(sweep, run, STATUS_FILE, path);
    char *const text = read_file(path, &bytes);
    json_t *status = text != NULL ? json_loadb(text, bytes, 0, NULL) : NULL;
    bool is_good = status != NULL && is_as_written(status, text, bytes);
    free(text);
    if (is_good) {
        json_t *const hash = json_incref(json_object_get(status, "hash"));
        (void)json_object_del(status, "hash");
        json_t *const again = hash_of_status(status);
        is_good = json_equal(hash, again) == 1;
        json_decref(again);
        json_decref(hash);
    }
    if (!is_good) {
        json_decref(status);
        status = NULL;
    }
    return status;
}

static bool is_of_build(const struct sweep *sweep, size_t run, const json_t *status)
{
    const char *const by = json_string_value(json_object_get(status, "build"));

    return by != NULL && strcmp(by, sweep_build(sweep, run)) == 0;
}

static bool has_files(const struct sweep *sweep, size_t run, const json_t *status)
{
    const json_t *const hashes = json_object_get(status, "files");
    bool is_same = true;

    for (size_t i = 0; i < FILES && is_same; i++) {
        json_t *const hash = hash_of(sweep, run, files[i]);
        is_same = json_equal(hash, json_object_get(hashes, files[i])) == 1;
        json_decref(hash);
    }
    return is_same;
}

json_t *sweep_status(const struct sweep *sweep, size_t run)
{
    json_t *const status = read_status(sweep, run);

    if (status != NULL && is_of_build(sweep, run, status) && has_files(sweep, run, status)) {
        return status;
    }
    json_decref(status);
    return NULL;
}

bool sweep_is_done(const struct sweep *sweep, size_t run)
{
    json_t *const status = sweep_status(sweep, run);

    json_decref(status);
    return status != NULL;
}

bool sweep_is_good(const struct sweep *sweep, size_t run)
{
    json_t *const status = sweep_status(sweep, run);
    const bool is_good =
        status != NULL && json_integer_value(json_object_get(status, "status")) == 0;

    json_decref(status);
    return is_good;
}

json_t *sweep_statistics(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];

    sweep_path(sweep, run, "stats.json", path);
    return sweep_is_done(sweep, run) ? json_load_file(path, 0, NULL) : NULL;
}

json_t *sweep_report_data(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];

    sweep_path(sweep, run, "report.json", path);
    return sweep_is_done(sweep, run) ? json_load_file(path, 0, NULL) : NULL;
}

/* ---- writing ---- */

/* 0 where a file is gone, or its errno; EEXIST of what is no regular file, and stays. */
static int remove_file(const char *path)
{
    struct stat state;

    if (lstat(path, &state) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (!S_ISREG(state.st_mode)) {
        return EEXIST;
    }
    return unlink(path) == 0 ? 0 : errno;
}

static int forget_file(const struct sweep *sweep, size_t run, const char *file)
{
    char path[SWEEP_PATH_MAX];

    sweep_path(sweep, run, file, path);
    const int reason = remove_file(path);
    if (reason == EEXIST) {
        return cli_fail(sweep->command, CLI_FAILED,
                        "run %zu: %s is no file, and stays; move it away", run, path);
    }
    return reason == 0 ? CLI_DONE
                       : cli_fail(sweep->command, CLI_FAILED, "run %zu: cannot remove %s: %s", run,
                                  path, strerror(reason));
}

/* The one that says that it is done goes first. */
int sweep_forget(const struct sweep *sweep, size_t run)
{
    int status = forget_file(sweep, run, STATUS_FILE);

    for (size_t i = 0; i < FILES && status == CLI_DONE; i++) {
        status = forget_file(sweep, run, files[i]);
    }
    return status;
}

/* 0, or an errno; of a file that is not there 0. */
static int sync_file(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0) {
        return errno == ENOENT ? 0 : errno;
    }
    const int reason = sl_output_sync(fd);
    (void)close(fd);
    return reason;
}

/* {file: hash} of all, each on the disk. NULL after a message. */
static json_t *take_files(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];
    json_t *const hashes = json_object();

    for (size_t i = 0; i < FILES; i++) {
        sweep_path(sweep, run, files[i], path);
        const int reason = sync_file(path);
        json_t *const hash = reason == 0 ? hash_of(sweep, run, files[i]) : NULL;
        if (hash == NULL) {
            (void)cli_fail(sweep->command, CLI_FAILED, "run %zu: cannot keep %s: %s", run, path,
                           strerror(reason != 0 ? reason : errno));
            json_decref(hashes);
            return NULL;
        }
        json_object_set_new(hashes, files[i], hash);
    }
    return hashes;
}

/* A program that is right has left figures. */
static bool has_statistics(const struct sweep *sweep, size_t run)
{
    char path[SWEEP_PATH_MAX];

    sweep_path(sweep, run, "stats.json", path);
    json_t *const statistics = json_load_file(path, 0, NULL);
    const bool is_object = json_is_object(statistics);
    json_decref(statistics);
    return is_object;
}

int sweep_record(const struct sweep *sweep, size_t run, int ended)
{
    char path[SWEEP_PATH_MAX];

    if (ended == 0 && !has_statistics(sweep, run)) {
        return cli_fail(sweep->command, CLI_FAILED,
                        "run %zu ended with status 0, but left no statistics", run);
    }
    json_t *const hashes = take_files(sweep, run);
    if (hashes == NULL) {
        return CLI_FAILED;
    }
    json_t *const status = json_pack("{s:i, s:s, s:o}", "status", ended, "build",
                                     sweep_build(sweep, run), "files", hashes);
    json_object_set_new(status, "hash", hash_of_status(status));
    sweep_path(sweep, run, STATUS_FILE, path);
    const int reason = sl_output_json(path, status, FORMAT);
    json_decref(status);
    return reason == 0 ? CLI_DONE
                       : cli_fail(sweep->command, CLI_FAILED, "cannot write %s: %s", path,
                                  strerror(reason));
}
