/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The progress line: one that is written over on a terminal, elsewhere a new one in a while. It
 * only reads shared memory, so that it cannot change what the machine does.
 */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "config/number.h"
#include "sluice/program.h"

#define FIRST_LINE_S 1.0
#define REFRESH_MS   200
#define LINE_MS      10000 /* where it is no terminal */

static bool is_quiet;

void sl_app_be_quiet(bool quiet)
{
    is_quiet = quiet;
}

static double wall_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Channel elements that were done and deallocated since the counters began: the one counter of the
 * aggregator's that is in shared memory while the graph runs. None before the graph is prepared. */
static uint64_t deallocated(struct sl_graph_builder *graph)
{
    const struct sl_channel *channel;
    uint64_t total = 0;
    for (int i = 0; graph != NULL && (channel = sl_graph_shared_channel(graph, i)) != NULL; i++) {
        total += __atomic_load_n(&channel->data_head, __ATOMIC_RELAXED);
    }
    return total;
}

/* How far the run is. */
static void show(const struct sl_soc *soc, struct sl_graph_builder *graph, uint64_t before,
                 double elapsed_s)
{
    (void)sl_number_write(stderr, "%.3f ms simulated, ", (double)sl_soc_time_ps(soc) / 1e9);
    if (graph != NULL) {
        (void)fprintf(stderr, "%" PRIu64 " elements done, ", deallocated(graph) - before);
    }
    (void)sl_number_write(stderr, "%" PRIu64 " wavefronts in flight, %.1f s", sl_soc_active(soc),
                          elapsed_s);
}

/* A line in a while, in a file with much else. */
static enum sl_status wait_with_lines(struct sl_soc *soc, struct sl_graph_builder *graph)
{
    const uint64_t before = deallocated(graph);
    const double start_s = wall_s();
    enum sl_status status = sl_soc_wait(soc, LINE_MS);
    while (status == SL_ERROR_TIMEOUT) {
        (void)fprintf(stderr, "# ");
        show(soc, graph, before, wall_s() - start_s);
        (void)fprintf(stderr, "\n");
        status = sl_soc_wait(soc, LINE_MS);
    }
    return status;
}

enum sl_status sl_app_wait(struct sl_soc *soc, struct sl_graph_builder *graph)
{
    if (!isatty(STDERR_FILENO)) {
        return is_quiet ? sl_soc_wait(soc, -1) : wait_with_lines(soc, graph);
    }
    const uint64_t before = deallocated(graph);
    const double start_s = wall_s();
    bool is_shown = false;
    enum sl_status status = sl_soc_wait(soc, REFRESH_MS);
    while (status == SL_ERROR_TIMEOUT) {
        const double elapsed_s = wall_s() - start_s;
        if (elapsed_s >= FIRST_LINE_S) {
            (void)fprintf(stderr, "\r\033[K");
            show(soc, graph, before, elapsed_s);
            is_shown = true;
        }
        status = sl_soc_wait(soc, REFRESH_MS);
    }
    if (is_shown) {
        (void)fprintf(stderr, "\r\033[K");
    }
    return status;
}
