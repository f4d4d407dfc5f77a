/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher through its rings and registers: launch times worked out by hand, the choice of
 * compute units, rings that wrap and run full, and packets that are refused.
 *
 * In the comments, N is the cycle at which the doorbell arrives. A wavefront that only returns and
 * is launched at cycle L ends at L + 6 (fetch 2, occupancy 4). */
#include "common/check.h"
#include "dispatcher/launch_forecast.h"
#include "soc/common/driver.h"

static struct asm_code code;

/* A kernel that only returns. */
static uint64_t place_return(struct driver *d)
{
    asm_begin(&code);
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, 0);
}

/* A kernel that adds 1 to the word of its element's index at the argument. */
static uint64_t place_count(struct driver *d, uint64_t *words)
{
    *words = driver_take(d, 64 * 1024);
    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_ADDI(T1, ZERO, 1));
    asm_put(&code, asm_AMOADD_D(ZERO, T1, T0));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    return driver_kernel(d, 0, *words);
}

/* The cycle of the doorbell that was rung last. */
static uint64_t bell_cycle(const struct driver *d)
{
    return d->soc->core->time_ps / 1000;
}

/* The first wavefront at N + packet_cycles, the others each launch_cycles later, on SIMD units of
 * their own: the last of `waves` ends at N + packet + (waves - 1) x launch + 6. */
TEST(test_launch_times)
{
    static const struct {
        const char *packet;
        const char *launch;
        uint32_t count;
        uint32_t waves;
        uint64_t end;
    } cases[] = {
        {"gpu.packet_cycles=8", "gpu.launch_cycles=1", 1, 1, 8 + 6},
        {"gpu.packet_cycles=50", "gpu.launch_cycles=1", 64, 1, 50 + 6},
        {"gpu.packet_cycles=8", "gpu.launch_cycles=1", 65, 2, 8 + 1 + 6},
        {"gpu.packet_cycles=8", "gpu.launch_cycles=30", 256, 4, 8 + 3 * 30 + 6},
        {"gpu.packet_cycles=1", "gpu.launch_cycles=5", 200, 4, 1 + 3 * 5 + 6},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct driver *d = DRIVER(cases[c].packet, cases[c].launch);
        uint64_t kernel = place_return(d);
        driver_begin(d);
        driver_packet(d, kernel, 0, cases[c].count);
        driver_bell(d);
        uint64_t bell = bell_cycle(d);
        assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 1);
        assert_int_equal(driver_read(d, SL_REG_QUEUED), 1);
        driver_await(d, SL_REG_COMPLETION_TAIL, 1);
        const struct sl_completion *record = driver_completion(d, 0);
        assert_int_equal(record->id, 0);
        assert_int_equal(record->channel, 3);
        assert_int_equal(record->elements, cases[c].count);
        assert_int_equal(record->wavefronts, cases[c].waves);
        assert_int_equal(record->time_ps, (bell + cases[c].end) * 1000);
        assert_int_equal(record->busy_ns, 6 * cases[c].waves);
        assert_int_equal(record->accesses, 0);
        assert_int_equal(driver_read(d, SL_REG_QUEUED), 0);
        assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
        driver_destroy(d);
    }
}

/* Two packets by one bell are launched at N + p and N + p + 1. A packet whose bell rings later, at
 * M, is ready at M + p: with p = 8 the dispatcher is idle by then, with p = 100 it waits for the
 * first two. */
TEST(test_packets_in_turn)
{
    static const char *const settings[] = {"gpu.packet_cycles=8", "gpu.packet_cycles=100"};
    static const uint64_t cycles[] = {8, 100};

    for (unsigned c = 0; c < 2; c++) {
        struct driver *d = DRIVER(settings[c]);
        uint64_t kernel = place_return(d);
        driver_begin(d);
        driver_packet(d, kernel, 0, 64);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        uint64_t bell = bell_cycle(d);
        driver_packet(d, kernel, 0, 64);
        driver_bell(d);
        uint64_t later = bell_cycle(d);
        driver_await(d, SL_REG_COMPLETION_TAIL, 3);
        assert_int_equal(driver_completion(d, 0)->time_ps, (bell + cycles[c] + 6) * 1000);
        assert_int_equal(driver_completion(d, 1)->time_ps, (bell + cycles[c] + 7) * 1000);
        assert_int_equal(driver_completion(d, 2)->time_ps, (later + cycles[c] + 6) * 1000);
        driver_destroy(d);
    }
}

/* One context: the next wavefront is launched in the cycle after the one before has ended. Launches
 * at N + 8, N + 15, N + 22; the last ends at N + 28. */
TEST(test_no_free_context)
{
    struct driver *d = DRIVER("gpu.simds=1", "gpu.contexts=1");
    uint64_t kernel = place_return(d);

    driver_begin(d);
    driver_packet(d, kernel, 0, 129);
    driver_bell(d);
    uint64_t bell = bell_cycle(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_completion(d, 0)->time_ps, (bell + 28) * 1000);
    assert_int_equal(driver_completion(d, 0)->wavefronts, 3);
    assert_int_equal(driver_end(d)[SL_STAT_GPU_RESIDENT_MAX], 1);
    driver_destroy(d);
}

/* Wavefronts go to compute units in turn, also across packets; one that is full is passed over.
 * Kernel: word of the element = 1 + compute unit. */
TEST(test_compute_units_in_turn)
{
    struct driver *d = DRIVER("gpu.cus=3");
    uint64_t words = driver_take(d, 4096 * 8);

    asm_begin(&code);
    asm_put(&code, asm_SLLI(T0, A1, 3));
    asm_put(&code, asm_ADD(T0, T0, A2));
    asm_put(&code, asm_SL_ID(T1, SL_ID_CU));
    asm_put(&code, asm_ADDI(T1, T1, 1));
    asm_put(&code, asm_SD(T1, T0, 0));
    asm_put(&code, ASM_RET);
    driver_place(d, &code);
    uint64_t kernel = driver_kernel(d, 0, words);
    driver_begin(d);
    driver_packet(d, kernel, 0, 4 * 64);
    driver_packet(d, kernel, 256, 2 * 64);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    const uint64_t *values = driver_at(d, words);
    for (unsigned element = 0; element < 6 * 64; element++) {
        assert_int_equal(values[element], 1 + element / 64 % 3);
    }
    driver_destroy(d);
}

/* Lanes get the indices of their elements, modulo the control array's length; the last wavefront is
 * partial. */
TEST(test_elements_of_lanes)
{
    struct driver *d = DRIVER("gpu.cus=2");
    uint64_t words;
    uint64_t kernel = place_count(d, &words);

    driver_begin(d);
    driver_packet(d, kernel, 1000, 100)->index_mask = 1023; /* 1000 to 1023, then 0 to 75 */
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    const uint64_t *counts = driver_at(d, words);
    for (unsigned i = 0; i < 2048; i++) {
        assert_int_equal(counts[i], (i >= 1000 && i < 1024) || i < 76);
    }
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_GPU_ELEMENTS], 100);
    assert_int_equal(statistics[SL_STAT_GPU_WAVEFRONTS], 2);
    assert_int_equal(statistics[SL_STAT_GPU_DISPATCHES], 1);
    driver_destroy(d);
}

/* 3 x 200 packets through rings of 256 entries, with records, one for each, read in between. */
TEST(test_rings_wrap)
{
    struct driver *d = DRIVER("gpu.cus=1");
    uint64_t words;
    uint64_t kernel = place_count(d, &words);

    driver_begin(d);
    for (uint32_t batch = 0; batch < 3; batch++) {
        for (uint32_t i = 0; i < 200; i++) {
            driver_packet(d, kernel, batch * 200 + i, 1);
        }
        driver_bell(d);
        driver_await(d, SL_REG_COMPLETION_TAIL, d->tail);
        bool is_recorded[200] = {false};
        for (uint32_t number = batch * 200; number < d->tail; number++) {
            uint32_t id = driver_completion(d, number)->id - batch * 200;
            assert_true(id < 200 && !is_recorded[id]);
            is_recorded[id] = true;
        }
        driver_store(d, SL_REG_COMPLETION_HEAD, d->tail);
    }
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 600);
    const uint64_t *counts = driver_at(d, words);
    for (unsigned i = 0; i < 601; i++) {
        assert_int_equal(counts[i], i < 600);
    }
    assert_int_equal(driver_end(d)[SL_STAT_GPU_DISPATCHES], 600);
    driver_destroy(d);
}

/* Counts of packets and records have 64 bits, as firmware's have: 200 packets from number 2^32 - 32
 * on that end, and 20 from 2^32 - 8 on that are refused. */
TEST(test_counts_of_64_bits)
{
    static const char *const settings[] = {"front.memory=free", "front.memory=coherent"};
    const uint64_t first = (1ull << 32) - 32;

    for (unsigned c = 0; c < 2; c++) {
        struct driver *d = DRIVER("gpu.cus=1", settings[c]);
        uint64_t words;
        const uint64_t kernel = place_count(d, &words);
        driver_begin(d);
        driver_count_from(d, first);
        for (uint32_t i = 0; i < 200; i++) {
            driver_packet(d, kernel, i, 1);
        }
        driver_bell(d);
        assert_int_equal(d->tail, first + 200);
        driver_await(d, SL_REG_COMPLETION_TAIL, d->tail);
        assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), d->tail);
        assert_int_equal(driver_read(d, SL_REG_ACTIVE), 0);
        for (uint64_t number = first; number < d->tail; number++) {
            assert_true(driver_completion(d, number)->id - (uint32_t)first < 200);
        }
        driver_store(d, SL_REG_COMPLETION_HEAD, d->tail);

        driver_count_from(d, (1ull << 32) - 8);
        for (uint32_t i = 0; i < 20; i++) {
            driver_packet(d, 0, i, 1); /* no kernel: refused */
        }
        driver_bell(d);
        driver_await(d, SL_REG_FAULT_TAIL, (1ull << 32) + 12);
        assert_int_equal(driver_read(d, SL_REG_FAULT_LOST), 0);
        assert_int_equal(driver_end(d)[SL_STAT_GPU_DISPATCHES], 200);
        driver_destroy(d);
    }
}

/* So does the count of elements, where the counter of a stamped channel has 32 bits: whether there
 * are some that firmware has not dispatched. */
TEST(test_elements_of_64_bits)
{
    struct driver *d = DRIVER("gpu.cus=1");
    const uint64_t address = driver_take(d, sizeof(struct sl_graph) + sizeof(struct sl_channel));
    struct sl_graph *const graph = driver_at(d, address);
    struct sl_channel *const channel = (struct sl_channel *)(graph + 1);

    graph->channel_count = 1;
    channel->flags = SL_CHANNEL_STAMPED;
    channel->control_reserve = 7ull << 32 | 5;
    driver_mailbox(d)->host[0].type = SL_HOST_EXECUTE;
    driver_mailbox(d)->host_tail = d->wait_answer = 1;
    driver_store(d, SL_REG_HOST_WAIT, 0);
    (void)place_return(d);
    driver_begin(d);
    driver_store(d, SL_REG_GRAPH, address);
    d->soc->dispatcher.counters.elements = (1ull << 32) + 4;
    assert_true(dispatcher_may_launch(&d->soc->dispatcher));
    d->soc->dispatcher.counters.elements++;
    assert_false(dispatcher_may_launch(&d->soc->dispatcher));
    driver_destroy(d);
}

static void dispatch_many(struct driver *d, uint64_t kernel, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        driver_packet(d, kernel, 0, 1);
    }
    driver_bell(d);
}

/* Nobody reads the completion ring: 256 records fill it; the packets behind run, but their records
 * wait for space, and keep the time at which they were complete. When 256 of them wait, further
 * packets stay in the dispatch ring. */
TEST(test_completion_ring_full)
{
    struct driver *d = DRIVER("gpu.cus=4");
    uint64_t kernel = place_return(d);

    driver_begin(d);
    dispatch_many(d, kernel, 256);
    driver_await(d, SL_REG_COMPLETION_TAIL, 256);
    dispatch_many(d, kernel, 10);
    uint64_t bell = bell_cycle(d);
    driver_idle(d, 1000);
    assert_int_equal(driver_read(d, SL_REG_RESIDENT), 0);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 256);
    assert_int_equal(driver_completion(d, 0)->id, 0);
    driver_store(d, SL_REG_COMPLETION_HEAD, 4);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 260);
    assert_int_equal(driver_completion(d, 256)->id, 256);
    assert_int_equal(driver_completion(d, 256)->time_ps, (bell + 8 + 6) * 1000);
    assert_int_equal(driver_completion(d, 4)->id, 4); /* not read yet: still there */

    dispatch_many(d, kernel, 246);
    driver_idle(d, 1000);
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 512);
    dispatch_many(d, kernel, 20);
    driver_idle(d, 1000);
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 516); /* 4 records were read */
    driver_store(d, SL_REG_COMPLETION_HEAD, 260);
    assert_int_equal(driver_read(d, SL_REG_COMPLETION_TAIL), 516);
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 532);
    driver_store(d, SL_REG_COMPLETION_HEAD, 516);
    driver_await(d, SL_REG_COMPLETION_TAIL, 532);
    for (uint32_t number = 516; number < 532; number++) {
        assert_int_equal(driver_completion(d, number)->id, number);
    }
    driver_destroy(d);
}

/* Bad packets are faults with the packet's own figures; those around them run. */
TEST(test_bad_packets)
{
    struct driver *d = DRIVER("gpu.cus=1");
    uint64_t good = place_return(d);
    uint64_t kernel[9];
    unsigned bad = 0;

    kernel[bad++] = 0;
    kernel[bad++] = good + 4;                  /* not aligned */
    kernel[bad++] = SL_DRAM_BASE - 128;        /* outside DRAM */
    kernel[bad++] = d->layout.dram_limit - 64; /* reaches over its end */
    kernel[bad++] = driver_kernel(d, 4, 0);    /* entry behind the code */
    kernel[bad++] = driver_kernel(d, 1, 0);    /* not aligned */
    kernel[bad] = driver_kernel(d, 0, 0);
    ((struct sl_kernel *)driver_at(d, kernel[bad++]))->entry = SL_LANE_EXIT_PC;
    kernel[bad] = driver_kernel(d, 0, 0);
    ((struct sl_kernel *)driver_at(d, kernel[bad++]))->argument_count = SL_KERNEL_ARGUMENTS + 1;
    kernel[bad++] = good; /* with no elements, below */

    driver_begin(d);
    driver_packet(d, good, 0, 1);
    for (unsigned i = 0; i < bad; i++) {
        driver_packet(d, kernel[i], 0, i == bad - 1 ? 0 : 5)->channel = 100 + i;
    }
    driver_packet(d, good, 0, 1);
    driver_bell(d);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), bad);
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), bad + 2);
    for (unsigned i = 0; i < bad; i++) {
        const struct sl_fault *fault = driver_fault(d, i);
        assert_int_equal(fault->code, SL_FAULT_PACKET);
        assert_int_equal(fault->kernel, kernel[i]);
        assert_int_equal(fault->address, kernel[i]);
        assert_int_equal(fault->dispatch, i + 1);
        assert_int_equal(fault->channel, 100 + i);
        assert_int_equal(fault->time_ps, bell_cycle(d) * 1000);
    }
    driver_await(d, SL_REG_COMPLETION_TAIL, 2);
    assert_int_equal(driver_completion(d, 1)->id, bad + 1);
    const uint64_t *statistics = driver_end(d);
    assert_int_equal(statistics[SL_STAT_GPU_FAULTS], bad);
    assert_int_equal(statistics[SL_STAT_GPU_DISPATCHES], 2);
    assert_int_equal(statistics[SL_STAT_GPU_ELEMENTS], 2);
    driver_destroy(d);
}

/* A tail more than a ring ahead, one that goes back, and a ring outside DRAM: faults that name the
 * ring; nothing is taken, and the next good bell works. */
TEST(test_bad_doorbells)
{
    struct driver *d = DRIVER("gpu.cus=1");
    uint64_t kernel = place_return(d);

    driver_begin(d);
    driver_packet(d, kernel, 0, 1);
    driver_store(d, SL_REG_DISPATCH_TAIL, SL_DISPATCH_ENTRIES + 1);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 1);
    assert_int_equal(driver_fault(d, 0)->code, SL_FAULT_PACKET);
    assert_int_equal(driver_fault(d, 0)->address, d->packets_base);
    assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 0);
    driver_bell(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    driver_store(d, SL_REG_DISPATCH_TAIL, 0); /* back from 1 */
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 2);

    static const uint64_t bases[] = {0, SL_DRAM_BASE - 64, SL_HEAP_BASE + 4, UINT64_MAX - 63};
    for (unsigned i = 0; i < 4; i++) {
        driver_store(d, SL_REG_DISPATCH_BASE, bases[i]);
        driver_store(d, SL_REG_DISPATCH_TAIL, 2);
        assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 3 + i);
        assert_int_equal(driver_fault(d, 2 + i)->address, bases[i]);
        assert_int_equal(driver_read(d, SL_REG_DISPATCH_HEAD), 1);
    }
    driver_destroy(d);
}

/* 64 fault records fit; more are counted as lost until some are read. A ring outside DRAM takes
 * none. */
TEST(test_fault_ring_overflow)
{
    struct driver *d = DRIVER("gpu.cus=1");
    (void)place_return(d);

    driver_begin(d);
    dispatch_many(d, 0, 70);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 64);
    assert_int_equal(driver_read(d, SL_REG_FAULT_LOST), 6);
    assert_int_equal(driver_fault(d, 0)->dispatch, 0);
    assert_int_equal(driver_fault(d, 63)->dispatch, 63);
    driver_store(d, SL_REG_FAULT_HEAD, 2);
    dispatch_many(d, 0, 3);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 66);
    assert_int_equal(driver_read(d, SL_REG_FAULT_LOST), 7);
    assert_int_equal(driver_fault(d, 65)->dispatch, 71);
    driver_store(d, SL_REG_FAULT_HEAD, 66);
    driver_store(d, SL_REG_FAULT_BASE, d->layout.dram_limit);
    dispatch_many(d, 0, 1);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 66);
    assert_int_equal(driver_read(d, SL_REG_FAULT_LOST), 8);
    assert_int_equal(driver_end(d)[SL_STAT_GPU_FAULTS], 74);
    driver_destroy(d);
}

/* A wavefront that faults completes its packet all the same: firmware waits for nothing. */
TEST(test_faulting_wavefront_completes)
{
    struct driver *d = DRIVER("gpu.cus=1");

    asm_begin(&code);
    asm_put(&code, asm_SL_TRAP(SL_TRAP_USER, A1, A2));
    driver_place(d, &code);
    driver_begin(d);
    driver_packet(d, driver_kernel(d, 0, 1234), 64, 128);
    driver_bell(d);
    uint64_t bell = bell_cycle(d);
    driver_await(d, SL_REG_COMPLETION_TAIL, 1);
    assert_int_equal(driver_read(d, SL_REG_FAULT_TAIL), 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct sl_fault *fault = driver_fault(d, i);
        assert_int_equal(fault->code, SL_FAULT_TRAP);
        assert_int_equal(fault->value0, 64 + 64 * i);
        assert_int_equal(fault->value1, 1234);
        assert_int_equal(fault->wavefront, i);
        assert_int_equal(fault->time_ps, (bell + 8 + i + 2) * 1000);
    }
    driver_destroy(d);
}
