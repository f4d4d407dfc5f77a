/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Presets: machines by name, NAME.ini in share/configs of where the parts of Sluice are. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config_internal.h"
#include "config/install_paths.h"
#include "config/nearest.h"
#include "sluice/config.h"

#define FOLDER       "share/configs"
#define PRESETS_MAX  64
#define PRESET_BYTES (SL_NEAREST_MAX + 1)

struct preset_list {
    size_t count;
    char name[PRESETS_MAX][PRESET_BYTES];
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_presets(struct preset_list *list, const char *directory)
{
    DIR *stream = opendir(directory);
    if (stream == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(stream); entry != NULL && list->count < PRESETS_MAX;
         entry = readdir(stream)) {
        size_t length = strlen(entry->d_name);
        if (length <= 4 || length - 4 >= PRESET_BYTES || entry->d_name[0] == '.' ||
            strcmp(entry->d_name + length - 4, ".ini") != 0) {
            continue;
        }
        snprintf(list->name[list->count], PRESET_BYTES, "%.*s", (int)(length - 4), entry->d_name);
        list->count++;
    }
    closedir(stream);
    qsort(list->name, list->count, PRESET_BYTES, by_name);
}

static int fail_without(const char *name, char *error, size_t error_bytes)
{
    char folder[PATH_MAX];
    char reason[PATH_MAX + 512] = "no preset is there";
    (void)sl_home_find(FOLDER, "all", folder, sizeof folder, reason, sizeof reason);
    return sl_config_fail(error, error_bytes, "%s: no such file, and no presets: %s", name, reason);
}

static int fail_unknown(const struct preset_list *list, const char *name, char *error,
                        size_t error_bytes)
{
    char names[512] = "";
    const char *candidates[PRESETS_MAX];
    size_t length = 0;
    for (size_t i = 0; i < list->count; i++) {
        candidates[i] = list->name[i];
        if (length < sizeof names) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       i == 0 ? "" : ", ", list->name[i]);
        }
    }
    struct sl_quoted quoted = sl_config_quote(name);
    if (list->count == 0) {
        return fail_without(quoted.text, error, error_bytes);
    }
    const char *near = sl_nearest(name, candidates, list->count);
    return sl_config_fail(error, error_bytes, "%s: no such file or preset%s%s%s; presets: %s",
                          quoted.text, near == NULL ? "" : "; did you mean ",
                          near == NULL ? "" : near, near == NULL ? "" : "?", names);
}

int sl_preset_find(const char *name, char *path, size_t path_bytes, char *error, size_t error_bytes)
{
    struct preset_list list = {.count = 0};
    char folder[PATH_MAX];
    if (sl_home_path(FOLDER, folder, sizeof folder) == 0) {
        const int length = snprintf(path, path_bytes, "%s/%s.ini", folder, name);
        if (length > 0 && (size_t)length < path_bytes && access(path, F_OK) == 0) {
            return 0;
        }
        add_presets(&list, folder);
    }
    return fail_unknown(&list, name, error, error_bytes);
}
