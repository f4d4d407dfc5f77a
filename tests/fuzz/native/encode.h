/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Instructions with random operands. */
#ifndef SLUICE_TESTS_FUZZ_NATIVE_ENCODE_H
#define SLUICE_TESTS_FUZZ_NATIVE_ENCODE_H

#include <stdint.h>

#include "attack/random.h"
#include "isa/isa.h"

/* A set of registers, bit i for xi. */
struct encode_registers {
    uint32_t addresses; /* hold addresses at first, and are rarely written */
    uint32_t kept;      /* are never written */
};

/* x0 to x31, and one that a sequence may write. */
unsigned encode_any(struct rng *rng);
unsigned encode_written(struct rng *rng, const struct encode_registers *registers);
/* One that holds an address, if any does. */
unsigned encode_address(struct rng *rng, const struct encode_registers *registers);

/* A random instruction of a class of hal/isa, with random operands; branches and jumps have the
 * offset 0. */
uint32_t encode_of_class(struct rng *rng, const struct encode_registers *registers,
                         enum sl_insn_class class);
uint32_t encode_compressed(struct rng *rng, const struct encode_registers *registers);

/* Certain instructions. Immediates have 12 bits, that of lui 20. */
uint32_t encode_addi(unsigned rd, unsigned rs1, int32_t immediate);
uint32_t encode_lui(unsigned rd, uint32_t immediate);
uint32_t encode_auipc(unsigned rd);
uint32_t encode_jal(unsigned rd, int32_t offset);
uint32_t encode_jalr(unsigned rd, unsigned rs1, int32_t offset);
uint32_t encode_branch_positive(unsigned rs2, int32_t offset); /* blt x0, rs2 */
uint32_t encode_csr(unsigned funct3, unsigned rd, unsigned number, unsigned rs1);

/* The same branch with another offset. */
uint32_t encode_aim(uint32_t branch, int32_t offset);

enum { ENCODE_CSRRW = 1, ENCODE_CSRRS, ENCODE_CSRRC, ENCODE_CSRRWI = 5, ENCODE_CSRRSI };

#define ENCODE_EBREAK 0x00100073u
#define ENCODE_ECALL  0x00000073u
#define ENCODE_MRET   0x30200073u
#define ENCODE_WFI    0x10500073u
#define ENCODE_FENCEI 0x0000100fu
#define ENCODE_NOP    0x00000013u
#define ENCODE_C_NOP  0x0001u

#endif
