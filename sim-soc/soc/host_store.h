/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host puts into an open graph (registers HOST_STORE and HOST_FULL; docs/know/design.md,
 * "Open graphs"). */
#ifndef SLUICE_SOC_HOST_STORE_H
#define SLUICE_SOC_HOST_STORE_H

#include <stdint.h>

struct soc;

/* Stores the elements of the message ENQ that firmware has come to, and counts them: `places` as
 * the register says. What firmware should have refused is a fault. */
void host_store_write(struct soc *soc, uint64_t places);

/* Counts that they find no space: of enum sl_when_full. */
void host_store_full(struct soc *soc, uint64_t when_full);

#endif
