/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the device window is. */
#include "agg/device.h"

uintptr_t agg_device_window;
