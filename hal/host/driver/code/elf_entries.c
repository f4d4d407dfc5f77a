/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Entries save no registers for a caller (docs/look-up/isa.md, "Entries"), so they must have none:
 * looks for calls of them in the code, and for jumps to them from other functions, which a compiler
 * makes of a call that a function ends with. A call through a pointer is not seen here; it faults
 * when the entry ends. */
#include <string.h>

#include "host/driver/code/decoded.h"
#include "host/driver/code/elf_read.h"

/* Where an instruction goes, directly or together with the auipc in front of it; 0 for what goes
 * nowhere else. */
static uint64_t target_of(const struct sl_insn *before, const struct sl_insn *insn, uint64_t pc)
{
    if (insn->id == SL_INSN_JAL || insn->class == SL_CLASS_BRANCH) {
        return pc + (uint64_t)(int64_t)insn->immediate;
    }
    return sl_insn_is_far_jump(before, insn)
               ? pc - before->bytes + (uint64_t)(int64_t)before->immediate +
                     (uint64_t)(int64_t)insn->immediate
               : 0;
}

/* The entry that a function calls, or jumps to and is not, behind the place up to which functions
 * have been looked at; NULL if there is none, and then the place is this one's end. */
static const struct sl_elf_function *
called_by(const struct sl_elf *elf, const struct sl_elf_function *function, uint64_t *done)
{
    const struct sl_elf_segment *const code = &elf->segments[elf->code];
    const uint64_t end = function->address + function->bytes;
    struct sl_insn before = {.id = SL_INSN_ILLEGAL};
    uint64_t pc = function->address > *done ? function->address : *done;

    for (; pc + SL_PARCEL_BYTES <= end; pc += before.bytes) {
        uint32_t word = 0;
        memcpy(&word, (const char *)code->data + (pc - code->address), end - pc >= 4 ? 4 : 2);
        const struct sl_insn insn = sl_insn_decode(word);
        const uint64_t target = target_of(&before, &insn, pc);
        const struct sl_elf_function *const entry =
            target == 0 ? NULL : sl_elf_function_at(elf, target);
        if (entry != NULL && entry->is_entry && entry->address == target &&
            (sl_insn_is_call(&insn) || target != function->address)) {
            return entry;
        }
        before = insn;
    }
    *done = pc;
    return NULL;
}

enum sl_status sl_elf_check_entries(const struct sl_elf *elf, const struct sl_elf_report *report)
{
    uint64_t done = 0; /* where functions overlap, the first one stands for all */

    for (size_t i = 0; i < elf->function_count; i++) {
        const struct sl_elf_function *const entry = called_by(elf, &elf->functions[i], &done);
        if (entry != NULL) {
            return sl_elf_fail(report,
                               "calls the kernel '%s' in '%s': a kernel saves no registers for a "
                               "caller; move what both need into a function of its own",
                               entry->name, elf->functions[i].name);
        }
    }
    return SL_OK;
}
