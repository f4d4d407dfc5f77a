/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the command line to the exit status, the same for each program. */
#include <stdio.h>
#include <stdlib.h>

#include "host/base/safe_write.h"
#include "sluice/program.h"

static enum sl_status report(const struct sl_app *app, struct sl_soc *soc,
                             const struct sl_app_options *options)
{
    if (!options->is_quiet && app->print != NULL) {
        app->print(app->arguments);
    }
    const enum sl_status status = sl_app_report(soc, options);

    if (!options->is_quiet && app->print_after != NULL) {
        app->print_after(soc, app->arguments);
    }
    return status;
}

static int run(const struct sl_app *app, const struct sl_app_options *options)
{
    struct sl_write_guard guard;
    struct sl_soc *soc;
    int exit_status;

    enum sl_status status = sl_soc_open(&options->config, &soc);
    if (status == SL_OK) {
        status = app->run(soc, app->arguments);
    }
    if (status == SL_OK) {
        sl_write_hold(&guard);
        status = report(app, soc, options);
        sl_write_release(&guard);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else {
        exit_status = app->is_right(app->arguments) ? SL_APP_RIGHT : SL_APP_WRONG;
    }
    exit_status = sl_app_races(soc, exit_status);
    sl_soc_close(soc);
    return exit_status;
}

int sl_app_main(const struct sl_app *app, int argc, char **argv)
{
    /* Some 200 KiB: stacks may be small. */
    struct sl_app_options *const options = calloc(1, sizeof *options);
    int exit_status = -1;

    if (options == NULL) {
        perror(argv[0]);
        return SL_APP_MACHINE;
    }
    sl_app_parse(app->argp, argc, argv, app->arguments, options);
    if (app->configure != NULL) {
        app->configure(&options->config, app->arguments);
    }
    if (app->run_alone != NULL) {
        exit_status = app->run_alone(options, app->arguments);
    }
    if (exit_status < 0) {
        exit_status = run(app, options);
    }
    free(options);
    return exit_status;
}
