/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer of who shares what (mem.sharing), told of events that are made up here; what it has
 * to leave is worked out by hand. Lines are of 64 B but where it is said, allocations three: 1 of 4
 * KiB at FIRST, 2 of 64 B right behind it, 3 of 1 MiB farther on. */
#include <stdlib.h>

#include "common/check.h"
#include "observers/observers.h"
#include "sluice/config.h"
#include "sluice/memory_map.h"

#define FIRST  (SL_HEAP_BASE + 4096)
#define SECOND (FIRST + 4096)
#define THIRD  (FIRST + 65536)
#define KERNEL 0x1000u
#define PC     (SL_KERNEL_BASE + 64)

static struct sl_config config;
static struct sl_sharing *shared;
static struct observer *observer;
static uint64_t address[SL_LANES_MAX];

static void tell(struct obs_event event)
{
    assert_true((observer->ops->wants >> event.kind & 1) != 0);
    observer->ops->event(observer, &event);
}

static void begin(int64_t line)
{
    sl_config_init(&config);
    config.number[SL_CFG_L1D_LINE] = line;
    const struct observer_parts parts = {.config = &config, .sharing = shared};
    assert_int_equal(obs_sharing_create(&parts, &observer), 0);
    assert_non_null(observer);
    tell((struct obs_event){.kind = OBS_BEGIN});
}

static int setup(void **state)
{
    (void)state;
    shared = calloc(1, sizeof *shared);
    assert_non_null(shared);
    shared->allocation_count = 3;
    shared->allocations[0] =
        (struct sl_sharing_allocation){.address = FIRST, .bytes = 4096, .number = 1};
    shared->allocations[1] =
        (struct sl_sharing_allocation){.address = SECOND, .bytes = 64, .number = 2};
    shared->allocations[2] =
        (struct sl_sharing_allocation){.address = THIRD, .bytes = SL_MIB(1), .number = 3};
    begin(64);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    observer->ops->destroy(observer);
    free(shared);
    return 0;
}

/* Wavefronts are numbered, and have an instruction each but where it is said. */
struct wave {
    uint32_t launch;
    uint16_t cu;
    uint64_t number;
};

static struct obs_event of_wave(enum obs_kind kind, struct wave wave)
{
    return (struct obs_event){
        .kind = kind,
        .wave = {.number = wave.number, .kernel = KERNEL, .dispatch = wave.launch, .cu = wave.cu},
    };
}

/* Lanes' accesses at `address`. */
static void access_lanes(struct wave wave, enum mem_kind kind, uint64_t lanes, uint8_t bytes)
{
    struct obs_event event = of_wave(OBS_MEMORY, wave);

    event.access = (struct obs_access){.from = {MEM_CU, wave.cu},
                                       .kind = (uint8_t)kind,
                                       .space = MEM_SHARED,
                                       .bytes = bytes,
                                       .pc = PC,
                                       .lanes = lanes,
                                       .address = address};
    tell(event);
}

/* Words side by side, of 4 bytes. */
static void access_words(struct wave wave, enum mem_kind kind, uint64_t from, unsigned lanes)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        address[lane] = from + 4 * lane;
    }
    access_lanes(wave, kind, (1ull << lanes) - 1, 4);
}

/* A wavefront that does this and no more. */
static void launch(struct wave wave, enum mem_kind kind, uint64_t from, unsigned lanes)
{
    tell(of_wave(OBS_LAUNCH, wave));
    access_words(wave, kind, from, lanes);
}

static void end_launch(uint32_t launch)
{
    struct obs_event event = of_wave(OBS_SYNC, (struct wave){.launch = launch});

    event.sync = (struct obs_sync){.from = {MEM_FRONT, 0}, .sync = MEM_SYNC_STEP};
    tell(event);
}

static void end(void)
{
    tell((struct obs_event){.kind = OBS_END});
    assert_int_equal(shared->out_of_memory, 0);
}

static const struct sl_sharing_figures *figures(uint32_t allocation, uint32_t use)
{
    for (uint64_t i = 0; i < shared->count; i++) {
        const struct sl_sharing_row *row = &shared->rows[i];
        if (row->allocation == allocation && row->use == use) {
            assert_int_equal(row->kernel, KERNEL);
            return &row->figures;
        }
    }
    fail_msg("no row of allocation %u", allocation);
    return NULL;
}

#define LOADS   (1u << SL_SHARING_LOADS)
#define STORES  (1u << SL_SHARING_STORES)
#define ATOMICS (1u << SL_SHARING_ATOMICS)

/* Line 0 is touched by compute units 0, 1 and 5: word 3 by two of them; line 1 by 0 alone. A fourth
 * one has a wavefront that accesses something else. */
TEST_WITH(lines_by_compute_units, setup, teardown)
{
    launch((struct wave){7, 0, 0}, MEM_LOAD, FIRST, 20);
    launch((struct wave){7, 1, 1}, MEM_LOAD, FIRST + 12, 1);
    launch((struct wave){7, 5, 2}, MEM_LOAD, FIRST + 12, 1);
    launch((struct wave){7, 9, 3}, MEM_ATOMIC, SECOND, 2);
    end_launch(7);
    end();
    const struct sl_sharing_figures *first = figures(1, LOADS);
    assert_int_equal(first->launches, 1);
    assert_int_equal(first->cus, 4);
    assert_int_equal(first->lines, 2);
    assert_int_equal(first->by_cus[0], 1);
    assert_int_equal(first->by_cus[2], 1); /* 3 or 4 */
    assert_int_equal(first->line_cus, 4);
    assert_int_equal(first->shared_lines, 1);
    assert_int_equal(first->shared_line_cus, 3);
    assert_int_equal(first->words, 20);
    assert_int_equal(first->shared_words, 1);
    const struct sl_sharing_accesses *loads = &first->by_kind[SL_SHARING_LOADS];
    assert_int_equal(loads->instructions, 3);
    assert_int_equal(loads->lanes, 22);
    assert_int_equal(loads->lines, 2 + 1 + 1);
    assert_int_equal(loads->least_lines, 2 + 1 + 1);
    assert_int_equal(loads->bytes, 88);
    const struct sl_sharing_figures *second = figures(2, ATOMICS);
    assert_int_equal(second->by_kind[SL_SHARING_ATOMICS].instructions, 1);
    assert_int_equal(second->by_cus[0], 1);
    assert_int_equal(second->cus, 4);
    assert_int_equal(shared->count, 2);
}

/* Bins are 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32, 33 to 64: line n is touched by n + 1. */
TEST_WITH(bins, setup, teardown)
{
    static const uint64_t wanted[SL_SHARING_BINS] = {1, 1, 2, 4, 8, 16, 32};

    for (uint16_t cu = 0; cu < 64; cu++) {
        for (unsigned line = cu; line < 64; line++) {
            launch((struct wave){1, cu, cu}, MEM_STORE, THIRD + 64 * line, 1);
        }
    }
    end_launch(1);
    end();
    assert_memory_equal(figures(3, STORES)->by_cus, wanted, sizeof wanted);
    assert_int_equal(figures(3, STORES)->shared_lines, 63);
}

/* Neighbouring words of a line are nobody's but their own. */
TEST_WITH(false_sharing, setup, teardown)
{
    launch((struct wave){1, 0, 0}, MEM_STORE, FIRST, 8);
    launch((struct wave){1, 1, 1}, MEM_STORE, FIRST + 32, 8);
    end_launch(1);
    end();
    const struct sl_sharing_figures *one = figures(1, STORES);
    assert_int_equal(one->by_cus[1], 1);
    assert_int_equal(one->shared_lines, 0);
    assert_int_equal(one->shared_words, 0);
    assert_int_equal(one->words, 16);
}

/* Launches empty the caches: what one after the other touches is not shared. Two that run at once
 * are two, too. */
TEST_WITH(launches, setup, teardown)
{
    launch((struct wave){1, 0, 0}, MEM_LOAD, FIRST, 1);
    launch((struct wave){2, 1, 1}, MEM_LOAD, FIRST, 1);
    end_launch(1);
    launch((struct wave){3, 2, 2}, MEM_LOAD, FIRST, 1);
    end_launch(3);
    end_launch(2);
    end();
    const struct sl_sharing_figures *one = figures(1, LOADS);
    assert_int_equal(one->launches, 3);
    assert_int_equal(one->cus, 3);
    assert_int_equal(one->lines, 3);
    assert_int_equal(one->by_cus[0], 3);
    assert_int_equal(one->shared_lines, 0);
}

/* An allocation that one launch loads and the next one stores to is two; one that a launch does
 * both to is a third. */
TEST_WITH(uses, setup, teardown)
{
    launch((struct wave){1, 0, 0}, MEM_LOAD, FIRST, 4);
    end_launch(1);
    launch((struct wave){2, 0, 1}, MEM_STORE, FIRST, 8);
    end_launch(2);
    launch((struct wave){3, 0, 2}, MEM_LOAD, FIRST, 1);
    access_words((struct wave){3, 0, 2}, MEM_STORE, FIRST, 1);
    end_launch(3);
    end();
    assert_int_equal(shared->count, 3);
    assert_int_equal(figures(1, LOADS)->words, 4);
    assert_int_equal(figures(1, STORES)->words, 8);
    assert_int_equal(figures(1, LOADS | STORES)->words, 1);
}

/* One instruction in two allocations and beside them: four lanes in the last line of the first one,
 * four in the second one, and one behind that. */
TEST_WITH(allocations, setup, teardown)
{
    for (unsigned lane = 0; lane < 8; lane++) {
        address[lane] = SECOND - 16 + 4 * lane;
    }
    address[8] = SECOND + 64;
    tell(of_wave(OBS_LAUNCH, (struct wave){1, 0, 0}));
    access_lanes((struct wave){1, 0, 0}, MEM_LOAD, 0x1ff, 4);
    end_launch(1);
    end();
    assert_int_equal(figures(1, LOADS)->words, 4);
    assert_int_equal(figures(2, LOADS)->words, 4);
    assert_int_equal(figures(0, LOADS)->words, 1);
    assert_int_equal(figures(1, LOADS)->by_kind[SL_SHARING_LOADS].instructions, 1);
    assert_int_equal(figures(0, LOADS)->by_kind[SL_SHARING_LOADS].lanes, 1);
}

/* A line of 128 B has two allocations, 64 B each, which are two lines; word 31 is shared. */
TEST_WITH(long_lines, setup, teardown)
{
    observer->ops->destroy(observer);
    begin(128);
    shared->allocations[0].bytes = 4096 - 64;
    shared->allocations[1] =
        (struct sl_sharing_allocation){.address = SECOND - 64, .bytes = 64, .number = 2};
    launch((struct wave){1, 0, 0}, MEM_LOAD, SECOND - 128, 32);
    launch((struct wave){1, 1, 1}, MEM_LOAD, SECOND - 4, 1);
    end_launch(1);
    end();
    assert_int_equal(figures(1, LOADS)->lines, 1);
    assert_int_equal(figures(1, LOADS)->shared_lines, 0);
    assert_int_equal(figures(2, LOADS)->lines, 1);
    assert_int_equal(figures(2, LOADS)->shared_words, 1);
    assert_int_equal(figures(2, LOADS)->words, 16);
}

/* 8 bytes over the border of two lines: as few as one would hold them. The same bytes twice count
 * once; of half a word touches, all is touched. */
TEST_WITH(pieces, setup, teardown)
{
    address[0] = FIRST + 60;
    address[1] = FIRST + 60;
    tell(of_wave(OBS_LAUNCH, (struct wave){1, 0, 0}));
    access_lanes((struct wave){1, 0, 0}, MEM_LOAD, 3, 8);
    address[0] = THIRD + 2;
    access_lanes((struct wave){1, 0, 0}, MEM_LOAD, 1, 1);
    address[0] = THIRD + 3;
    access_lanes((struct wave){1, 1, 1}, MEM_LOAD, 1, 1);
    end_launch(1);
    end();
    const struct sl_sharing_figures *one = figures(1, LOADS);
    assert_int_equal(one->lines, 2);
    assert_int_equal(one->words, 2);
    assert_int_equal(one->by_kind[SL_SHARING_LOADS].lines, 2);
    assert_int_equal(one->by_kind[SL_SHARING_LOADS].least_lines, 1);
    assert_int_equal(one->by_kind[SL_SHARING_LOADS].bytes, 8);
    assert_int_equal(figures(3, LOADS)->shared_words, 1);
}

/* Executions by wavefronts 0 and 1, both with lanes 4 bytes apart, are alike; that of 2 has lane 1
 * elsewhere, and so has the next one of wavefront 3, which is like none before. Executions by the
 * same wavefront, or with one lane, say nothing. */
TEST_WITH(distances, setup, teardown)
{
    launch((struct wave){1, 0, 0}, MEM_LOAD, FIRST, 4);
    access_words((struct wave){1, 0, 0}, MEM_LOAD, FIRST + 512, 4);
    launch((struct wave){1, 1, 1}, MEM_LOAD, FIRST + 1024, 3);
    address[0] = FIRST;
    address[1] = FIRST + 16;
    access_lanes((struct wave){1, 1, 2}, MEM_LOAD, 3, 4);
    address[1] = FIRST + 20;
    access_lanes((struct wave){1, 1, 3}, MEM_LOAD, 3, 4);
    access_lanes((struct wave){1, 1, 4}, MEM_LOAD, 1, 4);
    access_lanes((struct wave){1, 1, 5}, MEM_LOAD, 3, 4); /* after one of one lane */
    end_launch(1);
    end();
    assert_int_equal(figures(1, LOADS)->compared, 3);
    assert_int_equal(figures(1, LOADS)->irregular, 2);
}

/* Stacks and LDS are left out. A wavefront that yielded and goes on elsewhere is on two compute
 * units. */
TEST_WITH(spaces_and_yields, setup, teardown)
{
    struct obs_event event = of_wave(OBS_MEMORY, (struct wave){1, 0, 0});

    launch((struct wave){1, 0, 0}, MEM_LOAD, FIRST, 1);
    event.access = (struct obs_access){.kind = MEM_LOAD,
                                       .space = MEM_PRIVATE,
                                       .bytes = 4,
                                       .pc = PC,
                                       .lanes = 1,
                                       .address = address};
    tell(event);
    event.access.space = MEM_LDS;
    tell(event);
    tell(of_wave(OBS_RESTART, (struct wave){1, 3, 0}));
    end_launch(1);
    end();
    assert_int_equal(figures(1, LOADS)->by_kind[SL_SHARING_LOADS].instructions, 1);
    assert_int_equal(figures(1, LOADS)->cus, 2);
}

/* So many lines that tables grow, of two launches in turn, and again after they were forgotten; a
 * launch that has not ended counts at the end of the run, one that a reset broke off does not. */
TEST_WITH(many_lines, setup, teardown)
{
    launch((struct wave){9, 0, 9}, MEM_LOAD, FIRST, 1);
    tell((struct obs_event){.kind = OBS_BEGIN});
    for (uint32_t round = 0; round < 2; round++) {
        for (unsigned line = 0; line < 5000; line++) {
            launch((struct wave){1, 0, 0}, MEM_LOAD, THIRD + 64 * line, 1);
            launch((struct wave){2, 1, 1}, MEM_LOAD, THIRD + 64 * (line / 2), 1);
        }
        end_launch(1);
        end_launch(2);
        launch((struct wave){3, 2, 2}, MEM_LOAD, THIRD, 1);
        end_launch(3);
    }
    launch((struct wave){4, 2, 3}, MEM_LOAD, THIRD, 1);
    end();
    assert_int_equal(figures(3, LOADS)->lines, 2 * (5000 + 2500 + 1) + 1);
    assert_int_equal(figures(3, LOADS)->by_cus[0], 2 * (5000 + 2500 + 1) + 1);
    assert_int_equal(figures(3, LOADS)->launches, 7);
    assert_int_equal(shared->count, 1);
}

TEST_WITH(no_room, setup, teardown)
{
    for (uint32_t i = 0; i < SL_SHARING_ROWS + 2; i++) {
        struct obs_event event = of_wave(OBS_LAUNCH, (struct wave){i, 0, i});
        event.wave.kernel = i;
        tell(event);
        access_words((struct wave){i, 0, i}, MEM_LOAD, FIRST, 1);
        end_launch(i);
    }
    end();
    assert_int_equal(shared->count, SL_SHARING_ROWS);
    assert_int_equal(shared->lost, 2);
}
