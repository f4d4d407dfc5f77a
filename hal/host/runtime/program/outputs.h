/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that the options of all programs name (options.c). */
#ifndef SLUICE_HOST_RUNTIME_PROGRAM_OUTPUTS_H
#define SLUICE_HOST_RUNTIME_PROGRAM_OUTPUTS_H

#include <argp.h>

#include "sluice/program.h"

enum sl_app_output {
    SL_APP_STATS,
    SL_APP_PROFILE,
    SL_APP_KERNEL_PROFILE,
    SL_APP_TIMELINE,
    SL_APP_REPORT,
    SL_APP_TRACE,
    SL_APP_SAMPLE,
    SL_APP_RACES,
    SL_APP_OUTPUTS
};

/* Puts paths, of which each may be NULL, where the run finds them: *options. One that cannot be
 * written ends the program, as do two that are the same file, whether an option or a setting has
 * named it. */
void sl_app_take_outputs(const struct argp_state *state, const char *const paths[SL_APP_OUTPUTS],
                         struct sl_app_options *options);

/* Looks at a file before the run that will write it, so that a long run is not wasted. Ends the
 * program if it cannot be written. */
void sl_app_check_output(const char *option, const char *path);

#endif
