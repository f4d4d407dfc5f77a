/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The object of a run. */
#include "host/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/graph/graph.h"
#include "host/machine/machine.h"
#include "host/messages/names.h"

struct sl_run *sl_run_create(struct sl_soc *soc)
{
    struct sl_run *const run = calloc(1, sizeof *run);
    if (run != NULL) {
        run->print = (struct sl_print){.config = sl_soc_config(soc), .layout = sl_soc_layout(soc)};
        sl_soc_residents(soc)->run = run;
    }
    return run;
}

void sl_run_destroy(struct sl_soc *soc)
{
    struct sl_run *const run = sl_run_of(soc);
    if (run != NULL) {
        sl_observe_close(&run->observation);
        free(run);
        sl_soc_residents(soc)->run = NULL;
    }
}

struct sl_message_context sl_run_context(struct sl_soc *soc)
{
    const struct sl_run *const run = sl_run_of(soc);
    return (struct sl_message_context){sl_soc_config(soc), sl_soc_residents(soc)->module,
                                       sl_graph_at(soc, run->graph), &run->launched};
}

static void kernel_name(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    const char *const name = sl_kernel_name(owner, kernel);
    if (name != NULL) {
        (void)snprintf(out, bytes, "%s", name);
    } else {
        sl_kernel_text(owner, kernel, out, bytes);
    }
}

static void channel_name(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    const struct sl_message_context *const context = owner;
    const char *const name = sl_graph_channel_name(context->graph, channel);
    (void)snprintf(out, bytes, "%s",
                   name != NULL ? name : sl_graph_channel_label(context->graph, channel).text);
}

enum sl_status sl_run_observe(struct sl_soc *soc)
{
    struct sl_run *const run = sl_run_of(soc);
    const struct sl_message_context context = sl_run_context(soc);
    const struct sl_trace_names names = {
        .run = run->launched.count == 0   ? "graph"
               : run->launched.count == 1 ? run->launched.kernels[0]
                                          : "sequence",
        .owner = &context,
        .kernel = kernel_name,
        .channel = channel_name,
    };
    return sl_observe_run(&run->observation, soc, &names);
}
