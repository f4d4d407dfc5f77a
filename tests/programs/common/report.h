/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a test program prints, and how it ends (docs/design.md, "Test programs"). */
#ifndef SLUICE_PROGRAMS_REPORT_H
#define SLUICE_PROGRAMS_REPORT_H

#include <stdint.h>

#include "programs/common/options.h"
#include "sluice/sluice.h"

/* Prints "name(arguments) = value", the first line of standard output that does not begin with '#'.
 */
void report_result(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A checksum (FNV-1a, 64 bits) for results that are too long to print. */
uint64_t report_checksum(const void *data, size_t bytes);

/* Prints what happened as a short table, each line with "# " in front. Behind what is stalled stand
 * resources that are busy for at least so much of the time; how busy DRAM and LDS are is known. */
#define REPORT_BUSY_PCT 80
void report_table(const struct sl_soc *soc);

/* Below the table: the wavefronts that Table 3 of the core paper counts for this input, and those
 * that were launched here. Prints nothing for 0, and on a machine whose wavefronts do not have the
 * paper's 64 lanes. */
void report_paper(const struct sl_soc *soc, uint64_t paper_wavefronts);

/* What a program does after its graph has run: writes --stats and prints the table unless --quiet.
 * Returns the status of the former. */
SL_MUST_USE enum sl_status report_run(struct sl_soc *soc, const struct options *options);

/* Tells of races on standard error, where debug.races looks for them. Returns the exit status:
 * where there are some, that of a wrong result in place of a right one. */
int report_races(const struct sl_soc *soc, int exit_status);

/* Prints the machine's message on standard error and returns the exit status for `status`. */
int report_error(struct sl_soc *soc, enum sl_status status);

#endif
