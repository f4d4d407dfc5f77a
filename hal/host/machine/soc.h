/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine object. Private to this folder. */
#ifndef SLUICE_HOST_SOC_H
#define SLUICE_HOST_SOC_H

#include "host/machine/machine.h"
#include "host/machine/qemu_process.h"

#define SL_SOC_ERROR_BYTES 8192

struct sl_soc {
    struct sl_config config;
    struct sl_layout layout;
    struct sl_memory memory;
    struct sl_heap heap;
    struct sl_process process;
    struct sl_control control;  /* debug.control */
    int uart_copy_fd;           /* debug.uart, or -1 */
    struct sl_mailbox *mailbox; /* in shared memory; NULL until it is mapped */

    struct sl_soc_state state;
    struct sl_residents residents;
    bool has_stopped; /* QEMU or the firmware is beyond use; stop_reason says why */
    char *console;    /* what sl_soc_console() returned last */
    char error[SL_SOC_ERROR_BYTES];
    char stop_reason[SL_SOC_ERROR_BYTES];
};

#endif
