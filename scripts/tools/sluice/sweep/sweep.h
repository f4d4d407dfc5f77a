/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sweeps: independent runs with an output folder. The folder's sweep.json lists the runs; each run
 * has a folder of its own, and is done when its status.json is there, which comes last and in one
 * piece, and has the hashes of what the run has left (record.c). So a sweep can be ended at any
 * moment and taken up again, by any engine. */
#ifndef SLUICE_CLI_SWEEP_H
#define SLUICE_CLI_SWEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/command.h"
#include "sluice/config.h"

#define SWEEP_RUNS_MAX      100000u
#define SWEEP_SEEDS_DEFAULT 3u
#define SWEEP_PATH_MAX      4096

/* What the user asks for: every program with every combination of values. */
struct sweep_request {
    json_t *programs; /* array of arrays of words: a program and its arguments */
    json_t *configs;  /* array of paths */
    json_t *settings; /* array of "section.key=value", for all runs */
    /* array of {"key": "section.key" or "--option", "values": [...]}; or of names, with "options":
     * for each value an array of the words that it stands for, "--config" and "--set" with theirs
     */
    json_t *varied;
    bool with_reports; /* each run leaves a report's data, where its firmware has an ELF file */
};

void sweep_request_init(struct sweep_request *request);
void sweep_request_free(struct sweep_request *request);

/* Adds a program from its line, "fib 24", or a key with its values, an array that is taken over, or
 * NULL. -1 where there are no words or values in it, or a quote is not closed. */
int sweep_add_program(json_t *programs, const char *line);
int sweep_add_varied(json_t *varied, const char *key, json_t *values);

/* The words of a text between separators, "a b" or "1,2": a new array. */
json_t *sweep_split(const char *text, const char *separators);

/* The values of a list, "1,2": a new array, or NULL where one of them is empty. */
json_t *sweep_values(const char *text);

/* The words of a command line: what is between quotes, of either kind, is part of one, and so is
 * what a backslash is in front of. A new array, or NULL where a quote is not closed. */
json_t *sweep_words(const char *line);

/* How points are run with several seeds: a small random delay of DRAM, as is good practice where
 * timing is chaotic (Alameldeen and Wood, HPCA 2003: docs/know/papers.md), and the key that
 * differs. */
#define SWEEP_JITTER      "mem.jitter=4 ns"
#define SWEEP_JITTER_SEED "mem.jitter_seed"

/* Varies the seed from 1 to this many, fastest of what is varied so far. Where no configuration and
 * no setting has a delay, and none is varied, SWEEP_JITTER comes in front of the settings: one that
 * says 0 still wins. Returns whether the delay comes from there. */
bool sweep_add_seeds(struct sweep_request *request, unsigned seeds);

bool sweep_is_varied(const struct sweep_request *request, const char *wanted);

/* The machine of a request, without what it varies; what is wrong with it, sweep_plan() says. */
void sweep_base_machine(const struct sweep_request *request, struct sl_config *config);

/* What tables and plots call a built-in core: "2way-ooo", or "2way-ooo (changed)" where the
 * request's machine gives it other numbers than its own. */
void sweep_core_label(const struct sweep_request *request, const char *core, char *out,
                      size_t bytes);

/* A sweep as its folder has it. */
struct sweep {
    const struct cli_command *command; /* for messages */
    char folder[SWEEP_PATH_MAX];
    /* {"keys": [...], "runs": [{"words": [...], "values": [...]}...]}; a run may name its folder,
     * "folder", in place of its number, and want a report's data, "report": true */
    json_t *plan;
    json_t *runs;   /* borrowed from the plan */
    json_t *hashes; /* of files, by path, as far as they were asked for (sweep_build()) */
    json_t *builds; /* of runs, by number, likewise */
    int lock;       /* of a folder that takes any plan; negative: none */
};

/* The plan of a request, every run of it checked: the program exists, the machine can be built.
 * NULL after a message; a new reference otherwise. */
json_t *sweep_plan(const struct cli_command *command, const struct sweep_request *request);

/* How the runs of a request were made, as pages take it (scripts/page/panels.js, "made"): `command`
 * is taken over; seeds may be 0, for none. */
json_t *sweep_provenance(const struct sweep_request *request, json_t *command, unsigned seeds);

/* Warns of runs of a plan with several seeds on which the seed has no effect. */
void sweep_warn_of_seeds(const struct cli_command *command, const json_t *plan);

/* Opens the folder of a sweep: makes it with this plan, or finds the same plan there. With plan
 * NULL a sweep has to be there. Returns an exit status, with a message where it is not CLI_DONE.
 * sweep_close() in any case. */
int sweep_open(struct sweep *sweep, const struct cli_command *command, const char *folder,
               const json_t *plan);

/* The same for a folder that takes any plan in place of the one before; runs with names of their
 * own are found again there. As they are numbered by the plan, the folder is locked until it is
 * closed: one that is in use is refused. */
int sweep_reopen(struct sweep *sweep, const struct cli_command *command, const char *folder,
                 const json_t *plan);
void sweep_close(struct sweep *sweep);

/* Makes a folder where there is none; that it is there is synced, too. Returns an exit status, with
 * a message where it is not CLI_DONE. */
int sweep_make_folder(const struct sweep *sweep, const char *path);

/* The path of a run's file. */
void sweep_path(const struct sweep *sweep, size_t run, const char *file, char *out);

/* What status.json of a run says, a new reference; NULL where the run is not done, was done by
 * another build, or one of its files is not as the run has left it. */
json_t *sweep_status(const struct sweep *sweep, size_t run);
bool sweep_is_done(const struct sweep *sweep, size_t run);

/* Whether a run is done and has ended with status 0. */
bool sweep_is_good(const struct sweep *sweep, size_t run);

/* The statistics that a run has left, a new reference; NULL where it is not done, or left none. */
json_t *sweep_statistics(const struct sweep *sweep, size_t run);

/* The data of the report that a run has left, likewise. */
json_t *sweep_report_data(const struct sweep *sweep, size_t run);

/* Removes the files of a run that is to be run. Returns an exit status, with a message where one of
 * them is no regular file: it stays. */
int sweep_forget(const struct sweep *sweep, size_t run);

/* Has the disk take what a run has left, and notes that it is done, with its exit status and the
 * hashes of its files. Returns an exit status, with a message. */
int sweep_record(const struct sweep *sweep, size_t run, int ended);

/* What a run is made of, as a hash: its program, the kernels NAME*.elf, plugins and flash image,
 * the machine's configuration. QEMU is left out: it does not show in simulated figures. */
const char *sweep_build(const struct sweep *sweep, size_t run);

/* A text's hash, 128 bits in hexadecimal. */
#define SWEEP_HASH_BYTES 33
void sweep_hash(const void *text, size_t bytes, char out[SWEEP_HASH_BYTES]);

/* Runs one, unless it is done, and records how it ended. Returns an exit status: CLI_DONE too where
 * the program itself failed. */
int sweep_run_one(const struct sweep *sweep, size_t run);

struct sweep_engine_options {
    const char *engine; /* "local" or "slurm" */
    unsigned jobs;      /* at the same time; 0: as many as there are processors */
    bool failed_too;
    bool is_quiet;
};

/* The machine of a run, from its words, as the program will make it; what is wrong with it, the
 * program says. */
void sweep_machine(const json_t *words, struct sl_config *config);

/* The same; -1 with a message at the first thing that is wrong. */
int sweep_read_machine(const json_t *words, struct sl_config *config, char *error, size_t bytes);

/* All its values, a line for each key: equal machines, however they are said, have equal ones. */
void sweep_print_machine(const struct sl_config *config, FILE *out);

/* The command as a shell takes it, a new text. */
json_t *sweep_line(const struct cli_command *command, int argc, char **argv);

/* Whether all arguments are UTF-8, as plans and results are JSON: CLI_DONE, or the status with
 * which the command has to end. */
int sweep_check_arguments(const struct cli_command *command, int argc, char **argv);

/* For argp parsers: -s, -c, -j and the programs, which all commands that run sweeps have. */
error_t sweep_parse_common(int key, char *argument, const struct argp_state *state,
                           struct sweep_request *request, struct sweep_engine_options *engine);

/* For argp parsers: --seeds N, as many as an interval takes; what is none ends the program. */
unsigned sweep_seeds(const struct argp_state *state, const char *text);

/* For argp parsers: a number up to SWEEP_RUNS_MAX; what is none ends the program. */
long sweep_number(const struct argp_state *state, const char *what, const char *text, long least);

bool sweep_has_engine(const char *name);

/* Runs what is not done; `failed_too` runs again what ended with another status than 0. Returns an
 * exit status, with a message where runs could not be made, or where a signal ended it. */
int sweep_run(const struct sweep *sweep, const struct sweep_engine_options *options);

/* What shows the results of a sweep of which `bad` runs failed. Returns an exit status. */
typedef int sweep_show(const struct sweep *sweep, const struct sweep_request *request, size_t bad,
                       void *context);

/* A sweep from its request to its results: plans it, opens the folder, runs what is not done,
 * writes the results, has them shown, and, unless it is to be quiet, tells of failures. Returns an
 * exit status: CLI_WRONG where a run failed. */
int sweep_execute(const struct cli_command *command, const struct sweep_request *request,
                  const struct sweep_engine_options *options, const char *folder, sweep_show *show,
                  void *context);

/* What a sweep shows of its results: statistics of each point, as a table and as plots. A point is
 * a program with a value of each varied key; its runs differ in the seed. */
struct sweep_shown {
    const struct sweep *sweep;
    const struct sweep_request *request;
    const json_t *names; /* of statistics */
    unsigned seeds;      /* --seeds, the last of the varied keys; 0 where it was not asked for */
};

/* The statistic of a name, or NULL. */
const struct sl_statistic_entry *sweep_statistic(const char *name);

/* How many of the varied keys tell points from each other: the first ones. */
size_t sweep_keys(const struct sweep_shown *shown);

/* The values of a varied key as tables and plots show them: a new array. */
json_t *sweep_labels(const struct sweep_shown *shown, size_t key);

/* All points in order: [{"program": text, "values": [label...], "figures": [figure...]}...]. A
 * figure is {"value", "low", "high"} (common/interval.h), null where a run failed, and "" where the
 * program's machine has no such statistic. */
json_t *sweep_points(const struct sweep_shown *shown);

/* A row for each point (common/text_table.h). */
json_t *sweep_table(const struct sweep_shown *shown, const json_t *points);

/* Writes a page of the points (plot.c). Returns an exit status. */
int sweep_plot(const struct sweep_shown *shown, const json_t *points, json_t *command,
               const char *path);

/* A program's words as one line, as much of it as fits. */
void sweep_join(const json_t *words, char *out, size_t bytes);

/* Whether there is GNU parallel; its version is left in `version`. */
bool sweep_has_parallel(char *version, size_t bytes);

/* Writes results.csv and results.jsonl of all runs that are done. *bad is how many of the runs did
 * not end with status 0. */
int sweep_write_results(const struct sweep *sweep, size_t *bad);

/* What a run said on standard error, its first line. */
void sweep_first_words(const struct sweep *sweep, size_t run, char *line, size_t bytes);

/* A run that did not end with status 0, as pages take it: {"command", "message"}. NULL for one that
 * did. */
json_t *sweep_failure(const struct sweep *sweep, size_t run);

/* Gives a panel of a page the first runs of a range that failed, and how many there are. */
void sweep_add_failures(const struct sweep *sweep, size_t first, size_t count, json_t *panel);

/* Tells on standard error of the first runs that did not end with status 0, with what they said. */
void sweep_print_failures(const struct sweep *sweep);

/* From now on SIGHUP, SIGINT, SIGQUIT and SIGTERM end what sweep_spawn() has started and all that
 * comes from it, and leave it to us to clean up; those that are ignored (nohup) stay so. */
void sweep_catch_signals(void);

/* The signal that has come since, or 0. */
int sweep_interrupted(void);

/* Ends this process by that signal, where there was one: the last step of cleaning up. */
void sweep_end_as_interrupted(void);

/* Starts a program with its standard input from `in` (or ours where negative) and waits for it.
 * Where `out` is not NULL the first line that it prints is left there. It is ended when this
 * process ends. Returns its exit status, 127 where it cannot be run, or -1 with errno. */
int sweep_spawn(const char *const *argv, int in, char *out, size_t bytes);

#endif
