/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The boot code: checks the image in flash, copies its payload to RAM, and says on the console what
 * is wrong where it may not run (docs/know/architecture.md, "The firmware"). Runs from flash: calls
 * nothing but what it includes and has no data that is written; the linker script sees to that. */
#include <stdint.h>

#include "aggregator/exit.h"
#include "aggregator/uart.h"
#include "sluice/image.h"

static _Noreturn void refuse(uint64_t device_tree, int status, const struct sl_image_defect *defect)
{
    uart_put_text("sluice boot: bad firmware image: ");
    uart_put_text(defect->what);
    uart_put_text(": expected ");
    uart_put_hex(defect->expected, 16);
    uart_put_text(", found ");
    uart_put_hex(defect->found, 16);
    uart_put_text("\n");
    agg_exit(agg_find_window(device_tree), (enum sl_exit_status)status);
}

/* Called by start.S; returns the address to go on at. */
uint64_t boot_load(uint64_t device_tree);

uint64_t boot_load(uint64_t device_tree)
{
    const uint8_t *flash = (const uint8_t *)(uintptr_t)SL_FLASH_BASE;
    struct sl_image_defect defect;

    const int status = sl_image_check(flash, &defect);
    if (status != 0) {
        refuse(device_tree, status, &defect);
    }
    const struct sl_image_header *header = sl_image_header_of(flash);
    const uint64_t *from = (const uint64_t *)(const void *)(flash + header->payload_offset);
    volatile uint64_t *to = (volatile uint64_t *)(uintptr_t)header->load_address;
    for (uint64_t i = 0; i < header->payload_bytes / sizeof(*from); i++) {
        to[i] = from[i]; /* volatile: the compiler must not call memcpy, which is in the payload */
    }
    return header->entry;
}

/* Called by start.S when the boot code itself traps. */
_Noreturn void boot_trapped(uint64_t cause, uint64_t pc, uint64_t address);

_Noreturn void boot_trapped(uint64_t cause, uint64_t pc, uint64_t address)
{
    uart_put_text("sluice boot: trap: cause ");
    uart_put_hex(cause, 16);
    uart_put_text(", pc ");
    uart_put_hex(pc, 16);
    uart_put_text(", address ");
    uart_put_hex(address, 16);
    uart_put_text("\n");
    agg_exit(0, SL_EXIT_TRAPPED);
}
