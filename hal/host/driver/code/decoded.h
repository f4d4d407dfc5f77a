/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernel machine code taken apart into functions and instructions, for what is computed from it
 * when it is loaded.
 *
 * Places are counted in parcels of two bytes from the beginning of the code. */
#ifndef SLUICE_HOST_DRIVER_CODE_DECODED_H
#define SLUICE_HOST_DRIVER_CODE_DECODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/driver/code/analysis.h"
#include "isa/isa.h"

#define SL_PARCEL_BYTES 2u

struct sl_code_range {
    size_t first;
    size_t end;
};

struct sl_decoded {
    const struct sl_code *code;
    struct sl_insn *insns; /* per parcel; bytes is 0 where no instruction begins */
    size_t parcels;
    struct sl_code_range *ranges; /* functions in ascending order that do not overlap: whole
                                     instructions, one behind the other; none is empty */
    size_t range_count;
};

/* Decodes all that belongs to a function. `code` must outlive the result. Returns 0, or -1 when out
 * of memory; the result is to be freed in any case. */
int sl_decoded_open(const struct sl_code *code, struct sl_decoded *decoded);

void sl_decoded_close(struct sl_decoded *decoded);

/* The address of a place, and the place of an address: SIZE_MAX where no instruction begins there.
 */
static inline uint64_t sl_decoded_address(const struct sl_decoded *decoded, size_t at)
{
    return decoded->code->base + at * (uint64_t)SL_PARCEL_BYTES;
}

static inline size_t sl_decoded_place(const struct sl_decoded *decoded, uint64_t address)
{
    const uint64_t offset = address - decoded->code->base;
    const uint64_t place = offset / SL_PARCEL_BYTES;
    return offset % SL_PARCEL_BYTES == 0 && place < decoded->parcels &&
                   decoded->insns[place].bytes != 0
               ? (size_t)place
               : SIZE_MAX;
}

/* The place behind the instruction at a place. */
static inline size_t sl_decoded_behind(const struct sl_decoded *decoded, size_t at)
{
    const size_t parcels = decoded->insns[at].bytes / SL_PARCEL_BYTES;
    return at + (parcels == 0 ? 1 : parcels);
}

/* Where a direct jump, branch or call goes; SIZE_MAX where that is outside the range, or no
 * instruction. */
static inline size_t sl_decoded_target(const struct sl_decoded *decoded, struct sl_code_range range,
                                       size_t at)
{
    const size_t target = sl_decoded_place(
        decoded, sl_decoded_address(decoded, at) + (uint64_t)(int64_t)decoded->insns[at].immediate);
    return target >= range.first && target < range.end ? target : SIZE_MAX;
}

/* Whether an auipc right in front of a jalr sets its register: together they are a direct call or
 * jump to the auipc's address plus both immediates. */
static inline bool sl_insn_is_far_jump(const struct sl_insn *before, const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JALR && before->id == SL_INSN_AUIPC && before->rd == insn->rs1 &&
           insn->rs1 != 0;
}

/* Likewise of the instruction at a place, which alone is a jump to wherever its register says. */
static inline bool sl_decoded_is_far_jump(const struct sl_decoded *decoded,
                                          struct sl_code_range range, size_t at)
{
    return at >= range.first + 2 &&
           sl_insn_is_far_jump(&decoded->insns[at - 2], &decoded->insns[at]);
}

/* The address that a far jump or call goes to. */
static inline uint64_t sl_decoded_far_address(const struct sl_decoded *decoded, size_t at)
{
    return sl_decoded_address(decoded, at - 2) +
           (uint64_t)(int64_t)decoded->insns[at - 2].immediate +
           (uint64_t)(int64_t)decoded->insns[at].immediate;
}

/* What an instruction changes of the number of locks that a lane has taken and has to give back.
 * Those that are tried do not count: a lane that holds one waits for no other. */
static inline int sl_insn_lock_change(const struct sl_insn *insn)
{
    return (insn->id == SL_INSN_SL_LOCK) - (insn->id == SL_INSN_SL_UNLOCK);
}

#endif
