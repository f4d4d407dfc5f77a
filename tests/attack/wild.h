/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the campaign's kernels do that no kernel should (attack_kernel.c): the host writes it down
 * before each run, in shared memory. One wavefront of the run does it, with its lanes together. */
#ifndef SLUICE_ATTACK_WILD_H
#define SLUICE_ATTACK_WILD_H

#include <stdint.h>

/* How a lane accesses memory. */
enum wild_kind {
    WILD_SB,
    WILD_SH,
    WILD_SW,
    WILD_SD,
    WILD_FSD,
    WILD_AMO_W,
    WILD_AMO_D,
    WILD_SC_W,
    WILD_SC_D,
    WILD_RELEASE,
    WILD_LOCK,
    WILD_TRYLOCK,
    WILD_LB,
    WILD_LD,
    WILD_KINDS
};

/* What is done. */
enum wild_action {
    WILD_ACCESS, /* each lane its own */
    WILD_GADGET, /* a call of any address of the code with chosen registers */
    WILD_CALL,   /* a call of the library with any arguments */
    WILD_NOTHING
};

enum wild_call {
    WILD_TALLOC,
    WILD_TALLOC_OR_TRAP,
    WILD_TALLOC_OR_YIELD,
    WILD_ENQ,
    WILD_TFREE,
    WILD_YIELD,
    WILD_PRINTF,
    WILD_CALLS
};

#define WILD_LANES     64u
#define WILD_REGISTERS 16u /* a0 to a7, t0 to t6, tp */

struct wild_access {
    uint64_t address;
    uint64_t value;
    uint32_t kind;    /* of enum wild_kind */
    uint32_t is_done; /* the lane has come back from it */
};

struct wild {
    uint32_t turn;   /* wavefronts that have come by */
    uint32_t moment; /* the one that does it */
    uint32_t action;
    uint32_t count; /* lanes at most; those below it in the order of lanes */
    uint32_t begun; /* lanes that have begun */
    uint32_t call;
    uint64_t target;
    uint64_t value[WILD_REGISTERS]; /* of registers, or arguments */
    char format[256];
    struct wild_access access[WILD_LANES];
};

/* Elements and results of the victims. */
struct attack_element {
    uint32_t left; /* hops */
    uint32_t value;
};

struct attack_result {
    uint64_t sum;
    uint64_t elements;
};

static inline uint32_t attack_next(uint32_t value)
{
    return value * 3 + 1;
}

#define ATTACK_ITEMS 256u /* of a launch */
#define ATTACK_GROUP 128u

#endif
