/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Consistency between keys, the layout of DRAM, the machine record. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

static struct sl_config config;
static char error[1024];

static int fresh(void **state)
{
    (void)state;
    sl_config_init(&config);
    memset(error, 0, sizeof error);
    return 0;
}

static void set(const char *setting)
{
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

static void passes(void)
{
    if (sl_config_check(&config, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

static void fails(const char *message)
{
    assert_int_equal(sl_config_check(&config, error, sizeof error), -1);
    assert_string_equal(error, message);
}

TEST_WITH(test_lanes, fresh, NULL)
{
    set("gpu.lanes=8");
    fails("--set: gpu.simd_lanes = 16 (default), gpu.lanes = 8: a SIMD unit has at most as many "
          "lanes as a wavefront");
    set("gpu.simd_lanes=8");
    passes();
}

/* An out-of-order core takes its defaults from its table, and says so. */
TEST_WITH(test_core, fresh, NULL)
{
    set("agg.core=2way-ooo");
    passes();
    set("core.mshrs=0");
    fails("--set: core.mshrs = 0, core.model = ooo (2way-ooo), agg.core = 2way-ooo (--set): an "
          "out-of-order core needs at least one MSHR");
    set("core.model=inorder");
    passes();
}

/* The place in front is that of the key that was set in a file. */
TEST_WITH(test_place, fresh, NULL)
{
    set("gpu.simd_lanes=64");
    strcpy(config.source[SL_CFG_GPU_SIMD_LANES], "machine.ini:7");
    set("gpu.lanes=32");
    fails("machine.ini:7: gpu.simd_lanes = 64, gpu.lanes = 32 (--set): a SIMD unit has at most as "
          "many lanes as a wavefront");
}

TEST_WITH(test_contexts, fresh, NULL)
{
    set("gpu.contexts=3");
    fails("--set: gpu.simds = 4 (default), gpu.contexts = 3: each SIMD unit needs a wavefront "
          "context");
    set("gpu.contexts=4");
    passes();
}

TEST_WITH(test_flat_request, fresh, NULL)
{
    set("flat.cu=9 ns");
    fails("--set: flat.cu_request = 10 ns (default), flat.cu = 9 ns: the part of a latency is at "
          "most the whole");
    set("flat.cu_request=9000 ps");
    passes();
}

TEST_WITH(test_multiples, fresh, NULL)
{
    set("gpu.stack=1000");
    fails("--set: gpu.stack = 1000 B: must be a multiple of 16 B");
    set("gpu.stack=1008");
    passes();
    set("dram.size=66 MiB");
    fails("--set: dram.size = 66 MiB: must be a multiple of 4 MiB");
    set("dram.size=68 MiB");
    set("gpu.cus=1");
    passes();
}

/* Whole periods stay; any other is the nearest whole one, which is told. */
TEST_WITH(test_clocks, fresh, NULL)
{
    static const struct {
        const char *setting;
        uint64_t period_ps;
        const char *told;
    } clocks[] = {
        {"gpu.clock=1 GHz", 1000, "1 GHz"},
        {"gpu.clock=800 MHz", 1250, "800 MHz"},
        {"gpu.clock=1300 MHz", 769, "1300 MHz (769 ps: 1300.390 MHz)"},
        {"gpu.clock=650 MHz", 1538, "650 MHz (1538 ps: 650.195 MHz)"},
        {"gpu.clock=3 GHz", 333, "3 GHz (333 ps: 3003.003 MHz)"},
        {"gpu.clock=9999999999 Hz", 100, "9999999999 Hz (100 ps: 10000.000 MHz)"},
        {"gpu.clock=1000001 Hz", 999999, "1000001 Hz (999999 ps: 1.000 MHz)"},
        {"gpu.clock=6 GHz", 167, "6 GHz (167 ps: 5988.024 MHz)"},
    };
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        char told[64];
        set(clocks[i].setting);
        passes();
        assert_int_equal(sl_config_period_ps(&config, SL_CFG_GPU_CLOCK), clocks[i].period_ps);
        sl_config_tell(SL_CFG_GPU_CLOCK, &config, told, sizeof told);
        assert_string_equal(told, clocks[i].told);
    }
    char told[64];
    sl_config_tell(SL_CFG_GPU_LANES, &config, told, sizeof told);
    assert_string_equal(told, "64");
}

/* Who else holds bytes of its own has no place for queues. */
TEST_WITH(test_lock_queue, fresh, NULL)
{
    set("mem.system=wt");
    set("lock.queue=on");
    fails("--set: lock.queue = on, mem.system = wt (--set): only memory systems partition and flat "
          "queue locks");
    set("mem.system=flat");
    passes();
    set("mem.system=partition");
    passes();
}

/* Strong models need memory that all see alike, and keys of one model say nothing of another. */
TEST_WITH(test_consistency, fresh, NULL)
{
    static const char *const stale[] = {"wt", "quickrelease", "scoped"};
    static const char *const atomic[] = {"flat", "moesi", "nol1", "partition"};
    static const char *const strong[] = {"sc", "sc_wb", "tso"};
    char setting[64];
    char told[256];

    for (size_t m = 0; m < sizeof strong / sizeof strong[0]; m++) {
        snprintf(setting, sizeof setting, "gpu.consistency=%s", strong[m]);
        set(setting);
        for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
            snprintf(setting, sizeof setting, "mem.system=%s", stale[i]);
            set(setting);
            snprintf(
                told, sizeof told,
                "--set: gpu.consistency = %s, mem.system = %s (--set): sc, sc_wb and tso need a "
                "write-atomic memory system: flat, moesi, nol1 or partition",
                strong[m], stale[i]);
            fails(told);
        }
        for (size_t i = 0; i < sizeof atomic / sizeof atomic[0]; i++) {
            snprintf(setting, sizeof setting, "mem.system=%s", atomic[i]);
            set(setting);
            passes();
        }
    }
    set("gpu.write_buffer=4");
    passes();
    set("gpu.consistency=sc");
    fails("--set: gpu.write_buffer = 4, gpu.consistency = sc (--set): only sc_wb and tso have a "
          "write "
          "buffer");
    set("gpu.consistency=sc_wb");
    passes();
    set("gpu.consistency=rmo");
    fails("--set: gpu.write_buffer = 4, gpu.consistency = rmo (--set): only sc_wb and tso have a "
          "write "
          "buffer");
    set("gpu.write_buffer=0");
    set("gpu.rmo_loads=block");
    set("gpu.order_private=on");
    set("mem.system=scoped");
    passes();
    set("mem.system=moesi");
    set("gpu.consistency=tso");
    fails("--set: gpu.rmo_loads = block, gpu.consistency = tso (--set): with the other models, "
          "loads block "
          "in any case");
}

/* Rows are found by bits of the address, and each channel has a slice of the L2. */
TEST_WITH(test_partition, fresh, NULL)
{
    set("dram.row=3000");
    fails("--set: dram.row = 3000 B: must be a power of two");
    set("dram.row=4 KiB");
    set("dram.channels=16");
    set("l2.size=8 KiB");
    set("l2.banks=1");
    passes();
    set("mem.system=partition");
    fails("--set: dram.channels = 16, l2.size = 8 KiB (--set), l2.ways = 16 (default): each bank "
          "needs a set of its own");
    set("dram.channels=8");
    passes();
}

TEST_WITH(test_pool_blocks, fresh, NULL)
{
    set("pool.blocks=1"); /* fewer than the 320 contexts: wavefronts go one after the other */
    passes();
    set("pool.blocks=321"); /* one wavefront may have yielded while all contexts are taken */
    passes();
}

TEST_WITH(test_caches, fresh, NULL)
{
    set("l1d.size=16000");
    fails("--set: l1d.size = 16000 B, l1d.ways = 16 (default), l1d.line = 64 B (default): the size "
          "must be a multiple of ways x line = 1024 bytes");
    set("l1d.size=3 KiB");
    fails("--set: l1d.size = 3 KiB, l1d.ways = 16 (default), l1d.line = 64 B (default): the sets "
          "must be a power of two, and are 3");
    set("l1d.ways=12");
    passes(); /* 4 sets */
    set("agg_l1i.ways=3");
    fails("--set: agg_l1i.size = 32 KiB (default), agg_l1i.ways = 3: the "
          "size must be a multiple of ways x line = 192 bytes");
    set("agg_l1i.size=24 KiB");
    passes();
    set("l2.size=4 KiB"); /* 4 sets for 8 banks */
    fails("--set: l2.banks = 8 (default), l2.size = 4 KiB, l2.ways = 16 (default): each bank needs "
          "a set of its own");
    set("l2.banks=4");
    passes();
}

/* Those of other papers' machines are checked alike; an L3 of no size is none. */
TEST_WITH(test_other_caches, fresh, NULL)
{
    set("wl1.ways=12");
    fails("--set: wl1.size = 4 KiB (default), wl1.ways = 12: the size "
          "must be a multiple of ways x line = 768 bytes");
    set("wl1.size=9 KiB"); /* 12 sets */
    fails("--set: wl1.size = 9 KiB, wl1.ways = 12 (--set): the sets "
          "must be a power of two, and are 12");
    set("wl1.size=6 KiB");
    passes();
    set("l3.banks=64");
    passes();
    set("l3.size=32 KiB"); /* 32 sets */
    fails("--set: l3.banks = 64, l3.size = 32 KiB (--set), l3.ways = 16 (default): each bank "
          "needs a set of its own");
    set("l3.ways=8");
    passes();
    set("l3.size=33000");
    fails("--set: l3.size = 33000 B, l3.ways = 8 (--set): the size must "
          "be a multiple of ways x line = 512 bytes");
}

/* Lines of memory hybrid. */
TEST_WITH(test_lines, fresh, NULL)
{
    set("l1d.line=96");
    fails("--set: l1d.line = 96 B: must be a power of two");
    set("l1d.line=128");
    fails("--set: l1d.line = 128 B, mem.system = moesi (default): only memory system hybrid has "
          "lines of other than 64 B");
    set("l2.line=32");
    set("l1d.line=64");
    fails("--set: l2.line = 32 B, mem.system = moesi (default): only memory system hybrid has "
          "lines of other than 64 B");
    set("mem.system=hybrid");
    passes();
    set("l2.line=128");
    fails("--set: l1d.line = 64 B, l2.line = 128 B (--set): a line of the L1 must be a multiple of "
          "the L2's");
    set("l1d.line=128");
    passes();
}

/* Sharing trackers divide what there is among them. */
TEST_WITH(test_trackers, fresh, NULL)
{
    set("mem.system=hybrid");
    set("tracker.count=4");
    passes(); /* of 8 compute units */
    set("gpu.cus=6");
    fails("--set: tracker.count = 4, gpu.cus = 6 (--set): each tracker serves as many compute "
          "units: gpu.cus must be a multiple");
    set("tracker.count=2");
    passes();
    set("tracker.sharers=4");
    fails("--set: tracker.sharers = 4, tracker.count = 2 (--set), gpu.cus = 6 (--set): a tracker "
          "lists at most as many as it serves");
    set("tracker.sharers=3");
    passes();
    set("tracker.banks=1");
    fails("--set: tracker.count = 2, tracker.banks = 1 (--set): each tracker needs a bank");
    set("tracker.banks=8");
    set("tracker.sets=1");
    fails("--set: tracker.count = 2, tracker.sets = 1 (--set): each tracker needs a set");
    set("tracker.sets=4");
    fails("--set: tracker.banks = 8, tracker.sets = 4 (--set): each bank needs a set of its own");
    set("tracker.count=0");
    passes();
}

TEST_WITH(test_tag_cycles, fresh, NULL)
{
    set("l1d.tag_cycles=4");
    passes();
    set("l1d.tag_cycles=5");
    fails("--set: l1d.tag_cycles = 5, l1d.cycles = 4 (default): the cycles of the tags are a part "
          "of the cache's; 0 is all of them");
    set("l1d.cycles=5");
    passes();
    set("wl3.cycles=3");
    fails("--set: wl3.tag_cycles = 4 (default), wl3.cycles = 3: the cycles of the tags are a part "
          "of the cache's; 0 is all of them");
    set("wl3.tag_cycles=0");
    passes();
}

/* Default machine: a save area is 4096 + 64 lanes x 64 registers x 8 bytes + 512 stack entries x 16
 * bytes = 45,056 bytes; with 64 x 1 KiB of stacks 110,592 = 27 pages; 320 of them 35,389,440 bytes
 * = 540 x 64 KiB, so that rounding moves nothing: DRAM ends at 0xc000_0000, its top 2 MiB begin at
 * 0xbfe0_0000. */
TEST_WITH(test_layout_default, fresh, NULL)
{
    struct sl_layout layout;
    assert_int_equal(sl_layout_compute(&config, &layout), 0);
    assert_int_equal(layout.dram_bytes, 0x40000000);
    assert_int_equal(layout.dram_limit, 0xc0000000);
    assert_int_equal(layout.top_base, 0xbfe00000);
    assert_int_equal(layout.window_base, 0xbfff0000);
    assert_int_equal(layout.save_area_bytes, 45056);
    assert_int_equal(layout.pool_block_bytes, 110592);
    assert_int_equal(layout.pool_blocks, 320);
    assert_int_equal(layout.pool_base, 0xbfe00000 - 35389440);
    assert_int_equal(layout.heap_limit, layout.pool_base);
}

/* One CU, 64 MiB: 40 blocks of 110,592 bytes are 67.5 x 64 KiB; rounded up to 68. */
TEST_WITH(test_layout_small, fresh, NULL)
{
    struct sl_layout layout;
    set("gpu.cus=1");
    set("dram.size=64 MiB");
    passes();
    assert_int_equal(sl_layout_compute(&config, &layout), 0);
    assert_int_equal(layout.dram_limit, 0x84000000);
    assert_int_equal(layout.pool_blocks, 40);
    assert_int_equal(layout.pool_base, 0x83e00000 - 68 * 65536);
    assert_true(layout.heap_limit > SL_HEAP_BASE + SL_MIB(1));
}

/* 64 CUs x 64 contexts x 64 lanes x 64 KiB: 16 GiB of stacks. */
TEST_WITH(test_layout_too_large, fresh, NULL)
{
    struct sl_layout layout;
    set("gpu.cus=64");
    set("gpu.contexts=64");
    set("gpu.stack=64 KiB");
    assert_int_equal(sl_layout_compute(&config, &layout), -1);
    fails(
        "--set: dram.size = 1 GiB (default), gpu.cus = 64, gpu.contexts = 64 (--set), gpu.stack = "
        "64 KiB (--set), gpu.lanes = 64 (default), pool.blocks = 0 (default): the wavefront state "
        "pool of 4096 blocks of 4140 KiB takes 16957440 KiB; DRAM has 1037312 KiB for it");
    set("gpu.stack=1 KiB");
    passes();
}

/* The most blocks that leave 1 MiB of heap in 64 MiB: 8 MiB below the heap, 2 MiB at the top and 1
 * MiB of heap leave 53 MiB = 55,574,528 bytes: 502 blocks of 110,592 are 847.1 x 64 KiB and fit in
 * 848. 503 blocks are 55,627,776 bytes: too many. */
TEST_WITH(test_layout_limit, fresh, NULL)
{
    set("dram.size=64 MiB");
    set("pool.blocks=502");
    passes();
    set("pool.blocks=503");
    assert_int_equal(sl_config_check(&config, error, sizeof error), -1);
    assert_non_null(strstr(error, "503 blocks of 108 KiB takes 54324 KiB; DRAM has 54272 KiB"));
}

TEST_WITH(test_gdb, fresh, NULL)
{
    static const char *const bad[] = {
        "99999999", "65536", "0",  "",           "12a",
        "-1",       "+1",    " 1", "4294967297", "18446744073709551617"};
    static const char *const good[] = {"localhost:1", ":65535", "[::1]:1234",
                                       "socket",      "./a:b",  "/tmp/a:99999999"};
    char setting[64];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sl_config_init(&config);
        snprintf(setting, sizeof setting, "debug.gdb=localhost:%s", bad[i]);
        set(setting);
        char message[160];
        snprintf(message, sizeof message,
                 "--set: debug.gdb = localhost:%s: the port of host:port is a number from 1 to "
                 "65535",
                 bad[i]);
        fails(message);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        sl_config_init(&config);
        snprintf(setting, sizeof setting, "debug.gdb=%s", good[i]);
        set(setting);
        assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    }
}

TEST_WITH(test_record, fresh, NULL)
{
    struct sl_machine_record record;
    struct sl_config read;
    set("gpu.cus=3");
    set("debug.gdb=/tmp/gdb");
    sl_machine_record_write(&record, &config);
    assert_int_equal(sl_machine_record_read(&record, &read), 0);
    assert_memory_equal(read.number, config.number, sizeof read.number);
    assert_string_equal(read.text[SL_CFG_DEBUG_GDB], "");
    assert_string_equal(read.text[SL_CFG_HOST_QEMU], "");
}

TEST_WITH(test_record_mismatch, fresh, NULL)
{
    struct sl_machine_record good;
    struct sl_config read;
    sl_machine_record_write(&good, &config);

    struct sl_machine_record record = good;
    record.magic++;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    record = good;
    record.key_count--;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    record = good;
    record.key_hash ^= 1;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    record = good;
    record.number[SL_CFG_GPU_CUS] = 65;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    record = good;
    record.number[SL_CFG_GPU_LANES] = 48;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    record = good;
    record.number[SL_CFG_MEM_SYSTEM] = 99;
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
    memset(&record, 0, sizeof record); /* DRAM that nobody wrote */
    assert_int_equal(sl_machine_record_read(&record, &read), -1);
}
