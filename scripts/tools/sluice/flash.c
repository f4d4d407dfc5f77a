/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice flash: makes, checks and shows firmware images, by the tool that the build uses too. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "common/command.h"
#include "common/programs.h"
#include "config/install_paths.h"

#define WORDS_MAX 3

struct words {
    const char *word[WORDS_MAX];
    unsigned count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct words *const words = state->input;

    if (key == ARGP_KEY_ARG) {
        if (words->count == WORDS_MAX) {
            argp_error(state, "too many arguments: '%s'", argument);
        }
        words->word[words->count++] = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp flash_argp = {
    .parser = parse,
    .args_doc = "make ELF IMAGE\nverify [IMAGE]\ninspect [IMAGE]",
    .doc = "Make a flash image out of a firmware's ELF file, check one as the boot code will, or "
           "show what its header says. Without IMAGE it is the one that machines are started "
           "with.\vTo start machines with an image of your own, set host.flash to its path.",
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct words words = {.count = 0};
    char tool[PATH_MAX];
    char image[PATH_MAX]; /* that was built, for commands without one */

    cli_parse(command, argc, argv, 0, &words);
    if (sl_home_path("bin/mkflash", tool, sizeof tool) != 0 ||
        sl_home_path("firmware/sluice.flash", image, sizeof image) != 0) {
        return cli_fail(command, CLI_FAILED, "cannot tell where the command is");
    }
    const char *const what = words.count > 0 ? words.word[0] : "";
    const char *arguments[4] = {"mkflash"};
    if (strcmp(what, "make") == 0 && words.count == 3) {
        arguments[1] = words.word[1];
        arguments[2] = words.word[2];
    } else if ((strcmp(what, "verify") == 0 || strcmp(what, "inspect") == 0) && words.count <= 2) {
        arguments[1] = what[0] == 'v' ? "--verify" : "--inspect";
        arguments[2] = words.count == 2 ? words.word[1] : image;
    } else {
        return cli_fail(command, CLI_USAGE,
                        "expected `make ELF IMAGE`, `verify [IMAGE]` or `inspect [IMAGE]`");
    }
    return cli_become(command, tool, (char *const *)(uintptr_t)arguments);
}

const struct cli_command cli_flash = {
    .name = "flash",
    .sentence = "make, verify or inspect a firmware image",
    .example = "sluice flash inspect",
    .words = "make verify inspect",
    .argp = &flash_argp,
    .run = run,
};
