/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of the host library know of the machine object beyond its public interface. */
#ifndef SLUICE_HOST_INTERNAL_H
#define SLUICE_HOST_INTERNAL_H

#include "host/sluice.h"

/* Leaves a printf-style message in the SoC object and returns `status`. */
enum sl_status sl_soc_fail(struct sl_soc *soc, enum sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The module that the machine has loaded, or NULL; close destroys it. */
struct sl_module *sl_soc_module(struct sl_soc *soc);
void sl_soc_set_module(struct sl_soc *soc, struct sl_module *module);

#endif
