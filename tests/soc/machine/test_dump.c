/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The device's side of the wavefront inspector: what it writes of wavefronts, and that the machine
 * takes no notice. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/stack_entry.h"
#include "soc/common/bare_machine.h"

/* Lanes from 8 on leave, the others load from address 0. */
static const uint32_t code[] = {
    0x00800293, /* addi t0, zero, 8 */
    0x0055c463, /* blt a1, t0, +8 */
    0x00008067, /* ret */
    0x00003303, /* ld t1, 0(zero) */
    0x00008067, /* ret */
};

static const struct sl_wave_state *state_at(const struct bare_machine *m, uint64_t address)
{
    uint64_t offset = address - m->layout.pool_base;
    assert_true(offset % m->layout.pool_block_bytes == 0);
    assert_true(offset / m->layout.pool_block_bytes < m->layout.pool_blocks);
    return bare_at(m, address);
}

static struct bare_machine *fault_with(const char *dump, const char *registers)
{
    const char *const settings[] = {dump, registers, "gpu.cus=2", NULL};
    struct bare_machine *m = bare_create(settings);
    bare_load_words(m, code, 5);
    bare_launch(m, 0, NULL, 64, 0, 0);
    bare_launch(m, 1, NULL, 16, 0, 0);
    bare_launch(m, 0, NULL, 4, 0, 0); /* none of its lanes leaves: the first to fault */
    bare_run(m, 10000);
    assert_int_equal(m->faults, 3);
    return m;
}

TEST(test_fault)
{
    struct bare_machine *m = fault_with("debug.dump=fault", "debug.dump_registers=true");
    assert_int_equal(m->gpu->dump.wavefronts, 1);
    const struct sl_wave_state *wave = state_at(m, m->gpu->dump.first);
    assert_int_equal(wave->wavefront, m->fault.wavefront);
    assert_int_equal(wave->fault, SL_FAULT_ACCESS);
    assert_int_equal(wave->next, 0);
    assert_int_equal(wave->lanes, 64);
    assert_int_equal(wave->code, SL_KERNEL_BASE);
    assert_int_equal(wave->time_ps, m->fault.time_ps);
    assert_int_equal(wave->stack[0].mask, m->fault.lanes);
    assert_int_equal(wave->code + sl_stack_pc(&wave->stack[0]), m->fault.pc);
    /* The kernel itself. */
    assert_int_equal(sl_stack_kind(&wave->stack[wave->stack_depth - 1]), SL_STACK_CALL);
    assert_int_equal(sl_stack_level(&wave->stack[wave->stack_depth - 1]), 0);
    assert_int_equal(wave->registers, 32);
    const uint64_t *values = (const uint64_t *)(wave + 1);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(values[2 * 64 + lane], SL_PRIVATE_BASE + m->gpu->cus[0].shape.stack_bytes);
        assert_int_equal(values[5 * 64 + lane], (m->fault.lanes >> lane & 1) != 0 ? 8 : 0);
    }
    bare_destroy(m);
}

/* The f registers are there from the first instruction on that may have set one. */
TEST(test_float_registers)
{
    static const uint32_t words[] = {
        0xf2058553, /* fmv.d.x fa0, a1 */
        0x00003303, /* ld t1, 0(zero) */
    };
    const char *const settings[] = {"debug.dump=fault", "debug.dump_registers=true", NULL};
    struct bare_machine *m = bare_create(settings);
    bare_load_words(m, words, 2);
    bare_launch(m, 0, NULL, 64, 0, 0);
    bare_run(m, 10000);
    const struct sl_wave_state *wave = state_at(m, m->gpu->dump.first);
    assert_int_equal(wave->group_waves, 0);
    assert_int_equal(wave->registers, 64);
    const uint64_t *values = (const uint64_t *)(wave + 1);
    for (unsigned lane = 0; lane < 64; lane++) {
        assert_int_equal(values[11 * 64 + lane], lane);
        assert_int_equal(values[(32 + 10) * 64 + lane], lane);
        assert_int_equal(values[(32 + 11) * 64 + lane], 0);
    }
    bare_destroy(m);
}

TEST(test_all)
{
    struct bare_machine *m = fault_with("debug.dump=all", "debug.dump_registers=false");
    uint64_t faulted = 0;
    uint64_t address = m->gpu->dump.first;
    assert_int_equal(m->gpu->dump.wavefronts, 3);
    for (uint64_t number = 0; number < 3; number++) {
        const struct sl_wave_state *wave = state_at(m, address);
        assert_int_equal(wave->wavefront, number);
        assert_int_equal(wave->cu, number == 1);
        assert_int_equal(wave->registers, 0);
        assert_int_equal(wave->fault, number == m->fault.wavefront ? SL_FAULT_ACCESS : 0);
        faulted += wave->fault != 0;
        address = wave->next;
    }
    assert_int_equal(address, 0);
    assert_int_equal(faulted, 1);
    bare_destroy(m);
}

TEST(test_never)
{
    struct bare_machine *m = fault_with("debug.dump=none", "debug.dump_registers=true");
    assert_int_equal(m->gpu->dump.wavefronts, 0);
    assert_int_equal(m->gpu->dump.first, 0);
    bare_destroy(m);
}

static const struct sl_wave_state *dump_at(struct bare_machine *m, uint64_t cycle)
{
    fixture_run(m->gpu, cycle);
    gpu_dump_all(m->gpu, false);
    assert_int_equal(m->gpu->dump.wavefronts, 1);
    return state_at(m, m->gpu->dump.first);
}

/* What tso has a wavefront wait for, with a buffer of two. Flat memory, an access is done after 20
 * cycles, 4 for each instruction. Stores at 2 and 6; the third issues at 10 and waits for room
 * until the first is done at 22. The load of the third's bytes issues there and waits until that is
 * done, at 62; it is done at 82, or a cycle later behind another in the port. Stores at the end:
 * the wavefront has ended before they are done. */
TEST(test_order)
{
    const char *const settings[] = {"mem.system=flat", "gpu.consistency=tso", "gpu.write_buffer=2",
                                    NULL};
    const uint32_t words[] = {
        asm_s(ASM_SW, 11, 12, 0), asm_s(ASM_SW, 11, 12, 4), asm_s(ASM_SW, 11, 12, 8),
        asm_i(ASM_LW, 5, 12, 8),  asm_s(ASM_SW, 11, 12, 0), 0x0ff0000f, /* fence */
        asm_s(ASM_SW, 11, 12, 4), asm_s(ASM_SW, 11, 12, 8), 0x00008067, /* ret */
    };
    struct bare_machine *m = bare_create(settings);
    const uint64_t a = bare_take(m, 64, 64);
    bare_load_words(m, words, sizeof words / sizeof words[0]);
    bare_launch(m, 0, NULL, 64, a, 0);
    const struct sl_wave_state *wave = dump_at(m, 1);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_NONE);
    assert_int_equal(wave->stores, 0);
    wave = dump_at(m, 8);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_NONE);
    assert_int_equal(wave->stores, 2);
    assert_int_equal(wave->store_address, a);
    assert_int_equal(wave->store_pc, wave->code);
    wave = dump_at(m, 15);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_ROOM);
    assert_int_equal(wave->stores, 2);
    wave = dump_at(m, 30);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_MATCH);
    assert_int_equal(wave->stores, 2);
    assert_int_equal(wave->store_address, a + 4);
    assert_int_equal(wave->store_pc, wave->code + 4);
    wave = dump_at(m, 50);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_MATCH);
    assert_int_equal(wave->stores, 1);
    assert_int_equal(wave->store_address, a + 8);
    wave = dump_at(m, 70);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_ACCESS);
    assert_int_equal(wave->stores, 0);
    assert_int_equal(wave->store_address, 0);
    assert_in_range(wave->ready_ps, 82000, 83000);
    wave = dump_at(m, 95); /* the store at 82 or 83, the fence waits for it */
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_DRAIN);
    assert_int_equal(wave->stores, 1);
    wave = dump_at(m, 125); /* the fence issued at 102 or 103 */
    assert_true(wave->is_ended);
    assert_int_equal(wave->order_wait, SL_ORDER_WAIT_NONE);
    assert_int_equal(wave->stores, 2);
    bare_run(m, 1000);
    bare_destroy(m);
}

/* A run in which wavefronts are dumped every 7 cycles counts and ends as one without. */
static void check_unnoticed(const char *model)
{
    struct cu_counters counters[2];
    uint64_t end[2];
    const char *const settings[] = {model, NULL};
    for (unsigned is_watched = 0; is_watched < 2; is_watched++) {
        struct bare_machine *m = bare_create(settings);
        bare_load_kernels(m, "atomics.elf");
        uint64_t counter = bare_take(m, 64, 64);
        for (unsigned i = 0; i < 4; i++) {
            bare_launch(m, 0, "atomics_reserve", 64, counter, 1ull << 16 | 3);
        }
        for (uint64_t cycle = 7; is_watched && m->waves_ended < 4; cycle += 7) {
            fixture_run(m->gpu, cycle);
            gpu_dump_all(m->gpu, true);
            assert_int_equal(m->gpu->dump.wavefronts, 4 - m->waves_ended);
        }
        bare_run(m, 1000000);
        counters[is_watched] = m->counters;
        end[is_watched] = m->end_cycle[3];
        bare_destroy(m);
    }
    assert_memory_equal(&counters[0], &counters[1], sizeof counters[0]);
    assert_int_equal(end[0], end[1]);
}

TEST(test_unnoticed)
{
    check_unnoticed("gpu.consistency=rmo");
    check_unnoticed("gpu.consistency=tso");
}
