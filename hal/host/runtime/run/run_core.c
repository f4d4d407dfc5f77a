/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The object of a run. Below all other files of this folder. */
#include "host/runtime/run/run.h"

#include <stdlib.h>

#include "host/driver/graph/graph.h"

struct sl_run *sl_run_create(struct sl_soc *soc)
{
    struct sl_run *const run = calloc(1, sizeof *run);
    if (run != NULL) {
        run->print = (struct sl_print){.config = &soc->config};
        soc->run = run;
    }
    return run;
}

void sl_run_destroy(struct sl_soc *soc)
{
    struct sl_run *const run = soc->run;
    if (run != NULL) {
        sl_observe_close(&run->observation);
        sl_results_close(&run->results);
        free(run);
        soc->run = NULL;
    }
}

struct sl_message_context sl_run_context(struct sl_soc *soc)
{
    const struct sl_run *const run = soc->run;
    return (struct sl_message_context){&soc->config, soc->module, sl_graph_at(soc, run->graph),
                                       &run->launched, soc};
}

enum sl_status sl_run_check_idle(struct sl_soc *soc, const char *what)
{
    return soc->is_running ? sl_soc_fail(soc, SL_ERROR_USAGE,
                                         "%s: a graph is running: wait for its end before", what)
                           : SL_OK;
}
