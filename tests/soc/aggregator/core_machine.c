/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The measuring firmware in QEMU (core_machine.h). */
#define _GNU_SOURCE 1
#include "soc/aggregator/core_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/driver/machine/guest_memory.h"
#include "host/driver/machine/qemu.h"
#include "sluice/config.h"

#define START_MS 100000
#define LIMIT_MS 300000
#define POLL_US  2000

struct run {
    struct sl_memory memory;
    struct sl_process process;
    struct sl_mailbox mailbox; /* that nobody uses */
};

static int open_memory(struct sl_memory *memory, uint64_t bytes)
{
    memory->dram_fd = sl_memory_file("dram");
    memory->uart_fd = sl_memory_file("uart");
    memory->log_fd = sl_memory_file("log");
    if (memory->dram_fd < 0 || memory->uart_fd < 0 || memory->log_fd < 0 ||
        ftruncate(memory->dram_fd, (off_t)bytes) != 0) {
        return -1;
    }
    void *dram = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->dram_fd, 0);
    if (dram == MAP_FAILED) {
        return -1;
    }
    memory->dram = dram;
    memory->dram_bytes = bytes;
    return 0;
}

static void *at(const struct run *run, uint64_t address)
{
    return (char *)run->memory.dram + (address - SL_DRAM_BASE);
}

/* Waits until QEMU has ended by itself, with status 0. */
static int wait_for_end(struct run *run, char *error, size_t error_bytes)
{
    int status = 0;

    for (int64_t us = 0; !sl_process_has_ended(&run->process, &status); us += POLL_US) {
        if (us > LIMIT_MS * 1000ll) {
            (void)snprintf(error, error_bytes, "no end within %d ms", LIMIT_MS);
            return -1;
        }
        usleep(POLL_US);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char *console = sl_memory_file_text(run->memory.uart_fd, 0, 1000);
        char *log = sl_memory_file_text(run->memory.log_fd, 0, 1000);
        (void)snprintf(error, error_bytes, "QEMU ended with wait status %d: %s %s", status,
                       console != NULL ? console : "", log != NULL ? log : "");
        free(console);
        free(log);
        return -1;
    }
    return 0;
}

static int execute(struct run *run, const struct sl_config *config,
                   const struct core_request *request, struct core_measurements *out, char *error,
                   size_t error_bytes)
{
    if (open_memory(&run->memory, (uint64_t)config->number[SL_CFG_DRAM_SIZE]) != 0) {
        (void)snprintf(error, error_bytes, "memory: %s", strerror(errno));
        return -1;
    }
    sl_machine_record_write(at(run, SL_MACHINE_BASE), config);
    if (request != NULL) {
        memcpy(at(run, CORE_REQUEST_BASE), request, sizeof *request);
    }
    if (sl_process_start(&run->process, config, &run->memory, &run->mailbox, START_MS) != SL_OK) {
        (void)snprintf(error, error_bytes, "%s", run->process.error);
        return -1;
    }
    if (wait_for_end(run, error, error_bytes) != 0) {
        return -1;
    }
    memcpy(out, at(run, CORE_MEASUREMENTS_BASE), sizeof *out);
    return 0;
}

int core_machine_run(struct sl_config *config, const char *build,
                     const struct core_request *request, struct core_measurements *out, char *error,
                     size_t error_bytes)
{
    struct run *run = calloc(1, sizeof *run);
    int result = -1;

    if (run == NULL) {
        (void)snprintf(error, error_bytes, "out of memory");
        return -1;
    }
    (void)snprintf(config->text[SL_CFG_HOST_PLUGIN], SL_CONFIG_TEXT_MAX, "%s/lib", build);
    (void)snprintf(config->text[SL_CFG_HOST_FLASH], SL_CONFIG_TEXT_MAX,
                   "%s/firmware/core_measure.flash", build);
    sl_memory_init(&run->memory);
    result = execute(run, config, request, out, error, error_bytes);
    sl_process_close(&run->process, 0);
    if (run->memory.dram != NULL) {
        munmap(run->memory.dram, run->memory.dram_bytes);
        run->memory.dram = NULL;
    }
    sl_memory_close(&run->memory);
    free(run);
    return result;
}
