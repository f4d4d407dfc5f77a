/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * What a host program does around its own work: read the command line that all Sluice programs
 * share, open the machine, run, report, check, and end with a status that says how it went.
 *
 * A program describes itself in a struct sl_app, and its main() is sl_app_main(). The functions
 * behind that are here too, for programs that go another way. Unlike sluice/sluice.h, what is here
 * prints, and what reads the command line ends the program where that is wrong: with a message on
 * standard error, and SL_APP_USAGE. docs/learn/programming.md shows how to use it. */
#ifndef SLUICE_PROGRAM_H
#define SLUICE_PROGRAM_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/config.h"
#include "sluice/sluice.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* libsluice.so has what is declared here */

/** @defgroup program_machine A program
 * @{ */

/** Exit statuses of a program. */
enum sl_app_exit {
    SL_APP_RIGHT = 0,   /**< the result has been checked, and is right */
    SL_APP_WRONG = 1,   /**< it is wrong, or there are races (`--check-races`) */
    SL_APP_USAGE = 2,   /**< the command line, the configuration or the graph is wrong */
    SL_APP_MACHINE = 3, /**< the machine failed */
};

/** What the options of all programs have said. */
struct sl_app_options {
    struct sl_config config; /**< defaults, then `--config` files, then `--set` settings */
    const char *stats;       /**< `--stats` FILE, or NULL */
    bool is_quiet;           /**< `--quiet`: the result only */
};

/** A program. What is NULL is left out, but argp, run and is_right. */
struct sl_app {
    const struct argp *argp; /**< its own options, arguments and documentation */
    void *arguments;         /**< what the parser of `argp` finds in `state->input` */

    /** What the program's arguments ask of the machine, over what the command line says. */
    void (*configure)(struct sl_config *config, const void *arguments);

    /** The whole of a run that needs no machine of sl_soc_open(), and its exit status; negative: it
     * needs one, and goes on with run(). */
    int (*run_alone)(const struct sl_app_options *options, void *arguments);

    /** The program's work on an open machine: ends with sl_app_result(). A status other than SL_OK
     * ends the program, with the message that the machine has then. */
    enum sl_status (*run)(struct sl_soc *soc, void *arguments);

    /** Prints what the program has to say between its result and the table, unless `--quiet`, each
     * line with `# ` in front: sl_app_row(). */
    void (*print)(const void *arguments);

    /** Prints what it has to say below the table, with the machine, whose statistics are there. */
    void (*print_after)(const struct sl_soc *soc, const void *arguments);

    /** Whether the result is right; says on standard error what is wrong with it. */
    bool (*is_right)(const void *arguments);
};

/** The main() of a program: reads the command line, opens the machine that it asks for, runs,
 * prints the table and writes `--stats`, checks, and closes the machine. Returns the exit status
 * (enum sl_app_exit), or ends the program with one where the command line is wrong, or was
 * `--help`. */
int sl_app_main(const struct sl_app *app, int argc, char **argv);

/** @} */

/** @defgroup program_results Kernels, results, waiting
 * @{ */

/** Loads a file of kernels, as sl_module_load(). A name without a slash, "fib.elf", is looked for
 * beside the program, and then in ../kernels/ from there; one with a slash is taken as it is.
 * SL_ERROR_USAGE, with the places, where it is in none. */
SL_MUST_USE enum sl_status sl_app_load(struct sl_soc *soc, const char *file,
                                       struct sl_module **module);

/** The path that sl_app_load() would load from, PATH_MAX bytes at most. Returns 0, or -1 with a
 * message in `error`, a buffer of `error_bytes`. */
int sl_app_find_kernels(const char *file, char *path, size_t path_bytes, char *error,
                        size_t error_bytes);

/** Prints the result, "name(arguments) = value", printf-style and without newline: the first line
 * of standard output that does not begin with `#`. */
void sl_app_result(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A checksum (FNV-1a, 64 bits) of `bytes` of data, for results that are too long to print. */
uint64_t sl_app_checksum(const void *data, size_t bytes);

/** Waits for the end of the graph, or, where that is NULL, of whatever else runs, as sl_soc_wait()
 * without limit. Where standard error is a terminal and the run takes longer than a second, a line
 * there shows simulated time, elements done, wavefronts in flight and wall time; it is cleared at
 * the end. Elsewhere such a line is written every ten seconds, with `# ` in front, but with
 * `--quiet`. */
SL_MUST_USE enum sl_status sl_app_wait(struct sl_soc *soc, struct sl_graph_builder *graph);

/** Whether sl_app_wait() writes no such lines: sl_app_parse() says what `--quiet` does. */
void sl_app_be_quiet(bool quiet);

/** @} */

/** @defgroup program_arguments Arguments, in parsers of argp
 * `what` is the option or argument for the message: `--width`. What is not as it should be ends the
 * program with one that says what would be right.
 * @{ */

/** A whole number from `least` to `most`: decimal, also with 0 in front, or
 * hexadecimal with 0x in front. */
uint64_t sl_app_number(const struct argp_state *state, const char *what, const char *text,
                       uint64_t least, uint64_t most);

/** A number from `least` to `most`, with or without a fraction. */
double sl_app_real(const struct argp_state *state, const char *what, const char *text, double least,
                   double most);

/** A whole number from `least` to `most` that is a power of two. */
uint32_t sl_app_power_of_two(const struct argp_state *state, const char *what, const char *text,
                             uint32_t least, uint32_t most);

/** One of two words: whether it is the second. */
bool sl_app_choice(const struct argp_state *state, const char *what, const char *text,
                   const char *first, const char *second);

/** The end of a parser whose program has one argument, a number N from `least` to `most`: stores
 * it, and ends the program where it is missing and *n, which has the default, is 0; where it is no
 * such number, or is followed by another. For other keys it returns ARGP_ERR_UNKNOWN. */
error_t sl_app_n(int key, const char *argument, const struct argp_state *state, uint32_t least,
                 uint32_t most, uint32_t *n);

/** A file that is written after the run, which may take long, is looked at before: one that cannot
 * be written ends the program. `path` may be NULL, for none. */
void sl_app_check_output(const struct argp_state *state, const char *what, const char *path);

/** @} */

/** @defgroup program_parts The parts of sl_app_main()
 * @{ */

/** Takes SIGXFSZ for the process, where nobody has, so that a limit of sizes is an error of
 * writing. Reads the command line: the options of all programs into *options, the program's own by
 * `argp`, whose parser finds `arguments` in `state->input`. What is wrong, and `--help`, ends the
 * program. */
void sl_app_parse(const struct argp *argp, int argc, char **argv, void *arguments,
                  struct sl_app_options *options);

/** What a program does after a run: prints the table unless `--quiet`, tells of what was lost, and
 * writes what the options ask for. SL_ERROR_USAGE where a name cannot be written, SL_ERROR_MACHINE
 * where writing fails. */
SL_MUST_USE enum sl_status sl_app_report(struct sl_soc *soc, const struct sl_app_options *options);

/** Prints what happened in the last run as a short table, each line with `# ` in front. */
void sl_app_table(const struct sl_soc *soc);

/** Prints one more line in the form of the table's: a label, and a text, printf-style. */
void sl_app_row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints the machine's message on standard error; NULL is a machine for which there was no memory.
 * Returns the exit status for `status`, which is not SL_OK. */
int sl_app_error(struct sl_soc *soc, enum sl_status status);

/** Tells of races on standard error, where `--check-races` looks for them. Returns the exit status:
 * where there are some, SL_APP_WRONG in place of SL_APP_RIGHT. NULL is allowed. */
int sl_app_races(const struct sl_soc *soc, int exit_status);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
