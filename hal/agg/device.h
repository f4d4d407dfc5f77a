/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The registers of the device window, by name (hal/regs/registers.def). */
#ifndef SLUICE_AGG_DEVICE_H
#define SLUICE_AGG_DEVICE_H

#include <stdint.h>

#include "agg/mmio.h"
#include "sluice/codes.h"
#include "sluice/registers.h"

/* Address of the window; set once, before the first access. */
extern uintptr_t agg_device_window;

static inline uint64_t agg_register_read(enum sl_register reg)
{
    return mmio_read64(agg_device_window + reg);
}

static inline void agg_register_write(enum sl_register reg, uint64_t value)
{
    mmio_write64(agg_device_window + reg, value);
}

/* Says what the firmware does from here on. A note for the statistics: the device does nothing on
 * it that software could see, so that it costs one store and no fences. */
static inline void agg_phase(enum sl_phase phase)
{
    mmio_write64_relaxed(agg_device_window + SL_REG_PHASE, phase);
}

/* A pointer as the device takes addresses. */
static inline uint64_t agg_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

#endif
