/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random instruction streams through the pipelined core models, on the cores of the tables and on
 * random ones: what must hold of each instruction's times, whatever the numbers are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aggregator/ooo.h"
#include "common/check.h"
#include "common/ideal.h"
#include "sluice/config.h"

#define INSNS   6000
#define WINDOW  600 /* how far back occupancy is counted: more than any structure here holds */
#define STREAMS 12
#define LINES   64

/* A stream of instructions with their accesses. */
struct step {
    struct agg_insn insn;
    bool has_access;
    struct agg_access access;
};

struct fixture {
    struct sl_config config;
    struct mem_system base; /* the memory system: latencies by address */
    struct agg_core *core;
    struct step steps[INSNS];
    struct pipeline_times times[INSNS];
    uint64_t stack[SL_STACK_CLASSES]; /* as of the last check */
    bool finishes;                    /* says so after each */
    uint64_t effects[INSNS];
};

static uint64_t random_bits(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
    return random_bits(seed) % limit;
}

/* Hits of 4 cycles; every fourth line is a miss, of some hundreds of cycles. */
static struct mem_answer answer(struct mem_system *mem, struct mem_request *request)
{
    (void)mem;
    uint64_t line = request->address / SL_CACHE_LINE_BYTES;
    uint64_t latency = 2000;

    if (request->kind == MEM_FETCH) {
        latency = line % 16 == 0 ? 30000 : 1000;
    } else if (line % 4 == 0) {
        latency = 20000 + line % 7 * 90001;
    }
    return (struct mem_answer){.perform_ps = request->time_ps,
                               .done_ps = request->time_ps + latency};
}

static const struct mem_ops answer_ops = {.name = "answers", .access = answer};

/* `silent`: some memory instructions have no callback (a failed SC, a register of the core's own).
 */
static struct step make_step(uint64_t *seed, uint64_t pc, bool silent)
{
    static const uint8_t classes[] = {AGG_ALU,   AGG_ALU,    AGG_ALU,    AGG_ALU,    AGG_MUL,
                                      AGG_DIV,   AGG_LOAD,   AGG_LOAD,   AGG_LOAD,   AGG_STORE,
                                      AGG_STORE, AGG_BRANCH, AGG_BRANCH, AGG_ATOMIC, AGG_SYSTEM};
    struct step step = {
        .insn = {.pc = pc,
                 .class = classes[below(seed, sizeof classes)],
                 .bytes = below(seed, 2) ? 4 : 2,
                 .rs1 = (uint8_t)below(seed, 16),
                 .rs2 = (uint8_t)below(seed, 16)},
    };
    struct agg_insn *insn = &step.insn;

    if (insn->class != AGG_STORE && insn->class != AGG_BRANCH) {
        insn->rd = (uint8_t)below(seed, 16);
    }
    if (insn->class == AGG_BRANCH) {
        insn->flow = (uint8_t)(AGG_FLOW_FORWARD + below(seed, 7));
    }
    if (insn->class == AGG_SYSTEM) {
        insn->order = (uint8_t)below(seed, 8);
    }
    if (agg_class_is_memory((enum agg_class)insn->class)) {
        insn->access_bytes = (uint8_t)(1u << below(seed, 4));
        step.has_access = !silent || below(seed, 8) != 0;
        step.access = (struct agg_access){
            .address = SL_HEAP_BASE + below(seed, LINES * SL_CACHE_LINE_BYTES / 8) * 8,
            .is_store = insn->class != AGG_LOAD,
            .is_device = below(seed, 12) == 0,
        };
    }
    return step;
}

/* Branches go anywhere near, all else to what is behind it. */
static void make_stream(struct fixture *f, uint64_t seed, bool silent)
{
    uint64_t pc = SL_FIRMWARE_BASE + 0x1000;

    for (unsigned i = 0; i < INSNS; i++) {
        f->steps[i] = make_step(&seed, pc, silent);
        pc += f->steps[i].insn.bytes;
        if (f->steps[i].insn.class == AGG_BRANCH && below(&seed, 2) != 0) {
            pc = SL_FIRMWARE_BASE + 0x1000 + below(&seed, 1024) * 2;
        }
    }
}

/* Each cycle of the clock went to one thing, and stays with it; that of the last may still be open
 * until its instruction is finished. */
static void check_stack(struct fixture *f, uint64_t open)
{
    const uint64_t *const stack = f->core->counters.stack;
    uint64_t cycles = 0;

    for (unsigned i = 0; i < SL_STACK_CLASSES; i++) {
        cycles += stack[i];
        assert_true(stack[i] >= f->stack[i]);
    }
    const uint64_t clock = f->core->time_ps / f->core->cycle_ps;
    assert_true(cycles <= clock && cycles + open >= clock);
    memcpy(f->stack, stack, sizeof f->stack);
}

/* Says that the last instruction is over. */
static void finish(struct fixture *f)
{
    f->core->ops->finish(f->core);
    check_stack(f, 0);
}

/* Executes one step, and looks at the clock. */
static void run_step(struct fixture *f, const struct step *step)
{
    uint64_t before = f->core->time_ps;
    uint64_t effect = f->core->ops->instruction(f->core, &step->insn);

    check_stack(f, 1);
    assert_true(effect >= before);
    assert_int_equal(effect % f->core->cycle_ps, 0);
    assert_int_equal(f->core->time_ps, effect);
    if (!step->has_access) {
        return;
    }
    f->core->ops->access(f->core, &step->access);
    check_stack(f, 1);
    assert_true(f->core->time_ps >= effect);
    if (step->access.is_device) {
        assert_true(f->core->time_ps >= effect + 20000);
    }
    uint64_t after = f->core->time_ps;
    f->core->ops->access(f->core, &step->access); /* a second callback changes nothing */
    assert_int_equal(f->core->time_ps, after);
}

static void run_stream(struct fixture *f)
{
    f->core->ops->begin(f->core);
    memset(f->stack, 0, sizeof f->stack);
    for (unsigned i = 0; i < INSNS; i++) {
        run_step(f, &f->steps[i]);
        if (f->finishes) {
            finish(f);
        }
        f->times[i] = ((const struct pipeline *)f->core)->times;
        f->effects[i] = f->core->time_ps;
    }
    assert_int_equal(f->core->counters.instructions, INSNS);
    assert_true(f->core->counters.branches <= INSNS);
    assert_true(f->core->counters.mispredictions <= f->core->counters.branches);
    assert_true(f->core->counters.forwarded_loads <= f->core->counters.loads);
}

static void create(struct fixture *f, const char *core, uint64_t *shape_seed)
{
    static const enum sl_config_key shapes[] = {
        SL_CFG_CORE_WIDTH,
        SL_CFG_CORE_FRONT_CYCLES,
        SL_CFG_CORE_ALUS,
        SL_CFG_CORE_LOAD_PORTS,
        SL_CFG_CORE_STORE_PORTS,
        SL_CFG_CORE_MULTIPLIERS,
        SL_CFG_CORE_DRAIN_PORTS,
        SL_CFG_CORE_DRAIN_CYCLES,
        SL_CFG_CORE_REDIRECT_CYCLES,
        SL_CFG_CORE_DISPATCH_CYCLES,
        SL_CFG_CORE_RETIRE_CYCLES,
        SL_CFG_CORE_RELEASE_CYCLES,
        SL_CFG_CORE_MSHRS,
        SL_CFG_CORE_FETCH_QUEUE,
        SL_CFG_CORE_ISSUE_QUEUE,
        SL_CFG_CORE_ROB,
        SL_CFG_CORE_LOAD_QUEUE,
        SL_CFG_CORE_STORE_QUEUE,
        SL_CFG_CORE_PHYSICAL_REGISTERS,
    };
    char setting[64];
    char error[512];

    ideal_config(&f->config);
    (void)snprintf(setting, sizeof setting, "agg.core=%s", core);
    assert_int_equal(sl_config_set(&f->config, setting, error, sizeof error), 0);
    for (size_t i = 0; shape_seed != NULL && i < sizeof shapes / sizeof shapes[0]; i++) {
        int64_t least = sl_config_table[shapes[i]].least;
        f->config.number[shapes[i]] =
            (least > 0 ? least : 1) + (int64_t)below(shape_seed, i < 13 ? 6 : 40);
        f->config.number[shapes[i]] = f->config.number[shapes[i]] > sl_config_table[shapes[i]].most
                                          ? sl_config_table[shapes[i]].most
                                          : f->config.number[shapes[i]];
    }
    f->base = (struct mem_system){.ops = &answer_ops};
    f->core = agg_core_create(&f->config, &f->base);
    assert_non_null(f->core);
}

static void destroy(struct fixture *f)
{
    f->core->ops->destroy(f->core);
}

/* Earlier instructions of the classes in `classes` (bits) that hold something at a time: from their
 * renaming to `end`, and until `lag` cycles later rename knows. */
static unsigned occupancy(const struct fixture *f, unsigned of, unsigned classes, size_t end,
                          int64_t lag)
{
    uint64_t now = f->times[of].rename;
    unsigned held = 0;

    for (unsigned i = of > WINDOW ? of - WINDOW : 0; i < of; i++) {
        uint64_t until;
        memcpy(&until, (const char *)&f->times[i] + end, sizeof until);
        held += (classes >> f->steps[i].insn.class & 1) != 0 && until + (uint64_t)lag > now;
    }
    return held;
}

static unsigned writers(const struct fixture *f, unsigned of)
{
    const uint64_t lag = (uint64_t)f->config.number[SL_CFG_CORE_RETIRE_CYCLES];
    unsigned held = 0;

    for (unsigned i = of > WINDOW ? of - WINDOW : 0; i < of; i++) {
        held += f->steps[i].insn.rd != 0 && f->times[i].commit + lag > f->times[of].rename;
    }
    return held;
}

/* How many instructions of these classes before this one were issued in its cycle. */
static unsigned issued_with(const struct fixture *f, unsigned of, unsigned classes)
{
    unsigned count = 0;

    for (unsigned i = of > WINDOW ? of - WINDOW : 0; i < of; i++) {
        count += (classes >> f->steps[i].insn.class & 1) != 0 &&
                 !pipeline_is_oldest_only(&f->steps[i].insn) &&
                 f->times[i].issue == f->times[of].issue;
    }
    return count;
}

/* How many divisions before this one are under way when it begins. */
static unsigned dividing(const struct fixture *f, unsigned of)
{
    unsigned count = 0;

    for (unsigned i = of > WINDOW ? of - WINDOW : 0; i < of; i++) {
        count += f->steps[i].insn.class == AGG_DIV && f->times[i].complete > f->times[of].issue;
    }
    return count;
}

#define BIT(class) (1u << (class))
#define ALL        0xffffu

/* Structures of the out-of-order core, counted from outside. */
static void check_structures(const struct fixture *f, unsigned i)
{
    const int64_t *number = f->config.number;
    const struct agg_insn *insn = &f->steps[i].insn;
    const unsigned loads = BIT(AGG_LOAD) | BIT(AGG_ATOMIC);
    const unsigned memory = loads | BIT(AGG_STORE);
    const int64_t retire = number[SL_CFG_CORE_RETIRE_CYCLES];
    const int64_t release = number[SL_CFG_CORE_RELEASE_CYCLES];

    assert_true(f->times[i].issue >=
                f->times[i].rename + (uint64_t)number[SL_CFG_CORE_DISPATCH_CYCLES]);
    assert_true(occupancy(f, i, ALL, offsetof(struct pipeline_times, commit), retire) <
                number[SL_CFG_CORE_ROB]);
    assert_true(occupancy(f, i, ALL & ~memory, offsetof(struct pipeline_times, issue), release) +
                    occupancy(f, i, memory, offsetof(struct pipeline_times, complete), release) <
                number[SL_CFG_CORE_ISSUE_QUEUE]);
    if (insn->rd != 0) {
        assert_true(writers(f, i) < number[SL_CFG_CORE_PHYSICAL_REGISTERS] - 32);
    }
    if ((loads >> insn->class & 1) != 0) {
        assert_true(occupancy(f, i, loads, offsetof(struct pipeline_times, commit), retire) <
                    number[SL_CFG_CORE_LOAD_QUEUE]);
    }
    if (insn->class == AGG_STORE) {
        assert_true(occupancy(f, i, BIT(AGG_STORE), offsetof(struct pipeline_times, freed),
                              release) < number[SL_CFG_CORE_STORE_QUEUE]);
    }
    if (pipeline_is_oldest_only(insn)) {
        return;
    }
    assert_true(issued_with(f, i, ALL) < number[SL_CFG_CORE_WIDTH]);
    static const struct {
        unsigned classes;
        enum sl_config_key limit;
    } units[] = {
        {BIT(AGG_ALU) | BIT(AGG_BRANCH), SL_CFG_CORE_ALUS},
        {BIT(AGG_MUL) | BIT(AGG_DIV), SL_CFG_CORE_MULTIPLIERS},
        {BIT(AGG_LOAD), SL_CFG_CORE_LOAD_PORTS},
        {BIT(AGG_STORE), SL_CFG_CORE_STORE_PORTS},
    };
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        if ((units[u].classes >> insn->class & 1) != 0) {
            assert_true(issued_with(f, i, units[u].classes) < number[units[u].limit]);
        }
    }
}

/* What an instruction's times have to do with those of the ones before it. */
static void check_times(const struct fixture *f)
{
    const uint64_t width = (uint64_t)f->config.number[SL_CFG_CORE_WIDTH];
    uint64_t written[AGG_REGISTERS] = {0}; /* when registers have their values */
    uint64_t memory_begin = 0;
    uint64_t all_begin = 0;
    uint64_t retiring = 0; /* cycles in which something commits */

    for (unsigned i = 0; i < INSNS; i++) {
        const struct agg_insn *insn = &f->steps[i].insn;
        const struct pipeline_times *times = &f->times[i];
        assert_true(times->issue >= times->rename && times->complete >= times->issue);
        assert_true(times->commit >= times->complete && times->rename >= all_begin);
        assert_true(times->issue >= written[insn->rs1] && times->issue >= written[insn->rs2]);
        if (agg_class_is_memory((enum agg_class)insn->class)) {
            assert_true(times->issue >= memory_begin);
        }
        retiring += times->commit != (i > 0 ? f->times[i - 1].commit : 0);
        if (i > 0) {
            assert_true(times->rename >= f->times[i - 1].rename);
            assert_true(times->commit >= f->times[i - 1].commit);
            if (pipeline_is_oldest_only(insn)) {
                assert_true(times->issue >= f->times[i - 1].commit);
            }
        }
        if (i >= width) { /* renamed and committed per cycle */
            assert_true(times->rename > f->times[i - width].rename);
            assert_true(times->commit > f->times[i - width].commit);
        }
        if (insn->class == AGG_DIV) {
            assert_true(dividing(f, i) < f->config.number[SL_CFG_CORE_MULTIPLIERS]);
        }
        if (insn->rd != 0) {
            written[insn->rd] = times->complete;
        }
        memory_begin = insn->order & AGG_ORDER_MEMORY ? times->commit : memory_begin;
        all_begin = insn->order & AGG_ORDER_ALL ? times->commit : all_begin;
        if (f->config.number[SL_CFG_CORE_MODEL] == SL_CORE_MODEL_OOO) {
            check_structures(f, i);
        }
    }
    assert_int_equal(f->core->counters.stack[SL_STACK_RETIRING], retiring);
}

static const char *const cores[] = {"2-stage", "5-stage", "2way-light-ooo", "2way-ooo", "4way-ooo"};

#define CORES (sizeof cores / sizeof cores[0])

TEST(test_tables)
{
    static struct fixture f;
    for (size_t c = 0; c < CORES; c++) {
        create(&f, cores[c], NULL);
        make_stream(&f, 0x1234567 + c, false);
        run_stream(&f);
        check_times(&f);
        destroy(&f);
    }
}

/* Structures of 1 to some tens of entries, each alone and together a bottleneck. */
TEST(test_random_shapes)
{
    static struct fixture f;
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < STREAMS; i++) {
        create(&f, i % 4 == 0 ? "5-stage" : "2way-ooo", &seed);
        make_stream(&f, random_bits(&seed), false);
        run_stream(&f);
        check_times(&f);
        destroy(&f);
    }
}

/* Instructions without callbacks; and the same stream, twice, gives the same times. */
TEST(test_deterministic)
{
    static struct fixture f;
    static uint64_t first[INSNS];
    for (size_t c = 0; c < CORES; c++) {
        create(&f, cores[c], NULL);
        make_stream(&f, 0x7654321 + c, true);
        run_stream(&f);
        memcpy(first, f.effects, sizeof first);
        struct agg_counters counters = f.core->counters;
        run_stream(&f);
        assert_memory_equal(first, f.effects, sizeof first);
        assert_memory_equal(&counters, &f.core->counters, sizeof counters);
        destroy(&f);
    }
}

/* The next instruction finishes the last one as well: nothing else depends on when it is said. */
TEST(test_finish)
{
    static struct fixture f;
    for (size_t c = 0; c < CORES; c++) {
        create(&f, cores[c], NULL);
        make_stream(&f, 0x2468ace + c, true);
        run_stream(&f);
        f.core->ops->finish(f.core);
        const struct agg_counters counters = f.core->counters;
        f.finishes = true;
        run_stream(&f);
        f.finishes = false;
        assert_memory_equal(&counters, &f.core->counters, sizeof counters);
        destroy(&f);
    }
}

/* Misses in flight: at no time more than there are MSHRs. */
TEST(test_mshrs)
{
    static struct fixture f;
    static uint64_t begun[INSNS];
    static uint64_t done[INSNS];
    for (int64_t mshrs = 1; mshrs <= 9; mshrs += 4) {
        uint64_t seed = 0xabcdef + (uint64_t)mshrs;
        unsigned count = 0;
        create(&f, "2way-ooo", NULL);
        f.config.number[SL_CFG_CORE_MSHRS] = mshrs;
        static struct data_cache cache;
        data_cache_init(&cache, &f.config, &f.base);
        for (unsigned i = 0; i < INSNS; i++) { /* somewhat out of order, as a core asks */
            uint64_t cycle = 100 + i * 3 + below(&seed, 200);
            uint64_t end =
                data_cache_access(&cache, cycle, SL_HEAP_BASE + i * SL_CACHE_LINE_BYTES, MEM_LOAD);
            if (end > cache.begun + 4) {
                begun[count] = cache.begun;
                done[count++] = end;
            }
        }
        assert_true(count > INSNS / 8);
        for (unsigned i = 0; i < count; i++) {
            int64_t others = 0;
            for (unsigned j = i > WINDOW ? i - WINDOW : 0; j < count && j < i + WINDOW; j++) {
                others += j != i && begun[j] <= begun[i] && done[j] > begun[i];
            }
            assert_true(others < mshrs);
        }
        destroy(&f);
    }
}
