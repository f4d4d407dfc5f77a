/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A plain CSR is a word of struct hart_csrs, of which a write changes the bits of a mask. Masks and
 * reset values are those of QEMU 7.2's -cpu rv64. */
#include "native/csr.h"

#include <stddef.h>

#include "native/hart_trap.h"

enum number {
    FFLAGS = 0x001,
    FCSR = 0x003,
    MSTATUS = 0x300,
    MTVEC = 0x305,
    MIP = 0x344,
    PMPCFG0 = 0x3a0,
    PMPCFG2 = 0x3a2,
    PMPADDR0 = 0x3b0,
};

#define READ_ONLY    3u /* bits 11 and 10 of a number */
#define MTVEC_MODE   3u
#define MIP_WRITABLE 0x2666ull

#define MSTATUS_MASK  0xc0007e7faaull
#define MSTATUS_UXL   (3ull << 32)
#define MSTATUS_VS    (3ull << 9)
#define MSTATUS_DIRTY (1ull << 63) /* SD */
/* Bits of which a change flushes the TLB: those of translation, SUM and MXR among them. */
#define MSTATUS_TRANSLATION (MSTATUS_MPP | MSTATUS_MPRV | 3ull << 18 | MSTATUS_MPV)

static const struct plain {
    uint16_t number;
    uint16_t offset; /* in struct hart_csrs */
    uint64_t mask;
    uint64_t ones; /* bits that any write sets */
} plain[] = {
    {0x302, offsetof(struct hart_csrs, medeleg), 0xf0bfff, 0},
    {0x303, offsetof(struct hart_csrs, mideleg), 0x2222, 0x1444},
    {0x304, offsetof(struct hart_csrs, mie), 0x3eee, 0},
    {0x306, offsetof(struct hart_csrs, mcounteren), UINT64_MAX, 0},
    {0x340, offsetof(struct hart_csrs, mscratch), UINT64_MAX, 0},
    {0x341, offsetof(struct hart_csrs, mepc), UINT64_MAX, 0},
    {0x342, offsetof(struct hart_csrs, mcause), UINT64_MAX, 0},
    {0x343, offsetof(struct hart_csrs, mtval), UINT64_MAX, 0},
};

/* Those that have one value, whatever is written to them. */
static const struct {
    uint16_t number;
    uint64_t value;
} constant[] = {
    {0x301, 0x80000000001411ad}, /* misa: RV64IMAFDCHSU */
    {0xf11, 0},                  /* mvendorid */
    {0xf12, 0x70216},            /* marchid, mimpid: QEMU's version */
    {0xf13, 0x70216},
    {0xf14, 0}, /* mhartid */
    {0xf15, 0}, /* mconfigptr */
};

/* Those that QEMU has besides: supervisor and hypervisor mode, counters, triggers. */
static const struct {
    uint16_t first;
    uint16_t last;
} foreign[] = {
    {0x100, 0x100}, {0x104, 0x106}, {0x10a, 0x10a}, {0x140, 0x144}, {0x14d, 0x14d}, {0x180, 0x180},
    {0x200, 0x200}, {0x204, 0x205}, {0x240, 0x244}, {0x24d, 0x24d}, {0x280, 0x280}, {0x30a, 0x30a},
    {0x320, 0x320}, {0x323, 0x33f}, {0x34a, 0x34b}, {0x600, 0x600}, {0x602, 0x607}, {0x60a, 0x60a},
    {0x643, 0x645}, {0x64a, 0x64a}, {0x680, 0x680}, {0x7a0, 0x7a4}, {0xb00, 0xb00}, {0xb02, 0xb12},
    {0xc00, 0xc12}, {0xe12, 0xe12},
};

/* Which is neither plain nor constant. */
static enum csr_result missing(const struct hart *hart, unsigned number)
{
    if (number >= FFLAGS && number <= FCSR) {
        return (hart->csr.mstatus & MSTATUS_FS) != 0 ? CSR_FOREIGN : CSR_ILLEGAL;
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (number >= foreign[i].first && number <= foreign[i].last) {
            return CSR_FOREIGN;
        }
    }
    return CSR_ILLEGAL;
}

static const struct plain *find_plain(unsigned number)
{
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (plain[i].number == number) {
            return &plain[i];
        }
    }
    return NULL;
}

static bool find_constant(unsigned number, uint64_t *value)
{
    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++) {
        if (constant[i].number == number) {
            *value = constant[i].value;
            return true;
        }
    }
    return false;
}

static uint64_t read_mstatus(const struct hart *hart)
{
    const uint64_t value = hart->csr.mstatus;
    const bool is_dirty = (value & MSTATUS_FS) == MSTATUS_FS || (value & MSTATUS_VS) == MSTATUS_VS;
    return value | (is_dirty ? MSTATUS_DIRTY : 0);
}

static bool is_pmp_address(unsigned number)
{
    return number >= PMPADDR0 && number < PMPADDR0 + PMP_ENTRIES;
}

enum csr_result csr_read(const struct hart *hart, unsigned number, uint64_t *value)
{
    const struct plain *const found = find_plain(number);
    if (found != NULL) {
        *value = *(const uint64_t *)(const void *)((const char *)&hart->csr + found->offset);
    } else if (find_constant(number, value)) {
        return CSR_DONE;
    } else if (number == MSTATUS) {
        *value = read_mstatus(hart);
    } else if (number == MTVEC) {
        *value = hart->csr.mtvec;
    } else if (number == MIP) {
        *value = TRAP_PENDING;
    } else if (number == PMPCFG0 || number == PMPCFG2) {
        *value = pmp_read_config(&hart->pmp, number == PMPCFG2);
    } else if (is_pmp_address(number)) {
        *value = hart->pmp.address[number - PMPADDR0];
    } else {
        return missing(hart, number);
    }
    return CSR_DONE;
}

/* UXL cannot be made 0. */
static enum csr_result write_mstatus(struct hart *hart, uint64_t value)
{
    const uint64_t mask = MSTATUS_MASK | ((value & MSTATUS_UXL) != 0 ? MSTATUS_UXL : 0);
    if (((hart->csr.mstatus ^ value) & MSTATUS_TRANSLATION) != 0) {
        tlb_flush(&hart->tlb);
    }
    hart->csr.mstatus = (hart->csr.mstatus & ~mask) | (value & mask);
    return (hart->csr.mstatus & MSTATUS_MPRV) != 0 ? CSR_FOREIGN : CSR_DONE;
}

/* Reserved modes change nothing. */
static enum csr_result write_mtvec(struct hart *hart, uint64_t value)
{
    if ((value & MTVEC_MODE) < 2) {
        hart->csr.mtvec = value;
    }
    return CSR_DONE;
}

static void write_pmp(struct hart *hart, unsigned number, uint64_t value)
{
    if (is_pmp_address(number)) {
        pmp_write_address(&hart->pmp, number - PMPADDR0, value);
    } else {
        pmp_write_config(&hart->pmp, number == PMPCFG2, value);
        tlb_flush(&hart->tlb);
    }
    hart_protect(hart);
}

enum csr_result csr_write(struct hart *hart, unsigned number, uint64_t value)
{
    const struct plain *const found = find_plain(number);
    uint64_t ignored;
    if (number >> 10 == READ_ONLY) {
        return CSR_ILLEGAL;
    }
    if (found != NULL) {
        uint64_t *const at = (uint64_t *)(void *)((char *)&hart->csr + found->offset);
        *at = (*at & ~found->mask) | (value & found->mask) | found->ones;
    } else if (find_constant(number, &ignored)) {
        return CSR_DONE;
    } else if (number == MSTATUS) {
        return write_mstatus(hart, value);
    } else if (number == MTVEC) {
        return write_mtvec(hart, value);
    } else if (number == MIP) {
        return (value & MIP_WRITABLE) != 0 ? CSR_FOREIGN : CSR_DONE;
    } else if (number == PMPCFG0 || number == PMPCFG2 || is_pmp_address(number)) {
        write_pmp(hart, number, value);
    } else {
        return missing(hart, number);
    }
    return CSR_DONE;
}
