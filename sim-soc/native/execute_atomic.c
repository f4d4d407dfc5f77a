/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The A extension. As in QEMU with one hart, an AMO is a load and a store: two calls of the plugin,
 * the faults of a load first; and SC compares memory with what LR has loaded. In DRAM the exchange
 * is a single one all the same, since the host's process works on it too. */
#include "native/blocks.h"
#include "native/execute_insn.h"
#include "native/hart_memory.h"
#include "native/hart_trap.h"

/* What memory becomes, of what it was (sign-extended) and the operand; `shift` is 2 or 3. */
typedef uint64_t (*operation_t)(uint64_t old, uint64_t operand);

static uint64_t extend(uint64_t value, unsigned shift)
{
    return shift == 2 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : value;
}

/* In memory that is open: returns whether it still was `old`, and is `new` now. */
static bool exchange(uint8_t *at, unsigned shift, uint64_t old, uint64_t new)
{
    uint32_t old_word = (uint32_t)old;
    return shift == 2
               ? __atomic_compare_exchange_n((uint32_t *)(void *)at, &old_word, (uint32_t) new,
                                             false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
               : __atomic_compare_exchange_n((uint64_t *)(void *)at, &old, new, false,
                                             __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static uint64_t modify(uint8_t *at, unsigned shift, operation_t operation, uint64_t operand)
{
    uint64_t old;
    do {
        old = extend(bus_memory_read(at, 1u << shift), shift);
    } while (!exchange(at, shift, old, operation(old, operand)));
    return old;
}

/* What the plugin is told of a read and a write that were one. */
static void tell_both(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                      unsigned shift)
{
    blocks_written(hart->blocks, address, 1u << shift);
    insn_accessed(insn, address, shift, false);
    insn_accessed(insn, address, shift, true);
}

static bool amo(struct hart *hart, const struct qemu_plugin_insn *insn, operation_t operation)
{
    const unsigned shift = insn->access_shift;
    const uint64_t address = hart->x[insn->rs1];
    const uint64_t operand = extend(hart->x[insn->rs2], shift);
    uint8_t *const at = memory_open(hart, address, 1u << shift);
    uint64_t old;
    if (address % (1u << shift) != 0) {
        return trap_take(hart, TRAP_LOAD_MISALIGNED, address);
    }
    if (at != NULL) {
        old = modify(at, shift, operation, operand);
        tell_both(hart, insn, address, shift);
    } else {
        if (!memory_load(hart, insn, address, shift, &old)) {
            return false;
        }
        old = extend(old, shift);
        if (!memory_store(hart, insn, address, shift, operation(old, operand))) {
            return false;
        }
    }
    hart_write(hart, insn->rd, old);
    return true;
}

#define AMO(NAME, expression)                                                                      \
    static uint64_t new_##NAME(uint64_t old, uint64_t operand)                                     \
    {                                                                                              \
        (void)old;                                                                                 \
        return (expression);                                                                       \
    }                                                                                              \
    static bool NAME(struct hart *hart, const struct qemu_plugin_insn *insn)                       \
    {                                                                                              \
        return amo(hart, insn, new_##NAME);                                                        \
    }

AMO(AMOSWAP, operand)
AMO(AMOADD, old + operand)
AMO(AMOXOR, old ^ operand)
AMO(AMOAND, old &operand)
AMO(AMOOR, old | operand)
AMO(AMOMIN, (int64_t)old < (int64_t)operand ? old : operand)
AMO(AMOMAX, (int64_t)old > (int64_t)operand ? old : operand)
AMO(AMOMINU, old < operand ? old : operand)
AMO(AMOMAXU, old > operand ? old : operand)

static bool load_reserved(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    const unsigned shift = insn->access_shift;
    const uint64_t address = hart->x[insn->rs1];
    uint64_t value;
    if (address % (1u << shift) != 0) {
        return trap_take(hart, TRAP_LOAD_MISALIGNED, address);
    }
    if (!memory_load(hart, insn, address, shift, &value)) {
        return false;
    }
    hart->reservation = address;
    hart->reserved_value = extend(value, shift);
    hart_write(hart, insn->rd, hart->reserved_value);
    return true;
}

/* At the reserved address: a read, and a write also where memory has changed, of what it is. An
 * SC.W behind an LR.D writes where its word has not changed, and succeeds, as in QEMU, only where
 * the doubleword was the word's sign extension. */
static bool store_reserved(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                           bool *has_failed)
{
    const unsigned shift = insn->access_shift;
    const uint64_t reserved = extend(hart->reserved_value, shift);
    const bool is_whole = reserved == hart->reserved_value;
    const uint64_t operand = hart->x[insn->rs2];
    uint8_t *const at = memory_open(hart, address, 1u << shift);
    uint64_t old;
    if (address % (1u << shift) != 0) {
        return trap_take(hart, TRAP_LOAD_MISALIGNED, address);
    }
    if (at != NULL) {
        *has_failed = !exchange(at, shift, reserved, operand) || !is_whole;
        tell_both(hart, insn, address, shift);
        return true;
    }
    if (!memory_load(hart, insn, address, shift, &old)) {
        return false;
    }
    const bool has_changed = extend(old, shift) != reserved;
    *has_failed = has_changed || !is_whole;
    return memory_store(hart, insn, address, shift, has_changed ? old : operand);
}

static bool store_conditional(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    const uint64_t address = hart->x[insn->rs1];
    bool has_failed = true;
    if (address == hart->reservation && !store_reserved(hart, insn, address, &has_failed)) {
        return false;
    }
    hart->reservation = HART_NO_RESERVATION;
    hart_write(hart, insn->rd, has_failed);
    return true;
}

#define BOTH(NAME, function) [SL_INSN_##NAME##_W] = (function), [SL_INSN_##NAME##_D] = (function)

const insn_execute_t execute_atomic[SL_INSN_COUNT] = {
    BOTH(LR, load_reserved), BOTH(SC, store_conditional), BOTH(AMOSWAP, AMOSWAP),
    BOTH(AMOADD, AMOADD),    BOTH(AMOXOR, AMOXOR),        BOTH(AMOAND, AMOAND),
    BOTH(AMOOR, AMOOR),      BOTH(AMOMIN, AMOMIN),        BOTH(AMOMAX, AMOMAX),
    BOTH(AMOMINU, AMOMINU),  BOTH(AMOMAXU, AMOMAXU),
};
