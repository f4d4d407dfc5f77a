/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice cc: the compiler for kernels, scripts/sluice-kernel-cc, which knows its own options. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/programs.h"
#include "config/install_paths.h"

static const struct argp cc_argp = {
    .args_doc = "[GCC-OPTION...] FILE.c... -o PROGRAM.elf\n[GCC-OPTION...] -c FILE.c -o FILE.o",
    .doc = "Compile and link kernels: GCC's own options, plus what a kernel needs. Options that "
           "would change how control flow is compiled are refused, since cross-lane operations "
           "depend on that; what was linked is checked. `sluice cc --help` says more.",
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    char compiler[PATH_MAX];
    char build[PATH_MAX];

    (void)argc;
    if (sl_home_path("bin/sluice-kernel-cc", compiler, sizeof compiler) != 0 ||
        sl_home_path(".", build, sizeof build) != 0 ||
        (sl_home_kind() == SL_HOME_BUILD && setenv("SLUICE_BUILD", build, 1) != 0)) {
        return cli_fail(command, CLI_FAILED, "cannot tell where the compiler is");
    }
    return cli_become(command, compiler, argv);
}

const struct cli_command cli_cc = {
    .name = "cc",
    .sentence = "compile kernels",
    .example = "sluice new collatz && sluice cc -Wall collatz/collatz_kernel.c -o collatz.elf",
    .argp = &cc_argp,
    .run = run,
};
