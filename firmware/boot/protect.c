/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locked PMP entries: only those bind machine mode, and what no entry matches stays allowed. */
#include "boot/protect.h"

#include <stdint.h>

#define PMP_LOCKED 0x80u
#define PMP_NAPOT  0x18u
#define PMP_DENY   (PMP_LOCKED | PMP_NAPOT) /* no read, write or execute bit */

/* pmpaddr of a naturally aligned power of two: address bits 55 to 2, the size in trailing ones. */
#define PMP_RANGE(address, bytes) (((uint64_t)(address) >> 2) | ((uint64_t)(bytes) / 8 - 1))

void protect(void)
{
    const uint64_t apertures = PMP_RANGE(0x40000000, 0x40000000);
    const uint64_t page_zero = PMP_RANGE(0, 0x1000);
    const uint64_t config = PMP_DENY | PMP_DENY << 8;

    __asm__ volatile("csrw pmpaddr0, %0" ::"r"(apertures));
    __asm__ volatile("csrw pmpaddr1, %0" ::"r"(page_zero));
    __asm__ volatile("csrw pmpcfg0, %0" ::"r"(config) : "memory");
}
