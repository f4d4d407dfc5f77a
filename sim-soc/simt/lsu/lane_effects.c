/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a memory instruction does at its serialization point: lanes in ascending order, each
 * atomically. Where the bytes are is the memory system's word (struct effect). */
#include <string.h>

#include "simt/lanes/lanes_float.h"
#include "simt/loop_monitor/last_writers.h"
#include "simt/loop_monitor/loop_monitor.h"
#include "simt/lsu/lsu.h"
#include "simt/unit/register_file.h"

/* A single in an f register has ones above it (ISA manual, NaN boxing). */
#define BOXED 0xffffffff00000000u

/* Where a lane's access is in this process. */
static inline uint8_t *bytes_of(const struct lane_access *access, uint64_t lane)
{
    return access->linear + access->memory->address[lane];
}

#define LOAD(type, extended)                                                                       \
    do {                                                                                           \
        if (access->lanes == UINT64_MAX) {                                                         \
            for (unsigned lane = 0; lane < LANES; lane++) {                                        \
                type value;                                                                        \
                memcpy(&value, access->linear + memory->address[lane], sizeof(value));             \
                d[lane] = (uint64_t)(extended)value;                                               \
            }                                                                                      \
            break;                                                                                 \
        }                                                                                          \
        FOR_EACH_LANE(lane, access->lanes)                                                         \
        {                                                                                          \
            type value;                                                                            \
            memcpy(&value, bytes_of(access, lane), sizeof(value));                                 \
            d[lane] = (uint64_t)(extended)value;                                                   \
        }                                                                                          \
    } while (0)

/* Whether all 64 lanes access consecutive places of this process: one vector operation. */
static bool is_one_row(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    return access->lanes == UINT64_MAX && coalesce_is_row(memory, access->lanes);
}

static void load_values(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    uint64_t *d = memory->wave->x[memory->op->rd];
    unsigned kind = memory->op->access_bytes * 2u + memory->op->is_signed;

    if (is_one_row(access)) {
        access->cu->lanes->load[kind](d, bytes_of(access, 0));
        return;
    }
    if (memory->op->access_bytes == sizeof(*d) && coalesce_is_row(memory, access->lanes)) {
        const unsigned first = lowest_lane(access->lanes);
        memcpy(&d[first], bytes_of(access, first), coalesce_row_lanes(access->lanes) * sizeof(*d));
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

void perform_loaded(const struct mem_instr *memory, uint64_t lanes)
{
    uint8_t rd = memory->op->rd;

    if (rd >= SL_F_REGISTERS && rd != REGISTER_NOWHERE) {
        memory->wave->has_float = true;
        if (memory->op->id == SL_INSN_FLW) {
            box(memory->wave->x[rd], lanes);
        }
    }
}

static void load(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    load_values(access);
    perform_loaded(memory, access->lanes);
}

static uint64_t read_value(const struct lane_access *access, uint64_t lane)
{
    const struct mem_instr *memory = access->memory;

    if (memory->op->access_bytes == 4) {
        int32_t value;
        memcpy(&value, bytes_of(access, lane), sizeof(value));
        return (uint64_t)(int64_t)value;
    }
    uint64_t value;
    memcpy(&value, bytes_of(access, lane), sizeof(value));
    return value;
}

/* Little-endian hosts only, like the device: the low bytes of the value are the first ones. */
static void write_value(const struct lane_access *access, uint64_t lane, uint64_t value)
{
    const struct mem_instr *memory = access->memory;
    switch (memory->op->access_bytes) {
    case 1:
        memcpy(bytes_of(access, lane), &value, 1);
        break;
    case 2:
        memcpy(bytes_of(access, lane), &value, 2);
        break;
    case 4:
        memcpy(bytes_of(access, lane), &value, 4);
        break;
    default:
        memcpy(bytes_of(access, lane), &value, 8);
        break;
    }
    reservation_write(access->reservations, memory->address[lane]);
}

static void store(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;

    if (access->reservations->held == 0 && is_one_row(access)) {
        access->cu->lanes->store[memory->op->access_bytes](bytes_of(access, 0), memory->value);
        return;
    }
    if (access->reservations->held == 0 && memory->op->access_bytes == 8 &&
        coalesce_is_row(memory, access->lanes)) {
        const unsigned first = lowest_lane(access->lanes);
        memcpy(bytes_of(access, first), &memory->value[first],
               coalesce_row_lanes(access->lanes) * sizeof(memory->value[0]));
        return;
    }
    if (access->reservations->held == 0 && memory->op->access_bytes == 4) {
        FOR_EACH_LANE(lane, access->lanes)
        {
            memcpy(access->linear + memory->address[lane], &memory->value[lane], 4);
        }
        return;
    }
    FOR_EACH_LANE(lane, access->lanes)
    {
        write_value(access, lane, memory->value[lane]);
    }
}

static void drop_reservation(struct wave *wave, uint64_t lane)
{
    if (wave->reserved >> lane & 1) {
        wave->reserved &= ~(1ull << lane);
        wave->reserved_in[lane]->held--;
    }
}

static void load_reserved(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    struct wave *wave = memory->wave;

    FOR_EACH_LANE(lane, access->lanes)
    {
        wave->x[memory->op->rd][lane] = read_value(access, lane);
        drop_reservation(wave, lane);
        wave->reserved |= 1ull << lane;
        wave->reserved_in[lane] = access->reservations;
        wave->reserved_address[lane] = memory->address[lane];
        wave->reserved_epoch[lane] = reservation_take(access->reservations, memory->address[lane]);
    }
}

/* Notes who has changed a word, for messages about those that wait for it. */
static void note_changer(const struct lane_access *access, uint64_t lane, uint64_t value)
{
    const struct mem_instr *memory = access->memory;
    const struct cu_environment *env = access->cu->env;
    const struct last_writer writer = {
        .place = loop_monitor_word_key(access->cu, memory->address[lane]),
        .wave = memory->wave->number,
        .value = (uint32_t)value,
        .pc = (uint32_t)(memory->op - env->program.ops) * 2,
        .lane = (uint32_t)lane,
    };

    last_writers_note(env->last_writers, &writer);
}

/* A lane's compare-and-swap, where it is on a counter of a channel. One on the tail of the data
 * array is sl_talloc's (hal/kernel/channel_routines.inc), which goes round its loop when it has
 * lost. */
static void count_cas(struct wave *wave, uint64_t address, bool succeeds)
{
    struct cu *cu = wave_cu(wave);
    const uint64_t offset = address - cu->env->cas_base;

    if (offset < cu->env->cas_limit - cu->env->cas_base) {
        cu->counters.cas_attempts++;
        cu->counters.cas_failures += !succeeds;
        wave->stall.has_lost |= !succeeds && offset % sizeof(struct sl_channel) ==
                                                 offsetof(struct sl_channel, data_tail);
    }
}

static void store_conditional(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    struct wave *wave = memory->wave;

    FOR_EACH_LANE(lane, access->lanes)
    {
        uint64_t address = memory->address[lane];
        bool succeeds =
            (wave->reserved >> lane & 1) != 0 && wave->reserved_in[lane] == access->reservations &&
            wave->reserved_address[lane] == address &&
            wave->reserved_epoch[lane] == reservation_epoch(access->reservations, address);
        if (succeeds) {
            write_value(access, lane, memory->value[lane]);
            note_changer(access, lane, memory->value[lane]);
        }
        drop_reservation(wave, lane);
        wave->x[memory->op->rd][lane] = !succeeds;
        count_cas(wave, address, succeeds);
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

static void read_modify_write(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    enum amo amo = amo_of(memory->op);
    bool is_word = memory->op->access_bytes == 4;

    FOR_EACH_LANE(lane, access->lanes)
    {
        uint64_t old = read_value(access, lane);
        uint64_t value = memory->value[lane];
        if (is_word) {
            value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
        }
        write_value(access, lane, amo_result(amo, old, value));
        if (amo == AMO_SWAP && old != value) {
            note_changer(access, lane, value);
        }
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

static void add_float(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    uint64_t *d = memory->wave->x[memory->op->rd];
    const bool is_single = memory->op->access_bytes == 4;

    FOR_EACH_LANE(lane, access->lanes)
    {
        const uint64_t old = read_value(access, lane);
        const uint64_t value = memory->value[lane];
        write_value(access, lane,
                    is_single ? sum_s((uint32_t)old, unbox(value)) : sum_d(old, value));
        d[lane] = is_single ? BOXED | old : old;
    }
    memory->wave->has_float |= memory->op->rd != REGISTER_NOWHERE;
}

static void perform_atomic(const struct lane_access *access)
{
    const struct mem_instr *memory = access->memory;
    switch (memory->op->id) {
    case SL_INSN_LR_W:
    case SL_INSN_LR_D:
    case SL_INSN_SL_LR:
        load_reserved(access);
        break;
    case SL_INSN_SC_W:
    case SL_INSN_SC_D:
    case SL_INSN_SL_SC:
        store_conditional(access);
        break;
    case SL_INSN_SL_FAMOADD:
    case SL_INSN_SL_FREDADD:
        add_float(access);
        break;
    default:
        read_modify_write(access);
        break;
    }
}

static void take_effect(const struct lane_access *access)
{
    const struct simt_op *op = access->memory->op;

    if (op->atomic) {
        __atomic_thread_fence(__ATOMIC_RELEASE); /* the host may read while we run */
    }
    switch (op->class) {
    case SL_CLASS_LOAD:
        load(access);
        break;
    case SL_CLASS_STORE:
        store(access);
        break;
    default:
        perform_atomic(access);
        break;
    }
}

/* The same under the eyes of who watches the wavefront, if anybody does. */
static void take_effect_watched(const struct lane_access *access)
{
    struct loop_monitor *monitor = access->memory->wave->monitor;

    if (monitor == NULL) {
        take_effect(access);
        return;
    }
    loop_monitor_before(monitor, access->memory, access->lanes, access->linear);
    take_effect(access);
    loop_monitor_after(monitor, access->memory, access->lanes, access->linear);
}

/* Notes whether it changes bytes that are in nobody's private segment. */
static void take_effect_compared(const struct lane_access *access)
{
    const uint64_t lanes = access->lanes & ~access->memory->private_lanes;
    const unsigned bytes = access->memory->op->access_bytes;
    lane_vector before;
    bool has_changed = false;

    FOR_EACH_LANE(lane, lanes)
    {
        memcpy(&before[lane], bytes_of(access, lane), bytes);
    }
    take_effect_watched(access);
    FOR_EACH_LANE(lane, lanes)
    {
        has_changed |= memcmp(&before[lane], bytes_of(access, lane), bytes) != 0;
    }
    access->cu->env->last_writers->has_any = has_changed;
}

void perform(const struct lane_access *access)
{
    if (access->memory->op->writes && !access->cu->env->last_writers->has_any) {
        take_effect_compared(access);
    } else {
        take_effect_watched(access);
    }
    if (probe_enabled(access->cu->env->stream, OBS_ACCESS)) {
        perform_observe(access);
    }
    wave_observe_result(access->memory->wave, access->memory->op, access->lanes, true);
}

void perform_lds(struct cu *cu, struct mem_instr *memory)
{
    const struct lane_access access = {cu, memory, memory->lds_lanes, lds_origin(cu),
                                       &cu->lds_reservations};

    if (access.lanes != 0) {
        perform(&access);
    }
}
