/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The command line that all test programs share (docs/design.md, "Test programs"). */
#ifndef SLUICE_PROGRAMS_OPTIONS_H
#define SLUICE_PROGRAMS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/config.h"

/* Exit statuses of the test programs. */
enum program_exit {
    PROGRAM_RIGHT = 0,
    PROGRAM_WRONG = 1,
    PROGRAM_USAGE = 2,
    PROGRAM_MACHINE = 3,
};

struct options {
    struct sl_config config; /* defaults, then --config files, then --set settings */
    const char *stats;       /* --stats FILE, or NULL */
    bool is_quiet;
};

/* Parses the command line. `program` has the program's own options, arguments and documentation;
 * its parser finds `input` in state->input. On an error, or --help, argp prints and ends the
 * program: with PROGRAM_USAGE, or 0. */
void options_parse(const struct argp *program, int argc, char **argv, void *input,
                   struct options *options);

/* For argp parsers: a number in a range. What is none ends the program with a message that names
 * `what` and the range. */
uint64_t options_number(const struct argp_state *state, const char *what, const char *text,
                        uint64_t least, uint64_t most);

/* As options_number(), for a number with a fraction. */
double options_real(const struct argp_state *state, const char *what, const char *text,
                    double least, double most);

/* As options_number(), for a power of two. */
uint32_t options_power_of_two(const struct argp_state *state, const char *what, const char *text,
                              uint32_t least, uint32_t most);

/* One of two words: whether it is the second. Another one ends the program with a message. */
bool options_choice(const struct argp_state *state, const char *what, const char *text,
                    const char *first, const char *second);

/* Files are written after the run, which may take long: that one cannot be, unless `path` is NULL,
 * is told before, and ends the program. */
void options_check_output(const struct argp_state *state, const char *option, const char *path);

/* The end of a parser whose program has one argument, a number N in a range: stores it, and ends
 * the program where it is missing and *n, which has the default, is 0; where it is no such number,
 * or is followed by another. For other keys it returns ARGP_ERR_UNKNOWN. */
error_t options_n(int key, const char *argument, const struct argp_state *state, uint32_t least,
                  uint32_t most, uint32_t *n);

/* The path of a kernel file that was built with the program, "fib.elf". Lives in `out`. */
const char *options_kernels(const char *file, char *out, size_t bytes);

#endif
