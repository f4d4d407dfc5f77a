/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ending the machine from the aggregator. */
#ifndef SLUICE_AGGREGATOR_EXIT_H
#define SLUICE_AGGREGATOR_EXIT_H

#include <stdint.h>

#include "aggregator/mmio.h"
#include "sluice/codes.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"

#define AGG_FINISHER_FAIL 0x3333u /* QEMU's test finisher: end with the status in bits 31 to 16 */

/* Ends QEMU with this status: the plugin does by register EXIT of the window (0: no window known),
 * the test finisher where there is no plugin. */
static inline _Noreturn void agg_exit(uintptr_t window, enum sl_exit_status status)
{
    if (window != 0) {
        mmio_write64(window + SL_REG_EXIT, status);
    }
    mmio_write32(SL_FINISHER_BASE, AGG_FINISHER_FAIL | (uint32_t)status << 16);
    for (;;) {
        /* QEMU may go on for a while after the store. */
    }
}

/* The device window, from the device tree's address that the reset code leaves in a1; 0 where that
 * is not an address that QEMU's virt machine can give. */
static inline uintptr_t agg_find_window(uint64_t device_tree)
{
    const uint64_t least = SL_DRAM_BASE + SL_DRAM_BYTES_MIN - SL_TOP_BYTES;
    const uint64_t most = SL_DRAM_BASE + SL_DRAM_BYTES_MAX - SL_TOP_BYTES;
    if (device_tree < least || device_tree > most || device_tree % SL_TOP_BYTES != 0) {
        return 0;
    }
    return (uintptr_t)(device_tree + SL_WINDOW_OFFSET);
}

#endif
