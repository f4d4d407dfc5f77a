/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is under way in memory while other things happen to a wavefront, on a memory system whose
 * answers are all pending (soc/common/slow_memory.h): an end by the cycle limit; another wavefront
 * of the packet; a reset. And what requests say. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"
#include "soc/common/slow_memory.h"

static struct asm_code code;

static struct machine *create_on(const struct mem_ops *ops, struct slow_cycles cycles)
{
    fixture_memory(ops);
    struct machine *m =
        MACHINE("gpu.cus=1", "gpu.contexts=4", "gpu.divergence_depth=4", "gpu.misaligned=split");
    fixture_memory(NULL);
    slow_memory(m->mem)->cycles = cycles;
    return m;
}

static struct machine *create(struct slow_cycles cycles)
{
    return create_on(&mem_slow, cycles);
}

/* ---- what requests say ---- */

/* 64 lanes store a doubleword each, one behind the other, from 4 bytes before the end of a line on:
 * the access of a lane that reaches into another line is one on each. */
static void check_requests(const struct mem_ops *ops)
{
    struct machine *m = create_on(ops, (struct slow_cycles){.access[MEM_CU] = 10});
    const struct slow_memory *slow = slow_memory(m->mem);
    const uint32_t line = m->mem->line_bytes;
    const uint64_t base = (machine_take(m, 1024) / line + 1) * line - 4;
    uint64_t expected = base;
    uint32_t lines = 0;

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_SD(A1, T0, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[0] = base;
    machine_launch(m, 0, 0, 0, 64);
    machine_run(m);
    for (uint32_t i = 0; i < slow->count; i++) {
        const struct mem_request *request = &slow->seen[i].request;
        if (slow->seen[i].is_sync || request->from.kind != MEM_CU) {
            continue;
        }
        const uint64_t first = expected > request->address ? expected : request->address;
        const uint64_t end = base + 64 * 8;
        const uint64_t last = request->address + line < end ? request->address + line : end;
        assert_int_equal(request->address, expected / line * line);
        assert_int_equal(request->lines, 64 * 8 / line + 1);
        for (uint64_t byte = 0; byte < line; byte++) {
            assert_int_equal(request->mask[byte / 64] >> byte % 64 & 1,
                             request->address + byte >= first && request->address + byte < last);
        }
        const uint64_t lowest = (first - base) / 8;
        const uint64_t count = (last - 1 - base) / 8 - lowest + 1;
        assert_int_equal(request->operations, count);
        assert_int_equal(request->lanes, (count == 64 ? ~0ull : (1ull << count) - 1) << lowest);
        assert_int_equal(request->dispatch, 99);
        expected = last;
        lines++;
    }
    assert_int_equal(lines, 64 * 8 / line + 1);
    for (uint64_t i = 0; i < 64; i++) {
        uint64_t value;
        memcpy(&value, (const uint8_t *)machine_at(m, base) + 8 * i, sizeof value);
        assert_int_equal(value, i);
    }
    machine_destroy(m);
}

TEST(test_requests)
{
    check_requests(&mem_slow);
    check_requests(&mem_slow_long);
}

/* Lanes of a mask store at a distance of 1 << shift, or on their stacks: each request says what a
 * look at each lane's address says, and each lane is on one. */
static void check_pattern(uint32_t store, uint32_t shift, uint64_t mask, bool is_private)
{
    struct machine *m = create((struct slow_cycles){.access[MEM_CU] = 10});
    const struct slow_memory *slow = slow_memory(m->mem);
    const uint64_t base = machine_take(m, 4096) + 24;
    const uint64_t bytes = 1ull << (store >> 12 & 3);
    uint64_t lanes = 0;

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_SRL(T1, A3, A1));
    asm_put(&code, asm_ANDI(T1, T1, 1));
    asm_put(&code, asm_SLLI(T0, A1, (int32_t)shift));
    asm_put(&code, is_private ? asm_ADDI(T0, SP, -16) : asm_ADD(T0, T0, A2));
    asm_to(&code, asm_BEQ(T1, ZERO, 0), 0);
    asm_put(&code, store | T0 << 15 | A1 << 20);
    asm_label(&code, 0);
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[0] = base;
    m->arguments[1] = mask;
    machine_launch(m, 0, 0, 0, 64);
    const uint64_t stack = m->gpu->waves[0].private_base +
                           (m->gpu->cus[0].shape.stack_bytes - 16) * m->gpu->cus[0].shape.lanes;
    machine_run(m);
    for (uint32_t i = 0; i < slow->count; i++) {
        const struct mem_request *request = &slow->seen[i].request;
        if (slow->seen[i].is_sync || request->from.kind != MEM_CU) {
            continue;
        }
        uint64_t expected_lanes = 0;
        uint64_t expected_mask = 0;
        FOR_EACH_LANE(lane, mask)
        {
            const uint64_t at =
                (is_private ? stack + lane * SL_PRIVATE_SLOT : base + (lane << shift)) -
                request->address;
            if (at < MEM_LINE_MIN) {
                expected_lanes |= 1ull << lane;
                expected_mask |= ((1ull << bytes) - 1) << at;
            }
        }
        assert_int_equal(request->lanes, expected_lanes);
        assert_int_equal(request->mask[0], expected_mask);
        assert_int_equal(request->operations, __builtin_popcountll(expected_lanes));
        assert_int_equal(lanes & request->lanes, 0);
        lanes |= request->lanes;
    }
    assert_int_equal(lanes, mask);
    machine_destroy(m);
}

TEST(test_patterns)
{
    static const uint64_t masks[] = {UINT64_MAX,         1,
                                     1ull << 63,         0x00ffff0000000000,
                                     0xaaaaaaaaaaaaaaaa, 0xfffffffff7ffffff,
                                     0x8000000000000001};
    const uint32_t stores[] = {asm_SB(0, 0, 0), asm_SH(0, 0, 0), asm_SW(0, 0, 0), asm_SD(0, 0, 0)};

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        for (uint32_t size = 0; size < 4; size++) {
            for (uint32_t shift = size; shift < 6; shift++) {
                check_pattern(stores[size], shift, masks[i], false);
            }
            check_pattern(stores[size], 0, masks[i], true);
        }
    }
}

/* ---- fences ---- */

#define STORE_RELEASE(rs2, rs1) (asm_SL_STORE(rs2, rs1) | ASM_RL | ASM_SCOPE(8, SL_SCOPE_DEVICE))
#define LOAD_ACQUIRE(rd, rs1)   (asm_SL_LOAD(rd, ZERO, rs1) | ASM_AQ | ASM_SCOPE(8, SL_SCOPE_DEVICE))

/* The cycle in which memory is told of a fence behind an access, which issues in cycle 1, when the
 * code is there. Accesses take 50 cycles, the release of an operation 30, a fence 20: what is
 * behind it is handed in then. */
static uint64_t fence_after(uint32_t access, enum sl_scope scope, uint32_t orders)
{
    struct machine *m = create((struct slow_cycles){
        .access = {[MEM_CU] = 50}, .sync = {[MEM_SYNC_OPERATION] = 30, [MEM_SYNC_FENCE] = 20}});
    struct slow_memory *slow = slow_memory(m->mem);

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, access);
    asm_put(&code, asm_SL_FENCE(scope, orders));
    asm_put(&code, asm_LD(S11, A4, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[1] = machine_take(m, SL_CACHE_LINE_BYTES);
    m->arguments[2] = machine_take(m, SL_CACHE_LINE_BYTES);
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    const struct slow_request *fence =
        slow_find_sync(slow, MEM_SYNC_FENCE, (orders & ASM_ACQUIRES) != 0);
    assert_non_null(fence);
    assert_int_equal(fence->request.scope, scope);
    assert_int_equal(fence->request.release, (orders & ASM_RELEASES) != 0);
    const uint64_t cycle = fence->cycle;
    bool is_behind = false;
    for (uint32_t i = 0; i < slow->count; i++) {
        const struct slow_request *request = &slow->seen[i];
        if (!request->is_sync && request->request.address == m->arguments[2]) {
            assert_int_equal(request->cycle, cycle + 20);
            is_behind = true;
        }
    }
    assert_true(is_behind);
    machine_destroy(m);
    return cycle;
}

/* A fence that waits for nothing issues 4 cycles after the access, as all at wavefront scope do;
 * else when that is done, in cycle 51. An access that releases is handed in when memory has
 * released, and done at 81. */
TEST(test_fences)
{
    for (uint32_t order = ASM_ACQUIRES; order <= (ASM_ACQUIRES | ASM_RELEASES); order++) {
        assert_int_equal(fence_after(asm_SD(A2, A3, 0), SL_SCOPE_WAVEFRONT, order), 5);
        assert_int_equal(fence_after(asm_LD(T0, A3, 0), SL_SCOPE_WAVEFRONT, order), 5);
    }
    for (enum sl_scope scope = SL_SCOPE_WORKGROUP; scope <= SL_SCOPE_SYSTEM; scope++) {
        assert_int_equal(fence_after(asm_SD(A2, A3, 0), scope, ASM_ACQUIRES), 5);
        assert_int_equal(fence_after(asm_SD(A2, A3, 0), scope, ASM_RELEASES), 51);
        assert_int_equal(fence_after(asm_SD(A2, A3, 0), scope, ASM_ACQUIRES | ASM_RELEASES), 51);
        assert_int_equal(fence_after(asm_LD(T0, A3, 0), scope, ASM_ACQUIRES), 51);
        assert_int_equal(fence_after(asm_LD(T0, A3, 0), scope, ASM_RELEASES), 51);
        assert_int_equal(fence_after(asm_AMOADD_D(ZERO, A2, A3), scope, ASM_ACQUIRES), 51);
        assert_int_equal(fence_after(STORE_RELEASE(A2, A3), scope, ASM_RELEASES), 81);
    }
}

/* ---- the cycle limit ---- */

/* A wavefront is ended in cycle 10, with a request under way until cycle `over` that nothing of it
 * waits for any more. Its context is free when that is over and memory has heard of its end, no
 * earlier; the next wavefront there is none the worse. */
static void end_early(struct slow_cycles cycles, uint64_t over)
{
    struct machine *m = create(cycles);

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_ADDI(S11, ZERO, 5));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, 10);
    wave_fault(&m->gpu->waves[0], SL_FAULT_CYCLE_LIMIT, 1, NULL, 10);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->ended, 1);
    assert_int_equal(m->waves[0].end_cycle, over);
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(m->faults, 1);
    assert_int_equal(m->ended, 2);
    assert_int_equal(m->waves[1].context, m->waves[0].context);
    assert_int_equal(m->waves[1].x[S11][0], 5);
    machine_destroy(m);
}

/* The packet's acquire, and the release that is its end, take 100 cycles each. */
TEST(test_end_while_acquiring)
{
    end_early((struct slow_cycles){.sync[MEM_SYNC_PACKET] = 100}, 200);
}

TEST(test_end_while_fetching)
{
    end_early((struct slow_cycles){.access[MEM_CU_CODE] = 100}, 100);
}

/* Calls nested deeper than the hardware's stack, whose entries go to memory and come back; s11
 * becomes the sum of their numbers. */
static void put_deep_calls(void)
{
    static const uint32_t saved[] = {S2, S3, S4, S5, S6, S7, S8};
    const uint32_t depth = sizeof saved / sizeof saved[0];

    for (uint32_t i = 0; i < depth; i++) {
        asm_function(&code);
        asm_label(&code, i);
        asm_put(&code, asm_ADDI(saved[i], RA, 0));
        asm_put(&code, asm_ADDI(S11, S11, (int32_t)i));
        if (i + 1 < depth) {
            asm_to(&code, asm_JAL(RA, 0), i + 1);
        }
        asm_put(&code, asm_ADDI(RA, saved[i], 0));
        asm_put(&code, ASM_RET);
    }
}

/* The same in each cycle of the life of a wavefront whose stack spills and fills. */
TEST(test_end_in_each_cycle)
{
    struct slow_cycles cycles = {.access = {[MEM_CU] = 30, [MEM_CU_CODE] = 5}};
    uint32_t faults = 1;

    asm_begin(&code);
    put_deep_calls();
    for (uint64_t at = 0; faults != 0; at++) {
        struct machine *m = create(cycles);
        machine_load(m, &code);
        machine_launch(m, 0, 0, 0, 1);
        fixture_run(m->gpu, at);
        if (m->gpu->waves[0].state == WAVE_RUNNING) {
            wave_fault(&m->gpu->waves[0], SL_FAULT_CYCLE_LIMIT, 1, NULL, at);
        }
        faults = m->faults;
        machine_run(m);
        assert_int_equal(m->faults, faults);
        machine_launch(m, 0, 0, 0, 1);
        machine_run(m);
        assert_int_equal(m->ended, 2);
        assert_int_equal(m->faults, faults);
        assert_int_equal(m->waves[1].x[S11][0], 0 + 1 + 2 + 3 + 4 + 5 + 6);
        assert_true(m->counters.stack_fills > 0);
        machine_destroy(m);
    }
}

/* ---- a packet's acquire ---- */

/* The second wavefront of a packet is launched a cycle behind the first, whose acquire takes 100
 * cycles. What was acquired is for both: neither accesses memory before. A third one that comes
 * when it is over begins at once. */
TEST(test_packet_acquires_for_all)
{
    struct machine *m = create((struct slow_cycles){.sync[MEM_SYNC_PACKET] = 100});
    struct slow_memory *slow = slow_memory(m->mem);

    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_LD(S11, A3, 0));
    asm_put(&code, ASM_RET);
    machine_load(m, &code);
    m->arguments[1] = machine_take(m, SL_CACHE_LINE_BYTES);
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, 1);
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, 99);
    assert_null(slow_find_access(slow, MEM_CU));
    fixture_run(m->gpu, 102);
    assert_int_equal(slow_find_access(slow, MEM_CU)->cycle, 100);
    slow->count = 0;
    machine_launch(m, 0, 0, 0, 1);
    machine_run(m);
    assert_int_equal(slow_find_access(slow, MEM_CU)->cycle, 103);
    assert_int_equal(m->ended, 3);
    assert_int_equal(m->gpu->cus[0].packets[0].waves, 0);
    machine_destroy(m);
}

/* ---- a reset ---- */

/* Two wavefronts are reset in each cycle of their life, whatever is under way then: nothing of it
 * comes to those that are launched in their contexts behind it. */
TEST(test_reset)
{
    struct slow_cycles cycles = {.access = {[MEM_CU] = 7, [MEM_CU_CODE] = 5}};
    uint64_t at = 0;
    uint32_t ended = 0;

    for (unsigned i = 0; i <= MEM_SYNC_STEP; i++) {
        cycles.sync[i] = 9;
    }
    asm_begin(&code);
    asm_function(&code);
    asm_put(&code, asm_LD(S10, A3, 0));
    asm_put(&code, STORE_RELEASE(A2, A4));
    asm_put(&code, LOAD_ACQUIRE(S11, A4));
    asm_put(&code, asm_FENCE());
    asm_put(&code, asm_SL_FENCE(SL_SCOPE_SYSTEM, ASM_ACQUIRES));
    asm_put(&code, asm_LR_D(T0, ZERO, A3));
    asm_put(&code, asm_SD(A2, SP, -8));
    asm_put(&code, ASM_RET);
    while (ended < 2) {
        struct machine *m = create(cycles);
        machine_load(m, &code);
        m->arguments[0] = 42;
        m->arguments[1] = machine_take(m, SL_CACHE_LINE_BYTES);
        m->arguments[2] = machine_take(m, SL_CACHE_LINE_BYTES);
        for (unsigned i = 0; i < 2; i++) {
            machine_launch(m, 0, 0, 0, 8);
        }
        fixture_run(m->gpu, at++);
        ended = m->ended;
        fixture_reset(m->gpu);
        for (unsigned i = 0; i < 2; i++) {
            machine_launch(m, 0, 0, 0, 8);
        }
        machine_run(m);
        assert_int_equal(m->ended, ended + 2);
        assert_int_equal(m->waves[3].x[S11][7], 42);
        assert_int_equal(m->mem->reservations.held, 0);
        assert_int_equal(m->gpu->pool.free_count, m->gpu->pool.blocks);
        machine_destroy(m);
    }
    assert_true(at > 50);
}
