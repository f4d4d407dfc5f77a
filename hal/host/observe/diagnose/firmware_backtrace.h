/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Who has called whom in the firmware, from its registers and its stack in shared memory. */
#ifndef SLUICE_HOST_OBSERVE_DIAGNOSE_FIRMWARE_BACKTRACE_H
#define SLUICE_HOST_OBSERVE_DIAGNOSE_FIRMWARE_BACKTRACE_H

#include <elfutils/libdw.h>
#include <stdint.h>

#define SL_BACKTRACE_INNER 8
#define SL_BACKTRACE_OUTER 4

struct sl_firmware_registers {
    uint64_t pc;
    uint64_t x[32];
};

/* Calls, the innermost first. The middle of a long one is left out. */
struct sl_backtrace {
    uint64_t inner[SL_BACKTRACE_INNER]; /* pc, then addresses of calls */
    uint64_t outer[SL_BACKTRACE_OUTER]; /* the call with number n is in n % SL_BACKTRACE_OUTER */
    uint64_t count;
};

/* By the call frame information of an ELF file, as far as it leads. */
void sl_firmware_backtrace(Dwarf *lines, const struct sl_firmware_registers *registers,
                           struct sl_backtrace *trace);

#endif
