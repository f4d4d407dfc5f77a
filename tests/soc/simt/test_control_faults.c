/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Faults of control flow and traps: what the record says, and that other wavefronts go on. */
#include "common/check.h"
#include "soc/common/machine.h"

static struct asm_code code;

/* Runs the code with 64 lanes, beside two wavefronts that only count to 8 and end; the first of
 * them is there before, the other after the one that faults. Gives the one fault record. */
static const struct sl_fault *run(struct machine *m)
{
    uint32_t good = asm_here(&code);

    asm_function(&code);
    asm_repeat(&code, asm_ADDI(S11, S11, 1), 8);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, good, 0, 64);
    machine_launch(m, 0, 0, 0, 64);
    machine_launch(m, 0, good, 0, 64);
    machine_run(m);
    assert_int_equal(m->ended, 3);
    for (unsigned i = 0; i < 3; i += 2) {
        assert_int_equal(m->waves[i].x[S11][0], 8);
        assert_int_equal(m->waves[i].x[S11][63], 8);
    }
    assert_int_equal(m->faults, 1);
    /* What every record says of its wavefront. */
    assert_int_equal(m->fault[0].cu, 0);
    assert_int_equal(m->fault[0].channel, 7);
    assert_int_equal(m->fault[0].dispatch, 99);
    assert_int_equal(m->fault[0].kernel, 0x5eed);
    assert_int_equal(m->fault[0].wavefront, 1);
    assert_int_equal(m->fault[0].access_bytes, 0);
    assert_int_equal(m->fault[0].is_store, 0);
    return &m->fault[0];
}

static void expect(const struct sl_fault *fault, enum sl_fault_code what, uint32_t pc,
                   uint64_t lanes)
{
    assert_int_equal(fault->code, what);
    assert_int_equal(fault->pc, SL_KERNEL_BASE + pc);
    assert_int_equal(fault->lanes, lanes);
}

/* Lanes below 10 branch over what the others do. */
static void put_upper_lanes(void)
{
    asm_put(&code, asm_SLTI(T0, A1, 10));
    asm_to(&code, asm_BNE(T0, ZERO, 0), 0);
}

#define UPPER (~0ull << 10)

/* At 2 and 6 the branch, at 10 the fault. */
TEST(test_illegal_instruction)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    put_upper_lanes();
    uint32_t pc = asm_here(&code);
    asm_put(&code, ASM_WILD);
    asm_label(&code, 0);
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_ILLEGAL_INSTRUCTION, pc, UPPER);
    assert_int_equal(fault->instruction, ASM_WILD);
    assert_int_equal(fault->return_pc, SL_LANE_EXIT_PC);
    assert_int_equal(fault->time_ps, 10000);
    assert_int_equal(fault->address, 0);
    assert_int_equal(m->waves[1].end_cycle, 14);
    machine_destroy(m);
}

/* Code that runs on behind its end. */
TEST(test_fetch_behind_the_end)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    asm_put(&code, ASM_NOP);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 5);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    expect(&m->fault[0], SL_FAULT_FETCH, 4, 0x1f);
    assert_int_equal(m->fault[0].instruction, 0);
    machine_destroy(m);
}

/* Branches and direct jumps out of the code; only the lanes that take the branch are to blame. */
TEST(test_branch_outside)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    asm_put(&code, asm_SLTI(T0, A1, 10));
    uint32_t pc = asm_here(&code);
    asm_put(&code, asm_BEQ(T0, ZERO, -64));
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_FETCH, pc, UPPER);
    assert_int_equal(fault->instruction, asm_BEQ(T0, ZERO, -64));
    machine_destroy(m);

    m = MACHINE("gpu.simds=4");
    asm_begin(&code);
    asm_put(&code, asm_JAL(RA, 2048));
    asm_put(&code, ASM_RET);
    fault = run(m);
    expect(fault, SL_FAULT_FETCH, 0, ~0ull);
    assert_int_equal(fault->return_pc, SL_LANE_EXIT_PC);
    machine_destroy(m);
}

/* A branch out of the code that nobody takes is none. */
TEST(test_branch_outside_not_taken)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    asm_put(&code, asm_BNE(ZERO, ZERO, -64));
    asm_put(&code, ASM_RET);
    (void)machine_execute(m, &code, 64);
    assert_int_equal(m->faults, 0);
    machine_destroy(m);
}

/* Indirect jumps and calls: outside, not aligned to an instruction, and to the lanes' exit without
 * being a return. Lanes 0 to 9 have a good target. */
TEST(test_indirect_outside)
{
    static const struct {
        uint32_t jump;
        int32_t astray; /* of the base; lui of 0x40000 is the exit */
    } cases[] = {
        {0, 1 << 20},
        {0, -4},
        {1, 1 << 20},
        {1, -2},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct machine *m = MACHINE("gpu.simds=4");
        asm_begin(&code);
        asm_put(&code, asm_AUIPC(T1, 0));
        asm_put(&code, asm_SLTI(T0, A1, 10));
        asm_li(&code, T2, cases[c].astray);
        asm_put(&code, asm_ADDI(T0, T0, -1)); /* all ones in the upper lanes */
        asm_put(&code, asm_AND(T2, T2, T0));
        asm_put(&code, asm_ADD(T1, T1, T2));
        uint32_t pc = asm_here(&code);
        asm_put(&code, asm_JALR(cases[c].jump ? RA : ZERO, T1, 0));
        asm_put(&code, ASM_RET);
        const struct sl_fault *fault = run(m);
        expect(fault, SL_FAULT_FETCH, pc, UPPER);
        assert_int_equal(fault->address, SL_KERNEL_BASE + (uint64_t)(int64_t)cases[c].astray);
        machine_destroy(m);
    }

    struct machine *m = MACHINE("gpu.simds=4");
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T1, RA, 0));
    asm_put(&code, asm_JALR(ZERO, T1, 0));
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_FETCH, 4, ~0ull);
    assert_int_equal(fault->address, SL_LANE_EXIT_PC);
    machine_destroy(m);
}

/* A return has to go where its call came from. In a called function, lanes from 10 change ra. */
TEST(test_return_astray)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    asm_to(&code, asm_JAL(RA, 0), 0);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_SLTIU(T0, A1, 10));
    asm_put(&code, asm_XORI(T0, T0, 1));
    asm_put(&code, asm_SLLI(T0, T0, 2));
    asm_put(&code, asm_ADD(RA, RA, T0)); /* 4 behind, still code */
    uint32_t pc = asm_here(&code);
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_RETURN, pc, UPPER);
    assert_int_equal(fault->address, SL_KERNEL_BASE + 8);
    assert_int_equal(fault->return_pc, SL_KERNEL_BASE + 8);
    assert_int_equal(fault->instruction, ASM_RET);
    machine_destroy(m);

    /* From the kernel itself: anywhere but the exit. */
    m = MACHINE("gpu.simds=4");
    asm_begin(&code);
    asm_put(&code, asm_AUIPC(RA, 0));
    asm_put(&code, ASM_RET);
    fault = run(m);
    expect(fault, SL_FAULT_RETURN, 4, ~0ull);
    assert_int_equal(fault->address, SL_KERNEL_BASE);
    machine_destroy(m);

    /* To the exit from inside a call. */
    m = MACHINE("gpu.simds=4");
    asm_begin(&code);
    asm_put(&code, asm_ADDI(S1, RA, 0));
    asm_to(&code, asm_JAL(RA, 0), 0);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_ADDI(RA, S1, 0));
    asm_put(&code, ASM_RET);
    fault = run(m);
    expect(fault, SL_FAULT_RETURN, 16, ~0ull);
    assert_int_equal(fault->address, SL_LANE_EXIT_PC);
    machine_destroy(m);
}

/* Endless recursion: with 6 entries the kernel and 5 calls fit; the sixth call faults, at the call,
 * with all lanes that make it, and ra still what the call before it left there. */
TEST(test_depth_of_calls)
{
    struct machine *m = MACHINE("gpu.divergence_depth=6", "gpu.divergence_spill=0");

    asm_begin(&code);
    asm_to(&code, asm_JAL(RA, 0), 0);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    uint32_t pc = asm_here(&code);
    asm_to(&code, asm_JAL(RA, 0), 0);
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_DIVERGENCE_DEPTH, pc, ~0ull);
    assert_int_equal(fault->instruction, code.word[pc / 4]);
    assert_int_equal(fault->return_pc, SL_KERNEL_BASE + pc + 4);
    assert_int_equal(m->waves[1].x[S0][0], 5);
    assert_int_equal(m->counters.stack_depth_max, 6);
    machine_destroy(m);
}

/* Branches: four nested ones that each leave lanes at different places need an entry for the end of
 * each and one for the way that waits; with 6 entries the third does not fit any more. The fault is
 * of the branch and the lanes that came to it. */
TEST(test_depth_of_branches)
{
    struct machine *m = MACHINE("gpu.divergence_depth=6", "gpu.divergence_spill=0");
    uint32_t pc[4];

    asm_begin(&code);
    for (int i = 0; i < 4; i++) { /* lanes of bit i go on, the others to the else part */
        asm_put(&code, asm_ANDI(T0, A1, 1 << i));
        pc[i] = asm_here(&code);
        asm_to(&code, asm_BEQ(T0, ZERO, 0), (uint32_t)i);
    }
    asm_put(&code, asm_ADDI(S0, S0, 1));
    for (int i = 3; i >= 0; i--) {
        asm_to(&code, asm_JAL(ZERO, 0), (uint32_t)i + 4);
        asm_label(&code, (uint32_t)i);
        asm_put(&code, asm_ADDI(S1, S1, 1));
        asm_label(&code, (uint32_t)i + 4);
        asm_put(&code, asm_ADDI(S2, S2, 1));
    }
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    /* Entries: kernel; way and way (3); the end of the inner one in place of the top, way, way (5);
     * the third wants 7. */
    expect(fault, SL_FAULT_DIVERGENCE_DEPTH, pc[2], 0x8888888888888888);
    assert_int_equal(m->counters.stack_depth_max, 5);
    machine_destroy(m);
}

/* Divergence without post-dominator too deep: nothing of it shows in the record. */
TEST(test_depth_without_post_dominator)
{
    struct machine *m = MACHINE("gpu.divergence_depth=4", "gpu.divergence_spill=0");

    asm_begin(&code);
    asm_to(&code, asm_JAL(RA, 0), 0);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 0);
    asm_to(&code, asm_JAL(RA, 0), 1);
    asm_put(&code, ASM_RET);
    asm_function(&code);
    asm_label(&code, 1);
    asm_put(&code, asm_ANDI(T0, A1, 1));
    uint32_t pc = asm_here(&code);
    asm_to(&code, asm_BEQ(T0, ZERO, 0), 2);
    asm_put(&code, ASM_RET);
    asm_label(&code, 2);
    asm_put(&code, ASM_RET);
    expect(run(m), SL_FAULT_DIVERGENCE_DEPTH, pc, ~0ull);
    machine_destroy(m);
}

/* A trap names its code and, of the lowest lane, the operands and ra. */
TEST(test_trap)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    put_upper_lanes();
    asm_put(&code, asm_ADDI(T1, A1, 1000));
    asm_put(&code, asm_ADDI(T2, A1, -1000));
    asm_put(&code, asm_ADD(RA, RA, A1));
    uint32_t pc = asm_here(&code);
    asm_put(&code, asm_SL_TRAP(SL_TRAP_USER + 3, T1, T2));
    asm_label(&code, 0);
    asm_put(&code, ASM_RET);
    const struct sl_fault *fault = run(m);
    expect(fault, SL_FAULT_TRAP, pc, UPPER);
    assert_int_equal(fault->trap, SL_TRAP_USER + 3);
    assert_int_equal(fault->value0, 1010);
    assert_int_equal(fault->value1, (uint64_t)-990);
    assert_int_equal(fault->return_pc, SL_LANE_EXIT_PC + 10);
    assert_int_equal(fault->address, 0);
    machine_destroy(m);
}

/* The first fault ends the whole wavefront: the lanes that wait for their turn do nothing more. */
TEST(test_fault_ends_all_lanes)
{
    struct machine *m = MACHINE("gpu.simds=4");

    asm_begin(&code);
    put_upper_lanes();
    asm_put(&code, asm_SL_TRAP(SL_TRAP_ABORT, ZERO, ZERO));
    asm_label(&code, 0);
    asm_put(&code, asm_ADDI(S0, S0, 1));
    asm_put(&code, ASM_RET);
    (void)run(m);
    assert_int_equal(m->waves[1].x[S0][0], 0);
    assert_int_equal(m->fault[0].instruction, asm_SL_TRAP(SL_TRAP_ABORT, ZERO, ZERO));
    machine_destroy(m);
}
