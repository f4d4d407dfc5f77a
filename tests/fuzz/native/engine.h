/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU and the native engine as processes over a memory of ours, without the plugin. */
#ifndef SLUICE_TESTS_FUZZ_NATIVE_ENGINE_H
#define SLUICE_TESTS_FUZZ_NATIVE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

enum engine { ENGINE_QEMU, ENGINE_NATIVE, ENGINES };

/* DRAM of an engine, of LAYOUT_DRAM_BYTES. */
struct engine_memory {
    int fd;
    uint8_t *bytes;
};

void engine_memory_open(struct engine_memory *memory);
void engine_memory_close(struct engine_memory *memory);

static inline void *engine_at(const struct engine_memory *memory, uint64_t address)
{
    return memory->bytes + (address - UINT64_C(0x80000000));
}

/* Whether there is a qemu-system-riscv64 to compare with. */
bool engine_has_qemu(void);

#define ENGINE_STUCK (-1)

/* Runs an engine from reset at the beginning of DRAM. Returns its exit status; ENGINE_STUCK where
 * it has had a second of a processor, or a minute, and was killed. */
int engine_run(enum engine engine, const struct engine_memory *memory);

#endif
