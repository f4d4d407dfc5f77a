/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From the command line to the exit status, the same for each program. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/safe_write.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"
#include "sluice/program.h"

/* What sl_app_main() has opened. */
static struct sl_soc *machine;

void sl_app_end(struct sl_soc *soc, enum sl_status status)
{
    const int exit_status = sl_app_races(soc, sl_app_error(soc, status));
    sl_soc_close(soc);
    exit(exit_status);
}

void *sl_app_memory(size_t count, size_t bytes)
{
    void *const memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "%s: no memory for %zu times %zu bytes\n",
                      program_invocation_short_name, count, bytes);
        sl_soc_close(machine);
        exit(SL_APP_MACHINE);
    }
    return memory;
}

struct sl_module *sl_app_kernels(struct sl_soc *soc)
{
    return soc->module;
}

void *sl_app_alloc(struct sl_soc *soc, size_t bytes, size_t align)
{
    void *const memory = sl_alloc(soc, bytes, align);
    if (memory == NULL) {
        sl_app_end(soc, SL_ERROR_USAGE);
    }
    return memory;
}

struct sl_graph_builder *sl_app_graph(struct sl_soc *soc)
{
    struct sl_graph_builder *graph;
    const enum sl_status status = sl_graph_create(soc->module, &graph);
    if (status != SL_OK) {
        sl_app_end(soc, status);
    }
    return graph;
}

void *sl_app_put(struct sl_graph_builder *graph, int channel, uint32_t count)
{
    void *const elements = sl_graph_talloc(graph, channel, count);
    if (elements == NULL || sl_graph_enq(graph, channel, elements, count) != SL_OK) {
        sl_app_end(graph->soc, SL_ERROR_USAGE);
    }
    return elements;
}

enum sl_status sl_app_execute(struct sl_graph_builder *graph)
{
    const enum sl_status status = sl_graph_execute(graph);
    return status == SL_OK ? sl_app_wait(graph->soc, graph) : status;
}

enum sl_status sl_app_launch(struct sl_soc *soc, const char *kernel, uint32_t items, uint32_t group,
                             uint32_t lds_bytes, const struct sl_value *values, unsigned count)
{
    const uint32_t grid_size[3] = {items, 1, 1};
    const uint32_t group_size[3] = {items < group ? items : group, 1, 1};
    const enum sl_status status =
        sl_launch_values(soc->module, kernel, grid_size, group_size, lds_bytes, values, count);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}

static enum sl_status report(const struct sl_app *app, struct sl_soc *soc,
                             const struct sl_app_options *options)
{
    if (!options->is_quiet && app->print != NULL) {
        app->print(app->arguments);
    }
    const enum sl_status status = sl_app_report(soc, options);

    if (!options->is_quiet && app->print_after != NULL) {
        app->print_after(soc, app->arguments);
    }
    return status;
}

static int run(const struct sl_app *app, const struct sl_app_options *options)
{
    struct sl_write_guard guard;
    struct sl_soc *soc;
    int exit_status;

    enum sl_status status = sl_soc_open(&options->config, &soc);
    machine = soc;
    if (status == SL_OK && app->kernels != NULL) {
        struct sl_module *module;
        status = sl_app_load(soc, app->kernels, &module);
    }
    if (status == SL_OK) {
        status = app->run(soc, app->arguments);
    }
    if (status == SL_OK) {
        sl_write_hold(&guard);
        status = report(app, soc, options);
        sl_write_release(&guard);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else {
        exit_status = app->is_right(app->arguments) ? SL_APP_RIGHT : SL_APP_WRONG;
    }
    exit_status = sl_app_races(soc, exit_status);
    machine = NULL;
    sl_soc_close(soc);
    return exit_status;
}

int sl_app_main(const struct sl_app *app, int argc, char **argv)
{
    /* Some 200 KiB: stacks may be small. */
    struct sl_app_options *const options = calloc(1, sizeof *options);
    int exit_status = -1;

    if (options == NULL) {
        perror(argv[0]);
        return SL_APP_MACHINE;
    }
    sl_app_read(app, argc, argv, options);
    if (app->configure != NULL) {
        app->configure(&options->config, app->arguments);
    }
    if (app->run_alone != NULL) {
        exit_status = app->run_alone(options, app->arguments);
    }
    if (exit_status < 0) {
        exit_status = run(app, options);
    }
    free(options);
    return exit_status;
}
