/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A project's folder and files: all of them, or none. */
#define _GNU_SOURCE 1
#include "new/project.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "config/install_paths.h"
#include "host/base/atomic_file.h"
#include "new/expand.h"

#define COMMON   "common" /* the folder of what all templates have */
#define MARKS    5
#define FILE_MAX 256

/* What is under way. */
struct work {
    struct project *project;
    struct expand_mark marks[MARKS];
    char capitals[PROJECT_NAME_MAX + 1]; /* the name in them */
    int folder;                          /* the project's, open */
};

__attribute__((format(printf, 3, 4))) static int fail(struct project *project, int status,
                                                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(project->error, sizeof project->error, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- the folder ---- */

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

/* One that is there may be taken where nothing is in it. */
static int check_folder(struct project *project, const struct stat *state)
{
    struct dirent **entries;

    if (!S_ISDIR(state->st_mode)) {
        return fail(project, CLI_USAGE, "'%s' is there already, and is no folder", project->path);
    }
    const int count = scandir(project->path, &entries, is_entry, NULL);
    free_entries(entries, count);
    if (count < 0) {
        return fail(project, CLI_FAILED, "cannot read the folder '%s': %s", project->path,
                    strerror(errno));
    }
    if (count > 0) {
        return fail(project, CLI_USAGE,
                    "'%s' is there already, and is not empty; a project is made in a folder that "
                    "is new or empty",
                    project->path);
    }
    return CLI_DONE;
}

/* Makes it, or takes an empty one. */
static int take_folder(struct project *project, bool *is_new)
{
    struct stat state;

    *is_new = mkdir(project->path, 0777) == 0;
    if (*is_new) {
        return CLI_DONE;
    }
    const int reason = errno;
    if (reason == EEXIST && stat(project->path, &state) == 0) {
        return check_folder(project, &state);
    }
    return fail(project, CLI_FAILED, "cannot make the folder '%s': %s%s", project->path,
                strerror(reason), reason == ENOENT ? "; make the folder above it first" : "");
}

/* ---- its files ---- */

/* A file that begins with the name of an interpreter is a program. */
static mode_t mode_of(FILE *in)
{
    const int first = getc(in);
    const int second = first == '#' ? getc(in) : EOF;

    rewind(in);
    return second == '!' ? 0777 : 0666;
}

static char *name_of(const struct work *work, const char *name)
{
    char *text = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&text, &bytes);

    if (out != NULL) {
        expand_text(out, name, work->marks);
        (void)fclose(out);
    }
    return text;
}

/* Whether all of it is written. */
static bool write_file(const struct work *work, int file, FILE *in)
{
    FILE *const out = fdopen(file, "w");

    if (out == NULL) {
        (void)close(file);
        return false;
    }
    expand_file(out, in, work->marks);
    const bool is_bad = fflush(out) != 0 || ferror(out) != 0 || ferror(in) != 0;
    const int reason = is_bad ? errno : sl_output_sync(fileno(out));
    if (fclose(out) != 0) {
        return false;
    }
    errno = reason;
    return !is_bad && reason == 0;
}

static int copy_open(struct work *work, FILE *in, const char *name)
{
    struct project *const project = work->project;
    char *const made = project->count < PROJECT_FILES ? name_of(work, name) : NULL;

    if (made == NULL) {
        return fail(project, CLI_FAILED, "no memory for the file '%s'", name);
    }
    const int file =
        openat(work->folder, made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of(in));
    if (file >= 0) {
        project->files[project->count++] = made;
    }
    if (file < 0 || !write_file(work, file, in)) {
        const int status = fail(project, CLI_FAILED, "cannot write '%s/%s': %s", project->path,
                                made, strerror(errno));
        if (file < 0) {
            free(made);
        }
        return status;
    }
    return CLI_DONE;
}

static int copy_file(struct work *work, const char *folder, const char *name)
{
    char path[PATH_MAX + FILE_MAX];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const in = fopen(path, "re");
    if (in == NULL) {
        return fail(work->project, CLI_FAILED, "cannot read %s: %s", path, strerror(errno));
    }
    const int status = copy_open(work, in, name);
    (void)fclose(in);
    return status;
}

/* All files of a folder of share/templates. */
static int copy_folder(struct work *work, const char *folder)
{
    struct project *const project = work->project;
    char part[FILE_MAX];
    char path[PATH_MAX];
    struct dirent **entries;
    int status = CLI_DONE;

    (void)snprintf(part, sizeof part, "share/templates/%s", folder);
    if (sl_home_find(part, "all", path, sizeof path, project->error, sizeof project->error) != 0) {
        return CLI_FAILED;
    }
    const int count = scandir(path, &entries, is_entry, alphasort);
    if (count < 0) {
        return fail(project, CLI_FAILED, "cannot read %s: %s", path, strerror(errno));
    }
    for (int i = 0; i < count && status == CLI_DONE; i++) {
        status = copy_file(work, path, entries[i]->d_name);
    }
    free_entries(entries, count);
    return status;
}

static void remove_files(struct work *work)
{
    for (size_t i = 0; i < work->project->count; i++) {
        (void)unlinkat(work->folder, work->project->files[i], 0);
    }
}

static int make_files(struct project *project)
{
    struct work work = {
        .project = project,
        .marks = {{"the_program", project->name},
                  {"THE_PROGRAM", work.capitals},
                  {"the_template", project->template->name},
                  {"the_sentence", project->template->sentence}},
        .folder = open(project->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
    };

    if (work.folder < 0) {
        return fail(project, CLI_FAILED, "cannot open the folder '%s': %s", project->path,
                    strerror(errno));
    }
    for (size_t i = 0; i < PROJECT_NAME_MAX && project->name[i] != '\0'; i++) {
        work.capitals[i] = (char)toupper(project->name[i]);
    }
    int status = copy_folder(&work, project->template->name);
    if (status == CLI_DONE) {
        status = copy_folder(&work, COMMON);
    }
    const int reason = status == CLI_DONE ? sl_output_sync(work.folder) : 0;
    if (reason != 0) {
        status = fail(project, CLI_FAILED, "cannot keep the folder '%s': %s", project->path,
                      strerror(reason));
    }
    if (status != CLI_DONE) {
        remove_files(&work);
    }
    (void)close(work.folder);
    return status;
}

/* ---- all of it ---- */

/* Signals that would end the program in the midst of it come behind it. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;

    (void)sigemptyset(&held);
    (void)sigaddset(&held, SIGHUP);
    (void)sigaddset(&held, SIGINT);
    (void)sigaddset(&held, SIGQUIT);
    (void)sigaddset(&held, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &held, before);
}

int project_make(struct project *project)
{
    sigset_t before;
    bool is_new;

    project->count = 0;
    hold_signals(&before);
    int status = take_folder(project, &is_new);
    if (status == CLI_DONE) {
        status = make_files(project);
    }
    if (status != CLI_DONE && is_new) {
        (void)rmdir(project->path);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

void project_free(struct project *project)
{
    for (size_t i = 0; i < project->count; i++) {
        free(project->files[i]);
    }
    project->count = 0;
}
