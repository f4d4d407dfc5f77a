/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lanes of a run may access (docs/trust.md): struct sl_protection. Private to this folder. */
#ifndef SLUICE_HOST_RUN_PROTECTION_H
#define SLUICE_HOST_RUN_PROTECTION_H

#include <stdbool.h>

#include "host/run/run.h"

/* Fills in the table of the run that is described in soc->run: the kernel file, open memory, its
 * graph or task vector, its print buffer, what is granted. Where it is of an address that the
 * library has not described, all that is allocated. */
void sl_protection_fill(struct sl_soc *soc, bool is_described, struct sl_protection *table);

/* The same in closed memory, for the run that begins: its address for the firmware, 0 where
 * debug.protection is off. SL_ERROR_USAGE with a message where no memory is left. */
enum sl_status sl_protection_make(struct sl_soc *soc, bool is_described, uint64_t *address);

#endif
