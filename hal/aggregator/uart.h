/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The console: the UART of QEMU's virt machine, a 16550.
 *
 * Writes without asking the line status: QEMU's takes every byte at once, and polling it would make
 * the number of instructions depend on the wall clock (docs/know/design.md, rule 10). Inline,
 * because the boot code in flash may call nothing in RAM. */
#ifndef SLUICE_AGGREGATOR_UART_H
#define SLUICE_AGGREGATOR_UART_H

#include <stdint.h>

#include "aggregator/mmio.h"
#include "sluice/memory_map.h"

static inline void uart_put_char(char c)
{
    mmio_write8(SL_UART_BASE, (uint8_t)c);
}

static inline void uart_put_text(const char *text)
{
    while (*text != '\0') {
        uart_put_char(*text++);
    }
}

/* In hexadecimal with 0x and the given number of digits, 1 to 16. */
static inline void uart_put_hex(uint64_t value, unsigned digits)
{
    uart_put_text("0x");
    while (digits-- > 0) {
        const unsigned digit = (value >> (4 * digits)) & 15;
        uart_put_char((char)(digit < 10 ? '0' + digit : 'a' + digit - 10));
    }
}

static inline void uart_put_decimal(uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count > 0) {
        uart_put_char(digits[--count]);
    }
}

#endif
