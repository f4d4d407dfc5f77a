/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ordinary kernel launches: describes one in shared memory, checks it with names and settings, and
 * gives it to the firmware. */
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

static struct sl_cu_shape cu_shape(const struct sl_config *config)
{
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

static enum sl_status check(struct sl_soc *soc, const struct sl_launch *launch, const char *kernel)
{
    const struct sl_config *const config = sl_soc_config(soc);
    const struct sl_heap *const heap = sl_soc_heap(soc);
    const struct sl_graph_limits limits = {heap->base, heap->limit,
                                           (uint32_t)config->number[SL_CFG_GPU_LANES], 0};
    const struct sl_cu_shape cu = cu_shape(config);
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
    sl_launch_refusal_text(config, &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "launch of kernel '%s': %s", kernel, text);
}

/* The one description that a machine needs, as launches come one at a time. */
static struct sl_launch *description(struct sl_soc *soc)
{
    struct sl_run *const run = sl_run_of(soc);
    if (run->launch == NULL) {
        run->launch = sl_alloc(soc, sizeof *run->launch, 0);
    }
    return run->launch;
}

const struct sl_launch *sl_launch_shared(const struct sl_soc *soc)
{
    return sl_run_of(soc)->launch;
}

enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address)
{
    if (!sl_soc_state(soc)->is_running) {
        sl_run_of(soc)->launched = NULL;
    }
    return sl_run_start(soc, SL_HOST_LAUNCH, launch_address);
}

/* The launch but for its grid and its arguments. */
static struct sl_launch describe(const struct sl_module *module, int kernel, uint32_t lds_bytes)
{
    const struct sl_kernel_needs needs = sl_module_kernel_needs(module, kernel);
    const uint64_t declared = (sl_module_lds_bytes(module) + LDS_ALIGN - 1) & ~(LDS_ALIGN - 1ull);
    const uint64_t total = declared + lds_bytes;
    return (struct sl_launch){
        .magic = SL_LAUNCH_MAGIC,
        .lds_bytes = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total,
        .program = sl_module_program(module),
        .kernel = {.entry = sl_module_kernel_entry(module, kernel),
                   .registers = (uint32_t)__builtin_popcountll(needs.register_mask),
                   .register_mask = needs.register_mask,
                   .flags = needs.yields ? SL_KERNEL_YIELDS : 0},
    };
}

enum sl_status sl_launch(struct sl_module *module, const char *kernel, const uint32_t grid[3],
                         const uint32_t group[3], uint32_t lds_bytes, const uint64_t *arguments,
                         unsigned count)
{
    struct sl_soc *const soc = sl_module_soc(module);
    if (sl_soc_state(soc)->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "launch of kernel '%s': a graph is running: wait for its end before",
                           kernel);
    }
    const int handle = sl_module_kernel(module, kernel);
    if (handle < 0) {
        return SL_ERROR_USAGE;
    }
    if (count > SL_LAUNCH_ARGUMENTS) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "launch of kernel '%s': %u arguments; at most %d are possible", kernel,
                           count, SL_LAUNCH_ARGUMENTS);
    }
    struct sl_launch *const launch = description(soc);
    if (launch == NULL) {
        return SL_ERROR_USAGE; /* with sl_alloc()'s message */
    }
    *launch = describe(module, handle, lds_bytes);
    memcpy(launch->grid, grid, sizeof launch->grid);
    memcpy(launch->group, group, sizeof launch->group);
    launch->kernel.argument_count = count;
    if (count > 0) {
        memcpy(launch->kernel.argument, arguments, count * sizeof *arguments);
    }
    const enum sl_status status = check(soc, launch, kernel);
    if (status != SL_OK) {
        return status;
    }
    sl_run_of(soc)->launched = sl_module_kernel_name(module, handle);
    return sl_run_start(soc, SL_HOST_LAUNCH, (uintptr_t)launch);
}
