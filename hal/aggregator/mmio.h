/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Typed accesses to device registers by the aggregator.
 *
 * Each is bracketed by `fence iorw, iorw`: what the program did before is visible to the device
 * first, and what comes after waits for the access (docs/know/design.md, rule 3). Built with
 * SL_AGG_HOST the accesses go to two functions that a unit test provides, so that it can assert
 * their sequence. */
#ifndef SLUICE_AGGREGATOR_MMIO_H
#define SLUICE_AGGREGATOR_MMIO_H

#include <stdint.h>

#ifdef SL_AGG_HOST

uint64_t agg_host_read(uintptr_t address, unsigned bytes);
void agg_host_write(uintptr_t address, unsigned bytes, uint64_t value);

#define AGG_MMIO_LOAD(bits, address)         ((uint##bits##_t)agg_host_read((address), (bits) / 8))
#define AGG_MMIO_STORE(bits, address, value) agg_host_write((address), (bits) / 8, (value))
#define AGG_MMIO_FENCE()                     __asm__ volatile("" ::: "memory")

#else

#define AGG_MMIO_LOAD(bits, address)         (*(volatile uint##bits##_t *)(address))
#define AGG_MMIO_STORE(bits, address, value) (void)(*(volatile uint##bits##_t *)(address) = (value))
#define AGG_MMIO_FENCE()                     __asm__ volatile("fence iorw, iorw" ::: "memory")

#endif

/* mmio_read8(address) to mmio_write64(address, value). The address is aligned to the access. */
#define AGG_MMIO_ACCESSORS(bits)                                                                   \
    static inline uint##bits##_t mmio_read##bits(uintptr_t address)                                \
    {                                                                                              \
        AGG_MMIO_FENCE();                                                                          \
        const uint##bits##_t value = AGG_MMIO_LOAD(bits, address);                                 \
        AGG_MMIO_FENCE();                                                                          \
        return value;                                                                              \
    }                                                                                              \
    static inline void mmio_write##bits(uintptr_t address, uint##bits##_t value)                   \
    {                                                                                              \
        AGG_MMIO_FENCE();                                                                          \
        AGG_MMIO_STORE(bits, address, value);                                                      \
        AGG_MMIO_FENCE();                                                                          \
    }

AGG_MMIO_ACCESSORS(8)
AGG_MMIO_ACCESSORS(16)
AGG_MMIO_ACCESSORS(32)
AGG_MMIO_ACCESSORS(64)

#endif
