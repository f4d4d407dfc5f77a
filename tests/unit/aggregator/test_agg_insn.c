/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Classification of aggregator instructions: words of every class as the GNU assembler makes them,
 * compressed ones included. */
#include "aggregator/core_insn.h"
#include "common/check.h"

static const struct {
    uint32_t word;
    enum agg_class class;
    const char *text;
} words[] = {
    /* RV64I */
    {0x12345537, AGG_ALU, "lui a0, 0x12345"},
    {0x00000517, AGG_ALU, "auipc a0, 0"},
    {0x00158593, AGG_ALU, "addi a1, a1, 1"},
    {0x0015859b, AGG_ALU, "addiw a1, a1, 1"},
    {0x00c5f533, AGG_ALU, "and a0, a1, a2"},
    {0x40c58533, AGG_ALU, "sub a0, a1, a2"},
    {0x40c5853b, AGG_ALU, "subw a0, a1, a2"},
    {0x4035d513, AGG_ALU, "srai a0, a1, 3"},
    {0x02059513, AGG_ALU, "slli a0, a1, 32: bit 25 is part of the shift"},
    {0x00c58463, AGG_BRANCH, "beq a1, a2, +8"},
    {0xfec5cee3, AGG_BRANCH, "blt a1, a2, -4"},
    {0x008000ef, AGG_BRANCH, "jal +8"},
    {0x00008067, AGG_BRANCH, "ret"},
    {0x00058503, AGG_LOAD, "lb a0, 0(a1)"},
    {0x0085b503, AGG_LOAD, "ld a0, 8(a1)"},
    {0x0045e503, AGG_LOAD, "lwu a0, 4(a1)"},
    {0x00a58023, AGG_STORE, "sb a0, 0(a1)"},
    {0x00a5b423, AGG_STORE, "sd a0, 8(a1)"},
    {0x0ff0000f, AGG_SYSTEM, "fence"},
    {0x0000100f, AGG_SYSTEM, "fence.i"},
    {0x0100000f, AGG_SYSTEM, "pause"},
    {0x00000073, AGG_SYSTEM, "ecall"},
    {0x30200073, AGG_SYSTEM, "mret"},
    {0x10500073, AGG_SYSTEM, "wfi"},
    {0x34202573, AGG_SYSTEM, "csrr a0, mcause"},
    /* M */
    {0x02c58533, AGG_MUL, "mul a0, a1, a2"},
    {0x02c5b533, AGG_MUL, "mulhu a0, a1, a2"},
    {0x02c5853b, AGG_MUL, "mulw a0, a1, a2"},
    {0x02c5c533, AGG_DIV, "div a0, a1, a2"},
    {0x02c5f533, AGG_DIV, "remu a0, a1, a2"},
    {0x02c5e53b, AGG_DIV, "remw a0, a1, a2"},
    /* A */
    {0x1005a52f, AGG_ATOMIC, "lr.w a0, (a1)"},
    {0x18c5b52f, AGG_ATOMIC, "sc.d a0, a2, (a1)"},
    {0x06c5a52f, AGG_ATOMIC, "amoadd.w.aqrl a0, a2, (a1)"},
    {0x0ac5b52f, AGG_ATOMIC, "amoswap.d.rl a0, a2, (a1)"},
    /* C, quadrant 0 */
    {0x0808, AGG_ALU, "c.addi4spn a0, sp, 16"},
    {0x41c8, AGG_LOAD, "c.lw a0, 4(a1)"},
    {0x6588, AGG_LOAD, "c.ld a0, 8(a1)"},
    {0xc1c8, AGG_STORE, "c.sw a0, 4(a1)"},
    {0xe588, AGG_STORE, "c.sd a0, 8(a1)"},
    /* quadrant 1 */
    {0x0001, AGG_ALU, "c.nop"},
    {0x0505, AGG_ALU, "c.addi a0, 1"},
    {0x2505, AGG_ALU, "c.addiw a0, 1"},
    {0x4505, AGG_ALU, "c.li a0, 1"},
    {0x6505, AGG_ALU, "c.lui a0, 1"},
    {0x7179, AGG_ALU, "c.addi16sp -48"},
    {0x8d6d, AGG_ALU, "c.and a0, a1"},
    {0x8d0d, AGG_ALU, "c.sub a0, a1"},
    {0x8105, AGG_ALU, "c.srli a0, 1"},
    {0xa011, AGG_BRANCH, "c.j +4"},
    {0xc111, AGG_BRANCH, "c.beqz a0, +4"},
    {0xe111, AGG_BRANCH, "c.bnez a0, +4"},
    /* quadrant 2 */
    {0x0506, AGG_ALU, "c.slli a0, 1"},
    {0x4512, AGG_LOAD, "c.lwsp a0, 4(sp)"},
    {0x6522, AGG_LOAD, "c.ldsp a0, 8(sp)"},
    {0xc22a, AGG_STORE, "c.swsp a0, 4(sp)"},
    {0xe42a, AGG_STORE, "c.sdsp a0, 8(sp)"},
    {0x852e, AGG_ALU, "c.mv a0, a1"},
    {0x952e, AGG_ALU, "c.add a0, a1"},
    {0x8502, AGG_BRANCH, "c.jr a0"},
    {0x8082, AGG_BRANCH, "c.jr ra"},
    {0x9502, AGG_BRANCH, "c.jalr a0"},
    {0x9002, AGG_SYSTEM, "c.ebreak"},
};

TEST(test_classes)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct agg_insn insn = agg_insn_decode(0x80000000 + 2 * i, words[i].word);
        if (insn.class != words[i].class) {
            fail_msg("%s: class %u, not %u", words[i].text, insn.class, words[i].class);
        }
        assert_int_equal(insn.pc, 0x80000000 + 2 * i);
        assert_int_equal(insn.bytes, (words[i].word & 3) == 3 ? 4 : 2);
    }
}

/* The half word behind a compressed instruction is the next instruction: it must not matter. */
TEST(test_upper_half_of_compressed)
{
    static const uint32_t uppers[] = {0, 0xffff, 0x0200, 0x1005, 0x8082};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (size_t u = 0; (words[i].word & 3) != 3 && u < sizeof uppers / sizeof uppers[0]; u++) {
            struct agg_insn insn = agg_insn_decode(0, words[i].word | uppers[u] << 16);
            assert_int_equal(insn.class, words[i].class);
            assert_int_equal(insn.bytes, 2);
        }
    }
}

/* Registers, control flow, order and size of access. */
TEST(test_operands)
{
    static const struct {
        uint32_t word;
        uint8_t rd, rs1, rs2, flow, order, access_bytes;
        const char *text;
    } cases[] = {
        {0x00c58533, 10, 11, 12, AGG_FLOW_NEXT, 0, 0, "add a0, a1, a2"},
        {0x952e, 10, 10, 11, AGG_FLOW_NEXT, 0, 0, "c.add a0, a1"},
        {0x0085b503, 10, 11, 0, AGG_FLOW_NEXT, 0, 8, "ld a0, 8(a1)"},
        {0x00a58023, 0, 11, 10, AGG_FLOW_NEXT, 0, 1, "sb a0, 0(a1)"},
        {0x00c58463, 0, 11, 12, AGG_FLOW_FORWARD, 0, 0, "beq a1, a2, +8"},
        {0xfec5cee3, 0, 11, 12, AGG_FLOW_BACKWARD, 0, 0, "blt a1, a2, -4"},
        {0xa011, 0, 0, 0, AGG_FLOW_JUMP, 0, 0, "c.j +4"},
        {0x008000ef, 1, 0, 0, AGG_FLOW_CALL, 0, 0, "jal +8"},
        {0x8502, 0, 10, 0, AGG_FLOW_INDIRECT, 0, 0, "c.jr a0"},
        {0x9502, 1, 10, 0, AGG_FLOW_INDIRECT_CALL, 0, 0, "c.jalr a0"},
        {0x8082, 0, 1, 0, AGG_FLOW_RETURN, 0, 0, "c.jr ra"},
        {0x1005a52f, 10, 11, 0, AGG_FLOW_NEXT, 0, 4, "lr.w a0, (a1)"},
        {0x06c5a52f, 10, 11, 12, AGG_FLOW_NEXT, AGG_ORDER_MEMORY | AGG_ORDER_DRAIN, 4,
         "amoadd.w.aqrl a0, a2, (a1)"},
        {0x0ac5b52f, 10, 11, 12, AGG_FLOW_NEXT, AGG_ORDER_DRAIN, 8, "amoswap.d.rl a0, a2, (a1)"},
        {0x0ff0000f, 0, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_MEMORY | AGG_ORDER_DRAIN, 0, "fence"},
        {0x0230000f, 0, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_MEMORY, 0, "fence r, rw"},
        {0x0310000f, 0, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_MEMORY | AGG_ORDER_DRAIN, 0, "fence rw, w"},
        {0x0100000f, 0, 0, 0, AGG_FLOW_NEXT, 0, 0, "pause"},
        {0x0000100f, 0, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_ALL | AGG_ORDER_DRAIN, 0, "fence.i"},
        {0x34202573, 10, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_ALL | AGG_ORDER_DRAIN, 0,
         "csrr a0, mcause"},
        {0x30559073, 0, 11, 0, AGG_FLOW_NEXT, AGG_ORDER_ALL | AGG_ORDER_DRAIN, 0, "csrw mtvec, a1"},
        {0x30046573, 10, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_ALL | AGG_ORDER_DRAIN, 0,
         "csrrsi a0, mstatus, 8"},
        {0x30200073, 0, 0, 0, AGG_FLOW_NEXT, AGG_ORDER_ALL | AGG_ORDER_DRAIN, 0, "mret"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct agg_insn insn = agg_insn_decode(0, cases[i].word);
        if (insn.rd != cases[i].rd || insn.rs1 != cases[i].rs1 || insn.rs2 != cases[i].rs2 ||
            insn.flow != cases[i].flow || insn.order != cases[i].order ||
            insn.access_bytes != cases[i].access_bytes) {
            fail_msg("%s: rd %u, rs1 %u, rs2 %u, flow %u, order %u, %u bytes", cases[i].text,
                     insn.rd, insn.rs1, insn.rs2, insn.flow, insn.order, insn.access_bytes);
        }
    }
}
