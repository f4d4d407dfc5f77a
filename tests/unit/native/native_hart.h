/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A hart of the native engine with 4 MiB of DRAM and no plugin, for tests. */
#ifndef SLUICE_TESTS_NATIVE_HART_H
#define SLUICE_TESTS_NATIVE_HART_H

#include <stdlib.h>
#include <string.h>

#include "native/blocks.h"
#include "native/hart.h"
#include "native/hart_run.h"

#define NATIVE_DRAM_BYTES 0x400000u
#define NATIVE_CODE       SL_DRAM_BASE
#define NATIVE_HANDLER    (SL_DRAM_BASE + 0x1000) /* of traps: ends the run with status 7 */
#define NATIVE_DATA       (SL_DRAM_BASE + 0x2000)
#define NATIVE_TRAPPED    7

struct native_hart {
    struct bus bus;
    struct blocks blocks;
    struct hart hart;
};

static inline uint8_t *native_at(struct native_hart *native, uint64_t address)
{
    return native->bus.dram + (address - SL_DRAM_BASE);
}

static inline void native_open(struct native_hart *native)
{
    static const uint32_t handler[] = {
        0x00100f37, /* lui t5, 0x100: the finisher */
        0x00073fb7, /* lui t6, 0x73: status 7, and 0x3000 */
        0x333f8f93, /* addi t6, t6, 0x333 */
        0x01ff2023, /* sw t6, 0(t5) */
    };
    *native = (struct native_hart){.bus = {.dram_bytes = NATIVE_DRAM_BYTES, .uart_fd = -1}};
    native->bus.dram = calloc(1, NATIVE_DRAM_BYTES);
    if (native->bus.dram == NULL || bus_init(&native->bus) != 0 ||
        blocks_init(&native->blocks, NATIVE_DRAM_BYTES) != 0) {
        abort();
    }
    hart_reset(&native->hart, &native->bus, &native->blocks);
    memcpy(native_at(native, NATIVE_HANDLER), handler, sizeof handler);
    native->hart.csr.mtvec = NATIVE_HANDLER;
    native->hart.pc = NATIVE_CODE;
}

static inline void native_close(struct native_hart *native)
{
    blocks_destroy(&native->blocks);
    free(native->bus.dram);
    free(native->bus.rom);
}

/* Executes words from NATIVE_CODE on, until the hart stops: what is behind them is illegal. */
static inline void native_run(struct native_hart *native, const uint32_t *words, size_t bytes)
{
    static const volatile sig_atomic_t none;
    memcpy(native_at(native, NATIVE_CODE), words, bytes);
    run(&native->hart, &none);
}

#endif
