/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Control flow of wavefronts as machine code: what divergent code computes, lane by lane, against
 * the same thing in plain C; reconvergence where the host library's analysis says; calls,
 * recursion, indirect and tail calls. */
#include "common/check.h"
#include "soc/common/machine.h"

static struct asm_code code;

/* Runs the code on `count` lanes, whose numbers are in a1, and gives the wavefront's registers. */
static const struct machine_wave *run(struct machine *m, uint32_t count)
{
    const struct machine_wave *wave = machine_execute(m, &code, count);
    assert_int_equal(m->faults, 0);
    return wave;
}

/* if (lane < 10) s0 = 1; else s0 = 2; s1 = 3. Both ways are executed once, the end once for all. */
TEST(test_if_else)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { ELSE, END };

    asm_begin(&code);
    asm_put(&code, asm_SLTI(T0, A1, 10));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), ELSE);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, ELSE);
    asm_put(&code, asm_ADDI(S0, S0, 2));
    asm_label(&code, END);
    asm_put(&code, asm_ADDI(S1, S1, 3));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[S0][lane], lane < 10 ? 1 : 2);
        assert_int_equal(wave->x[S1][lane], 3);
    }
    assert_int_equal(m->counters.branches, 1);
    assert_int_equal(m->counters.divergent_branches, 1);
    assert_int_equal(m->counters.unreconverged_branches, 0);
    assert_int_equal(m->counters.stack_depth_max, 3);
    assert_int_equal(cu_wave_instructions(&m->counters), 7);
    assert_int_equal(cu_lane_instructions(&m->counters), 64 * 2 + 10 * 2 + 54 + 64 * 2);
    assert_int_equal(m->counters.instructions[64], 4);
    assert_int_equal(m->counters.instructions[54], 1);
    assert_int_equal(m->counters.instructions[10], 2);
    machine_destroy(m);
}

/* A branch at which all lanes agree does not diverge, either way. */
TEST(test_uniform_branches)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_to(&code, asm_BEQ(ZERO, ZERO, 0), 0); /* taken by all */
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_label(&code, 0);
    asm_to(&code, asm_BNE(ZERO, ZERO, 0), 1); /* by none */
    asm_put(&code, asm_ADDI(S0, S0, 2));
    asm_label(&code, 1);
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    assert_int_equal(wave->x[S0][0], 2);
    assert_int_equal(m->counters.branches, 2);
    assert_int_equal(m->counters.divergent_branches, 0);
    machine_destroy(m);
}

/* if (lane & 1) { if (lane & 2) s0 = 3; else s0 = 1; } else if (lane & 4) s0 = 4; s0 += 100. */
TEST(test_nested)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { EVEN, INNER_ELSE, END };

    asm_begin(&code);
    asm_put(&code, asm_ANDI(T0, A1, 1));
    asm_put(&code, asm_ANDI(T1, A1, 2));
    asm_put(&code, asm_ANDI(T2, A1, 4));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), EVEN);
    asm_to(&code, asm_BEQ(T1, ZERO, 0), INNER_ELSE);
    asm_put(&code, asm_ADDI(S0, S0, 3));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, INNER_ELSE);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_to(&code, asm_JAL(ZERO, 0), END);
    asm_label(&code, EVEN);
    asm_to(&code, asm_BEQ(T2, ZERO, 0), END);
    asm_put(&code, asm_ADDI(S0, S0, 4));
    asm_label(&code, END);
    asm_put(&code, asm_ADDI(S0, S0, 100));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 50);
    for (uint64_t lane = 0; lane < 64; lane++) {
        uint64_t expected = lane & 1 ? (lane & 2 ? 3 : 1) : lane & 4;
        assert_int_equal(wave->x[S0][lane], lane < 50 ? expected + 100 : 0);
    }
    assert_int_equal(m->counters.divergent_branches, 3);
    machine_destroy(m);
}

/* Lane i counts i % 7 + 1 trips, and in trips that its number divides it adds to s1 as well. The
 * instructions issued are those of the longest lane: every trip is executed once for all lanes that
 * make it. In the seventh none of them adds. */
TEST(test_loops)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { LOOP, SKIP };

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 7));
    asm_put(&code, asm_REMU(T0, A1, T0));
    asm_put(&code, asm_ADDI(T0, T0, 1));
    asm_label(&code, LOOP);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_put(&code, asm_REMU(T1, A1, S0));
    asm_to(&code, asm_BNE(T1, ZERO, 0), SKIP);
    asm_put(&code, asm_ADD(S1, S1, S0));
    asm_label(&code, SKIP);
    asm_to(&code, asm_BNE(S0, T0, 0), LOOP);
    asm_put(&code, asm_ADDI(S2, S2, 9));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    for (uint64_t lane = 0; lane < 64; lane++) {
        uint64_t sum = 0;
        for (uint64_t trip = 1; trip <= lane % 7 + 1; trip++) {
            sum += lane % trip == 0 ? trip : 0;
        }
        assert_int_equal(wave->x[S0][lane], lane % 7 + 1);
        assert_int_equal(wave->x[S1][lane], sum);
        assert_int_equal(wave->x[S2][lane], 9);
    }
    assert_int_equal(cu_wave_instructions(&m->counters), 3 + 7 * 5 - 1 + 2);
    machine_destroy(m);
}

/* Example 2 of papers/004 on the private stack: f(x) { x++; if (x == 1 && lane > 4) x = f(x)...,
 * with the parameter passed by reference through s0, as the paper's text counts it: lanes above 4
 * pass the second x++ twice and get 4, the others 2. */
TEST(test_recursion_example_2)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { FUNCTION, D };

    asm_begin(&code);
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_put(&code, asm_ADDI(S0, ZERO, 0));
    asm_to(&code, asm_JAL(RA, 0), FUNCTION);
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);

    asm_function(&code);
    asm_label(&code, FUNCTION);
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 8));
    asm_put(&code, asm_ADDI(S0, S0, 1));   /* A */
    asm_put(&code, asm_ADDI(T0, ZERO, 1)); /* B: x == 1 && */
    asm_to(&code, asm_BNE(S0, T0, 0), D);
    asm_put(&code, asm_ADDI(T0, ZERO, 4)); /* lane > 4 */
    asm_to(&code, asm_BGEU(T0, A1, 0), D);
    asm_to(&code, asm_JAL(RA, 0), FUNCTION); /* C */
    asm_label(&code, D);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_put(&code, asm_LD(RA, SP, 8)); /* E */
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[S0][lane], lane > 4 ? 4 : 2);
        assert_int_equal(wave->x[SP][lane], SL_PRIVATE_BASE + 1024);
    }
    assert_int_equal(m->counters.calls, 2);
    machine_destroy(m);
}

/* Recursion that differs in depth by lane: f(n) = n == 0 ? 0 : n + f(n - 1), n = lane % 9. */
TEST(test_recursion_of_different_depths)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { FUNCTION, BASE };

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ADDI(T0, ZERO, 9));
    asm_put(&code, asm_REMU(A0, A1, T0));
    asm_to(&code, asm_JAL(RA, 0), FUNCTION);
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, asm_ADDI(S2, S2, 1)); /* once for every lane */
    asm_put(&code, ASM_RET);

    asm_function(&code);
    asm_label(&code, FUNCTION);
    asm_to(&code, asm_BEQ(A0, ZERO, 0), BASE);
    asm_put(&code, asm_ADDI(SP, SP, -16));
    asm_put(&code, asm_SD(RA, SP, 0));
    asm_put(&code, asm_SD(A0, SP, 8));
    asm_put(&code, asm_ADDI(A0, A0, -1));
    asm_to(&code, asm_JAL(RA, 0), FUNCTION);
    asm_put(&code, asm_LD(T0, SP, 8));
    asm_put(&code, asm_LD(RA, SP, 0));
    asm_put(&code, asm_ADD(A0, A0, T0));
    asm_put(&code, asm_ADDI(SP, SP, 16));
    asm_put(&code, ASM_RET);
    asm_label(&code, BASE); /* a second return: the branch above has no post-dominator */
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    for (uint64_t lane = 0; lane < 64; lane++) {
        uint64_t n = lane % 9;
        assert_int_equal(wave->x[A0][lane], n * (n + 1) / 2);
        assert_int_equal(wave->x[S2][lane], 1);
    }
    /* Trip by trip the call is issued once for all lanes that make it. */
    assert_int_equal(m->counters.calls, 1 + 8);
    assert_int_equal(m->counters.unreconverged_branches, 8);
    machine_destroy(m);
}

/* A call through a pointer that differs between lanes: three functions, each called once for its
 * lanes, which meet again behind the call. */
TEST(test_divergent_indirect_call)
{
    struct machine *m = MACHINE("gpu.cus=1");
    uint32_t at[3];

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ADDI(T0, ZERO, 3));
    asm_put(&code, asm_REMU(T0, A1, T0));
    asm_put(&code, asm_SLLI(T0, T0, 3)); /* functions of two instructions in a row */
    uint32_t base = asm_here(&code);
    asm_put(&code, asm_AUIPC(T1, 0));
    asm_put(&code, asm_ADD(T1, T1, T0));
    asm_put(&code, asm_JALR(RA, T1, 7 * 4)); /* the first is 7 instructions behind auipc */
    asm_put(&code, asm_ADDI(S2, S2, 1));
    asm_put(&code, asm_SUB(S3, RA, S1)); /* where they came back to, less the exit */
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    assert_int_equal(asm_here(&code), base + 7 * 4);
    for (int i = 0; i < 3; i++) {
        asm_function(&code);
        at[i] = asm_here(&code);
        asm_put(&code, asm_ADDI(S0, S0, 10 + i));
        asm_put(&code, ASM_RET);
    }
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[T1][lane] + 7 * 4, SL_KERNEL_BASE + at[lane % 3]);
        assert_int_equal(wave->x[S0][lane], 10 + lane % 3);
        assert_int_equal(wave->x[S2][lane], 1);
        assert_int_equal(wave->x[S3][lane],
                         SL_KERNEL_BASE + base + 3 * 4 - (uint64_t)SL_LANE_EXIT_PC);
    }
    assert_int_equal(m->counters.calls, 3);
    assert_int_equal(m->counters.divergent_branches, 1);
    /* 7 up to the call that parts, 3 calls, 3 functions of 2, 4 behind. */
    assert_int_equal(cu_wave_instructions(&m->counters), 7 + 3 + 3 * 2 + 4);
    machine_destroy(m);
}

/* A jump through a pointer: four targets inside the function, each goes on by itself,
 * as the analysis does not know them; the lanes return one group after the other. */
TEST(test_divergent_indirect_jump)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_ANDI(T0, A1, 3));
    asm_put(&code, asm_SLLI(T0, T0, 3));
    asm_put(&code, asm_AUIPC(T1, 0));
    asm_put(&code, asm_ADD(T1, T1, T0));
    asm_put(&code, asm_JALR(ZERO, T1, 12));
    for (int i = 0; i < 4; i++) {
        asm_put(&code, asm_ADDI(S0, S0, 20 + i));
        asm_put(&code, ASM_RET);
    }
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[S0][lane], 20 + lane % 4);
    }
    assert_int_equal(m->counters.unreconverged_branches, 1);
    assert_int_equal(cu_wave_instructions(&m->counters), 5 + 4 * 2);
    machine_destroy(m);
}

/* f calls nobody's frame: lanes below 32 jump on to g, which returns for f to the kernel. */
TEST(test_tail_calls)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { F, G, STAY };

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_to(&code, asm_JAL(RA, 0), F);
    asm_put(&code, asm_ADDI(S2, S2, 1));
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, F);
    asm_put(&code, asm_SLTI(T0, A1, 32));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), STAY);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_to(&code, asm_JAL(ZERO, 0), G);
    asm_label(&code, STAY);
    asm_put(&code, asm_ADDI(S0, S0, 2));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, G);
    asm_put(&code, asm_ADDI(S0, S0, 40));
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[S0][lane], lane < 32 ? 41 : 2);
        assert_int_equal(wave->x[S2][lane], 1);
    }
    assert_int_equal(m->counters.calls, 1);
    machine_destroy(m);
}

/* In a called function, lanes return from inside a loop, each at its own trip; the kernel goes on
 * when the last has returned, once for all. */
TEST(test_early_returns_in_a_call)
{
    struct machine *m = MACHINE("gpu.cus=1");
    enum { FUNCTION, LOOP, GO_ON };

    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_put(&code, asm_ANDI(T0, A1, 7));
    asm_to(&code, asm_JAL(RA, 0), FUNCTION);
    asm_put(&code, asm_ADDI(S2, S2, 1));
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, FUNCTION);
    asm_label(&code, LOOP);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_to(&code, asm_BLTU(S0, T0, 0), GO_ON);
    asm_put(&code, ASM_RET);
    asm_label(&code, GO_ON);
    asm_put(&code, asm_ADDI(T1, S0, -100));
    asm_to(&code, asm_BNE(T1, ZERO, 0), LOOP);
    asm_put(&code, ASM_RET); /* nobody gets here, but the branch has no post-dominator for it */
    const struct machine_wave *wave = run(m, 64);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(wave->x[S0][lane], lane % 8 == 0 ? 1 : lane % 8);
        assert_int_equal(wave->x[S2][lane], 1);
    }
    /* 3 before; 6 trips of 5, in each of which some return; the seventh up to its return; 3 behind.
     */
    assert_int_equal(cu_wave_instructions(&m->counters), 3 + 6 * 5 + 3 + 3);
    assert_int_equal(m->counters.unreconverged_branches, 6);
    machine_destroy(m);
}

/* Lanes of the kernel itself end at different times; the wavefront with the last. */
TEST(test_early_ends)
{
    struct machine *m = MACHINE("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_SLTI(T0, A1, 60));
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
    asm_label(&code, 0);
    asm_repeat(&code, asm_ADDI(S0, S0, 1), 5);
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 64);
    assert_int_equal(wave->x[S0][59], 0);
    assert_int_equal(wave->x[S0][60], 5);
    assert_int_equal(m->ended, 1);
    /* At 2, 6, 10 (the lanes below 60), 14 to 30, ret at 34. */
    assert_int_equal(wave->end_cycle, 38);
    machine_destroy(m);
}

/* What lanes start with (docs/look-up/isa.md, "The state in which a lane starts"). */
TEST(test_initial_registers)
{
    struct machine *m = MACHINE("gpu.stack=4KiB");

    for (unsigned i = 0; i < SL_KERNEL_ARGUMENTS; i++) {
        m->arguments[i] = 0x1111111111111111 * (i + 1);
    }
    m->gpu->env.graph = 0x80800000;
    asm_begin(&code);
    asm_put(&code, ASM_RET);
    const struct machine_wave *wave = run(m, 37);
    for (unsigned lane = 0; lane < 37; lane++) {
        assert_int_equal(wave->x[ZERO][lane], 0);
        assert_int_equal(wave->x[RA][lane], SL_LANE_EXIT_PC);
        assert_int_equal(wave->x[SP][lane], SL_PRIVATE_BASE + 4096);
        assert_int_equal(wave->x[GP][lane], 0x1234);
        assert_int_equal(wave->x[TP][lane], 0x80800000);
        assert_int_equal(wave->x[A0][lane], 7);
        assert_int_equal(wave->x[A1][lane], lane);
        for (unsigned i = 0; i < SL_KERNEL_ARGUMENTS; i++) {
            assert_int_equal(wave->x[A2 + i][lane], 0x1111111111111111 * (i + 1));
        }
    }
    machine_destroy(m);
}

/* Random code: a long chain of if, if-else and bounded loops over pseudo-random registers, with the
 * same program interpreted lane by lane. Whatever the divergence, each lane computes what it would
 * compute alone. */
struct interpreter {
    uint64_t x[32];
    uint32_t pc;
};

static void interpret(struct interpreter *lane)
{
    for (unsigned steps = 0; lane->pc < asm_here(&code); steps++) {
        assert_true(steps < 100000);
        struct sl_insn insn = sl_insn_decode(code.word[lane->pc / 4]);
        uint64_t a = lane->x[insn.rs1];
        uint64_t b = lane->x[insn.rs2];
        uint64_t next = lane->pc + 4;
        switch (insn.id) {
        case SL_INSN_ADDI:
            lane->x[insn.rd] = a + (uint64_t)(int64_t)insn.immediate;
            break;
        case SL_INSN_ANDI:
            lane->x[insn.rd] = a & (uint64_t)(int64_t)insn.immediate;
            break;
        case SL_INSN_ADD:
            lane->x[insn.rd] = a + b;
            break;
        case SL_INSN_XOR:
            lane->x[insn.rd] = a ^ b;
            break;
        case SL_INSN_MUL:
            lane->x[insn.rd] = a * b;
            break;
        case SL_INSN_BEQ:
            next = a == b ? lane->pc + (uint64_t)(int64_t)insn.immediate : next;
            break;
        case SL_INSN_BNE:
            next = a != b ? lane->pc + (uint64_t)(int64_t)insn.immediate : next;
            break;
        case SL_INSN_JAL:
            next = lane->pc + (uint64_t)(int64_t)insn.immediate;
            break;
        default:
            return; /* ret */
        }
        lane->pc = (uint32_t)next;
    }
}

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* t1 = some bits of a register: the conditions. */
static void put_condition(void)
{
    asm_put(&code, asm_ANDI(T1, S2 + random_below(6), 1 << random_below(4)));
}

static void put_work(void)
{
    uint32_t d = S2 + random_below(6);
    uint32_t a = S2 + random_below(6);
    uint32_t b = S2 + random_below(6);

    asm_put(&code, random_below(2) ? asm_ADD(d, a, b) : asm_XOR(d, a, b));
    asm_put(&code, asm_ADDI(d, d, (int32_t)random_below(64)));
    asm_put(&code, asm_MUL(d, d, A1));
    asm_put(&code, asm_ADD(d, d, A1));
}

/* A statement; statements inside it go `depth` levels down. Loops count in registers by depth. */
static void put_statement(unsigned depth)
{
    uint32_t counter = A3 + depth;
    uint32_t at;

    if (depth == 0) {
        put_work();
        return;
    }
    switch (random_below(4)) {
    case 0: /* if */
        put_condition();
        at = code.count;
        asm_put(&code, 0);
        put_statement(depth - 1);
        code.word[at] = asm_BEQ(T1, ZERO, (int32_t)(code.count - at) * 4);
        break;
    case 1: { /* if-else */
        put_condition();
        at = code.count;
        asm_put(&code, 0);
        put_statement(depth - 1);
        uint32_t jump = code.count;
        asm_put(&code, 0);
        code.word[at] = asm_BNE(T1, ZERO, (int32_t)(code.count - at) * 4);
        put_statement(depth - 1);
        code.word[jump] = asm_JAL(ZERO, (int32_t)(code.count - jump) * 4);
        break;
    }
    case 2: /* do while: lane-dependent trips, 1 to 4 */
        asm_put(&code, asm_ANDI(counter, S2 + random_below(6), 3));
        at = code.count;
        put_statement(depth - 1);
        asm_put(&code, asm_ADDI(counter, counter, -1));
        asm_put(&code, asm_ANDI(T1, counter, 3));
        asm_put(&code, asm_ADDI(T1, T1, -3));
        asm_put(&code, asm_BNE(T1, ZERO, ((int32_t)at - (int32_t)code.count) * 4));
        break;
    default:
        put_statement(depth - 1);
        put_statement(depth - 1);
        break;
    }
}

TEST(test_random_structured_code)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct machine *m = MACHINE("gpu.cus=1");
        random_state = seed;
        asm_begin(&code);
        for (uint32_t i = 0; i < 6; i++) {
            asm_put(&code, asm_ADDI(S2 + i, A1, (int32_t)random_below(1000)));
        }
        for (unsigned i = 0; i < 4; i++) {
            put_statement(4);
        }
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = run(m, 64);
        assert_true(m->counters.divergent_branches > 0);
        assert_int_equal(m->counters.unreconverged_branches, 0);
        for (unsigned lane = 0; lane < 64; lane++) {
            struct interpreter alone = {.x = {[A1] = lane}};
            interpret(&alone);
            for (uint32_t i = 0; i < 6; i++) {
                assert_int_equal(wave->x[S2 + i][lane], alone.x[S2 + i]);
            }
        }
        machine_destroy(m);
    }
}
