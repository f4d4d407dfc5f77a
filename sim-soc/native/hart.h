/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The hart: an RV64IMAC core in machine mode, and why it has stopped. */
#ifndef SLUICE_NATIVE_HART_H
#define SLUICE_NATIVE_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "native/address_map.h"
#include "native/pmp.h"
#include "native/tlb.h"

/* Machine-mode CSRs that are plain values (native/csr.c says which of their bits there are). */
struct hart_csrs {
    uint64_t mstatus;
    uint64_t medeleg;
    uint64_t mideleg;
    uint64_t mie;
    uint64_t mtvec;
    uint64_t mcounteren;
    uint64_t mscratch;
    uint64_t mepc;
    uint64_t mcause;
    uint64_t mtval;
};

#define HART_NO_RESERVATION UINT64_MAX
#define HART_MESSAGE_BYTES  320

struct qemu_plugin_tb;

struct hart {
    uint64_t x[32]; /* x[0] stays 0 */
    uint64_t pc;    /* of the instruction that executes */
    uint32_t word;  /* that instruction; a compressed one has 16 bits */
    struct bus *bus;
    struct blocks *blocks;
    const struct qemu_plugin_tb *block; /* the one that executes */
    bool has_to_look_again;             /* at the instruction at pc: its code may have changed */
    bool dram_is_open;                  /* no PMP entry touches DRAM */
    uint64_t reservation;               /* the address of the last LR, or HART_NO_RESERVATION */
    uint64_t reserved_value;
    struct hart_csrs csr;
    struct pmp pmp;
    struct tlb tlb;
    bool has_stopped;
    int status;                       /* exit status of the process then */
    char message[HART_MESSAGE_BYTES]; /* empty where there is nothing to say */
};

/* As after reset: at the mask ROM. The bus and the blocks have to stay valid. */
void hart_reset(struct hart *hart, struct bus *bus, struct blocks *blocks);

/* x0 stays 0. */
static inline void hart_write(struct hart *hart, unsigned rd, uint64_t value)
{
    hart->x[rd] = value;
    hart->x[0] = 0;
}

/* To be called when PMP entries have changed. */
void hart_protect(struct hart *hart);

/* Stops at something that QEMU has and this engine does not model: `what` is the subject of the
 * message, with the article. Returns false. */
bool hart_stop_foreign(struct hart *hart, const char *what);

#endif
