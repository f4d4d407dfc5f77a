/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "code_flow.h"

#include <stdlib.h>
#include <string.h>

#include "host/driver/code/inner_jump.h"

#define UNIT_BYTES 2u

int flow_open(struct flow *flow, const struct sl_elf *elf)
{
    *flow = (struct flow){.code = &elf->segments[elf->code]};
    flow->units = flow->code->bytes / UNIT_BYTES;
    flow->insns = calloc(flow->units + 1, sizeof *flow->insns);
    if (flow->insns == NULL) {
        return -1;
    }
    for (size_t i = 0; i < flow->units;) {
        flow->insns[i] = sl_insn_decode(flow_word(flow, flow->code->address + i * UNIT_BYTES));
        size_t units = flow->insns[i].bytes / UNIT_BYTES;
        i += units == 0 ? 1 : units;
    }
    return 0;
}

void flow_close(struct flow *flow)
{
    free(flow->insns);
}

uint32_t flow_word(const struct flow *flow, uint64_t address)
{
    uint64_t offset = address - flow->code->address;
    uint32_t word = 0;
    uint64_t left = flow->code->bytes - offset;
    memcpy(&word, (const char *)flow->code->data + offset, left < 4 ? left : 4);
    return word;
}

const struct sl_insn *flow_insn(const struct flow *flow, uint64_t address)
{
    uint64_t offset = address - flow->code->address;
    if (offset >= flow->code->bytes || offset % UNIT_BYTES != 0 ||
        flow->insns[offset / UNIT_BYTES].bytes == 0) {
        return NULL;
    }
    return &flow->insns[offset / UNIT_BYTES];
}

uint64_t flow_callee(const struct flow *flow, uint64_t address)
{
    const struct sl_insn *insn = flow_insn(flow, address);
    if (insn == NULL) {
        return 0;
    }
    if (insn->id == SL_INSN_JAL) {
        return address + (uint64_t)(int64_t)insn->immediate;
    }
    const struct sl_insn *before = flow_insn(flow, address - 4);
    if (before == NULL || !sl_insn_is_far_jump(before, insn)) {
        return 0;
    }
    return address - 4 + (uint64_t)(int64_t)before->immediate + (uint64_t)(int64_t)insn->immediate;
}

bool flow_is_table_jump(const struct flow *flow, const struct sl_elf_function *function,
                        uint64_t address)
{
    const uint64_t base = flow->code->address;
    const struct sl_code code = {.base = base};
    const struct sl_decoded decoded = {&code, flow->insns, flow->units, NULL, 0};
    const size_t first = (size_t)((function->address - base) / UNIT_BYTES);
    const struct sl_code_range range = {first, first + (size_t)(function->bytes / UNIT_BYTES)};

    return sl_inner_jump_at(&decoded, range, (size_t)((address - base) / UNIT_BYTES)) ==
           SL_INNER_JUMP_TABLE;
}
