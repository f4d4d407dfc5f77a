/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware from C on: protects itself, finds the device, tells the host that it is there, and
 * serves it for ever (docs/know/architecture.md, "The firmware"). */
#include <stdint.h>

#include "aggregator/device.h"
#include "aggregator/exit.h"
#include "aggregator/uart.h"
#include "boot/protect.h"
#include "boot/trap.h"
#include "runs/firmware_version.h"
#include "runs/service.h"
#include "sluice/limits.h"

static struct mailbox mailbox;
static struct machine machine;

static void print_banner(void)
{
    uart_put_text("sluice firmware " FIRMWARE_VERSION_TEXT "\n");
}

static _Noreturn void refuse(const char *what, uint64_t expected, uint64_t found)
{
    uart_put_text("sluice firmware: no device: ");
    uart_put_text(what);
    uart_put_text(": expected ");
    uart_put_hex(expected, 16);
    uart_put_text(", found ");
    uart_put_hex(found, 16);
    uart_put_text("\n");
    agg_exit(agg_device_window, SL_EXIT_NO_DEVICE);
}

static void find_device(uint64_t device_tree)
{
    agg_set_window(agg_find_window(device_tree));
    if (agg_device_window == 0) {
        refuse("address of the device tree, 2 MiB below the end of DRAM",
               SL_DRAM_BASE + SL_DRAM_BYTES_MAX - SL_TOP_BYTES, device_tree);
    }
    const uint64_t id = agg_register_read(SL_REG_ID);
    if (id != SL_DEVICE_ID) {
        refuse("register ID", SL_DEVICE_ID, id);
    }
    const uint64_t version = agg_register_read(SL_REG_VERSION);
    if (version != SL_DEVICE_VERSION) {
        refuse("register VERSION", SL_DEVICE_VERSION, version);
    }
}

/* Called by crt.S. */
_Noreturn void firmware_main(uint64_t hart, uint64_t device_tree);

_Noreturn void firmware_main(uint64_t hart, uint64_t device_tree)
{
    (void)hart; /* the machine has one */
    print_banner();
    protect();
    find_device(device_tree);
    run_machine_init(&machine);
    mailbox_init(&mailbox, (struct sl_mailbox *)(uintptr_t)SL_MAILBOX_BASE);
    machine.mailbox = &mailbox;
    trap_report_to(&mailbox);
    service_announce(&mailbox);
    for (;;) {
        service_next(&mailbox, &machine);
    }
}
