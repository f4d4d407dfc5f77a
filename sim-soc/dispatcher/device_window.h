/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device window: registers that are ordinary memory, which the device reads and writes too. */
#ifndef SLUICE_DISPATCHER_DEVICE_WINDOW_H
#define SLUICE_DISPATCHER_DEVICE_WINDOW_H

#include <stdint.h>

#include "sluice/registers.h"

struct window {
    uint8_t *bytes; /* SL_WINDOW_BYTES of DRAM */
};

static inline uint64_t window_read(const struct window *window, uint64_t offset)
{
    return *(const volatile uint64_t *)(window->bytes + offset);
}

static inline void window_write(const struct window *window, uint64_t offset, uint64_t value)
{
    *(volatile uint64_t *)(window->bytes + offset) = value;
}

#endif
