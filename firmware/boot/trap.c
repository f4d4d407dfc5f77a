/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The report of a trap (docs/do/debug.md, "Messages"). Uses nothing that may be broken: no heap,
 * no newlib, its own stack. */
#include "boot/trap.h"

#include "aggregator/device.h"
#include "aggregator/exit.h"
#include "aggregator/uart.h"

#define CAUSE_INTERRUPT (1ull << 63)

#define TRAP_WAITS 100u /* for the host to read a full ring, each of 50 ms at the most */

static struct mailbox *report_to;

void trap_report_to(struct mailbox *mailbox)
{
    report_to = mailbox;
}

static const char *cause_name(uint64_t cause)
{
    static const char *const names[] = {
#define SL_EXCEPTION(cause, name) [cause] = (name),
#include "contract/exceptions.def"
#undef SL_EXCEPTION
    };
    if ((cause & CAUSE_INTERRUPT) != 0) {
        return "interrupt";
    }
    if (cause < sizeof(names) / sizeof(names[0]) && names[cause] != NULL) {
        return names[cause];
    }
    return "unknown cause";
}

static void print_value(const char *name, uint64_t value)
{
    uart_put_text(name);
    uart_put_char(' ');
    uart_put_hex(value, 16);
}

static void print_registers(const uint64_t *registers)
{
    static const char names[32][5] = {
        "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
        "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
        "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
    };
    for (unsigned i = 1; i < 32; i++) {
        uart_put_text(i % 4 == 1 ? "  " : ", ");
        print_value(names[i], registers[i]);
        if (i % 4 == 0 || i == 31) {
            uart_put_char('\n');
        }
    }
}

/* Called by trap_entry.S with the registers x0 to x31. */
_Noreturn void trap_report(const uint64_t *registers, uint64_t cause, uint64_t pc,
                           uint64_t address);

_Noreturn void trap_report(const uint64_t *registers, uint64_t cause, uint64_t pc, uint64_t address)
{
    uart_put_text("sluice firmware: trap: ");
    uart_put_text(cause_name(cause));
    print_value(": cause", cause);
    print_value(", pc", pc);
    print_value(", address", address);
    uart_put_char('\n');
    print_registers(registers);
    if (report_to != NULL) {
        const struct sl_message_agg message = {
            .type = SL_AGG_TRAPPED,
            .argument = {cause, pc, address, registers[1], registers[2]},
        };
        for (unsigned i = 0; i < TRAP_WAITS && !mailbox_try_send(report_to, &message); i++) {
            agg_register_write(SL_REG_HOST_WAIT, agg_register_read(SL_REG_HOST_TAIL));
        }
    }
    agg_exit(agg_device_window, SL_EXIT_TRAPPED);
}

/* Called by trap_entry.S for a trap in the report. */
_Noreturn void trap_report_again(void);

_Noreturn void trap_report_again(void)
{
    uart_put_text("\nsluice firmware: another trap while reporting this one\n");
    agg_exit(agg_device_window, SL_EXIT_TRAPPED);
}
