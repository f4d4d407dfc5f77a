/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a memory instruction does at its serialization point: lanes in ascending order, each
 * atomically. */
#include <string.h>

#include "simt/float/lanes_float.h"
#include "simt/internal.h"

/* A single in an f register has ones above it (ISA manual, NaN boxing). */
#define BOXED 0xffffffff00000000u

#define LOAD(type, extended)                                                                       \
    do {                                                                                           \
        if (memory->linear != NULL && memory->lanes == UINT64_MAX) {                               \
            for (unsigned lane = 0; lane < LANES; lane++) {                                        \
                type value;                                                                        \
                memcpy(&value, memory->linear + memory->address[lane], sizeof(value));             \
                d[lane] = (uint64_t)(extended)value;                                               \
            }                                                                                      \
            break;                                                                                 \
        }                                                                                          \
        FOR_EACH_LANE(lane, memory->lanes)                                                         \
        {                                                                                          \
            type value;                                                                            \
            memcpy(&value, mem_op_bytes(memory, lane), sizeof(value));                             \
            d[lane] = (uint64_t)(extended)value;                                                   \
        }                                                                                          \
    } while (0)

/* Whether all 64 lanes access consecutive places of this process: one vector operation. */
static bool is_one_row(const struct mem_op *memory)
{
    return memory->linear != NULL && memory->lanes == UINT64_MAX &&
           memory->pattern == PATTERN_UNIT_STRIDE &&
           memory->address[1] - memory->address[0] == memory->op->access_bytes;
}

static void load_values(const struct gpu *gpu, const struct mem_op *memory)
{
    uint64_t *d = memory->wave->x[memory->op->rd];
    unsigned kind = memory->op->access_bytes * 2u + memory->op->is_signed;

    if (memory->split != 0) {
        misaligned_load(memory);
        return;
    }
    if (is_one_row(memory)) {
        gpu->lanes->load[kind](d, mem_op_bytes(memory, 0));
        return;
    }
    switch (kind) {
    case 2:
        LOAD(uint8_t, uint64_t);
        break;
    case 3:
        LOAD(int8_t, int64_t);
        break;
    case 4:
        LOAD(uint16_t, uint64_t);
        break;
    case 5:
        LOAD(int16_t, int64_t);
        break;
    case 8:
        LOAD(uint32_t, uint64_t);
        break;
    case 9:
        LOAD(int32_t, int64_t);
        break;
    default:
        LOAD(uint64_t, uint64_t);
        break;
    }
}

static void box(uint64_t *d, uint64_t lanes)
{
    if (lanes == UINT64_MAX) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            d[lane] |= BOXED;
        }
        return;
    }
    FOR_EACH_LANE(lane, lanes)
    {
        d[lane] |= BOXED;
    }
}

static void load(const struct gpu *gpu, const struct mem_op *memory)
{
    uint8_t rd = memory->op->rd;

    load_values(gpu, memory);
    if (rd >= SL_F_REGISTERS && rd != REGISTER_NOWHERE) {
        memory->wave->has_float = true;
        if (memory->op->id == SL_INSN_FLW) {
            box(memory->wave->x[rd], memory->lanes);
        }
    }
}

static uint64_t read_value(const struct mem_op *memory, uint64_t lane)
{
    if (memory->op->access_bytes == 4) {
        int32_t value;
        memcpy(&value, mem_op_bytes(memory, lane), sizeof(value));
        return (uint64_t)(int64_t)value;
    }
    uint64_t value;
    memcpy(&value, mem_op_bytes(memory, lane), sizeof(value));
    return value;
}

/* Little-endian hosts only, like the device: the low bytes of the value are the first ones. */
static void write_value(struct gpu *gpu, const struct mem_op *memory, uint64_t lane, uint64_t value)
{
    switch (memory->op->access_bytes) {
    case 1:
        memcpy(mem_op_bytes(memory, lane), &value, 1);
        break;
    case 2:
        memcpy(mem_op_bytes(memory, lane), &value, 2);
        break;
    case 4:
        memcpy(mem_op_bytes(memory, lane), &value, 4);
        break;
    default:
        memcpy(mem_op_bytes(memory, lane), &value, 8);
        break;
    }
    reservation_write(&gpu->reservations, memory->address[lane]);
}

static void store(struct gpu *gpu, const struct mem_op *memory)
{
    if (memory->op->release) {
        __atomic_thread_fence(__ATOMIC_RELEASE); /* the host may read while we run */
    }
    if (memory->split != 0) {
        misaligned_store(gpu, memory);
        return;
    }
    if (gpu->reservations.held == 0 && is_one_row(memory)) {
        gpu->lanes->store[memory->op->access_bytes](mem_op_bytes(memory, 0), memory->value);
        return;
    }
    if (gpu->reservations.held == 0 && memory->linear != NULL && memory->op->access_bytes == 4) {
        FOR_EACH_LANE(lane, memory->lanes)
        {
            memcpy(memory->linear + memory->address[lane], &memory->value[lane], 4);
        }
        return;
    }
    FOR_EACH_LANE(lane, memory->lanes)
    {
        write_value(gpu, memory, lane, memory->value[lane]);
    }
}

static void drop_reservation(struct gpu *gpu, struct wave *wave, uint64_t lane)
{
    if (wave->reserved >> lane & 1) {
        wave->reserved &= ~(1ull << lane);
        gpu->reservations.held--;
    }
}

static void load_reserved(struct gpu *gpu, const struct mem_op *memory)
{
    struct wave *wave = memory->wave;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        wave->x[memory->op->rd][lane] = read_value(memory, lane);
        drop_reservation(gpu, wave, lane);
        wave->reserved |= 1ull << lane;
        gpu->reservations.held++;
        wave->reserved_address[lane] = memory->address[lane];
        wave->reserved_epoch[lane] = *reservation_epoch(&gpu->reservations, memory->address[lane]);
    }
}

static void store_conditional(struct gpu *gpu, const struct mem_op *memory)
{
    struct wave *wave = memory->wave;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        uint64_t address = memory->address[lane];
        bool succeeds =
            (wave->reserved >> lane & 1) != 0 && wave->reserved_address[lane] == address &&
            wave->reserved_epoch[lane] == *reservation_epoch(&gpu->reservations, address);
        if (succeeds) {
            write_value(gpu, memory, lane, memory->value[lane]);
        }
        drop_reservation(gpu, wave, lane);
        wave->x[memory->op->rd][lane] = !succeeds;
        if (address - gpu->cas_base < gpu->cas_limit - gpu->cas_base) {
            gpu->counters->cas_attempts++;
            gpu->counters->cas_failures += !succeeds;
        }
    }
}

/* The operations of the A extension; Xsluice's scoped ones are the same. */
enum amo { AMO_SWAP, AMO_ADD, AMO_XOR, AMO_AND, AMO_OR, AMO_MIN, AMO_MAX, AMO_MINU, AMO_MAXU };

#define AMO_CASES(NAME)                                                                            \
    case SL_INSN_AMO##NAME##_W:                                                                    \
    case SL_INSN_AMO##NAME##_D:                                                                    \
    case SL_INSN_SL_AMO##NAME:                                                                     \
        return AMO_##NAME;

static enum amo amo_of(const struct simt_op *op)
{
    switch (op->id) {
        AMO_CASES(ADD)
        AMO_CASES(XOR)
        AMO_CASES(AND)
        AMO_CASES(OR)
        AMO_CASES(MIN)
        AMO_CASES(MAX)
        AMO_CASES(MINU)
        AMO_CASES(MAXU)
    default:
        return AMO_SWAP;
    }
}

/* `old` and `value` are sign-extended for 32-bit operations, which orders them right, unsigned too.
 */
static uint64_t amo_result(enum amo amo, uint64_t old, uint64_t value)
{
    switch (amo) {
    case AMO_SWAP:
        return value;
    case AMO_ADD:
        return old + value;
    case AMO_XOR:
        return old ^ value;
    case AMO_AND:
        return old & value;
    case AMO_OR:
        return old | value;
    case AMO_MIN:
        return (int64_t)old < (int64_t)value ? old : value;
    case AMO_MAX:
        return (int64_t)old > (int64_t)value ? old : value;
    case AMO_MINU:
        return old < value ? old : value;
    case AMO_MAXU:
        return old > value ? old : value;
    }
    return value;
}

static void read_modify_write(struct gpu *gpu, const struct mem_op *memory)
{
    enum amo amo = amo_of(memory->op);
    bool is_word = memory->op->access_bytes == 4;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        uint64_t old = read_value(memory, lane);
        uint64_t value = memory->value[lane];
        if (is_word) {
            value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
        }
        write_value(gpu, memory, lane, amo_result(amo, old, value));
        memory->wave->x[memory->op->rd][lane] = old;
    }
}

/* Sums are rounded to the nearest, ties to even, whatever the lane's frm says, and raise no flags;
 * NaNs are canonical. What is there and what is added to it are a single's bits, or a double's. */
static uint32_t sum_s(uint32_t old, uint32_t value)
{
    const float sum = as_float(old) + as_float(value);

    return sum != sum ? NAN_S : float_bits(sum);
}

static uint64_t sum_d(uint64_t old, uint64_t value)
{
    const double sum = as_double(old) + as_double(value);

    return sum != sum ? NAN_D : double_bits(sum);
}

static void add_float(struct gpu *gpu, const struct mem_op *memory)
{
    uint64_t *d = memory->wave->x[memory->op->rd];
    const bool is_single = memory->op->access_bytes == 4;

    FOR_EACH_LANE(lane, memory->lanes)
    {
        const uint64_t old = read_value(memory, lane);
        const uint64_t value = memory->value[lane];
        write_value(gpu, memory, lane,
                    is_single ? sum_s((uint32_t)old, unbox(value)) : sum_d(old, value));
        d[lane] = is_single ? BOXED | old : old;
    }
    memory->wave->has_float |= memory->op->rd != REGISTER_NOWHERE;
}

static void perform_atomic(struct gpu *gpu, const struct mem_op *memory)
{
    switch (memory->op->id) {
    case SL_INSN_LR_W:
    case SL_INSN_LR_D:
    case SL_INSN_SL_LR:
        load_reserved(gpu, memory);
        break;
    case SL_INSN_SC_W:
    case SL_INSN_SC_D:
    case SL_INSN_SL_SC:
        store_conditional(gpu, memory);
        break;
    case SL_INSN_SL_FAMOADD:
    case SL_INSN_SL_FREDADD:
        add_float(gpu, memory);
        break;
    default:
        read_modify_write(gpu, memory);
        break;
    }
}

void lsu_perform_event(struct event *event, void *owner)
{
    struct gpu *gpu = owner;
    struct mem_op *memory = (struct mem_op *)((char *)event - offsetof(struct mem_op, event));

    switch (memory->op->class) {
    case SL_CLASS_LOAD:
        load(gpu, memory);
        break;
    case SL_CLASS_STORE:
        store(gpu, memory);
        break;
    default:
        perform_atomic(gpu, memory);
        break;
    }
    lsu_release(gpu, memory);
}
