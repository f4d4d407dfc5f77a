/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loads, stores and fences. */
#include "native/execute_insn.h"
#include "native/hart_memory.h"

#define LOAD(NAME, shift, type)                                                                    \
    static bool NAME(struct hart *hart, const struct qemu_plugin_insn *insn)                       \
    {                                                                                              \
        const uint64_t address = hart->x[insn->rs1] + (uint64_t)(int64_t)insn->immediate;          \
        uint64_t value;                                                                            \
        if (!memory_load(hart, insn, address, shift, &value)) {                                    \
            return false;                                                                          \
        }                                                                                          \
        hart_write(hart, insn->rd, (uint64_t)(int64_t)(type)value);                                \
        return true;                                                                               \
    }

LOAD(LB, 0, int8_t)
LOAD(LH, 1, int16_t)
LOAD(LW, 2, int32_t)
LOAD(LD, 3, int64_t)
LOAD(LBU, 0, uint8_t)
LOAD(LHU, 1, uint16_t)
LOAD(LWU, 2, uint32_t)

#define STORE(NAME, shift)                                                                         \
    static bool NAME(struct hart *hart, const struct qemu_plugin_insn *insn)                       \
    {                                                                                              \
        const uint64_t address = hart->x[insn->rs1] + (uint64_t)(int64_t)insn->immediate;          \
        return memory_store(hart, insn, address, shift, hart->x[insn->rs2]);                       \
    }

STORE(SB, 0)
STORE(SH, 1)
STORE(SW, 2)
STORE(SD, 3)

/* Orders accesses against the host's. */
static bool fence(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)hart;
    (void)insn;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return true;
}

/* Blocks are translated anew behind each store, and nothing is to be done. */
static bool nothing(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)hart;
    (void)insn;
    return true;
}

const insn_execute_t execute_memory[SL_INSN_COUNT] = {
    [SL_INSN_LB] = LB,           [SL_INSN_LH] = LH,         [SL_INSN_LW] = LW,
    [SL_INSN_LD] = LD,           [SL_INSN_LBU] = LBU,       [SL_INSN_LHU] = LHU,
    [SL_INSN_LWU] = LWU,         [SL_INSN_SB] = SB,         [SL_INSN_SH] = SH,
    [SL_INSN_SW] = SW,           [SL_INSN_SD] = SD,         [SL_INSN_FENCE] = fence,
    [SL_INSN_FENCE_I] = nothing, [SL_INSN_PAUSE] = nothing,
};
