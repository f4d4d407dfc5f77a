/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernel code, decoded once when firmware loads it.
 *
 * Program counters inside the simulator are byte offsets from the code's start. */
#ifndef SLUICE_SIMT_PROGRAM_H
#define SLUICE_SIMT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"
#include "mem/dram.h"
#include "simt/lanes/lanes.h"
#include "sluice/layouts.h"

/* Program counters that are no place in the code. */
#define PC_NONE 0xffffffffu /* no reconvergence point */
#define PC_EXIT 0xfffffffeu /* SL_LANE_EXIT_PC: the lane ends */

/* Registers of a wavefront: x0 to x31, f0 to f31, and one more that takes results written to x0.
 * The scoreboard has an entry for fcsr, too. */
#define WAVE_REGISTERS       65
#define REGISTER_NOWHERE     64
#define REGISTER_FCSR        65
#define SCOREBOARD_REGISTERS 66

/* The memory instructions before it that have to be done when an instruction issues. */
enum simt_drain {
    DRAIN_NONE,
    DRAIN_READS,  /* those that load, atomics among them */
    DRAIN_BUFFER, /* stores in the wavefront's write buffer, where it has one */
    DRAIN_ALL
};

/* What an instruction needs to be allowed of the memory that it accesses: enum sl_access. */
enum simt_needs {
    NEEDS_READ,
    NEEDS_WRITE,
    NEEDS_ROUTINE_WRITE, /* that of a channel routine */
    NEEDS_COUNT
};

/* A decoded instruction, one cache line of the host. */
struct simt_op {
    union {
        lanes_alu_fn alu;
        lanes_float_fn compute; /* of the classes FP32 to FPSQRT */
        lanes_branch_fn branch; /* of the class BRANCH */
    };
    lanes_alu_masked_fn alu_masked;
    int64_t immediate; /* lui, auipc: the result; shifts: masked */
    uint32_t
        target; /* branch, jal: where to, as an offset; PC_NONE where that is outside the code */
    uint32_t reconvergence;
    uint32_t word;
    uint8_t class; /* enum sl_insn_class */
    uint8_t rd;    /* REGISTER_NOWHERE for x0 */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t rs3;
    uint8_t bytes; /* of the instruction: 2 or 4 */
    uint16_t id;   /* enum sl_insn_id */
    uint8_t variant;
    uint8_t access_bytes;
    uint8_t scope;
    bool is_signed;
    bool atomic;
    bool acquire;
    bool release;
    bool is_call;
    bool is_return;
    uint8_t rounding; /* enum sl_rounding */
    bool straddles;   /* may reach into another line of code, whatever their size */
    bool rounds;      /* computes on the processor's floating-point unit */
    bool writes;      /* memory */
    uint8_t drain;    /* enum simt_drain */
    uint8_t needs;    /* enum simt_needs */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct simt_op) == 64, "one cache line of the host");

struct simt_program {
    struct simt_op *ops; /* one per two bytes of code */
    uint64_t base;
    uint32_t bytes;
    uint64_t global_pointer;
    uint64_t *live; /* likewise: registers live there (host/driver/code/analysis.h), or NULL: all */
    uint64_t live_table; /* where memory has that; 0 where it has none */
    uint64_t named;      /* registers that some instruction reads or writes: bits 0 to 63 */
    bool reads_flags;    /* some instruction reads exception flags of floating point */
    uint64_t number;     /* programs loaded before, and this one */
};

/* Decodes the program that a descriptor in DRAM describes. Returns 0, or -1 (nothing loaded) where
 * the descriptor, the code or a table is outside DRAM, the channel routines are outside the code,
 * or memory runs out. */
int simt_program_load(struct simt_program *program, const struct dram *dram, uint64_t descriptor,
                      const struct lanes_ops *lanes);

void simt_program_unload(struct simt_program *program);

/* The instruction at an offset that is inside the code and even. */
static inline const struct simt_op *simt_program_op(const struct simt_program *program, uint32_t pc)
{
    return &program->ops[pc / 2];
}

/* The registers live at an offset; none at what is no place in the code. */
static inline uint64_t simt_program_live(const struct simt_program *program, uint32_t pc)
{
    if (pc >= program->bytes) {
        return 0;
    }
    return program->live != NULL ? program->live[pc / 2] : ~0ull;
}

/* The offset of an address, PC_EXIT for the lanes' exit, PC_NONE for anything else outside. */
static inline uint32_t simt_program_offset(const struct simt_program *program, uint64_t address)
{
    uint64_t offset = address - program->base;

    if (offset < program->bytes && offset % 2 == 0) {
        return (uint32_t)offset;
    }
    return address == SL_LANE_EXIT_PC ? PC_EXIT : PC_NONE;
}

#endif
