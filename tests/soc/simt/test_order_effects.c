/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Consistency models (docs/know/memory-model.md): what a lane waits for and what it does not, the
 * write buffer, and what becomes visible. Timing of each model by itself is in test_order_models.c;
 * what counts here is as there: flat memory, an access done after 20 cycles, 4 for each
 * instruction. */
#include "common/check.h"
#include "soc/common/driver.h"
#include "soc/common/ndrange_machine.h"
#include "soc/simt/order_machine.h"

static struct asm_code code;

/* ---- the buffer ---- */

/* A store of which lane 0 goes to its stack and lane 1 to memory is inside, and waits in the buffer
 * behind another. A load of the stack is outside, and waits for it nevertheless. */
TEST(test_mixed)
{
    for (enum model model = SC_WB; model <= TSO; model++) {
        struct machine *m = order_machine(model, NULL);
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 7));
        asm_put(&code, asm_ADDI(T1, SP, -8));
        asm_to(&code, asm_BEQ(A1, ZERO, 0), 0);
        asm_put(&code, asm_ADDI(T1, A2, 0));
        asm_label(&code, 0);
        asm_put(&code, asm_SD(T0, A3, 0));
        asm_put(&code, asm_SD(T0, T1, 0));
        asm_put(&code, asm_LD(S2, SP, -8));
        asm_put(&code, ASM_RET);
        assert_int_equal(machine_execute(m, &code, 2)->x[S2][0], 7);
        assert_int_equal(*(uint64_t *)machine_at(m, m->arguments[0]), 7);
        assert_int_equal(m->counters.order_buffered_stores, 2);
        assert_int_equal(m->counters.order_match_waits, 1);
        assert_int_equal(m->counters.order_drain_wait_cycles, 0);
        assert_int_equal(m->counters.lane_stores, 3);
        machine_destroy(m);
    }
}

/* A store of which lane 0 goes to LDS and the others to memory is inside as a whole, and in the
 * buffer behind another. Loads of all lanes from that place in LDS are outside, and wait for it
 * nevertheless: LDS is no lane's own. Memory, a word for each lane: that store's, behind them what
 * was loaded. */
TEST(test_mixed_with_lds)
{
    static const char *const settings[MODELS][2] = {
        [SC_WB] = {"gpu.consistency=sc_wb"}, [TSO] = {"gpu.consistency=tso"}};
    const uint32_t group[3] = {64, 1, 1};
    const uint32_t words[] = {
        asm_SL_ID(T0, SL_ID_LOCAL),
        asm_SLLI(T2, T0, 2),
        asm_ADD(T2, T2, A0), /* in memory */
        asm_LUI(T1, SL_LDS_BASE >> 12),
        asm_SLTU(S2, ZERO, T0),
        asm_SUB(S3, T2, T1),
        asm_MUL(S3, S3, S2),
        asm_ADD(S3, S3, T1), /* of lane 0 in LDS, of the others in memory */
        asm_ADDI(S4, T0, 7),
        asm_SW(S4, T2, 512),
        asm_SW(S4, S3, 0),
        asm_LW(S5, T1, 0),
        asm_SW(S5, T2, 256),
        ASM_RET,
    };

    for (enum model model = SC_WB; model <= TSO; model++) {
        struct ndrange_machine *m = ndrange_create(settings[model]);
        const uint64_t out = ndrange_take(m, 768);
        const struct ndrange_kernel kernel = {
            .entry = SL_KERNEL_BASE, .registers = 16, .argument_count = 1, .argument = {out}};
        ndrange_assemble(m, words, sizeof words / sizeof words[0], SIZE_MAX, 0);
        ndrange_dispatch(m, &kernel, group, group, 256);
        (void)ndrange_run(m);
        assert_int_equal(ndrange_faults(m), 0);
        assert_int_equal(m->counters.order_buffered_stores, 3);
        assert_int_equal(m->counters.order_match_waits, 1);
        const uint32_t *found = ndrange_at(m, out);
        assert_int_equal(found[0], 0);
        for (uint32_t lane = 1; lane < 64; lane++) {
            assert_int_equal(found[lane], lane + 7);
        }
        for (uint32_t lane = 0; lane < 64; lane++) {
            assert_int_equal(found[64 + lane], 7);
        }
        ndrange_destroy(m);
    }
}

/* More stores than the simulator has had room for so far: all are in the buffer at once but those
 * that are done meanwhile, one in 20 cycles, and they take effect in their order: what the last one
 * of a word stored stays. The wavefront faults behind them, and they drain all the same. */
TEST(test_deep)
{
    for (unsigned stores = 100; stores <= 1000; stores += 450) {
        struct machine *m = order_machine(TSO, "gpu.cycle_limit=1000000000");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 0));
        asm_put(&code, asm_ADDI(T1, ZERO, (int32_t)stores));
        asm_label(&code, 0);
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_to(&code, asm_BNE(T0, T1, 0), 0);
        asm_put(&code, asm_SL_TRAP(SL_TRAP_ABORT, ZERO, ZERO));
        const uint64_t end = machine_execute(m, &code, 64)->end_cycle;
        assert_int_equal(m->faults, 1);
        assert_int_equal(*(uint32_t *)machine_at(m, m->arguments[0]), stores);
        assert_int_equal(m->counters.order_buffered_stores, stores);
        assert_true(m->counters.order_buffer_max > stores / 4);
        assert_true(end > 20ull * stores);
        machine_destroy(m);
    }
}

/* Where memory's answers are pending, order is the same: the buffer drains one store after the
 * other, and a load of a byte in it waits. */
TEST(test_pending_answers)
{
    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = order_machine(model, "mem.system=nol1");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, 7));
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_put(&code, asm_ADDI(T0, T0, 1));
        asm_put(&code, asm_SL_STORE(T0, A3) | ASM_SCOPE(4, SL_SCOPE_DEVICE) | ASM_RL);
        asm_put(&code, asm_SW(T0, A2, 0));
        asm_put(&code, asm_LBU(S2, A2, 0));
        asm_put(&code, asm_LW(S3, A3, 0));
        asm_put(&code, asm_AMOADD_W(S4, T0, A2));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 1);
        assert_int_equal(wave->x[S2][0], 8);
        assert_int_equal(wave->x[S3][0], 8);
        assert_int_equal(wave->x[S4][0], 8);
        assert_int_equal(m->counters.order_buffered_stores, model >= SC_WB ? 3 : 0);
        assert_int_equal(m->counters.order_match_waits, model == TSO ? 1 : 0);
        assert_int_equal(m->counters.order_blocked_cycles == 0, model == RMO);
        m->mem->ops->drain(m->mem);
        assert_int_equal(*(uint32_t *)machine_at(m, m->arguments[0]), 16);
        machine_destroy(m);
    }
}

/* Where a store may be done when it is on its way, models that keep stores in order wait until it
 * is acknowledged. On nol1 (soc/memory/test_held_timing.c) that is after 26 cycles, and 4 with rmo;
 * a load from DRAM takes 52. Code comes from DRAM, too: the store issues at 50, what follows is
 * ready at 54.
 * - A load: rmo and tso at 54, done at 106, and tso's ret then, 4 cycles more. sc and sc_wb at 76,
 *   done at 128, then ret.
 * - Another store: rmo at 54, on its way at 58, which the end waits for as a release, until 54
 * + 26. The others at 76, done at 102; then sc's ret, where those with a buffer end. */
TEST(test_acknowledged_stores)
{
    const uint64_t load_end[MODELS] = {[RMO] = 106, [SC] = 132, [SC_WB] = 132, [TSO] = 110};
    const uint64_t store_end[MODELS] = {[RMO] = 80, [SC] = 106, [SC_WB] = 102, [TSO] = 102};

    for (enum model model = 0; model < MODELS; model++) {
        for (unsigned is_store = 0; is_store < 2; is_store++) {
            struct machine *m = order_machine(model, "mem.system=nol1");
            asm_begin(&code);
            asm_put(&code, asm_SW(A1, A2, 0));
            asm_put(&code, is_store ? asm_SW(A1, A3, 0) : asm_LW(T0, A3, 0));
            asm_put(&code, ASM_RET);
            const uint64_t end = machine_execute(m, &code, 1)->end_cycle;
            assert_int_equal(end, is_store ? store_end[model] : load_end[model]);
            machine_destroy(m);
        }
    }
}

/* Accesses in two pieces match by their bytes: a store of 8 bytes, 4 of which are in the next line,
 * and loads of those and of the bytes behind it. */
TEST(test_split)
{
    for (unsigned behind = 0; behind < 2; behind++) {
        struct machine *m = order_machine(TSO, "gpu.misaligned=split");
        asm_begin(&code);
        asm_put(&code, asm_ADDI(T0, ZERO, -1));
        asm_put(&code, asm_SD(T0, A2, 60));
        asm_put(&code, behind == 1 ? asm_LW(S2, A2, 68) : asm_LHU(S2, A2, 66));
        asm_put(&code, ASM_RET);
        const struct machine_wave *wave = machine_execute(m, &code, 1);
        assert_int_equal(wave->x[S2][0], behind == 1 ? 0 : 0xffff);
        assert_int_equal(m->counters.order_match_waits, 1 - behind);
        machine_destroy(m);
    }
}

/* A yield behind two stores of its packet's wavefront, launched at L, issues when they are done:
 * with a buffer they issue at L + 2 and L + 6 and are done at L + 42; in sc the second one issues
 * at L + 22, in rmo at L + 6 and is done at L + 26. The unit is occupied for 4 cycles; then 29
 * lines of the save area go (tests/soc/dispatcher/test_yield.c), and the last one is there 20
 * cycles later. */
TEST(test_yield)
{
    static const char *const settings[MODELS] = {"gpu.consistency=rmo", "gpu.consistency=sc",
                                                 "gpu.consistency=sc_wb", "gpu.consistency=tso"};
    static const uint64_t drained[MODELS] = {26, 42, 42, 42};

    for (enum model model = 0; model < MODELS; model++) {
        struct driver *d = DRIVER("gpu.packet_cycles=8", settings[model]);
        const uint64_t word = driver_take(d, 64);
        asm_begin(&code);
        asm_put(&code, asm_SW(A1, A2, 0));
        asm_put(&code, asm_SW(A1, A2, 4));
        asm_put(&code, asm_SL_YIELD(A0, A1));
        asm_put(&code, ASM_RET);
        driver_place(d, &code);
        const uint64_t kernel = driver_kernel(d, 0, word);
        ((struct sl_kernel *)driver_at(d, kernel))->register_mask = 1u << A0 | 1u << A1 | 1u << RA;
        driver_begin_yields(d);
        driver_packet(d, kernel, 5, 64);
        driver_bell(d);
        const uint64_t launch = d->soc->core->time_ps / 1000 + 8;
        driver_await(d, SL_REG_YIELD_TAIL, 1);
        assert_int_equal(driver_yield(d, 0)->time_ps,
                         (launch + drained[model] + 4 + 28 + 20) * 1000);
        assert_int_equal(*(uint32_t *)driver_at(d, word + 4), 68); /* of lane 63 */
        driver_end(d);
        driver_destroy(d);
    }
}

/* ---- two compute units ---- */

/* Two wavefronts at once, on two compute units, run the same code of one lane each: with a2 and a3
 * exchanged, a2[0] = 1, read of its own word where `reads_own`, read of a3[0]. Both stores are
 * behind one to a word of nobody, as above. */
static void run_pair(enum model model, bool reads_own, uint64_t found[2][2])
{
    struct machine *m = order_machine(model, "gpu.cus=2");
    const uint64_t a = m->arguments[0];
    const uint64_t b = m->arguments[1];

    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_put(&code, asm_SD(T0, A2, 32));
    asm_put(&code, asm_SD(T0, A2, 0));
    asm_put(&code, reads_own ? asm_LD(S2, A2, 0) : ASM_NOP);
    asm_put(&code, asm_LD(S3, A3, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 1);
    m->arguments[0] = b;
    m->arguments[1] = a;
    machine_launch(m, 1, 0, 0, 1);
    machine_run(m);
    for (unsigned i = 0; i < 2; i++) {
        found[i][0] = m->waves[i].x[S2][0];
        found[i][1] = m->waves[i].x[S3][0];
    }
    machine_destroy(m);
}

/* Store buffering: both loads find 0 under tso, and never under sc and sc_wb. */
TEST(test_store_buffering)
{
    uint64_t found[2][2];

    run_pair(TSO, false, found);
    assert_int_equal(found[0][1] + found[1][1], 0);
    for (enum model model = SC; model <= SC_WB; model++) {
        run_pair(model, false, found);
        assert_int_not_equal(found[0][1] + found[1][1], 0);
    }
}

/* With a read of its own word in between, which waits for it to drain, not under tso either: the
 * buffer cannot be read. */
TEST(test_store_buffering_read_back)
{
    uint64_t found[2][2];

    for (enum model model = 0; model < MODELS; model++) {
        run_pair(model, true, found);
        assert_int_equal(found[0][0], 1);
        assert_int_equal(found[1][0], 1);
        if (model != RMO) {
            assert_int_not_equal(found[0][1] + found[1][1], 0);
        }
    }
}

/* ---- deadlocks ---- */

/* Two wavefronts of one lane wait for each other, each for a word that the other one stores, where
 * they are looked at from the first branch back on. What the second one stores is behind 200
 * stores in its buffer: while these drain, both go round in loops that change nothing, and yet it
 * is no deadlock. */
TEST(test_spins_while_draining)
{
    for (enum model model = SC_WB; model <= TSO; model++) {
        struct machine *m = order_machine(model, "lock.spin_limit=1");
        asm_begin(&code);
        asm_label(&code, 0);
        asm_put(&code, asm_LW(T0, A2, 0));
        asm_to(&code, asm_BEQ(T0, ZERO, 0), 0);
        asm_put(&code, asm_SW(T0, A3, 0));
        asm_put(&code, ASM_RET);
        const uint32_t second = asm_here(&code);
        asm_repeat(&code, asm_SW(A2, A2, 32), 200);
        asm_put(&code, asm_SW(A2, A2, 0));
        asm_label(&code, 1);
        asm_put(&code, asm_LW(T0, A3, 0));
        asm_to(&code, asm_BEQ(T0, ZERO, 0), 1);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        machine_launch(m, 0, 0, 0, 1);
        machine_launch(m, 0, second, 0, 1);
        machine_run(m);
        assert_int_equal(m->faults, 0);
        assert_true(m->counters.order_buffer_max > (model == TSO ? 100 : 1));
        machine_destroy(m);
    }
}

/* A deadlock, whose rounds store what is there already: when the wavefronts fault, stores are in
 * their buffers, and with tso a load waits for one. They end all the same. */
TEST(test_deadlock_with_stores)
{
    for (enum model model = 0; model < MODELS; model++) {
        struct machine *m = order_machine(model, "lock.spin_limit=10");
        asm_begin(&code);
        asm_label(&code, 0);
        asm_put(&code, asm_SW(ZERO, A3, 0));
        asm_put(&code, asm_SW(ZERO, A3, 4));
        asm_put(&code, asm_LW(T1, A3, 4));
        asm_put(&code, asm_LW(T0, A2, 0));
        asm_to(&code, asm_BEQ(T0, ZERO, 0), 0);
        asm_put(&code, ASM_RET);
        machine_load(m, &code);
        machine_launch(m, 0, 0, 0, 1);
        m->arguments[1] = machine_take(m, 64);
        machine_launch(m, 0, 0, 0, 1);
        machine_run(m);
        assert_int_equal(m->faults, 2);
        assert_int_equal(m->fault[0].code, SL_FAULT_DEADLOCK);
        assert_int_equal(m->counters.order_match_waits != 0, model == TSO);
        machine_destroy(m);
    }
}
