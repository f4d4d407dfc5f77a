/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The function finds a thread's code by its number. All threads are there twice, since lanes of one
 * wavefront that go different ways do so one after the other, in the order of the code: which
 * thread is first is up to who calls. Registers of the test are t1 to t6, variables' addresses a1
 * and a4 to a6; all of them may be overwritten by a function, and a0 is when a thread is found. */
#include "litmus/code.h"

#include <assert.h>
#include <string.h>

#include "common/asm.h"

_Static_assert((int)LITMUS_WAVEFRONT == SL_SCOPE_WAVEFRONT &&
                   (int)LITMUS_WORKGROUP == SL_SCOPE_WORKGROUP &&
                   (int)LITMUS_DEVICE == SL_SCOPE_DEVICE && (int)LITMUS_SYSTEM == SL_SCOPE_SYSTEM,
               "scopes have the numbers of instructions");

static const uint32_t variable_register[LITMUS_VARIABLES_MAX] = {A1, A4, A5, A6};
static const uint32_t test_register[LITMUS_REGISTERS] = {T1, T2, T3, T4, T5, T6};

enum { OPERAND = T0, EXPECTED = A7, FAILED = A2, ADDRESS = A0 }; /* of one operation */

/* Labels: the operations of a thread and its end by their numbers, then this one. */
enum { LABEL_NEXT_THREAD = LITMUS_OPS_MAX + 1 };
_Static_assert(LABEL_NEXT_THREAD < ASM_LABELS, "there are labels enough");

/* Xsluice's load, store and fence of a scope (docs/look-up/isa.md), which may also be relaxed:
 * custom-1, as atomics; and custom-0 with funct7 17, where rs2 says what is ordered. */
enum { SL_LOAD = 0x3000002b, SL_STORE = 0x3800002b, SL_FENCE = 0x2200000b };
enum { FENCE_ACQUIRE = 1u << 20, FENCE_RELEASE = 2u << 20, FENCE_RW_RW = 0x0330 << 16 };

static uint32_t fence(const struct litmus_op *op)
{
    return op->is_scoped ? SL_FENCE | (uint32_t)op->scope << 12 |
                               (op->acquire ? FENCE_ACQUIRE : 0) | (op->release ? FENCE_RELEASE : 0)
                         : asm_FENCE() | FENCE_RW_RW;
}

/* The register that has the operand's value. */
static uint32_t put_operand(struct asm_code *code, struct litmus_operand operand, uint32_t scratch)
{
    if (operand.is_register) {
        return test_register[operand.value];
    }
    if (operand.value == 0) {
        return ZERO;
    }
    asm_put(code, asm_ADDI(scratch, ZERO, (int32_t)operand.value));
    return scratch;
}

/* The register that has the address. An index is made zero before it is added: the address is that
 * of the variable, and cannot be computed before the index is there. */
static uint32_t put_address(struct asm_code *code, const struct litmus_op *op)
{
    const uint32_t address = variable_register[op->variable];

    if (!op->index.is_register) {
        return address;
    }
    asm_put(code, asm_ANDI(ADDRESS, test_register[op->index.value], 0));
    asm_put(code, asm_ADD(ADDRESS, ADDRESS, address));
    return ADDRESS;
}

/* The bits by which a scoped instruction says what it orders, and of which scope. */
static uint32_t order_bits(const struct litmus_op *op)
{
    return ASM_SCOPE(8, op->scope) | (op->acquire ? ASM_AQ : 0) | (op->release ? ASM_RL : 0);
}

static void put_load(struct asm_code *code, const struct litmus_op *op)
{
    const uint32_t rd = test_register[op->reg];
    const uint32_t address = put_address(code, op);

    asm_put(code, op->is_scoped ? asm_r(SL_LOAD, rd, address, 0) | order_bits(op)
                                : asm_LD(rd, address, 0));
}

static void put_store(struct asm_code *code, const struct litmus_op *op)
{
    const uint32_t value = put_operand(code, op->operand, OPERAND);
    const uint32_t address = put_address(code, op);

    asm_put(code, op->is_scoped ? asm_r(SL_STORE, 0, address, value) | order_bits(op)
                                : asm_SD(value, address, 0));
}

static void put_atomic(struct asm_code *code, const struct litmus_op *op)
{
    const uint32_t value = put_operand(code, op->operand, OPERAND);
    const uint32_t rd = test_register[op->reg];
    const uint32_t address = put_address(code, op);
    const bool is_add = op->kind == LITMUS_ADD;

    if (op->is_scoped) {
        asm_put(code, order_bits(op) | (is_add ? asm_SL_AMOADD(rd, value, address)
                                               : asm_SL_AMOSWAP(rd, value, address)));
    } else {
        asm_put(code,
                is_add ? asm_AMOADD_D(rd, value, address) : asm_AMOSWAP_D(rd, value, address));
    }
}

/* lr acquires and sc releases; the loop ends when sc succeeds, or the value is another one. */
static void put_cas(struct asm_code *code, const struct litmus_op *op)
{
    const uint32_t value = put_operand(code, op->operand, OPERAND);
    const uint32_t expected = put_operand(code, op->expected, EXPECTED);
    const uint32_t rd = test_register[op->reg];
    const uint32_t address = put_address(code, op);
    const uint32_t bits = order_bits(op);

    assert(rd != value && rd != expected);
    asm_put(code, op->is_scoped ? asm_SL_LR(rd, 0, address) | (bits & ~ASM_RL)
                                : asm_LR_D(rd, 0, address));
    asm_put(code, asm_BNE(rd, expected, 12));
    asm_put(code, op->is_scoped ? asm_SL_SC(FAILED, value, address) | (bits & ~ASM_AQ)
                                : asm_SC_D(FAILED, value, address));
    asm_put(code, asm_BNE(FAILED, ZERO, -12));
}

static void put_op(struct asm_code *code, const struct litmus_op *op)
{
    switch (op->kind) {
    case LITMUS_LOAD:
        put_load(code, op);
        break;
    case LITMUS_STORE:
        put_store(code, op);
        break;
    case LITMUS_CAS:
        put_cas(code, op);
        break;
    case LITMUS_FENCE:
        asm_put(code, fence(op));
        break;
    case LITMUS_BRANCH:
        asm_to(code,
               op->if_zero ? asm_BEQ(test_register[op->reg], ZERO, 0)
                           : asm_BNE(test_register[op->reg], ZERO, 0),
               op->target);
        break;
    default:
        put_atomic(code, op);
        break;
    }
}

static void put_prologue(struct asm_code *code, const struct litmus_test *test)
{
    for (unsigned i = 1; i < test->variable_count; i++) {
        asm_put(code, asm_ADD(variable_register[i], variable_register[i - 1], A2));
    }
    for (unsigned i = 0; i < LITMUS_REGISTERS; i++) {
        asm_put(code, asm_ADDI(test_register[i], ZERO, 0));
    }
}

/* The lanes of one thread; the others go on behind it. */
static void put_thread(struct asm_code *code, const struct litmus_thread *thread, unsigned number)
{
    asm_put(code, asm_ADDI(OPERAND, ZERO, (int32_t)number));
    asm_to(code, asm_BNE(A0, OPERAND, 0), LABEL_NEXT_THREAD);
    for (unsigned i = 0; i < thread->op_count; i++) {
        asm_label(code, i);
        put_op(code, &thread->op[i]);
    }
    asm_label(code, thread->op_count);
    for (unsigned i = 0; i < LITMUS_REGISTERS; i++) {
        if (thread->registers >> i & 1) {
            asm_put(code, asm_SD(test_register[i], A3, (int32_t)(i * sizeof(int64_t))));
        }
    }
    asm_put(code, ASM_RET);
    asm_label(code, LABEL_NEXT_THREAD);
    asm_finish(code);
}

unsigned litmus_code_make(const struct litmus_test *test, uint32_t word[LITMUS_CODE_WORDS])
{
    struct asm_code code;

    asm_begin(&code);
    put_prologue(&code, test);
    for (unsigned i = 0; i < 2 * test->thread_count; i++) {
        put_thread(&code, &test->thread[i % test->thread_count], i);
    }
    asm_put(&code, ASM_RET);
    assert(code.count < LITMUS_CODE_WORDS);
    memcpy(word, code.word, code.count * sizeof code.word[0]);
    return code.count;
}
