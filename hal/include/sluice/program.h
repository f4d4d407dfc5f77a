/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The frame of a host program: it reads the command line that all Sluice programs share, opens the
 * machine, runs, reports, checks, and ends with an exit status.
 *
 * A program describes itself in a struct sl_app, and its main() calls sl_app_main(). Programs with
 * another structure can call the functions that sl_app_main() consists of. Unlike sluice/sluice.h,
 * these functions print. Functions that read the command line end the program if it is wrong, with
 * a message on standard error and status SL_APP_USAGE. docs/learn/programming.md shows how to use
 * them. */
#ifndef SLUICE_PROGRAM_H
#define SLUICE_PROGRAM_H

#include <inttypes.h> /* for results: PRIu32 */
#include <stdbool.h>
#include <stddef.h>

#include "sluice/argument.h"
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
    SL_APP_RIGHT = 0,   /**< the result was checked and is right */
    SL_APP_WRONG = 1,   /**< the result is wrong, or there are races (`--check-races`) */
    SL_APP_USAGE = 2,   /**< the command line, the configuration or the graph is wrong */
    SL_APP_MACHINE = 3, /**< the machine failed */
};

/** The options of all programs, as read from the command line. */
struct sl_app_options {
    struct sl_config config; /**< defaults, then `--config` files, then `--set` settings */
    const char *stats;       /**< `--stats` FILE, or NULL */
    bool is_quiet;           /**< `--quiet`: the result only */
};

/** A program. All members may be NULL except run and is_right. */
struct sl_app {
    /** What the program does, for `--help`: a sentence, and what `--help` says at its end after a
     * `\v`. */
    const char *doc;
    const struct sl_argument *table; /**< the program's own options and arguments */
    void *arguments;                 /**< what the table fills; holds the defaults */
    const char *kernels; /**< file of the program's kernels, as sl_app_load() takes it */

    /** Looks at all arguments together, after the last one was read; ends the program by
     * sl_argument_fail(). */
    void (*check)(void *arguments);

    /** Changes the configuration for the program's arguments. Its changes override the command
     * line. */
    void (*configure)(struct sl_config *config, const void *arguments);

    /** Runs without a machine of sl_soc_open(), and returns the exit status. A negative value means
     * that this run needs a machine; run() follows. */
    int (*run_alone)(const struct sl_app_options *options, void *arguments);

    /** Does the program's work on an open machine and ends with sl_app_result(). A status other
     * than SL_OK ends the program with the machine's message. */
    enum sl_status (*run)(struct sl_soc *soc, void *arguments);

    /** Prints lines between result and table by sl_app_row(), which puts `# ` before each. Not
     * called with `--quiet`. */
    void (*print)(const void *arguments);

    /** Prints lines after the table, with access to the machine's statistics. Not called with
     * `--quiet`. */
    void (*print_after)(const struct sl_soc *soc, const void *arguments);

    /** Whether the result is right. If not, it prints the error on standard error. */
    bool (*is_right)(const void *arguments);
};

/** The main() of a program: reads the command line, opens the machine, runs, prints the table,
 * writes `--stats`, checks, and closes the machine. Returns the exit status (enum sl_app_exit). A
 * wrong command line and `--help` end the program instead. */
int sl_app_main(const struct sl_app *app, int argc, char **argv);

/** The main() of a program that is described by a struct sl_app of this name. */
#define SL_PROGRAM(app)                                                                            \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return sl_app_main(&(app), argc, argv);                                                    \
    }

/** @} */

/** @defgroup program_results Kernels, results, waiting
 * @{ */

/** The kernels of the program's struct sl_app, which sl_app_main() has loaded. */
struct sl_module *sl_app_kernels(struct sl_soc *soc);

/** Allocates shared memory like sl_alloc(), or ends the program with the machine's message. */
void *sl_app_alloc(struct sl_soc *soc, size_t bytes, size_t align);

/** Allocates zeroed memory of the host for `count` objects of `bytes` each, for free(); or ends the
 * program. */
void *sl_app_memory(size_t count, size_t bytes);

/** Begins a graph of the kernels of the program's struct sl_app, or ends the program with the
 * machine's message. */
struct sl_graph_builder *sl_app_graph(struct sl_soc *soc);

/** Elements of a channel, to be filled before sl_app_execute(): sl_graph_talloc() and
 * sl_graph_enq() in one. Ends the program with the machine's message if there is no room. */
void *sl_app_put(struct sl_graph_builder *graph, int channel, uint32_t count);

/** Runs a graph to its end: sl_graph_execute(), then sl_app_wait(). */
SL_MUST_USE enum sl_status sl_app_execute(struct sl_graph_builder *graph);

/** Launches a kernel of the program's struct sl_app over `items` work-items in one dimension, in
 * work-groups of `group`, or of all items if they are fewer; and waits for its end. Otherwise like
 * sl_launch_values(): SL_VALUES(a, b) for the last two parameters. */
SL_MUST_USE enum sl_status sl_app_launch(struct sl_soc *soc, const char *kernel, uint32_t items,
                                         uint32_t group, uint32_t lds_bytes,
                                         const struct sl_value *values, unsigned count);

/** Ends the program: prints the machine's message like sl_app_error() and closes the machine. */
void sl_app_end(struct sl_soc *soc, enum sl_status status) __attribute__((noreturn));

/** Loads a file of kernels like sl_module_load(). A name without a slash, such as "fib.elf", is
 * searched for in the program's folder, then in ../kernels/ from there. A name with a slash is a
 * path. SL_ERROR_USAGE, with the searched places, if the file is not found. */
SL_MUST_USE enum sl_status sl_app_load(struct sl_soc *soc, const char *file,
                                       struct sl_module **module);

/** Stores the path that sl_app_load() would load in `path`, a buffer of `path_bytes`; PATH_MAX is
 * enough. Returns 0, or -1 with a message in `error`, a buffer of `error_bytes`. */
int sl_app_find_kernels(const char *file, char *path, size_t path_bytes, char *error,
                        size_t error_bytes);

/** Prints the result, "name(arguments) = value", by a format of printf() without newline. It is the
 * first line of standard output that does not begin with `#`. */
void sl_app_result(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Returns `is_right`. If it is false, prints what is wrong, by a format of printf() without
 * newline, on standard error: for sl_app.is_right. */
bool sl_app_check(bool is_right, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A checksum (FNV-1a, 64 bits) of `bytes` bytes of data, for results that are too long to print.
 */
uint64_t sl_app_checksum(const void *data, size_t bytes);

/** Waits for the end of the run like sl_soc_wait() without limit. `graph` is the running graph, or
 * NULL for other runs. A progress line on standard error shows simulated time, elements done (of a
 * graph), wavefronts in flight and wall time. On a terminal it appears after a second, is updated
 * in place, and is cleared at the end. Elsewhere a line with `# ` before it is written every ten
 * seconds, except with `--quiet`. */
SL_MUST_USE enum sl_status sl_app_wait(struct sl_soc *soc, struct sl_graph_builder *graph);

/** Whether sl_app_wait() omits the lines that it writes every ten seconds. sl_app_read() calls
 * this for `--quiet`. */
void sl_app_be_quiet(bool quiet);

/** @} */

/** @defgroup program_parts The parts of sl_app_main()
 * @{ */

/** Reads the command line: the options of all programs into *options, and the program's own by its
 * table. An error and `--help` end the program. Also handles SIGXFSZ for the process, unless
 * another handler is set: exceeding a file size limit is then a write error. */
void sl_app_read(const struct sl_app *app, int argc, char **argv, struct sl_app_options *options);

/** The report after a run: prints the table unless `--quiet`, reports lost records, and writes the
 * files that the options ask for. SL_ERROR_USAGE if a name cannot be written, SL_ERROR_MACHINE if
 * writing fails. */
SL_MUST_USE enum sl_status sl_app_report(struct sl_soc *soc, const struct sl_app_options *options);

/** Prints a short table of the last run, each line beginning with `# `. */
void sl_app_table(const struct sl_soc *soc);

/** Prints one more line in the form of the table: a label, and a text by a format of printf(). */
void sl_app_row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints the machine's message on standard error. NULL stands for a machine that could not be
 * allocated. Returns the exit status for `status`, which is not SL_OK. */
int sl_app_error(struct sl_soc *soc, enum sl_status status);

/** Reports races on standard error if `--check-races` found any. Returns `exit_status`, or
 * SL_APP_WRONG in place of SL_APP_RIGHT if there are races. NULL is allowed. */
int sl_app_races(const struct sl_soc *soc, int exit_status);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
