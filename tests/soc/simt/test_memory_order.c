/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront's own memory instructions take effect in program order, wherever their lines are and
 * however many are under way: kernels against a plain model that executes one instruction after the
 * other, lanes in ascending order.
 *
 * A kernel is a list of accesses. Their addresses are in eight registers, loaded from tables with
 * one value per lane, plus an offset; they lie in 512 bytes of shared memory (8 lines), of LDS, or
 * of the lane's stack. At its end it stores all registers that were loaded. Cases by hand are those
 * in which an instruction of two parts has to wait for the slower one, and the next one is to the
 * faster one; the rest is random, with another compute unit that reads the same lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/asm.h"
#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/ndrange_machine.h"
#include "soc/common/stale.h"

#define LANES_MAX 64u
#define REGION    512u /* bytes of each kind of memory that are accessed */
#define POINTERS  8u   /* registers with addresses */
#define VALUES    4u   /* registers with values to store */
#define RESULTS   8u   /* registers to load to */
#define OPS_MAX   256u
#define TABLE     (LANES_MAX * 8)

static const uint32_t pointer_register[POINTERS] = {S2, S3, S4, S5, S6, S7, S8, S9};
static const uint32_t value_register[VALUES] = {A2, A3, A4, A5};
static const uint32_t result_register[RESULTS] = {A6, A7, S10, S11, T3, T4, T5, T6};

enum op_kind { LOAD, STORE, ADD, SWAP, FENCE, OP_KINDS };

struct op {
    enum op_kind kind;
    uint32_t bytes; /* 1 (loads and stores), 4, 8 */
    uint32_t result;
    uint32_t pointer;
    uint32_t offset; /* of loads and stores */
    uint32_t source; /* a value register, or VALUES + a result register */
};

struct kernel {
    uint32_t lanes;
    uint32_t count;
    struct op op[OPS_MAX];
    uint64_t pointer[POINTERS][LANES_MAX];
    uint64_t value[VALUES][LANES_MAX];
};

static uint64_t in_lds(uint64_t offset)
{
    return SL_LDS_BASE + offset;
}

static uint64_t in_stack(uint64_t offset)
{
    return SL_PRIVATE_BASE + offset;
}

/* ---- the model ---- */

struct model {
    uint8_t shared[REGION];
    uint8_t lds[REGION];
    uint8_t stack[LANES_MAX][REGION];
    uint64_t result[RESULTS][LANES_MAX];
};

static uint8_t *model_at(struct model *model, uint64_t shared, uint32_t lane, uint64_t address)
{
    if (address - shared < REGION) {
        return &model->shared[address - shared];
    }
    if (address - SL_LDS_BASE < REGION) {
        return &model->lds[address - SL_LDS_BASE];
    }
    assert_true(address - SL_PRIVATE_BASE < REGION);
    return &model->stack[lane][address - SL_PRIVATE_BASE];
}

static uint64_t extended(uint64_t value, uint32_t bytes)
{
    return bytes == 8   ? value
           : bytes == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value
                        : value & 0xff;
}

static void model_lane(struct model *model, const struct kernel *kernel, const struct op *op,
                       uint64_t shared, uint32_t lane)
{
    const bool is_plain = op->kind == LOAD || op->kind == STORE;
    uint8_t *const bytes = model_at(
        model, shared, lane, kernel->pointer[op->pointer][lane] + (is_plain ? op->offset : 0));
    const uint64_t source = op->source < VALUES ? kernel->value[op->source][lane]
                                                : model->result[op->source - VALUES][lane];
    uint64_t old = 0;

    memcpy(&old, bytes, op->bytes);
    const uint64_t new = op->kind == ADD ? old + source : source;
    if (op->kind != LOAD) {
        memcpy(bytes, &new, op->bytes);
    }
    if (op->kind != STORE) {
        model->result[op->result][lane] = extended(old, op->bytes);
    }
}

static void model_run(struct model *model, const struct kernel *kernel, uint64_t shared)
{
    for (uint32_t i = 0; i < kernel->count; i++) {
        for (uint32_t lane = 0; kernel->op[i].kind != FENCE && lane < kernel->lanes; lane++) {
            model_lane(model, kernel, &kernel->op[i], shared, lane);
        }
    }
}

/* ---- the kernel ---- */

static struct asm_code code;

static uint32_t source_register(const struct op *op)
{
    return op->source < VALUES ? value_register[op->source] : result_register[op->source - VALUES];
}

static uint32_t word_of(const struct op *op)
{
    const uint32_t rd = result_register[op->result];
    const uint32_t rs1 = pointer_register[op->pointer];
    const uint32_t rs2 = source_register(op);
    const int32_t offset = (int32_t)op->offset;

    switch (op->kind) {
    case LOAD:
        return op->bytes == 8   ? asm_LD(rd, rs1, offset)
               : op->bytes == 4 ? asm_LW(rd, rs1, offset)
                                : asm_LBU(rd, rs1, offset);
    case STORE:
        return op->bytes == 8   ? asm_SD(rs2, rs1, offset)
               : op->bytes == 4 ? asm_SW(rs2, rs1, offset)
                                : asm_SB(rs2, rs1, offset);
    case ADD:
        return op->bytes == 8 ? asm_AMOADD_D(rd, rs2, rs1) : asm_AMOADD_W(rd, rs2, rs1);
    case SWAP:
        return op->bytes == 8 ? asm_AMOSWAP_D(rd, rs2, rs1) : asm_AMOSWAP_W(rd, rs2, rs1);
    default:
        return asm_FENCE();
    }
}

/* a0: tables of pointers and values, one behind the other; behind them those of the results. */
static void put_kernel(const struct kernel *kernel)
{
    asm_put(&code, asm_SL_ID(T0, SL_ID_LOCAL));
    asm_put(&code, asm_SLLI(T0, T0, 3));
    asm_put(&code, asm_ADD(T0, T0, A0));
    for (uint32_t i = 0; i < POINTERS + VALUES; i++) {
        asm_put(&code,
                asm_LD(i < POINTERS ? pointer_register[i] : value_register[i - POINTERS], T0, 0));
        asm_put(&code, asm_ADDI(T0, T0, TABLE));
    }
    for (uint32_t i = 0; i < kernel->count; i++) {
        asm_put(&code, word_of(&kernel->op[i]));
    }
    for (uint32_t i = 0; i < RESULTS; i++) {
        asm_put(&code, asm_SD(result_register[i], T0, 0));
        asm_put(&code, asm_ADDI(T0, T0, TABLE));
    }
    asm_put(&code, ASM_RET);
}

/* Another compute unit's: loads all lines at a0 again and again. */
static void put_reader(void)
{
    for (uint32_t i = 0; i < 100; i++) {
        asm_put(&code, asm_LD(T1, A0, (int32_t)(i * 3 % (REGION / 64) * 64)));
        asm_put(&code, asm_ADDI(T1, T1, 1));
    }
    asm_put(&code, ASM_RET);
}

static void dispatch(struct ndrange_machine *m, uint32_t pc, uint64_t argument, uint32_t lanes)
{
    const struct ndrange_kernel kernel = {
        .entry = SL_KERNEL_BASE + pc, .registers = 32, .argument_count = 1, .argument = {argument}};
    const uint32_t group[3] = {lanes, 1, 1};

    ndrange_dispatch(m, &kernel, group, group, REGION);
}

/* ---- both ---- */

/* Makes a kernel for a machine whose region of shared memory is at `shared`. */
typedef void make_kernel(struct kernel *kernel, uint64_t shared, uint64_t seed);

static void compare(const struct ndrange_machine *m, const struct kernel *kernel, uint64_t shared,
                    uint64_t tables, uint64_t seed)
{
    struct model *const model = calloc(1, sizeof *model);
    const uint64_t results = tables + (POINTERS + VALUES) * TABLE;

    assert_non_null(model);
    model_run(model, kernel, shared);
    for (uint32_t i = 0; i < RESULTS; i++) {
        const uint64_t *is = ndrange_at(m, results + i * TABLE);
        for (uint32_t lane = 0; lane < kernel->lanes; lane++) {
            if (is[lane] != model->result[i][lane]) {
                fail_msg("seed %llu: result %u of lane %u is %#llx, not %#llx",
                         (unsigned long long)seed, i, lane, (unsigned long long)is[lane],
                         (unsigned long long)model->result[i][lane]);
            }
        }
    }
    assert_memory_equal(ndrange_at(m, shared), model->shared, REGION);
    free(model);
}

static void check(const char *const *settings, make_kernel *make, uint64_t seed)
{
    struct ndrange_machine *m = ndrange_create(settings);
    struct kernel *const kernel = calloc(1, sizeof *kernel);
    const uint64_t shared = ndrange_take(m, REGION);
    const uint64_t tables = ndrange_take(m, (POINTERS + VALUES + RESULTS) * TABLE);

    assert_non_null(kernel);
    make(kernel, shared, seed);
    memcpy(ndrange_at(m, tables), kernel->pointer, sizeof kernel->pointer);
    memcpy(ndrange_at(m, tables + POINTERS * TABLE), kernel->value, sizeof kernel->value);
    asm_begin(&code);
    put_kernel(kernel);
    const uint32_t reader = asm_here(&code);
    put_reader();
    ndrange_assemble(m, code.word, code.count, SIZE_MAX, 0);
    dispatch(m, 0, tables, kernel->lanes);
    dispatch(m, reader, shared, 1);
    (void)ndrange_run(m);
    assert_int_equal(ndrange_faults(m), 0);
    assert_int_equal(ndrange_completions(m), 2);
    compare(m, kernel, shared, tables, seed);
    free(kernel);
    ndrange_destroy(m);
}

static const char *const flat[] = {"gpu.cus=2", "mem.system=flat", NULL};
static const char *const moesi[] = {"gpu.cus=2", "mem.system=moesi", NULL};
static const char *const one_moesi[] = {"gpu.cus=1", "mem.system=moesi", NULL};

/* Caches of 4 and 8 lines, so that the 8 lines keep coming and going. */
static const char *const small[] = {"gpu.cus=2",    "mem.system=moesi", "l1d.size=256",
                                    "l1d.ways=2",   "l1d.mshrs=2",      "l2.size=1024",
                                    "l2.ways=2",    "l2.banks=2",       "gpu.memory_ops=32",
                                    "l1i.size=256", "l1i.ways=2",       NULL};

static const char *const *const machines[] = {flat, moesi, one_moesi, small};

#define MACHINES (sizeof machines / sizeof machines[0])

/* ---- cases by hand ---- */

static struct op *add_op(struct kernel *kernel, enum op_kind kind, uint32_t pointer)
{
    struct op *op = &kernel->op[kernel->count++];

    *op = (struct op){.kind = kind, .bytes = 8, .pointer = pointer, .result = kernel->count % 8};
    return op;
}

/* Pointer 0: lane 0 at `fast`, lane 1 at `slow`. Pointer 1: both at `fast`. */
static void two_parts(struct kernel *kernel, uint64_t fast, uint64_t slow)
{
    kernel->lanes = 2;
    kernel->pointer[0][0] = fast;
    kernel->pointer[0][1] = slow;
    kernel->pointer[1][0] = fast;
    kernel->pointer[1][1] = fast;
    kernel->value[0][0] = 100;
    kernel->value[0][1] = 101;
}

/* A line that the cache owns, and one that is in DRAM; what comes first, and what comes behind it,
 * are by the seed: load, store or atomic each. The loads at the end show what became of it. */
static void make_lines(struct kernel *kernel, uint64_t shared, uint64_t seed)
{
    two_parts(kernel, shared, shared + 320);
    add_op(kernel, STORE, 1);
    add_op(kernel, FENCE, 0);
    add_op(kernel, (enum op_kind)(seed / 4), 0)->source = 0;
    add_op(kernel, (enum op_kind)(seed % 4), 1)->source = 1;
    add_op(kernel, LOAD, 1);
    add_op(kernel, LOAD, 0);
}

/* The same with LDS, which is fast, and a line in DRAM. */
static void make_lds(struct kernel *kernel, uint64_t shared, uint64_t seed)
{
    two_parts(kernel, in_lds(64), shared + 320);
    add_op(kernel, (enum op_kind)(seed / 4), 0)->source = 0;
    add_op(kernel, (enum op_kind)(seed % 4), 1)->source = 1;
    add_op(kernel, LOAD, 1);
    add_op(kernel, LOAD, 0);
}

TEST(test_cases)
{
    for (size_t i = 0; i < MACHINES; i++) {
        for (uint64_t seed = 0; seed < 16; seed++) {
            check(machines[i], make_lines, seed);
            check(machines[i], make_lds, seed);
        }
    }
}

/* ---- random ---- */

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*random >> 33) % below);
}

/* How the addresses in a register lie: all in one kind of memory, or each lane in any; at random,
 * all at one, or side by side. Multiples of 8 in the lower half of the region. */
static void draw_pointers(uint64_t *pointer, uint64_t shared, uint64_t *random)
{
    const uint32_t memory = draw(random, 8);
    const uint32_t pattern = draw(random, 3);
    const uint32_t first = draw(random, REGION / 16);

    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        const uint32_t own = draw(random, REGION / 16);
        const uint32_t word = pattern == 0 ? own : pattern == 1 ? first : first + lane;
        const uint64_t offset = word % (REGION / 16) * 8ull;
        const uint32_t kind = memory < 7 ? memory : draw(random, 7);
        pointer[lane] = kind < 5 ? shared + offset : kind == 5 ? in_lds(offset) : in_stack(offset);
    }
}

static void draw_op(struct op *op, uint64_t *random)
{
    static const enum op_kind kinds[] = {LOAD, LOAD, LOAD, STORE, STORE, STORE, ADD, SWAP};
    static const uint32_t sizes[] = {8, 8, 4, 1};
    const uint32_t kind = draw(random, 100);

    op->kind = kind == 0 ? FENCE : kinds[kind % 8];
    op->bytes = sizes[draw(random, op->kind == LOAD || op->kind == STORE ? 4 : 3)];
    op->result = draw(random, RESULTS);
    op->pointer = draw(random, POINTERS);
    op->offset = draw(random, REGION / 16) * 8 + draw(random, 8 / op->bytes) * op->bytes;
    /* Results only now and then: they have to be waited for. */
    op->source = draw(random, 4) == 0 ? VALUES + draw(random, RESULTS) : draw(random, VALUES);
}

static void make_random(struct kernel *kernel, uint64_t shared, uint64_t seed)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15u;

    kernel->lanes = draw(&random, 2) == 0 ? LANES_MAX : 1 + draw(&random, LANES_MAX);
    kernel->count = 100 + draw(&random, OPS_MAX - 100);
    for (uint32_t i = 0; i < POINTERS; i++) {
        draw_pointers(kernel->pointer[i], shared, &random);
    }
    for (uint32_t i = 0; i < VALUES; i++) {
        for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
            kernel->value[i][lane] =
                (uint64_t)draw(&random, 1u << 30) << 20 ^ draw(&random, 1u << 30);
        }
    }
    for (uint32_t i = 0; i < kernel->count; i++) {
        draw_op(&kernel->op[i], &random);
    }
}

TEST(test_random)
{
    const uint64_t seeds = getenv("SLUICE_TEST_LONG") != NULL ? 5000 : 100;

    for (uint64_t seed = 0; seed < seeds; seed++) {
        for (size_t i = 0; i < MACHINES; i++) {
            check(machines[i], make_random, seed);
        }
    }
}

/* The same on a memory system that holds bytes of its own and tells of every end later. */
TEST(test_stale)
{
    const uint64_t seeds = getenv("SLUICE_TEST_LONG") != NULL ? 5000 : 200;

    fixture_memory(&mem_stale);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
        assert_int_equal(setenv("SLUICE_STALE_SEED", number, 1), 0);
        check(flat, make_lines, seed % 16);
        check(flat, make_lds, seed % 16);
        check(flat, make_random, seed);
    }
    fixture_memory(NULL);
}
