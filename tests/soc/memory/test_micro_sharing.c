/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Microbenchmarks of memory system `moesi` that kernels execute: one line that several compute
 * units want. Every duration is worked out by hand, to the cycle, from
 * docs/look-up/memory-moesi.md:
 *
 *     hit                        4
 *     from DRAM                  4 + 1 + 16 + 30 + 1 = 52
 *     from another L1 cache      4 + 1 + 16 + 1 + 4 + 1 = 27
 *     the same, queued           1 (unblock) + 16 + 1 + 4 + 1 = 23 after the one before
 *
 * Wavefronts have a SIMD unit each and occupy it for 4 cycles per instruction. They are launched at
 * 0; their code line, the same for all, comes from DRAM at 50: there all of them begin. */
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/machine.h"

#define BEGIN 50u
#define LINE  64u

static struct asm_code code;

static void run(struct machine *m)
{
    machine_run(m);
    assert_int_equal(m->faults, 0);
}

static uint64_t word_at(const struct machine *m, uint64_t address)
{
    return *(const uint64_t *)machine_at(m, address);
}

static const struct l1_counters *l1d_of(const struct machine *m)
{
    return &m->mem->counters.l1[L1D];
}

/* a3 times: adds one to the counter at a2 and waits for the result; with a pause, or without. */
static void put_count(bool pauses)
{
    asm_begin(&code);
    asm_put(&code, asm_ADDI(T0, ZERO, 1));
    asm_label(&code, 0);
    asm_put(&code, asm_AMOADD_D(T1, T0, A2));
    if (pauses) {
        asm_put(&code, asm_ADDI(T1, T1, 1));
        asm_put(&code, asm_PAUSE());
    }
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_to(&code, asm_BNE(A3, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
}

static const char *const cus_settings[] = {"gpu.cus=1", "gpu.cus=2", "gpu.cus=4", "gpu.cus=8"};

/* Runs `waves` wavefronts on each compute unit, each of which counts so often. */
static struct machine *count(const char *pause, uint32_t cus, uint32_t waves, uint32_t lanes,
                             uint64_t times)
{
    struct machine *m = MACHINE("mem.system=moesi", cus_settings[__builtin_ctz(cus)], pause);

    machine_load(m, &code);
    m->arguments[0] = machine_take(m, LINE);
    m->arguments[1] = times;
    for (uint32_t i = 0; i < cus * waves; i++) {
        machine_launch(m, i / waves, 0, 0, lanes);
    }
    run(m);
    assert_int_equal(word_at(m, m->arguments[0]), times * cus * waves * lanes);
    return m;
}

/* The first atomics issue at 54, and compute unit 0 has its own done at 106, with the line from
 * DRAM. Then come: addition, which waits for it, 4; pause 7; addition and branch 4 each; so the
 * next atomic issues 19 later.
 *
 * One compute unit: that one hits, done after 4: a round is 23 cycles.
 *
 * More: the other ones' requests are at the directory when the first one's unblock message is, at
 * 107; the forward is at the owner at 107 + 16 + 1 = 124, before its next atomic, at 125, misses
 * and gets in the queue at 130, which is when the unblock message of the second one, done at 129,
 * is there, too. So every increment has the line from another cache, and costs 23, whichever
 * compute unit it is from: the i-th is done at 106 + 23 i. With two, this is the ping-pong of a
 * line.
 *
 * So eight compute units count as fast as one. Lanes make no difference: they are one access. The
 * round that ends it has ret instead of an atomic: 19 + 4 behind its result. */
static void count_in_queue(uint32_t cus, uint32_t lanes)
{
    const uint64_t times = 50;
    put_count(true);
    struct machine *m = count("gpu.pause_cycles=7", cus, 1, lanes, times);

    for (uint32_t cu = 0; cu < cus; cu++) {
        const uint64_t i = (times - 1) * cus + cu;
        assert_int_equal(m->waves[cu].end_cycle, BEGIN + 4 + 52 + 23 * i + 19 + 4);
    }
    assert_int_equal(l1d_of(m)->served[HIT_L1], cus == 1 ? times - 1 : 0);
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], cus == 1 ? 0 : times * cus - 1);
    machine_destroy(m);
}

TEST(test_counter)
{
    for (uint32_t cus = 1; cus <= 8; cus *= 2) {
        count_in_queue(cus, 1);
        count_in_queue(cus, 64);
    }
}

/* Without the pause, a round of hits is 12 cycles: atomic, addition, branch. A compute unit that
 * gets the line at D is asked for it at D + 18, so that it counts at D (the atomic behind the one
 * that is done now), D + 12, and misses at D + 24: three increments for each transfer.
 *
 * Four and more: that request is in the queue in time, and one has the line 23 after the other.
 * Two: the other one is done at D + 23 and unblocks at D + 24; the request is at the directory at
 * D + 29, and nobody waits for anybody: D + 24 + 27. Both have the line every 51 cycles.
 *
 * Behind the last atomic, at D + 12: addition, branch, ret, end, 4 each. */
TEST(test_counter_in_a_hurry)
{
    const uint64_t turns = 20;
    for (uint32_t cus = 2; cus <= 8; cus *= 2) {
        put_count(false);
        struct machine *m = count("gpu.pause_cycles=7", cus, 1, 1, 3 * turns);
        const uint64_t all_have_it = cus == 2 ? 51 : 23 * cus;
        for (uint32_t cu = 0; cu < cus; cu++) {
            const uint64_t d = BEGIN + 4 + 52 + all_have_it * (turns - 1) + 23 * cu;
            assert_int_equal(m->waves[cu].end_cycle, d + 12 + 16);
        }
        assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], turns * cus - 1);
        assert_int_equal(l1d_of(m)->served[HIT_L1], 2 * turns * cus);
        machine_destroy(m);
    }
}

/* Two wavefronts of each of two compute units, on SIMD units of their own: the second one's atomic
 * goes through the port a cycle later, is merged with the miss of the first one, and done when that
 * is: a transfer of the line serves two increments. */
TEST(test_counter_in_one_cache)
{
    const uint64_t times = 50;
    put_count(true);
    struct machine *m = count("gpu.pause_cycles=7", 2, 2, 1, times);

    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t transfers = 2 * (times - 1) + i / 2;
        assert_int_equal(m->waves[i].end_cycle, BEGIN + 4 + 52 + 23 * transfers + 19 + 4);
    }
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], 2 * times - 1);
    assert_int_equal(l1d_of(m)->served[HIT_MERGED], 2 * times);
    machine_destroy(m);
}

/* A round of the same kernel with a pause of 64: atomic L, addition 4, pause 64, addition 4, branch
 * 4. Alone, L is 4; where another compute unit does the same half a round later, nobody waits in a
 * queue, and L is 27. The first atomic takes 52, from DRAM; the last round has ret, 4, behind it.
 */
static void in_turn(uint32_t cus, uint64_t latency)
{
    const uint64_t times = 40;
    struct machine *m = MACHINE("mem.system=moesi", "gpu.cus=2", "gpu.pause_cycles=64");

    put_count(true);
    machine_load(m, &code);
    m->arguments[0] = machine_take(m, LINE);
    m->arguments[1] = times;
    machine_launch(m, 0, 0, 0, 1);
    fixture_run(m->gpu, 150);
    if (cus == 2) {
        machine_launch(m, 1, 0, 0, 1);
    }
    run(m);
    assert_int_equal(m->waves[0].end_cycle, BEGIN + 4 + 52 + 76 + (times - 1) * (latency + 76) + 4);
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], cus == 1 ? 0 : 2 * times - 1);
    machine_destroy(m);
}

TEST(test_ping_pong_in_turn)
{
    in_turn(1, 4);
    in_turn(2, 27);
}

/* Hands a flag over, a3 times: waits until it is a4, stores a5. */
static void put_handshake(void)
{
    asm_begin(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_LW(T1, A2, 0));
    asm_to(&code, asm_BNE(T1, A4, 0), 0);
    asm_put(&code, asm_SW(A5, A2, 0));
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_to(&code, asm_BNE(A3, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
}

/* Compute unit 0 waits for 0, which is there, and stores 1; the other one waits for 1 and stores 0.
 * Spinning is a load every 8 cycles, as long as the line is there.
 *
 * The beginning: both load at 50: 0 has the line at 102, as the only one, and 1, queued, at 125,
 * from there. 0 branches at 102 and stores at 106; the line is promised to 1, so that is an
 * upgrade, which waits for 1's unblock message, at 126: invalidation 126 + 16 + 1 = 143, done at
 * 148. 1 spins: branch at 125, loads at 129, 137, and at 145, which misses: at the directory at
 * 150, done at 150 + 16 + 1 + 4 + 1 = 172. It branches at 172 and stores at 176.
 *
 * From then on each hand-over is the same. S, the store: upgrade of a line that the other one owns,
 * whose invalidation is there at S + 5 + 16 + 1 = S + 22, and which is done at S + 27. The storing
 * one loads at S + 12 (behind subtraction and branch), merged and done at S + 27; branches there;
 * and spins from S + 31 on, every 8 cycles. Its own line was stored to 55 cycles before S: so it
 * loads at S - 55 + 31 + 8 k, of which S + 24 is the first behind the invalidation. That misses: at
 * the directory at S + 29, behind the unblock message at S + 28; forwarded, done at S + 29 + 16 + 1
 * + 4 + 1 = S + 51. Branch there, store at S + 55.
 *
 * So a hand-over costs 55: an upgrade, 27, a transfer, 27, less 3 that the load begins before the
 * store is done, and a branch, 4. A wavefront ends with its last store, at S + 27. */
TEST(test_handshake)
{
    const uint64_t times = 40;
    struct machine *m = MACHINE("mem.system=moesi", "gpu.cus=2");

    put_handshake();
    machine_load(m, &code);
    m->arguments[0] = machine_take(m, LINE);
    m->arguments[1] = times;
    for (uint32_t cu = 0; cu < 2; cu++) {
        m->arguments[2] = cu;
        m->arguments[3] = 1 - cu;
        machine_launch(m, cu, 0, 0, 1);
    }
    run(m);
    /* Stores are numbered from 0; number 1 is at 176. */
    for (uint32_t cu = 0; cu < 2; cu++) {
        const uint64_t last = 2 * (times - 1) + cu;
        assert_int_equal(m->waves[cu].end_cycle, 176 + 55 * (last - 1) + 27);
    }
    assert_int_equal(l1d_of(m)->served[HIT_UPGRADE], 2 * times);
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], 2 * times);
    machine_destroy(m);
}

/* a3 times: a store and a wait until it is done. */
static void put_stores(void)
{
    asm_begin(&code);
    asm_label(&code, 0);
    asm_put(&code, asm_SD(A3, A2, 0));
    asm_put(&code, asm_FENCE());
    asm_put(&code, asm_ADDI(A3, A3, -1));
    asm_to(&code, asm_BNE(A3, ZERO, 0), 0);
    asm_put(&code, ASM_RET);
}

/* Two compute units store to words of their own, `distance` bytes apart. Returns the machine at the
 * end. */
static struct machine *stores(uint64_t distance, uint64_t times)
{
    struct machine *m = MACHINE("mem.system=moesi", "gpu.cus=2");

    put_stores();
    machine_load(m, &code);
    m->arguments[0] = machine_take(m, 2ull * LINE);
    m->arguments[1] = times;
    machine_launch(m, 0, 0, 0, 1);
    m->arguments[0] += distance;
    machine_launch(m, 1, 0, 0, 1);
    run(m);
    assert_int_equal(word_at(m, m->arguments[0]), 1);
    assert_int_equal(word_at(m, m->arguments[0] - distance), 1);
    return m;
}

/* In one line: the first store is done at 102, the other one's at 125. One that has the line at D
 * has it until D + 18, when the forward of the other one's request comes: it stores again at D + 12
 * (behind fence, subtraction, branch), a hit, done at D + 16, and at D + 28, which misses: at the
 * directory at D + 33, behind the other one's unblock message at D + 24; done at D + 28 + 27. So
 * each has the line once in 55 cycles, for two stores. Behind the last store, at D + 12: 4 for its
 * latency, 12, and ret, 4.
 *
 * In lines of their own: the first store is done at 102, and at 106, because DRAM's bus passes one
 * line after the other (the second is there at 104.2, so at 105 in the bank). The next one issues
 * 12 later, is a hit and done 4 after that: 16 for a store, and for the other compute unit's. */
TEST(test_false_sharing)
{
    const uint64_t turns = 25;
    struct machine *m = stores(8, 2 * turns);
    for (uint32_t cu = 0; cu < 2; cu++) {
        const uint64_t d = BEGIN + 52 + 55 * (turns - 1) + 23 * cu;
        assert_int_equal(m->waves[cu].end_cycle, d + 12 + 20);
    }
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], 2 * turns - 1);
    assert_int_equal(l1d_of(m)->served[HIT_L1], 2 * turns);
    machine_destroy(m);

    m = stores(LINE, 2 * turns);
    for (uint32_t cu = 0; cu < 2; cu++) {
        assert_int_equal(m->waves[cu].end_cycle, BEGIN + 52 + 4 * cu + 16 * (2 * turns - 1) + 16);
    }
    assert_int_equal(l1d_of(m)->served[HIT_OTHER_L1], 0);
    assert_int_equal(l1d_of(m)->served[HIT_L1], 2 * (2 * turns - 1));
    machine_destroy(m);
}
