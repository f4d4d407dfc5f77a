/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory map that host, aggregator and compute units share (docs/know/design.md, "Memory map").
 *
 * Addresses are physical and mean the same on all three: the host library maps DRAM at SL_DRAM_BASE
 * of its own address space. Fixed places are here; what depends on the configuration (the end of
 * DRAM, the wavefront state pool) is computed by sl_layout_compute() in hal/config and told to the
 * firmware by registers. */
#ifndef SLUICE_MEMORY_MAP_H
#define SLUICE_MEMORY_MAP_H

#define SL_KIB(n) ((n)*1024ull)
#define SL_MIB(n) ((n)*1024ull * 1024ull)

/* Devices of QEMU's virt machine. */
#define SL_FINISHER_BASE 0x00100000ull
#define SL_UART_BASE     0x10000000ull
#define SL_FLASH_BASE    0x20000000ull
#define SL_FLASH_BYTES   SL_MIB(32)

#define SL_DRAM_BASE      0x80000000ull
#define SL_DRAM_BYTES_MIN SL_MIB(64)
#define SL_DRAM_BYTES_MAX SL_MIB(1024)

/* Firmware's own region: code, data, heap and stack of the aggregator. */
#define SL_FIRMWARE_BASE  SL_DRAM_BASE
#define SL_FIRMWARE_BYTES SL_MIB(3)

/* Two single-producer rings between host and firmware (struct sl_mailbox). */
#define SL_MAILBOX_BASE  (SL_DRAM_BASE + SL_MIB(3))
#define SL_MAILBOX_BYTES SL_KIB(64)

/* What firmware that hangs was doing (struct sl_hang), behind the rings in the same piece. */
#define SL_HANG_BASE (SL_MAILBOX_BASE + SL_KIB(32))

/* The resolved configuration, written by the host before reset and read by the plugin. */
#define SL_MACHINE_BASE  (SL_MAILBOX_BASE + SL_MAILBOX_BYTES)
#define SL_MACHINE_BYTES SL_KIB(64)

/* Kernel code and data are linked to this region (linker/kernel.ld). */
#define SL_KERNEL_BASE  (SL_DRAM_BASE + SL_MIB(4))
#define SL_KERNEL_BYTES SL_MIB(4)

/* The shared heap begins here and ends where the wavefront state pool begins. */
#define SL_HEAP_BASE (SL_KERNEL_BASE + SL_KERNEL_BYTES)

/* The top of DRAM: QEMU puts the device tree at its start (and its address into a1 at reset), the
 * device window is its last 64 KiB. */
#define SL_TOP_BYTES     SL_MIB(2)
#define SL_WINDOW_BYTES  SL_KIB(64)
#define SL_WINDOW_OFFSET (SL_TOP_BYTES - SL_WINDOW_BYTES) /* from the device tree's address */

/* Apertures that exist for compute units only. */
#define SL_PRIVATE_BASE 0x50000000ull /* a lane's stack: the same address in every lane */
#define SL_PRIVATE_SLOT 8u            /* bytes: lanes interleave at this grain */
#define SL_LDS_BASE     0x60000000ull /* the LDS of the work-group */
#define SL_LDS_APERTURE SL_MIB(256)   /* addresses that can mean nothing else */

#define SL_CACHE_LINE_BYTES 64u

/* Where a lane's outermost return address points: a return to it ends the lane. Never mapped. */
#define SL_LANE_EXIT_PC 0x40000000ull

#endif
