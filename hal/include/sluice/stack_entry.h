/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* An entry of a reconvergence stack as memory has it: in dumps, save areas, and lines that are
 * spilled (struct sl_stack_entry; docs/know/design.md, "Reconvergence").
 *
 * Two program counters, a kind and a level share a word. Code has at most 4 MiB and instructions
 * are at even offsets: 21 bits say where one is. One bit more tells what is no place in the code,
 * which reads as SL_RECONVERGE_NONE. */
#ifndef SLUICE_STACK_ENTRY_H
#define SLUICE_STACK_ENTRY_H

#include <assert.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

#define SL_STACK_PC_BITS    22u
#define SL_STACK_KIND_BITS  2u
#define SL_STACK_LEVEL_BITS 18u

static_assert(SL_KERNEL_BYTES / 2 <= 1u << (SL_STACK_PC_BITS - 1), "an offset fits");
static_assert(2 * SL_STACK_PC_BITS + SL_STACK_KIND_BITS + SL_STACK_LEVEL_BITS == 64, "a word");

/* The `place` of an entry. Its level is below 2^SL_STACK_LEVEL_BITS. */
static inline uint64_t sl_stack_pack(uint32_t pc, uint32_t reconvergence, uint32_t kind,
                                     uint32_t level)
{
    const uint32_t mask = (1u << SL_STACK_PC_BITS) - 1;

    return (uint64_t)(pc / 2 & mask) | (uint64_t)(reconvergence / 2 & mask) << SL_STACK_PC_BITS |
           (uint64_t)kind << 2 * SL_STACK_PC_BITS |
           (uint64_t)level << (2 * SL_STACK_PC_BITS + SL_STACK_KIND_BITS);
}

/* The lowest bits of a `place` as an offset from the code's start. */
static inline uint32_t sl_stack_offset(uint64_t place)
{
    const uint32_t half = (uint32_t)place & ((1u << SL_STACK_PC_BITS) - 1);

    return half >> (SL_STACK_PC_BITS - 1) != 0 ? SL_RECONVERGE_NONE : half * 2;
}

static inline uint32_t sl_stack_pc(const struct sl_stack_entry *entry)
{
    return sl_stack_offset(entry->place);
}

static inline uint32_t sl_stack_reconvergence(const struct sl_stack_entry *entry)
{
    return sl_stack_offset(entry->place >> SL_STACK_PC_BITS);
}

static inline enum sl_stack_kind sl_stack_kind(const struct sl_stack_entry *entry)
{
    return (enum sl_stack_kind)(entry->place >> 2 * SL_STACK_PC_BITS &
                                ((1u << SL_STACK_KIND_BITS) - 1));
}

static inline uint32_t sl_stack_level(const struct sl_stack_entry *entry)
{
    return (uint32_t)(entry->place >> (2 * SL_STACK_PC_BITS + SL_STACK_KIND_BITS));
}

#endif
