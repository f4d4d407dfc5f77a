/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A count of the machines that were started, for whoever runs many programs. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_STARTS_H
#define SLUICE_HOST_DRIVER_MACHINE_STARTS_H

/* Appends a line to the file that SLUICE_STARTS names in the environment. A file that cannot be
 * written is ignored, and so is a FIFO that nobody reads. */
void sl_starts_count(void);

#endif
