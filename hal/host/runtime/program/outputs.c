/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files to write are looked at before the run, which may take long. */
#include "host/runtime/program/outputs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/atomic_file.h"
#include "host/driver/machine/paths.h"

/* Options that stand for settings, which are not to be taken as such: a path may have any form. */
static const struct {
    const char *option;
    enum sl_config_key key; /* none of --stats */
    bool takes_stdout;      /* as "-" */
} outputs[SL_APP_OUTPUTS] = {
    [SL_APP_STATS] = {"--stats", SL_CFG_COUNT, false},
    [SL_APP_PROFILE] = {"--profile", SL_CFG_PROFILE_FILE, false},
    [SL_APP_KERNEL_PROFILE] = {"--kernel-profile", SL_CFG_KERNEL_PROFILE_FILE, false},
    [SL_APP_TIMELINE] = {"--timeline", SL_CFG_TIMELINE_FILE, false},
    [SL_APP_REPORT] = {"--report", SL_CFG_REPORT_FILE, false},
    [SL_APP_TRACE] = {"--trace", SL_CFG_TRACE_FILE, true},
    [SL_APP_SAMPLE] = {"--sample", SL_CFG_SAMPLE_FILE, true},
    [SL_APP_RACES] = {"--races", SL_CFG_RACES_FILE, false},
};

void sl_app_check_output(const char *option, const char *path)
{
    const int reason = sl_path_check_output(path);
    if (reason != 0) {
        argp_failure(NULL, SL_APP_USAGE, reason, "%s: cannot write '%s'", option, path);
    }
    char folder[PATH_MAX];
    if (sl_output_is_copied(path, folder)) {
        argp_failure(NULL, 0, errno,
                     "%s: no file can be made in %s; '%s' will be written over, not replaced",
                     option, folder, path);
    }
}

static void take(const struct argp_state *state, enum sl_app_output output, const char *path,
                 struct sl_app_options *options)
{
    const char *const option = outputs[output].option;
    if (!outputs[output].takes_stdout || strcmp(path, "-") != 0) {
        sl_app_check_output(option, path);
    }
    if (output == SL_APP_STATS) {
        options->stats = path;
        return;
    }
    if (strlen(path) >= SL_CONFIG_TEXT_MAX) {
        argp_failure(state, SL_APP_USAGE, ENAMETOOLONG, "%s: cannot write '%s'", option, path);
    }
    (void)snprintf(options->config.text[outputs[output].key], SL_CONFIG_TEXT_MAX, "%s", path);
}

/* What will be written to, or NULL. */
static const char *path_of(const struct sl_app_options *options, enum sl_app_output output)
{
    if (output == SL_APP_STATS) {
        return options->stats;
    }
    const bool is_off =
        output == SL_APP_SAMPLE && options->config.number[SL_CFG_SAMPLE_INTERVAL] == 0;
    const char *const path = options->config.text[outputs[output].key];
    return is_off || path[0] == '\0' ? NULL : path;
}

/* Devices and FIFOs take what comes from several. */
static bool is_same_file(const char *x, const char *y)
{
    struct stat x_state;
    struct stat y_state;
    if (stat(x, &x_state) != 0 || stat(y, &y_state) != 0) {
        return strcmp(x, y) == 0 && strcmp(x, "-") != 0;
    }
    return S_ISREG(x_state.st_mode) && x_state.st_dev == y_state.st_dev &&
           x_state.st_ino == y_state.st_ino;
}

static void check_twice(const struct argp_state *state, const struct sl_app_options *options,
                        enum sl_app_output second)
{
    const char *const path = path_of(options, second);
    for (unsigned first = 0; path != NULL && first < second; first++) {
        const char *const other = path_of(options, first);
        if (other != NULL && is_same_file(other, path)) {
            argp_failure(state, SL_APP_USAGE, 0,
                         "%s and %s: both would write '%s'; give each a file of its own",
                         outputs[first].option, outputs[second].option, path);
        }
    }
}

void sl_app_take_outputs(const struct argp_state *state, const char *const paths[SL_APP_OUTPUTS],
                         struct sl_app_options *options)
{
    for (unsigned output = 0; output < SL_APP_OUTPUTS; output++) {
        if (paths[output] != NULL) {
            take(state, output, paths[output], options);
        }
        check_twice(state, options, output);
    }
}
