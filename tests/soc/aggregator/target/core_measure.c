/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that measures the kernels of core_kernels.S in place of serving a host: booted from a
 * flash image as the real one, with the device's marks around each kernel. */
#include "core_kernels.h"

#include "aggregator/device.h"
#include "aggregator/exit.h"
#include "sluice/statistics.h"

#define CORE_KERNEL(name, iterations)                                                              \
    void core_kernel_##name(uint64_t count, uint64_t data, uintptr_t window);
#include "core_kernels.def"
#undef CORE_KERNEL

static const struct {
    void (*run)(uint64_t count, uint64_t data, uintptr_t window);
    uint64_t iterations;
} kernels[CORE_KERNELS] = {
#define CORE_KERNEL(name, count) [CORE_KERNEL_##name] = {core_kernel_##name, count},
#include "core_kernels.def"
#undef CORE_KERNEL
};

static uint64_t statistic(enum sl_statistic index)
{
    return mmio_read64(agg_device_window + SL_REG_STATISTICS + 8 * index);
}

static struct core_measurement measure(enum core_kernel kernel, uint64_t iterations)
{
    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    kernels[kernel].run(iterations, CORE_DATA_BASE, agg_device_window);
    agg_register_write(SL_REG_MARK, SL_MARK_END);
    return (struct core_measurement){
        .cycles = statistic(SL_STAT_AGG_CYCLES),
        .instructions = statistic(SL_STAT_AGG_INSTRUCTIONS),
        .branches = statistic(SL_STAT_AGG_BRANCHES),
        .mispredictions = statistic(SL_STAT_AGG_MISPREDICTIONS),
    };
}

/* Called by crt.S. */
_Noreturn void firmware_main(uint64_t hart, uint64_t device_tree);

_Noreturn void firmware_main(uint64_t hart, uint64_t device_tree)
{
    struct core_measurements *results =
        (struct core_measurements *)(uintptr_t)CORE_MEASUREMENTS_BASE;

    (void)hart;
    agg_device_window = agg_find_window(device_tree);
    *(uint64_t *)(uintptr_t)CORE_DATA_BASE = CORE_DATA_BASE; /* load_chain stays there */
    const struct core_request *request = (const struct core_request *)(uintptr_t)CORE_REQUEST_BASE;
    if (request->iterations != 0) {
        results->kernel[request->kernel][0] =
            measure((enum core_kernel)request->kernel, request->iterations);
        results->wall_s = statistic(SL_STAT_SIM_WALL_S);
        agg_exit(agg_device_window, SL_EXIT_QUIT);
    }
    for (enum core_kernel kernel = 0; kernel < CORE_KERNELS; kernel++) {
        for (unsigned times = 1; times <= 2; times++) {
            results->kernel[kernel][times - 1] =
                measure(kernel, times * kernels[kernel].iterations);
        }
    }
    agg_exit(agg_device_window, SL_EXIT_QUIT);
}
