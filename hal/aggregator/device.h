/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The registers of the device window, by name (hal/contract/registers.def). */
#ifndef SLUICE_AGGREGATOR_DEVICE_H
#define SLUICE_AGGREGATOR_DEVICE_H

#include <stdint.h>

#include "aggregator/mmio.h"
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

/* Sets the window, for all of the above and below. */
static inline void agg_set_window(uintptr_t window)
{
    agg_device_window = window;
#ifndef SL_AGG_HOST
    __asm__ volatile("mv tp, %0" : : "r"(window));
#endif
}

/* Says what the firmware does from here on. A note for the statistics: the device does nothing on
 * it that software could see, so that it needs no fences. The window's address is in tp, which
 * nothing else uses in a program without threads, and which byte of the register is stored to tells
 * the phase, a constant: a mark is one instruction. */
static inline __attribute__((always_inline)) void agg_phase(enum sl_phase phase)
{
#ifdef SL_AGG_HOST
    AGG_MMIO_STORE(64, agg_device_window + SL_REG_PHASE, phase);
#else
    __asm__ volatile("sb zero, %0(tp)" : : "i"(SL_REG_PHASE + phase));
#endif
}

/* A pointer as the device takes addresses. */
static inline uint64_t agg_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

#endif
