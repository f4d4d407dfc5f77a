/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Decoding of the compute units' instruction set (hal/isa/riscv.def), for the simulator and for the
 * host library's analysis of kernels alike. */
#ifndef SLUICE_ISA_H
#define SLUICE_ISA_H

#include <stdbool.h>
#include <stdint.h>

enum sl_insn_id {
    SL_INSN_ILLEGAL,
#define SL_INSN(ID, mnemonic, match, mask, format, class) SL_INSN_##ID,
#include "isa/riscv.def"
#undef SL_INSN
    SL_INSN_COUNT,
};

enum sl_insn_class {
    SL_CLASS_ILLEGAL,
    SL_CLASS_ALU,
    SL_CLASS_MUL,
    SL_CLASS_DIV,
    SL_CLASS_FP32,   /* single precision, but for division and square root */
    SL_CLASS_FP64,   /* double precision, the same, and conversions between the two */
    SL_CLASS_FPDIV,  /* division in either precision */
    SL_CLASS_FPSQRT, /* square root in either precision */
    SL_CLASS_CSR,    /* on fflags, frm or fcsr */
    SL_CLASS_BRANCH, /* conditional */
    SL_CLASS_JUMP,   /* jal, jalr */
    SL_CLASS_LOAD,
    SL_CLASS_STORE,
    SL_CLASS_AMO,  /* read-modify-write, load-reserved, store-conditional */
    SL_CLASS_LOCK, /* lock, unlock, and those that only try */
    SL_CLASS_FENCE,
    SL_CLASS_PAUSE,
    SL_CLASS_CROSS,   /* over the lanes of a wavefront */
    SL_CLASS_BARRIER, /* over the wavefronts of a work-group */
    SL_CLASS_YIELD,   /* gives up the wavefront context */
    SL_CLASS_TRAP,
    SL_CLASS_COUNT,
};

/* Registers are numbered 0 to 31 for x0 to x31 and 32 to 63 for f0 to f31. Operand fields that an
 * instruction does not have are zero (x0). */
struct sl_insn {
    uint16_t id;   /* enum sl_insn_id */
    uint8_t class; /* enum sl_insn_class */
    uint8_t bytes; /* 4, or 2 where it is compressed */
    uint8_t rd;    /* 0 where none is written */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t variant;      /* sl.id: what; sl.scan, sl.reduce: enum sl_cross_op; sl.trap: code;
                             CSR instructions: enum sl_csr */
    int32_t immediate;    /* csrrwi, csrrsi, csrrci: the operand, 0 to 31 */
    uint8_t access_bytes; /* of loads, stores and atomics: 1, 2, 4 or 8 */
    bool is_signed;       /* the loaded value is sign-extended */
    bool atomic;          /* classes AMO and LOCK, sl.load and sl.store */
    bool acquire;
    bool release;
    uint8_t scope; /* enum sl_scope: of atomics, locks and fences */
    uint8_t rs3;
    uint8_t rounding; /* enum sl_rounding */
    bool rounds;      /* has a rounding mode */
};

#define SL_F_REGISTERS 32 /* number of f0 */

/* Rounding modes as in rm and frm. */
enum sl_rounding {
    SL_ROUNDING_NEAREST_EVEN,
    SL_ROUNDING_ZERO,
    SL_ROUNDING_DOWN,
    SL_ROUNDING_UP,
    SL_ROUNDING_NEAREST_AWAY, /* ties go away from zero */
    SL_ROUNDING_COUNT,
    SL_ROUNDING_DYNAMIC = 7, /* as the lane's frm says */
};

/* Exception flags as in fflags. */
enum sl_fflag {
    SL_FFLAG_NX = 1,  /* inexact */
    SL_FFLAG_UF = 2,  /* underflow */
    SL_FFLAG_OF = 4,  /* overflow */
    SL_FFLAG_DZ = 8,  /* division by zero */
    SL_FFLAG_NV = 16, /* invalid operation */
    SL_FFLAG_ALL = 31,
};

/* The CSRs that there are. */
enum sl_csr { SL_CSR_FFLAGS = 1, SL_CSR_FRM, SL_CSR_FCSR };

enum sl_scope { SL_SCOPE_WAVEFRONT, SL_SCOPE_WORKGROUP, SL_SCOPE_DEVICE, SL_SCOPE_SYSTEM };

/* What sl.id returns; the number is in the rs2 field. */
enum sl_id_kind {
    SL_ID_LANE,      /* number of the lane in its wavefront */
    SL_ID_LANES,     /* lanes of a wavefront */
    SL_ID_WAVEFRONT, /* number of the wavefront, counted from the graph's start */
    SL_ID_CU,        /* number of the compute unit */
    SL_ID_CONTEXT,   /* number of the context in the compute unit */
    SL_ID_CUS,       /* compute units of the device */
    /* In an NDRange; x, y and z each. Of wavefronts that a channel launched, 0, and sizes and
     * counts 1. */
    SL_ID_GLOBAL,                           /* the work-item's place in the grid */
    SL_ID_LOCAL = SL_ID_GLOBAL + 3,         /* in its work-group */
    SL_ID_GROUP = SL_ID_LOCAL + 3,          /* the work-group's number */
    SL_ID_GROUP_SIZE = SL_ID_GROUP + 3,     /* work-items of a whole work-group */
    SL_ID_GROUPS = SL_ID_GROUP_SIZE + 3,    /* number of work-groups */
    SL_ID_GRID = SL_ID_GROUPS + 3,          /* work-items of the grid */
    SL_ID_GROUP_WAVEFRONT = SL_ID_GRID + 3, /* number of the wavefront in its work-group */
    SL_ID_GROUP_WAVEFRONTS,                 /* wavefronts of the work-group */
    SL_ID_LDS_BYTES,                        /* its LDS; or that of the wavefront */
    /* Of wavefronts that a channel launched; in an NDRange 0. */
    SL_ID_LIMITS,      /* address of the kernel's table of struct sl_limit */
    SL_ID_LIMIT_COUNT, /* its entries: the channels of the graph */
    SL_ID_KIND_COUNT,
};

/* Operations of sl.scan (exclusive prefix) and sl.reduce; the number is in funct3. */
enum sl_cross_op {
    SL_CROSS_ADD,
    SL_CROSS_MIN,
    SL_CROSS_MAX,
    SL_CROSS_MINU,
    SL_CROSS_MAXU,
    SL_CROSS_AND,
    SL_CROSS_OR,
    SL_CROSS_XOR,
};

/* Decodes the instruction that a word begins with: the whole word, or a compressed one in its low
 * half. An unknown or reserved one gives id SL_INSN_ILLEGAL, class SL_CLASS_ILLEGAL. */
struct sl_insn sl_insn_decode(uint32_t word);

/* Its mnemonic, without operands. */
const char *sl_insn_mnemonic(enum sl_insn_id id);

/* A call pushes a call entry on the reconvergence stack: a jump that links to ra or t0. A return
 * takes it off: jalr through ra or t0 that links nothing (RISC-V ISA manual, table of
 * return-address stack hints). */
static inline bool sl_insn_is_call(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_JUMP && (insn->rd == 1 || insn->rd == 5);
}

static inline bool sl_insn_is_return(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JALR && insn->rd == 0 && (insn->rs1 == 1 || insn->rs1 == 5);
}

/* All other jumps; returns count as indirect ones. */
static inline bool sl_insn_is_direct_jump(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JAL && !sl_insn_is_call(insn);
}

static inline bool sl_insn_is_indirect_jump(const struct sl_insn *insn)
{
    return insn->id == SL_INSN_JALR && !sl_insn_is_call(insn);
}

/* Nothing is executed behind it: the wavefront ends. */
static inline bool sl_insn_is_end(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_TRAP || insn->class == SL_CLASS_ILLEGAL;
}

#endif
