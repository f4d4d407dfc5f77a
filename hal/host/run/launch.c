/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ordinary kernel launches: describes one in shared memory, checks it with names and settings, and
 * gives it to the firmware. */
#include "host/run/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/load/module.h"
#include "host/machine/machine.h"
#include "host/run/launch_refusal.h"
#include "host/run/run.h"
#include "host/run/start.h"
#include "launch/check.h"

/* What a program's own LDS is rounded up to: where dynamic LDS begins (linker/kernel.ld). */
#define LDS_ALIGN 16u

#define WHAT_BYTES 256

struct sl_graph_limits sl_launch_limits(const struct sl_soc *soc)
{
    const struct sl_heap *const heap = sl_soc_heap(soc);
    return (struct sl_graph_limits){.heap_base = heap->base,
                                    .heap_limit = heap->limit,
                                    .lanes =
                                        (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES]};
}

struct sl_cu_shape sl_launch_shape(const struct sl_soc *soc)
{
    const struct sl_config *const config = sl_soc_config(soc);
    const int64_t contexts = config->number[SL_CFG_GPU_CONTEXTS];
    const int64_t blocks = config->number[SL_CFG_POOL_BLOCKS]; /* 0: enough */
    return (struct sl_cu_shape){
        .lanes = (uint32_t)config->number[SL_CFG_GPU_LANES],
        .simds = (uint32_t)config->number[SL_CFG_GPU_SIMDS],
        .contexts = (uint32_t)(blocks != 0 && blocks < contexts ? blocks : contexts),
        .registers = (uint32_t)config->number[SL_CFG_GPU_REGISTERS],
        .lds_bytes = (uint32_t)config->number[SL_CFG_GPU_LDS],
    };
}

enum sl_status sl_launch_describe(struct sl_module *module, const struct sl_launch_step *step,
                                  const char *what, struct sl_launch *launch, const char **name)
{
    const int handle = sl_module_kernel(module, step->kernel);
    if (handle < 0) {
        return SL_ERROR_USAGE;
    }
    if (step->argument_count > SL_LAUNCH_ARGUMENTS) {
        return sl_soc_fail(sl_module_soc(module), SL_ERROR_USAGE,
                           "%s: %u arguments; at most %d are possible", what, step->argument_count,
                           SL_LAUNCH_ARGUMENTS);
    }
    const struct sl_kernel_needs needs = sl_module_kernel_needs(module, handle);
    const uint64_t declared = (sl_module_lds_bytes(module) + LDS_ALIGN - 1) & ~(LDS_ALIGN - 1ull);
    const uint64_t total = declared + step->lds_bytes;
    *launch = (struct sl_launch){
        .magic = SL_LAUNCH_MAGIC,
        .lds_bytes = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total,
        .program = sl_module_program(module),
        .grid_word = (uintptr_t)step->grid_word,
        .kernel = {.entry = sl_module_kernel_entry(module, handle),
                   .argument_count = step->argument_count,
                   .registers = (uint32_t)__builtin_popcountll(needs.register_mask),
                   .register_mask = needs.register_mask,
                   .flags = needs.yields ? SL_KERNEL_YIELDS : 0},
    };
    memcpy(launch->grid, step->grid, sizeof launch->grid);
    memcpy(launch->group, step->group, sizeof launch->group);
    memcpy(launch->kernel.argument, step->argument, step->argument_count * sizeof *step->argument);
    *name = sl_module_kernel_name(module, handle);
    return SL_OK;
}

static enum sl_status check(struct sl_soc *soc, const struct sl_launch *launch, const char *what)
{
    const struct sl_graph_limits limits = sl_launch_limits(soc);
    const struct sl_cu_shape cu = sl_launch_shape(soc);
    struct sl_graph_scratch *const scratch = malloc(sizeof *scratch);
    struct sl_graph_refusal refusal;
    if (scratch == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    const bool is_good = sl_launch_check(launch, &limits, &cu, &refusal, scratch) == 0;
    free(scratch);
    if (is_good) {
        return SL_OK;
    }
    char text[512] = "";
    sl_launch_refusal_text(sl_soc_config(soc), &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s", what, text);
}

const struct sl_launch *sl_launch_shared(const struct sl_soc *soc)
{
    return sl_run_of(soc)->launch;
}

enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address)
{
    return sl_run_start_unchecked(soc, SL_HOST_LAUNCH, launch_address);
}

enum sl_status sl_launch(struct sl_module *module, const char *kernel, const uint32_t grid[3],
                         const uint32_t group[3], uint32_t lds_bytes, const uint64_t *arguments,
                         unsigned count)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_run *const run = sl_run_of(soc);
    struct sl_launch_step step = {.kernel = kernel,
                                  .grid = {grid[0], grid[1], grid[2]},
                                  .group = {group[0], group[1], group[2]},
                                  .lds_bytes = lds_bytes,
                                  .argument_count = count};
    char what[WHAT_BYTES];
    (void)snprintf(what, sizeof what, "launch of kernel '%s'", kernel);
    if (sl_soc_state(soc)->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s: a graph is running: wait for its end before",
                           what);
    }
    if (run->launch == NULL) { /* one is enough, as launches come one at a time */
        run->launch = sl_alloc(soc, sizeof *run->launch, 0);
    }
    if (run->launch == NULL) {
        return SL_ERROR_USAGE; /* with sl_alloc()'s message */
    }
    if (count > 0 && count <= SL_LAUNCH_ARGUMENTS) {
        memcpy(step.argument, arguments, count * sizeof *arguments);
    }
    const char *name;
    enum sl_status status = sl_launch_describe(module, &step, what, run->launch, &name);
    if (status == SL_OK) {
        status = check(soc, run->launch, what);
    }
    if (status != SL_OK) {
        return status;
    }
    run->launched.launches = run->launch;
    run->launched.count = 1;
    run->launched.kernels[0] = name;
    return sl_run_start(soc, SL_HOST_LAUNCH, (uintptr_t)run->launch);
}
