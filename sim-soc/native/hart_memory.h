/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loads and stores of the hart, misaligned ones too: protected, told to the plugin, and seen by
 * translated code. */
#ifndef SLUICE_NATIVE_HART_MEMORY_H
#define SLUICE_NATIVE_HART_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "native/translated_insn.h"
#include "sluice/memory_map.h"

/* Where an access lies within DRAM and no PMP entry is in the way; NULL elsewhere. */
static inline uint8_t *memory_open(const struct hart *hart, uint64_t address, unsigned bytes)
{
    const uint64_t offset = address - SL_DRAM_BASE;
    return hart->dram_is_open && offset < hart->bus->dram_bytes &&
                   offset <= hart->bus->dram_bytes - bytes
               ? hart->bus->dram + offset
               : NULL;
}

/* An access of 1 << shift bytes. Returns whether it was made; else the hart has trapped, or has
 * stopped. What is loaded is not sign-extended. */
bool memory_load(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                 unsigned shift, uint64_t *value);
bool memory_store(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                  unsigned shift, uint64_t value);

#endif
