/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice annotate: a profile of kernels on a terminal.
 *
 *     annotate.c           the command's line, and where its output goes
 *     select.c             what of a profile is shown, in which order, and its shares
 *     screen.c             the first screen: functions and lines, and what they wait for
 *     annotate_stack.c     its upper part: the bottleneck, and the kernels
 *     annotate_text.c      figures as text
 *     listing.c            functions with their source
 *     annotate_source.c    files of source, wherever they are now
 *     annotate_table.c     the same figures as CSV */
#ifndef SLUICE_CLI_ANNOTATE_H
#define SLUICE_CLI_ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/command.h"
#include "host/observe/profile/kernel_view.h"

#define ANNOTATE_FOLDERS 16

struct annotate_options {
    const char *path;
    const char *kernel;   /* NULL: all */
    const char *function; /* likewise */
    unsigned event;       /* enum sl_kernel_event: what counts */
    unsigned lines;       /* source lines in a list; 0: as many as fit */
    const char *folders[ANNOTATE_FOLDERS];
    unsigned folder_count;
    bool is_csv;
};

struct annotate_output {
    FILE *stream;
    unsigned width; /* 0: as wide as it is */
    unsigned height;
    bool has_colors;
};

/* ---- select.c ---- */

/* What is shown: arrays of the view's own, reduced to what was asked for, the largest first. */
struct annotate_selection {
    const struct sl_kernel_view *view;
    unsigned event;
    struct sl_view_kernel *kernels;
    size_t kernel_count;
    const struct sl_view_function **sorted;
    size_t function_count;
    const struct sl_view_line **lines;
    size_t line_count;
    struct sl_view_line *places; /* the same, one for each source line, whatever has called it */
    size_t place_count;
    uint64_t total[SL_KERNEL_EVENTS];
};

/* An exit status, with a message. annotate_unselect() in any case. */
int annotate_select(const struct cli_command *command, const struct annotate_options *options,
                    const struct sl_kernel_view *view, struct annotate_selection *selection);
void annotate_unselect(struct annotate_selection *selection);

/* ---- annotate_source.c ---- */

struct annotate_source {
    char *text; /* NULL: not found */
    const char **lines;
    size_t line_count;
};

/* The file at its path, below one of the folders, or of that name in one of them.
 * annotate_source_close() in any case. */
void annotate_source_open(const struct annotate_options *options, const char *path,
                          struct annotate_source *source);
void annotate_source_close(struct annotate_source *source);

/* A line of it, from 1 on; "" where there is none. */
const char *annotate_source_line(const struct annotate_source *source, uint32_t line);

/* ---- annotate_text.c ---- */

/* Shares of a whole in tenths of a percent that add up to 1000, where the parts do to the whole:
 * what rounding leaves goes to those that lost most by it. `count` is 64 at most. */
void annotate_shares(const uint64_t *parts, size_t count, unsigned *tenths);

/* Reasons by their cycles, the largest first. */
void annotate_reasons(const uint64_t cost[SL_KERNEL_EVENTS], unsigned order[SL_STALL_COUNT]);

/* "DRAM 60 %, L2 20 %": the first few reasons, of so many columns at most. */
void annotate_reasons_text(const uint64_t cost[SL_KERNEL_EVENTS], unsigned width, char *out,
                           size_t bytes);

/* Lanes that are active in a wave instruction on average, as text; "-" without instructions. */
const char *annotate_lanes(const uint64_t cost[SL_KERNEL_EVENTS], char out[16]);

/* A number with commas. */
const char *annotate_number(uint64_t number, char out[32]);

/* Puts the cost of what a list of `shown` rows, out of `count`, leaves behind theirs. Returns the
 * rows with the one for that, which is there where something is left out. */
size_t annotate_rest(uint64_t *parts, size_t shown, size_t count, uint64_t total);

/* How many of `count` a list of so many rows names. */
size_t annotate_named(size_t count, size_t rows);

/* "file.c:12". */
void annotate_place(const struct annotate_selection *selection, const struct sl_view_line *line,
                    char *out, size_t bytes);

/* A heading. */
void annotate_title(const char *text, const struct annotate_output *output);

/* A share, with a bar where there are colors; and the columns that it takes. */
void annotate_share(const struct annotate_output *output, unsigned tenths);
unsigned annotate_share_columns(const struct annotate_output *output);

/* What begins and ends the color of a share. */
const char *annotate_color(const struct annotate_output *output, unsigned tenths);
const char *annotate_plain(const struct annotate_output *output);

/* ---- what is printed ---- */

/* Returns the rows of kernels. */
unsigned annotate_stacks(const struct annotate_selection *selection,
                         const struct annotate_output *output);

void annotate_screen(const struct annotate_options *options,
                     const struct annotate_selection *selection,
                     const struct annotate_output *output);
void annotate_listing(const struct annotate_options *options,
                      const struct annotate_selection *selection,
                      const struct annotate_output *output);
void annotate_table(const struct annotate_options *options,
                    const struct annotate_selection *selection, FILE *stream);

#endif
