/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines one after the other in one process, and one too many: a machine's DRAM is at the
 * device's own addresses, so that a second one finds no place while the first is open. Its message
 * has to say so, the first machine has to go on as if nothing had been, and once that is closed the
 * next one opens. Each computes fib(N) with the kernels of workloads/fib/fib.c. */
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/fibonacci.h"

#define WIDTH    131072
#define FAN_OUT  2
#define MACHINES 3

/* workloads/fib/fib_kernel.c has the same. */
struct fib_element {
    int32_t value;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 27, .bytes = sizeof(uint32_t)},
    {0},
};

static enum sl_status compute(struct sl_soc *soc, uint32_t n, uint64_t *value)
{
    const struct sl_channel_options options = {.name = "fib", .flags = SL_CHANNEL_NARROW};
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "fib.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    uint64_t *const result = sl_app_alloc(soc, sizeof *result, 0);
    const int channel = sl_graph_channel(graph, sizeof(struct fib_element), WIDTH, &options);
    const int kernel = sl_graph_kernel(graph, "fib_kernel");
    sl_graph_argument(graph, kernel, 2, (uint64_t)channel);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)result);
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, FAN_OUT);
    struct fib_element *const element = sl_app_put(graph, channel, 1);
    element->value = (int32_t)n;
    status = sl_app_execute(graph);
    *value = *result;
    return status;
}

/* Whether a second machine is refused, and the message says what to do. */
static bool refuses_another(const struct sl_config *config)
{
    struct sl_soc *second;
    const enum sl_status status = sl_soc_open(config, &second);
    const bool is_refused =
        status == SL_ERROR_USAGE && strstr(sl_soc_error(second), "close") != NULL;

    (void)fprintf(stderr, "machines: a second one: %s\n",
                  status == SL_OK ? "opened" : sl_soc_error(second));
    sl_soc_close(second);
    return is_refused;
}

int main(int argc, char **argv)
{
    uint32_t n = 0;
    const struct sl_app app = {.doc = "Compute the Nth Fibonacci number on three machines one "
                                      "after the other in one process, and try to open another "
                                      "one meanwhile.",
                               .table = table,
                               .arguments = &n};
    struct sl_app_options options;
    uint32_t rights = 0;

    sl_app_read(&app, argc, argv, &options);
    for (uint32_t i = 0; i < MACHINES; i++) {
        struct sl_soc *soc;
        uint64_t value = 0;
        enum sl_status status = sl_soc_open(&options.config, &soc);
        const bool is_refused = status == SL_OK && refuses_another(&options.config);
        if (status == SL_OK) {
            status = compute(soc, n, &value);
        }
        if (status == SL_OK) {
            status = sl_app_report(soc, &options);
        }
        if (status != SL_OK) {
            sl_app_end(soc, status);
        }
        rights += is_refused && value == fibonacci(n) ? 1 : 0;
        sl_soc_close(soc);
    }
    sl_app_result("machines(%" PRIu32 ") = %" PRIu32, n, rights);
    return rights == MACHINES ? SL_APP_RIGHT : SL_APP_WRONG;
}
