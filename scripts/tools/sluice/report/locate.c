/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where panels are: in folders of share/panels among the parts of Sluice. A folder is a report: the
 * panels of one paper. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/install_paths.h"
#include "config/nearest.h"
#include "report/report.h"

#define SUFFIX    ".ini"
#define NAMES_MAX 256

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_panel(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return is_visible(entry) && length > strlen(SUFFIX) &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static void append_entries(const char *folder, int (*is_wanted)(const struct dirent *),
                           json_t *paths)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_wanted, versionsort);

    for (int i = 0; i < count; i++) {
        json_array_append_new(paths, json_sprintf("%s/%s", folder, entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

/* Folders of panels, by path; a new reference. */
static json_t *all_folders(void)
{
    json_t *const folders = json_array();
    char path[PATH_MAX];

    if (sl_home_path("share/panels", path, sizeof path) == 0) {
        append_entries(path, is_visible, folders);
    }
    return folders;
}

static bool is_named(const char *path, const char *name)
{
    char own[PANEL_NAME_BYTES];
    return strcmp(panel_name(path, own), name) == 0;
}

static int fail_unknown(const struct cli_command *command, const char *name, const json_t *folders)
{
    static char names[NAMES_MAX][PANEL_NAME_BYTES];
    const char *candidates[NAMES_MAX];
    size_t count = 0;
    json_t *const all = json_array();
    size_t i;
    const json_t *path;

    json_array_foreach(folders, i, path)
    {
        json_array_append(all, (json_t *)(uintptr_t)path);
        append_entries(json_string_value(path), is_panel, all);
    }
    json_array_foreach(all, i, path)
    {
        if (count < NAMES_MAX) {
            candidates[count] = panel_name(json_string_value(path), names[count]);
            count++;
        }
    }
    json_decref(all);
    const char *const near = sl_nearest(name, candidates, count);
    return cli_fail(command, CLI_USAGE,
                    "there is no panel '%s'%s%s%s; `sluice report --list` lists "
                    "those there are",
                    name, near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                    near != NULL ? "?" : "");
}

int panel_locate(const struct cli_command *command, const char *name, json_t *paths)
{
    const size_t before = json_array_size(paths);

    if (strchr(name, '/') != NULL || strstr(name, SUFFIX) != NULL) {
        json_array_append_new(paths, json_string(name)); /* a file of the user's */
        return CLI_DONE;
    }
    json_t *const folders = all_folders();
    size_t i;
    size_t k;
    const json_t *folder;
    const json_t *path;
    json_array_foreach(folders, i, folder)
    {
        json_t *const panels = json_array();
        append_entries(json_string_value(folder), is_panel, panels);
        const bool is_all = is_named(json_string_value(folder), name);
        json_array_foreach(panels, k, path)
        {
            if (is_all || is_named(json_string_value(path), name)) {
                json_array_append(paths, (json_t *)(uintptr_t)path);
            }
        }
        json_decref(panels);
    }
    const int status =
        json_array_size(paths) > before ? CLI_DONE : fail_unknown(command, name, folders);
    json_decref(folders);
    return status;
}

bool panel_is_shipped(const char *path)
{
    json_t *const folders = all_folders();
    bool is_shipped = false;
    size_t i;
    const json_t *folder;

    json_array_foreach(folders, i, folder)
    {
        const size_t length = json_string_length(folder);
        is_shipped |= strncmp(path, json_string_value(folder), length) == 0 && path[length] == '/';
    }
    json_decref(folders);
    return is_shipped;
}

static int list_folder(const struct cli_command *command, const char *folder, FILE *out)
{
    static struct panel panels[NAMES_MAX];
    char name[PANEL_NAME_BYTES];
    json_t *const paths = json_array();
    int status = CLI_DONE;
    size_t count = 0;
    size_t i;
    const json_t *path;

    append_entries(folder, is_panel, paths);
    json_array_foreach(paths, i, path)
    {
        if (count < NAMES_MAX && status == CLI_DONE) {
            struct panel *const panel = &panels[count++];
            status = panel_read(command, json_string_value(path), panel);
            status = status == CLI_DONE ? report_check_panel(command, panel) : status;
        }
    }
    qsort(panels, count, sizeof panels[0], panel_compare);
    if (status == CLI_DONE) {
        (void)fprintf(out, "%s\n", panel_name(folder, name));
    }
    for (i = 0; i < count; i++) {
        if (status == CLI_DONE) {
            (void)fprintf(out, "  %-12s %s\n", panels[i].name, panel_text(&panels[i], "title"));
        }
        panel_free(&panels[i]);
    }
    json_decref(paths);
    return status;
}

int panel_list(const struct cli_command *command, FILE *out)
{
    json_t *const folders = all_folders();
    int status = CLI_DONE;
    size_t i;
    const json_t *folder;

    json_array_foreach(folders, i, folder)
    {
        if (status == CLI_DONE) {
            status = list_folder(command, json_string_value(folder), out);
        }
    }
    json_decref(folders);
    return status;
}
