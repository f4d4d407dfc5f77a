/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the command line to the exit status, the same for each program. */
#include "programs/common/program.h"

#include <limits.h>

#include "programs/common/options.h"
#include "programs/common/report.h"

enum sl_status program_load(struct sl_soc *soc, const char *kernels, struct sl_module **module)
{
    char path[PATH_MAX];

    return sl_module_load(soc, options_kernels(kernels, path, sizeof path), module);
}

static enum sl_status report(const struct program *program, struct sl_soc *soc,
                             const struct options *options)
{
    if (!options->is_quiet && program->print != NULL) {
        program->print(program->arguments);
    }
    const enum sl_status status = report_run(soc, options);

    if (!options->is_quiet && program->paper_wavefronts != NULL) {
        report_paper(soc, program->paper_wavefronts(program->arguments));
    }
    return status;
}

int program_main(const struct program *program, int argc, char **argv)
{
    struct options options;
    struct sl_soc *soc;
    int exit_status = -1;

    options_parse(program->argp, argc, argv, program->arguments, &options);
    if (program->configure != NULL) {
        program->configure(&options.config, program->arguments);
    }
    if (program->run_alone != NULL) {
        exit_status = program->run_alone(&options, program->arguments);
    }
    if (exit_status >= 0) {
        return exit_status;
    }
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = program->run(soc, program->arguments);
    }
    if (status == SL_OK) {
        status = report(program, soc, &options);
    }
    if (status != SL_OK) {
        exit_status = report_error(soc, status);
    } else {
        exit_status = program->is_right(program->arguments) ? PROGRAM_RIGHT : PROGRAM_WRONG;
    }
    exit_status = report_races(soc, exit_status);
    sl_soc_close(soc);
    return exit_status;
}
