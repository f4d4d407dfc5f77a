/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine object as the files of the host library's machine half see it. */
#ifndef SLUICE_HOST_SOC_H
#define SLUICE_HOST_SOC_H

#include <stdbool.h>

#include "host/heap.h"
#include "host/internal.h"
#include "host/launched.h"
#include "host/memory.h"
#include "host/observe.h"
#include "host/qemu_process.h"

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

    bool is_ready;                 /* the firmware has booted */
    bool is_running;               /* a graph, a launch or a sequence: */
    uint32_t kind;                 /* of what runs, or ran last (enum sl_message_host_type) */
    uint64_t graph;                /* address of the one that runs, or ran last */
    struct sl_print_buffer *print; /* in shared memory; NULL where the program does not print */
    uint64_t print_shown;          /* bytes of its records */
    FILE *print_stream;            /* NULL: standard error */
    struct sl_launch *launch;      /* in shared memory; NULL before the first launch */
    struct sl_sequence *steps;     /* likewise; of as many launches as the last one had */
    struct sl_launched launched;   /* what of these two runs, or ran last */
    uint32_t sequence;             /* of the last message to the firmware */
    bool has_stopped;              /* QEMU or the firmware is beyond use; stop_reason says why */
    int uart_copy_fd;              /* debug.uart, or -1 */
    int control_fd;                /* debug.control, or -1 */
    struct sl_completion_counts counts;
    bool has_sum;                       /* statistics are those of several runs together */
    uint64_t statistics[SL_STAT_COUNT]; /* of the last graph that ran, or of all since then */
    struct sl_served served;            /* likewise */
    char *console;                      /* what sl_soc_console() returned last */
    char error[SL_SOC_ERROR_BYTES];
    char stop_reason[SL_SOC_ERROR_BYTES];
};

/* Adds those of another run to the statistics of some (statistics_sum.c). */
void sl_statistics_add(uint64_t *statistics, const uint64_t *run);

/* A register of the device window, as the plugin wrote it last. */
uint64_t sl_soc_register(const struct sl_soc *soc, uint32_t offset);

#endif
