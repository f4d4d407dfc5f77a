/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the device window is. */
#include "aggregator/device.h"

uintptr_t agg_device_window;
