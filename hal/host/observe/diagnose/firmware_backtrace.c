/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Of DWARF's expressions only what compilers write for RISC-V is known: a frame's address is a
 * register and an offset, a saved register lies at an offset from it. Anything else ends the trace.
 * Nothing that is read is trusted: each frame is above the one before it, so that it ends. */
#include "host/observe/diagnose/firmware_backtrace.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/memory_map.h"

#define RA 1
#define SP 2

static bool load(uint64_t address, uint64_t *value)
{
    if (address % sizeof *value != 0 ||
        address - SL_FIRMWARE_BASE > SL_FIRMWARE_BYTES - sizeof *value) {
        return false;
    }
    memcpy(value, (const void *)(uintptr_t)address, sizeof *value);
    return true;
}

static bool frame_address(Dwarf_Frame *frame, const struct sl_firmware_registers *registers,
                          uint64_t *address)
{
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count != 1) {
        return false;
    }
    if (ops[0].atom == DW_OP_bregx && ops[0].number < 32) {
        *address = registers->x[ops[0].number] + ops[0].number2;
        return true;
    }
    if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
        *address = registers->x[ops[0].atom - DW_OP_breg0] + ops[0].number;
        return true;
    }
    return false;
}

/* What a register was in the caller. Where nothing is said it is as it was. */
static bool restore(Dwarf_Frame *frame, int number, uint64_t address, uint64_t *value)
{
    Dwarf_Op memory[3];
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    const uint64_t offset = count > 1 && ops[1].atom == DW_OP_plus_uconst ? ops[1].number : 0;
    return ops[0].atom != DW_OP_call_frame_cfa || ops[count - 1].atom == DW_OP_stack_value ||
           load(address + offset, value);
}

/* From a function to its caller. */
static bool step(Dwarf_CFI *cfi, struct sl_firmware_registers *registers, bool is_innermost)
{
    Dwarf_Frame *frame;
    uint64_t address;
    struct sl_firmware_registers caller = *registers;
    if (dwarf_cfi_addrframe(cfi, registers->pc - (is_innermost ? 0 : 1), &frame) != 0) {
        return false;
    }
    bool is_known = frame_address(frame, registers, &address) &&
                    (is_innermost ? address >= registers->x[SP] : address > registers->x[SP]);
    for (int i = RA; is_known && i < 32; i++) {
        is_known = i == SP || restore(frame, i, address, &caller.x[i]);
    }
    free(frame);
    caller.x[SP] = address;
    caller.pc = caller.x[RA];
    *registers = caller;
    return is_known;
}

static void add(struct sl_backtrace *trace, uint64_t pc)
{
    if (trace->count < SL_BACKTRACE_INNER) {
        trace->inner[trace->count] = pc;
    }
    trace->outer[trace->count++ % SL_BACKTRACE_OUTER] = pc;
}

void sl_firmware_backtrace(Dwarf *lines, const struct sl_firmware_registers *registers,
                           struct sl_backtrace *trace)
{
    Dwarf_CFI *const cfi = lines != NULL ? dwarf_getcfi(lines) : NULL;
    struct sl_firmware_registers now = *registers;
    Dwarf_Frame *frame = NULL;
    bool is_innermost = true;

    *trace = (struct sl_backtrace){.count = 0};
    add(trace, now.pc);
    if (cfi == NULL) {
        return;
    }
    if (dwarf_cfi_addrframe(cfi, now.pc, &frame) != 0) { /* a jump to what is no code */
        now.pc = now.x[RA];
        is_innermost = false;
        add(trace, now.pc - 1);
    }
    free(frame);
    while (step(cfi, &now, is_innermost) && now.pc - SL_FIRMWARE_BASE < SL_FIRMWARE_BYTES &&
           now.pc != SL_FIRMWARE_BASE) {
        is_innermost = false;
        add(trace, now.pc - 1);
    }
}
