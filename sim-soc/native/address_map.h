/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is at physical addresses: of QEMU's virt machine, DRAM, the first flash bank, the mask ROM,
 * the UART's transmitter and the test finisher. What the machine has besides is `foreign`: no
 * access to it is modelled; where it has nothing, an access faults. */
#ifndef SLUICE_NATIVE_ADDRESS_MAP_H
#define SLUICE_NATIVE_ADDRESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define BUS_ROM_BASE  0x1000ull
#define BUS_ROM_BYTES 0xf000u

struct bus {
    uint8_t *dram; /* shared with the host's process */
    uint64_t dram_bytes;
    const uint8_t *flash; /* read-only; what is behind its end reads as 0. NULL: there is none */
    uint64_t flash_bytes;
    uint8_t *rom;
    int uart_fd;
    bool has_ended; /* the test finisher was written */
    int status;     /* what the process ends with then */
};

enum bus_result {
    BUS_DONE,
    BUS_FAULT,   /* nothing there, or not in this size */
    BUS_FOREIGN, /* a device that is not modelled */
};

/* Makes the mask ROM: the reset code, which goes to flash where there is any, else to DRAM, with
 * the hart's number in a0 and the address that QEMU puts the device tree at in a1. Returns 0; -1
 * where memory is used up. */
int bus_init(struct bus *bus);

/* The address in a1, 2 MiB below the end of DRAM. */
uint64_t bus_device_tree(const struct bus *bus);

/* The bytes at an address that is memory, which end at *bytes behind it, or NULL. */
uint8_t *bus_memory(const struct bus *bus, uint64_t address, uint64_t *bytes);

/* An access of 1, 2, 4 or 8 bytes at a multiple of that, or within memory. What is read is not
 * sign-extended. */
enum bus_result bus_read(struct bus *bus, uint64_t address, unsigned bytes, uint64_t *value);
enum bus_result bus_write(struct bus *bus, uint64_t address, unsigned bytes, uint64_t value);

/* The name of the device at an address that is foreign; of any that is none of memory's, from where
 * code is to be fetched. NULL for none. */
const char *bus_foreign_name(uint64_t address);
const char *bus_device_name(uint64_t address);

/* A single access where it is aligned. `bytes` is 1, 2, 4 or 8. */
uint64_t bus_memory_read(const uint8_t *at, unsigned bytes);
void bus_memory_write(uint8_t *at, unsigned bytes, uint64_t value);

#endif
