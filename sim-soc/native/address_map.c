/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory map, and what has side effects. */
#include "native/address_map.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/memory_map.h"

#define FINISHER_BYTES 0x1000u
#define UART_BYTES     8u
#define UART_SENT      0 /* register: what is transmitted */
#define UART_STATUS    5 /* register: line status */
#define UART_EMPTY     0x60u

/* Words that the finisher obeys, in its low half; the status of a failure is in its high half. */
enum { FINISHER_FAIL = 0x3333, FINISHER_PASS = 0x5555, FINISHER_RESET = 0x7777 };

/* The rest of the machine. */
static const struct {
    uint64_t base;
    uint64_t bytes;
    const char *name;
} foreign[] = {
    {0x00101000, 0x1000, "real-time clock"},
    {0x02000000, 0x10000, "CLINT (timer and software interrupts)"},
    {0x03000000, 0x10000, "PCIe port space"},
    {0x0c000000, 0x600000, "PLIC (external interrupts)"},
    {SL_UART_BASE, UART_BYTES, "UART, but for transmission and its line status,"},
    {0x10001000, 0x8000, "virtio devices"},
    {0x10100000, 0x18, "fw_cfg device"},
    {SL_FLASH_BASE, 2 * SL_FLASH_BYTES, "flash banks, but for reading the first,"},
    {0x30000000, 0x10000000, "PCIe configuration space"},
    {0x40000000, 0x40000000, "PCIe memory space"},
    {0x400000000, 0x400000000, "high PCIe memory space"},
};

uint64_t bus_device_tree(const struct bus *bus)
{
    return SL_DRAM_BASE + bus->dram_bytes - SL_TOP_BYTES;
}

int bus_init(struct bus *bus)
{
    const uint64_t tree = bus_device_tree(bus);
    const uint32_t reset[] = {
        0x00000297, /* auipc t0, 0 */
        0x02828613, /* addi a2, t0, 40: the record for OpenSBI */
        0xf1402573, /* csrr a0, mhartid */
        0x0202b583, /* ld a1, 32(t0) */
        0x0182b283, /* ld t0, 24(t0) */
        0x00028067, /* jr t0 */
        (uint32_t)SL_DRAM_BASE,
        (uint32_t)(SL_DRAM_BASE >> 32),
        (uint32_t)tree,
        (uint32_t)(tree >> 32),
        /* Magic, version, next address, its mode, options and hart, each a doubleword. */
        0x4942534f,
        0,
        2,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
    };
    bus->rom = calloc(1, BUS_ROM_BYTES);
    if (bus->rom == NULL) {
        return -1;
    }
    memcpy(bus->rom, reset, sizeof reset);
    return 0;
}

uint8_t *bus_memory(const struct bus *bus, uint64_t address, uint64_t *bytes)
{
    const struct {
        uint64_t base;
        uint64_t bytes;
        const uint8_t *at;
    } memories[] = {
        {SL_DRAM_BASE, bus->dram_bytes, bus->dram},
        {SL_FLASH_BASE, bus->flash_bytes, bus->flash},
        {BUS_ROM_BASE, BUS_ROM_BYTES, bus->rom},
    };
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        const uint64_t offset = address - memories[i].base;
        if (offset < memories[i].bytes) {
            *bytes = memories[i].bytes - offset;
            return (uint8_t *)(uintptr_t)memories[i].at + offset;
        }
    }
    return NULL;
}

static bool is_within(uint64_t address, uint64_t base, uint64_t bytes)
{
    return address - base < bytes;
}

const char *bus_foreign_name(uint64_t address)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (is_within(address, foreign[i].base, foreign[i].bytes)) {
            return foreign[i].name;
        }
    }
    return NULL;
}

const char *bus_device_name(uint64_t address)
{
    return is_within(address, SL_FINISHER_BASE, FINISHER_BYTES) ? "code in the test finisher"
                                                                : bus_foreign_name(address);
}

static enum bus_result nothing_at(uint64_t address)
{
    return bus_foreign_name(address) != NULL ? BUS_FOREIGN : BUS_FAULT;
}

uint64_t bus_memory_read(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    if ((uintptr_t)at % bytes != 0) {
        memcpy(&value, at, bytes);
        return value;
    }
    switch (bytes) {
    case 1:
        return __atomic_load_n(at, __ATOMIC_RELAXED);
    case 2:
        return __atomic_load_n((const uint16_t *)(const void *)at, __ATOMIC_RELAXED);
    case 4:
        return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_RELAXED);
    default:
        return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_RELAXED);
    }
}

void bus_memory_write(uint8_t *at, unsigned bytes, uint64_t value)
{
    if ((uintptr_t)at % bytes != 0) {
        memcpy(at, &value, bytes);
        return;
    }
    switch (bytes) {
    case 1:
        __atomic_store_n(at, (uint8_t)value, __ATOMIC_RELAXED);
        break;
    case 2:
        __atomic_store_n((uint16_t *)(void *)at, (uint16_t)value, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((uint32_t *)(void *)at, (uint32_t)value, __ATOMIC_RELAXED);
        break;
    default:
        __atomic_store_n((uint64_t *)(void *)at, value, __ATOMIC_RELAXED);
        break;
    }
}

/* The finisher has registers of 2 and of 4 bytes. */
static bool is_finisher(uint64_t address, unsigned bytes)
{
    return is_within(address, SL_FINISHER_BASE, FINISHER_BYTES) && (bytes == 2 || bytes == 4);
}

enum bus_result bus_read(struct bus *bus, uint64_t address, unsigned bytes, uint64_t *value)
{
    uint64_t left;
    const uint8_t *const at = bus_memory(bus, address, &left);
    if (at != NULL && left >= bytes) {
        *value = bus_memory_read(at, bytes);
        return BUS_DONE;
    }
    *value = 0;
    if (is_finisher(address, bytes)) {
        return BUS_DONE;
    }
    if (address == SL_UART_BASE + UART_STATUS) {
        *value = UART_EMPTY;
        return BUS_DONE;
    }
    return nothing_at(address);
}

static void finish(struct bus *bus, uint32_t word)
{
    const uint32_t what = word & 0xffff;
    if (what == FINISHER_FAIL || what == FINISHER_PASS || what == FINISHER_RESET) {
        bus->has_ended = true;
        bus->status = what == FINISHER_FAIL ? (int)(word >> 16) : 0;
    }
}

static enum bus_result transmit(const struct bus *bus, uint8_t byte)
{
    (void)!write(bus->uart_fd, &byte, 1);
    return BUS_DONE;
}

enum bus_result bus_write(struct bus *bus, uint64_t address, unsigned bytes, uint64_t value)
{
    uint64_t left;
    uint8_t *const at = bus_memory(bus, address, &left);
    if (is_within(address, SL_DRAM_BASE, bus->dram_bytes) && left >= bytes) {
        bus_memory_write(at, bytes, value);
        return BUS_DONE;
    }
    if (is_within(address, BUS_ROM_BASE, BUS_ROM_BYTES)) {
        return BUS_DONE; /* of no effect */
    }
    if (is_finisher(address, bytes)) {
        if (address == SL_FINISHER_BASE) {
            finish(bus, (uint32_t)value);
        }
        return BUS_DONE;
    }
    return address == SL_UART_BASE + UART_SENT ? transmit(bus, (uint8_t)value)
                                               : nothing_at(address);
}
