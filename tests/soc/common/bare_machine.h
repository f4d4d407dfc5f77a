/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units without firmware for component tests: code is either instruction words that the
 * test assembles itself, or an ELF file of kernels. */
#ifndef SLUICE_TESTS_BARE_MACHINE_H
#define SLUICE_TESTS_BARE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/driver/code/elf.h"
#include "simt/gpu.h"
#include "sluice/config.h"

struct bare_machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct gpu *gpu;
    uint64_t next; /* free memory in the heap */
    struct sl_elf elf;
    bool has_elf;
    uint32_t waves_launched;
    uint32_t waves_ended;
    uint64_t end_cycle[256]; /* by wavefront number */
    uint32_t faults;
    struct sl_fault fault; /* the first */
};

/* `settings` are like "gpu.cus=1", the last one NULL; the default is one compute unit, 64 lanes. */
struct bare_machine *bare_create(const char *const *settings);
void bare_destroy(struct bare_machine *m);

void *bare_at(const struct bare_machine *m, uint64_t address);

/* Zeroed memory, aligned to `align` bytes. */
uint64_t bare_take(struct bare_machine *m, uint64_t bytes, uint64_t align);

/* Code without reconvergence points. */
void bare_load_words(struct bare_machine *m, const uint32_t *words, uint32_t count);

/* The kernels of a file (soc/common/kernel_file.h). */
void bare_load_kernels(struct bare_machine *m, const char *file);

/* Launches a wavefront of `lanes` lanes on a compute unit: a0 the channel (0), a1 the lane, a2 and
 * a3 the arguments. `kernel` is NULL for the first instruction of bare_load_words(). */
void bare_launch(struct bare_machine *m, uint32_t cu, const char *kernel, uint32_t lanes,
                 uint64_t argument0, uint64_t argument1);

/* Runs until all wavefronts have ended, which has to be within `limit` cycles. */
void bare_run(struct bare_machine *m, uint64_t limit);

/* Instruction words. */
static inline uint32_t asm_r(uint32_t base, unsigned rd, unsigned rs1, unsigned rs2)
{
    return base | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t asm_i(uint32_t base, unsigned rd, unsigned rs1, int immediate)
{
    return base | rd << 7 | rs1 << 15 | (uint32_t)immediate << 20;
}

static inline uint32_t asm_s(uint32_t base, unsigned rs2, unsigned rs1, int immediate)
{
    return base | ((uint32_t)immediate & 31u) << 7 | rs1 << 15 | rs2 << 20 |
           ((uint32_t)immediate >> 5 & 127u) << 25;
}

#define ASM_ADDI 0x00000013u
#define ASM_SLLI 0x00001013u
#define ASM_ADD  0x00000033u
#define ASM_MUL  0x02000033u
#define ASM_DIV  0x02004033u
#define ASM_LUI                                                                                    \
    0x00000037u /* asm_i with the upper 12 of 20 bits does not fit: ASM_LUI | rd | imm */
#define ASM_LBU      0x00004003u
#define ASM_LH       0x00001003u
#define ASM_LW       0x00002003u
#define ASM_LD       0x00003003u
#define ASM_SB       0x00000023u
#define ASM_SH       0x00001023u
#define ASM_SW       0x00002023u
#define ASM_SD       0x00003023u
#define ASM_AMOADD_W 0x0000202fu
#define ASM_PAUSE    0x0100000fu
#define ASM_RET      0x00008067u

enum { X_RA = 1, X_SP = 2, X_T0 = 5, X_T1 = 6, X_T2 = 7, X_A0 = 10, X_A1, X_A2, X_A3, X_A4, X_A5 };

#endif
