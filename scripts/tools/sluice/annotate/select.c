/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What of a profile is shown, in which order, and its shares. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "config/nearest.h"
#include "host/base/text.h"

#define NAMES_BYTES 512

static const char *name_of(const struct sl_kernel_view *view, uint32_t name)
{
    return view->names[name];
}

static bool is_selected(const struct annotate_options *options, const struct sl_kernel_view *view,
                        const struct sl_view_function *function)
{
    const char *const kernel = name_of(view, view->kernels[function->kernel].name);
    return (options->kernel == NULL || strcmp(kernel, options->kernel) == 0) &&
           (options->function == NULL ||
            strcmp(name_of(view, function->name), options->function) == 0);
}

static void add(uint64_t *sum, const uint64_t *cost)
{
    for (unsigned i = 0; i < SL_KERNEL_EVENTS; i++) {
        sum[i] += cost[i];
    }
}

/* The order of all lists: the event's largest costs first; where these are equal, the file's. */
static int compare_costs(const uint64_t *x, const uint64_t *y, unsigned event)
{
    return x[event] > y[event] ? -1 : x[event] < y[event];
}

static int compare_kernels(const void *left, const void *right, void *event)
{
    const struct sl_view_kernel *const x = left;
    const struct sl_view_kernel *const y = right;
    const int order = compare_costs(x->cost, y->cost, *(unsigned *)event);
    return order != 0 ? order : (x->name > y->name) - (x->name < y->name);
}

static int compare_functions(const void *left, const void *right, void *event)
{
    const struct sl_view_function *const x = *(const struct sl_view_function *const *)left;
    const struct sl_view_function *const y = *(const struct sl_view_function *const *)right;
    const int order = compare_costs(x->cost, y->cost, *(unsigned *)event);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_lines(const void *left, const void *right, void *event)
{
    const struct sl_view_line *const x = *(const struct sl_view_line *const *)left;
    const struct sl_view_line *const y = *(const struct sl_view_line *const *)right;
    const int order = compare_costs(x->cost, y->cost, *(unsigned *)event);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_places(const void *left, const void *right)
{
    const struct sl_view_line *const x = left;
    const struct sl_view_line *const y = right;
    return x->file != y->file ? (x->file > y->file) - (x->file < y->file)
                              : (x->line > y->line) - (x->line < y->line);
}

static int compare_place_costs(const void *left, const void *right, void *event)
{
    const struct sl_view_line *const x = left;
    const struct sl_view_line *const y = right;
    const int order = compare_costs(x->cost, y->cost, *(unsigned *)event);
    return order != 0 ? order : compare_places(x, y);
}

/* "; did you mean 'b'?", or the names that there are, as far as there is room. */
static void append_names(const char *wanted, const char *const *names, size_t count, char *out,
                         size_t bytes)
{
    const char *const nearest = sl_nearest(wanted, names, count);
    if (nearest != NULL) {
        sl_text_append(out, bytes, "; did you mean '%s'?", nearest);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (strlen(out) + strlen(names[i]) + sizeof "; there are: , ..." > bytes) {
            sl_text_append(out, bytes, ", ...");
            return;
        }
        sl_text_append(out, bytes, "%s%s", i == 0 ? "; there are: " : ", ", names[i]);
    }
}

/* Names of kernels, or of functions, each once; NULL when out of memory. */
static const char **names_of(const struct sl_kernel_view *view, bool is_kernel, size_t *count)
{
    const size_t most = is_kernel ? view->kernel_count : view->function_count;
    const char **const names = calloc(most + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; names != NULL && i < most; i++) {
        const char *const name =
            name_of(view, is_kernel ? view->kernels[i].name : view->functions[i].name);
        size_t at = 0;
        while (at < *count && names[at] != name) {
            at++;
        }
        names[at] = name;
        *count += at == *count;
    }
    return names;
}

/* A name that no kernel or function has. */
static int no_such(const struct cli_command *command, const struct annotate_options *options,
                   const struct sl_kernel_view *view)
{
    const bool is_kernel = options->function == NULL;
    const char *const wanted = is_kernel ? options->kernel : options->function;
    size_t count;
    const char **const names = names_of(view, is_kernel, &count);
    char there[NAMES_BYTES] = "";
    if (names != NULL) {
        append_names(wanted, names, count, there, sizeof there);
    }
    free(names);
    return cli_fail(command, CLI_USAGE, "'%s' has no %s '%s'%s%s%s", options->path,
                    is_kernel ? "kernel" : "function", wanted,
                    !is_kernel && options->kernel != NULL ? " in kernel " : "",
                    !is_kernel && options->kernel != NULL ? options->kernel : "", there);
}

/* Leaves out kernels of no functions that were asked for. */
static void select_kernels(struct annotate_selection *selection, const bool *is_used)
{
    const struct sl_kernel_view *const view = selection->view;
    for (size_t i = 0; i < view->kernel_count; i++) {
        if (is_used[i]) {
            selection->kernels[selection->kernel_count++] = selection->kernels[i];
        }
    }
}

/* Adds lines of one place up. */
static int select_places(struct annotate_selection *selection)
{
    struct sl_view_line *const places = calloc(selection->line_count + 1, sizeof *places);
    size_t count = 0;
    selection->places = places;
    if (places == NULL) {
        return -1;
    }
    for (size_t i = 0; i < selection->line_count; i++) {
        places[i] = *selection->lines[i];
    }
    qsort(places, selection->line_count, sizeof *places, compare_places);
    for (size_t i = 0; i < selection->line_count; i++) {
        if (count > 0 && compare_places(&places[count - 1], &places[i]) == 0) {
            add(places[count - 1].cost, places[i].cost);
        } else {
            places[count++] = places[i];
        }
    }
    selection->place_count = count;
    return 0;
}

static int select_functions(const struct annotate_options *options,
                            struct annotate_selection *selection)
{
    const struct sl_kernel_view *const view = selection->view;
    bool *const is_used = calloc(view->kernel_count + 1, sizeof *is_used);
    if (is_used == NULL) {
        return -1;
    }
    for (size_t i = 0; i < view->function_count; i++) {
        if (is_selected(options, view, &view->functions[i])) {
            const uint32_t kernel = view->functions[i].kernel;
            selection->sorted[selection->function_count++] = &view->functions[i];
            add(selection->kernels[kernel].cost, view->functions[i].cost);
            add(selection->total, view->functions[i].cost);
            is_used[kernel] = true;
        }
    }
    for (size_t i = 0; i < view->line_count; i++) {
        if (is_selected(options, view, &view->functions[view->lines[i].function])) {
            selection->lines[selection->line_count++] = &view->lines[i];
        }
    }
    select_kernels(selection, is_used);
    free(is_used);
    return 0;
}

int annotate_select(const struct cli_command *command, const struct annotate_options *options,
                    const struct sl_kernel_view *view, struct annotate_selection *selection)
{
    unsigned event = options->event;
    *selection = (struct annotate_selection){
        .view = view,
        .event = event,
        .kernels = calloc(view->kernel_count + 1, sizeof *selection->kernels),
        .sorted = calloc(view->function_count + 1, sizeof *selection->sorted),
        .lines = calloc(view->line_count + 1, sizeof *selection->lines),
    };
    for (size_t i = 0; selection->kernels != NULL && i < view->kernel_count; i++) {
        selection->kernels[i].name = view->kernels[i].name;
    }
    if (selection->kernels == NULL || selection->sorted == NULL || selection->lines == NULL ||
        select_functions(options, selection) != 0 || select_places(selection) != 0) {
        return cli_fail(command, CLI_FAILED, "out of memory");
    }
    if (selection->function_count == 0 && (options->kernel != NULL || options->function != NULL)) {
        return no_such(command, options, view);
    }
    qsort_r(selection->kernels, selection->kernel_count, sizeof *selection->kernels,
            compare_kernels, &event);
    qsort_r(selection->sorted, selection->function_count, sizeof(*selection->sorted),
            compare_functions, &event);
    qsort_r(selection->lines, selection->line_count, sizeof(*selection->lines), compare_lines,
            &event);
    qsort_r(selection->places, selection->place_count, sizeof *selection->places,
            compare_place_costs, &event);
    return CLI_DONE;
}

void annotate_unselect(struct annotate_selection *selection)
{
    free(selection->kernels);
    free(selection->sorted);
    free(selection->lines);
    free(selection->places);
}
