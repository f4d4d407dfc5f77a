/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine object as the files of the host library's machine half see it. */
#ifndef SLUICE_HOST_SOC_H
#define SLUICE_HOST_SOC_H

#include <stdbool.h>

#include "host/machine/control.h"
#include "host/machine/heap.h"
#include "host/machine/machine.h"
#include "host/machine/memory.h"
#include "host/machine/qemu_process.h"
#include "host/observation/observation.h"
#include "host/observation/print.h"
#include "host/observation/results.h"

#define SL_SOC_ERROR_BYTES 8192

struct sl_soc {
    struct sl_config config;
    struct sl_layout layout;
    struct sl_memory memory;
    struct sl_heap heap;
    struct sl_process process;
    struct sl_observation observation;
    struct sl_mailbox *mailbox; /* in shared memory; NULL until it is mapped */
    struct sl_module *module;
    struct sl_graph_builder *graphs; /* all that exist */

    bool is_ready;   /* the firmware has booted */
    bool is_running; /* a graph, or a launch: */
    bool is_launch;  /* what runs, or ran last */
    uint64_t graph;  /* address of the one that runs, or ran last */
    struct sl_print print;
    struct sl_launch *launch;  /* in shared memory; NULL before the first launch */
    const char *launched;      /* its kernel, where it is what runs, or ran last */
    uint32_t sequence;         /* of the last message to the firmware */
    bool has_stopped;          /* QEMU or the firmware is beyond use; stop_reason says why */
    int uart_copy_fd;          /* debug.uart, or -1 */
    struct sl_control control; /* debug.control */
    struct sl_completion_counts counts;
    struct sl_results results;
    char *console; /* what sl_soc_console() returned last */
    char error[SL_SOC_ERROR_BYTES];
    char stop_reason[SL_SOC_ERROR_BYTES];
};

/* A register of the device window, as the plugin wrote it last. */
uint64_t sl_soc_register(const struct sl_soc *soc, uint32_t offset);

#endif
