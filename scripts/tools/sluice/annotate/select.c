/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What of a profile is shown, in which order, and its shares. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "config/nearest.h"

#define SHARES_MAX 64

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

/* A name that no kernel or function has. */
static int no_such(const struct cli_command *command, const struct annotate_options *options,
                   const struct sl_kernel_view *view)
{
    const bool is_kernel = options->function == NULL;
    const char *const wanted = is_kernel ? options->kernel : options->function;
    const size_t count = is_kernel ? view->kernel_count : view->function_count;
    const char **const names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = name_of(view, is_kernel ? view->kernels[i].name : view->functions[i].name);
    }
    const char *const nearest = names != NULL ? sl_nearest(wanted, names, count) : NULL;
    const int status = cli_fail(command, CLI_USAGE, "'%s' has no %s '%s'%s%s%s%s%s", options->path,
                                is_kernel ? "kernel" : "function", wanted,
                                !is_kernel && options->kernel != NULL ? " in kernel " : "",
                                !is_kernel && options->kernel != NULL ? options->kernel : "",
                                nearest != NULL ? "; did you mean '" : "",
                                nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    free(names);
    return status;
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
        select_functions(options, selection) != 0) {
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
    return CLI_DONE;
}

void annotate_unselect(struct annotate_selection *selection)
{
    free(selection->kernels);
    free(selection->sorted);
    free(selection->lines);
}

void annotate_shares(const uint64_t *parts, size_t count, unsigned *tenths)
{
    uint64_t rest[SHARES_MAX];
    uint64_t whole = 0;
    unsigned given = 0;
    for (size_t i = 0; i < count; i++) {
        whole += parts[i];
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned __int128 exact = (unsigned __int128)parts[i] * 1000;
        tenths[i] = whole == 0 ? 0 : (unsigned)(exact / whole);
        rest[i] = whole == 0 ? 0 : (uint64_t)(exact % whole);
        given += tenths[i];
    }
    for (; whole != 0 && given < 1000; given++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++) {
            most = rest[i] > rest[most] ? i : most;
        }
        tenths[most]++;
        rest[most] = 0;
    }
}

void annotate_reasons(const uint64_t cost[SL_KERNEL_EVENTS], unsigned order[SL_STALL_COUNT])
{
    const uint64_t *const cycles = &cost[SL_KERNEL_EVENT_STALL];
    for (unsigned i = 0; i < SL_STALL_COUNT; i++) {
        unsigned at = i;
        for (; at > 0 && cycles[order[at - 1]] < cycles[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

void annotate_reasons_text(const uint64_t cost[SL_KERNEL_EVENTS], unsigned width, char *out,
                           size_t bytes)
{
    const uint64_t *const cycles = &cost[SL_KERNEL_EVENT_STALL];
    const uint64_t all = cost[SL_KERNEL_EVENT_RESIDENT];
    unsigned order[SL_STALL_COUNT];
    size_t length = 0;
    (void)snprintf(out, bytes, "-");
    annotate_reasons(cost, order);
    for (unsigned i = 0; i < SL_STALL_COUNT && all > 0; i++) {
        char text[64];
        const double share = 100.0 * (double)cycles[order[i]] / (double)all;
        const int more = snprintf(text, sizeof text, "%s%s %.0f%%", i == 0 ? "" : ", ",
                                  sl_stall_text[order[i]].words, share);
        if (share < 0.5 || length + (size_t)more > width || length + (size_t)more >= bytes) {
            break;
        }
        memcpy(out + length, text, (size_t)more + 1);
        length += (size_t)more;
    }
}

const char *annotate_lanes(const uint64_t cost[SL_KERNEL_EVENTS], char out[16])
{
    const uint64_t waves = cost[SL_KERNEL_EVENT_WAVES];
    if (waves == 0) {
        return "-";
    }
    (void)snprintf(out, 16, "%.1f", (double)cost[SL_KERNEL_EVENT_LANES] / (double)waves);
    return out;
}

const char *annotate_number(uint64_t number, char out[32])
{
    char digits[24];
    char *to = out;
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}
