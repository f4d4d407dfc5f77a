/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machine code: its instructions, and where they lead, for check-convergence. */
#ifndef SLUICE_CHECK_CONVERGENCE_CODE_FLOW_H
#define SLUICE_CHECK_CONVERGENCE_CODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/elf.h"
#include "isa/isa.h"

struct flow {
    const struct sl_elf_segment *code;
    struct sl_insn *insns; /* one for each two bytes of code */
    size_t units;
};

/* Decodes the code. Returns 0, or -1 when out of memory. */
int flow_open(struct flow *flow, const struct sl_elf *elf);
void flow_close(struct flow *flow);

/* The instruction at an address; NULL where that is not in the code. */
const struct sl_insn *flow_insn(const struct flow *flow, uint64_t address);

/* The instruction's word. */
uint32_t flow_word(const struct flow *flow, uint64_t address);

/* Where a call or tail call at an address goes: that of one instruction, or of the pair auipc,
 * jalr. 0 for anything else. */
uint64_t flow_callee(const struct flow *flow, uint64_t address);

/* Whether the instruction at an address of a function is a jump through a table. */
bool flow_is_table_jump(const struct flow *flow, const struct sl_elf_function *function,
                        uint64_t address);

#endif
