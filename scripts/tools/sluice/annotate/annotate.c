/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice annotate: where the kernels of a program spend their cycles, from the file that its option
 * --kernel-profile has written. */
#define _GNU_SOURCE 1
#include "annotate/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define ERROR_BYTES    1024
#define SCREEN_COLUMNS 80
#define SCREEN_ROWS    24
#define LINES_MOST     1000000

enum { KEY_SORT = 0x1000, KEY_REASON, KEY_LINES, KEY_SOURCE, KEY_CSV };

static const struct argp_option option_table[] = {
    {"kernel", 'k', "NAME", 0, "This kernel alone", 0},
    {"function", 'f', "NAME", 0, "This function alone", 0},
    {"sort", KEY_SORT, "WHAT", 0,
     "What comes first, and what shares are of: cycles, wave_instructions, lane_instructions, "
     "line_accesses, l1_misses or l2_misses (default: cycles)",
     0},
    {"reason", KEY_REASON, "REASON", 0,
     "Cycles of one reason alone count: issue, no_slot, dependency, memory_dram... "
     "(docs/do/profile.md)",
     0},
    {"lines", KEY_LINES, "N", 0, "So many lines in the list of lines, or of --csv", 0},
    {"source", KEY_SOURCE, "FOLDER", 0, "Look for source files there, too; may be repeated", 0},
    {"csv", KEY_CSV, NULL, 0, "All lines with all figures as CSV", 0},
    {0},
};

/* Words of --sort, by enum sl_kernel_event. */
static const char *const sort_words[SL_KERNEL_EVENT_STALL] = {
    [SL_KERNEL_EVENT_RESIDENT] = "cycles",         [SL_KERNEL_EVENT_WAVES] = "wave_instructions",
    [SL_KERNEL_EVENT_LANES] = "lane_instructions", [SL_KERNEL_EVENT_LINES] = "line_accesses",
    [SL_KERNEL_EVENT_L1_MISSES] = "l1_misses",     [SL_KERNEL_EVENT_L2_MISSES] = "l2_misses",
};

static void set_sort(struct argp_state *state, struct annotate_options *options, const char *word)
{
    for (unsigned event = 0; event < SL_KERNEL_EVENT_STALL; event++) {
        if (strcmp(word, sort_words[event]) == 0) {
            options->event = event;
            return;
        }
    }
    argp_error(state,
               "--sort: '%s' is none of cycles, wave_instructions, lane_instructions, "
               "line_accesses, l1_misses and l2_misses",
               word);
}

static void set_reason(struct argp_state *state, struct annotate_options *options, const char *word)
{
    char names[ERROR_BYTES] = "";
    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        const size_t length = strlen(names);
        if (strcmp(word, sl_stall_text[stall].name) == 0 ||
            strcmp(word, sl_stall_text[stall].words) == 0) {
            options->event = SL_KERNEL_EVENT_STALL + stall;
            return;
        }
        (void)snprintf(names + length, sizeof names - length, "%s%s", stall == 0 ? "" : ", ",
                       sl_stall_text[stall].name);
    }
    argp_error(state, "--reason: '%s' is none of %s", word, names);
}

static void set_lines(struct argp_state *state, struct annotate_options *options, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || number < 1 || number > LINES_MOST) {
        argp_error(state, "--lines: '%s' is not a number from 1 to %d", text, LINES_MOST);
    }
    options->lines = (unsigned)number;
}

static void add_folder(struct argp_state *state, struct annotate_options *options,
                       const char *folder)
{
    if (options->folder_count == ANNOTATE_FOLDERS) {
        argp_error(state, "--source: more than %d folders", ANNOTATE_FOLDERS);
    }
    if (access(folder, X_OK) != 0) {
        argp_failure(state, CLI_USAGE, errno, "--source: folder '%s'", folder);
    }
    options->folders[options->folder_count++] = folder;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct annotate_options *const options = state->input;

    switch (key) {
    case 'k':
        options->kernel = argument;
        return 0;
    case 'f':
        options->function = argument;
        return 0;
    case KEY_SORT:
        set_sort(state, options, argument);
        return 0;
    case KEY_REASON:
        set_reason(state, options, argument);
        return 0;
    case KEY_LINES:
        set_lines(state, options, argument);
        return 0;
    case KEY_SOURCE:
        add_folder(state, options, argument);
        return 0;
    case KEY_CSV:
        options->is_csv = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path != NULL) {
            argp_error(state, "one FILE is expected, and '%s' is another", argument);
        }
        options->path = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which profile? A program's --kernel-profile FILE writes one");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp annotate_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "FILE",
    .doc = "Show where the kernels of a program spend their cycles: what the wavefronts of each do "
           "and wait for, the functions and source lines where they do it, and functions with "
           "their source. FILE is what the program's option --kernel-profile has written.",
};

/* Reads the file; an exit status, with a message. */
static int read_view(const struct cli_command *command, const struct annotate_options *options,
                     struct sl_kernel_view *view)
{
    char error[ERROR_BYTES];
    FILE *const file = fopen(options->path, "re");
    *view = (struct sl_kernel_view){.names = NULL};
    if (file == NULL) {
        return cli_fail(command, CLI_USAGE, "cannot read '%s': %s", options->path, strerror(errno));
    }
    struct stat state;
    if (fstat(fileno(file), &state) != 0 || !(S_ISREG(state.st_mode) || S_ISFIFO(state.st_mode))) {
        (void)fclose(file);
        return cli_fail(command, CLI_USAGE, "cannot read '%s': it is no regular file and no pipe",
                        options->path);
    }
    const int status = sl_kernel_view_read(view, file, options->path, error, sizeof error);
    (void)fclose(file);
    return status == 0 ? CLI_DONE : cli_fail(command, CLI_WRONG, "%s", error);
}

/* A terminal's size and colors, and a pager in front of it, where there is one; else the smallest
 * screen. */
static struct annotate_output open_output(void)
{
    struct annotate_output output = {stdout, SCREEN_COLUMNS, SCREEN_ROWS, false};
    struct winsize size;
    if (isatty(STDOUT_FILENO) == 0) {
        return output;
    }
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        output.width = size.ws_col > SCREEN_COLUMNS ? size.ws_col : SCREEN_COLUMNS;
        output.height = size.ws_row > SCREEN_ROWS ? size.ws_row : SCREEN_ROWS;
    }
    const char *const terminal = getenv("TERM");
    const char *const pager = getenv("PAGER");
    output.has_colors =
        terminal != NULL && strcmp(terminal, "dumb") != 0 && getenv("NO_COLOR") == NULL;
    (void)setenv("LESS", "FRX", 0); /* colors; ends where all is on the screen */
    FILE *const pipe = popen(pager != NULL && pager[0] != '\0'
                                 ? pager
                                 : "command -v less >/dev/null && exec less || exec cat",
                             "we");
    output.stream = pipe != NULL ? pipe : stdout;
    return output;
}

static void show(const struct annotate_options *options, const struct annotate_selection *selection)
{
    const struct annotate_output output = open_output();
    annotate_screen(options, selection, &output);
    annotate_listing(options, selection, &output);
    if (output.stream != stdout) {
        (void)pclose(output.stream);
    }
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct annotate_options options = {.path = NULL};
    struct sl_kernel_view view;
    struct annotate_selection selection = {.view = NULL};

    cli_parse(command, argc, argv, 0, &options);
    int status = read_view(command, &options, &view);
    if (status == CLI_DONE) {
        status = annotate_select(command, &options, &view, &selection);
    }
    if (status == CLI_DONE && options.is_csv) {
        annotate_table(&options, &selection, stdout);
    } else if (status == CLI_DONE) {
        show(&options, &selection);
    }
    annotate_unselect(&selection);
    sl_kernel_view_clear(&view);
    return status;
}

const struct cli_command cli_annotate = {
    .name = "annotate",
    .sentence = "show where kernels spend their cycles, by source line",
    .example = "sluice run fib 12 --kernel-profile fib.kp && sluice annotate fib.kp",
    .argp = &annotate_argp,
    .run = run,
};
