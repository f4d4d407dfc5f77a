/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A block ends, as in QEMU, behind a jump, at the end of its page, and at 512 instructions; an
 * instruction that crosses into the next page is the first of its block. A page that PMP entries
 * divide has each instruction fetched anew. */
#include "native/translate.h"

#include <stdlib.h>
#include <string.h>

#include "native/blocks.h"
#include "native/decode.h"
#include "native/plugin_host.h"
#include "native/trap.h"

#define BLOCK_INSTRUCTIONS 512u

/* 16 bits of code. Returns false where they cannot be fetched: with the name of a device that is
 * not modelled, or NULL. */
static bool fetch(const struct hart *hart, uint64_t pc, uint16_t *parcel, const char **foreign)
{
    uint64_t left;
    const uint8_t *const at = bus_memory(hart->bus, pc, &left);
    *foreign = NULL;
    if (!pmp_allows_in_page(&hart->pmp, pc, sizeof *parcel, PMP_EXECUTE)) {
        return false;
    }
    if (at == NULL) {
        *foreign = bus_device_name(pc);
        return false;
    }
    memcpy(parcel, at, sizeof *parcel);
    return true;
}

/* Returns false with *pc where the fetch has failed. */
static bool fetch_word(const struct hart *hart, uint64_t *pc, uint32_t *word, const char **foreign)
{
    uint16_t low;
    uint16_t high = 0;
    if (!fetch(hart, *pc, &low, foreign)) {
        return false;
    }
    if (decode_bytes(low) == 4 && !fetch(hart, *pc + sizeof low, &high, foreign)) {
        *pc += sizeof low;
        return false;
    }
    *word = low | (uint32_t)high << 16;
    return true;
}

static bool refuse(struct hart *hart, uint64_t address, const char *foreign)
{
    hart->word = 0;
    return foreign != NULL ? hart_stop_foreign(hart, foreign)
                           : trap_take(hart, TRAP_FETCH_FAULT, address);
}

/* Whether there is room for an instruction behind those of a block. */
static bool goes_on(const struct qemu_plugin_tb *block, unsigned most, uint32_t next)
{
    const uint64_t page_end = (block->pc | (PMP_PAGE_BYTES - 1)) + 1;
    return block->count < most && !block->insn[block->count - 1].ends_block &&
           block->end + decode_bytes((uint16_t)next) <= page_end;
}

/* The instructions of a block from its first one on, whose word is given. */
static void fill(const struct hart *hart, struct qemu_plugin_tb *block, unsigned most,
                 uint32_t word)
{
    const char *foreign;
    uint64_t pc = block->pc;
    do {
        block->insn[block->count++] = decode(block->end, word);
        block->end += decode_bytes((uint16_t)word);
        pc = block->end;
    } while (pc / PMP_PAGE_BYTES == block->pc / PMP_PAGE_BYTES &&
             fetch_word(hart, &pc, &word, &foreign) && goes_on(block, most, word));
}

static struct qemu_plugin_tb *make_block(struct hart *hart, uint32_t word, bool is_whole)
{
    const unsigned most = is_whole ? BLOCK_INSTRUCTIONS : 1;
    struct qemu_plugin_tb *block = malloc(sizeof *block + most * sizeof block->insn[0]);
    if (block == NULL) {
        abort(); /* as QEMU does */
    }
    *block = (struct qemu_plugin_tb){.pc = hart->pc, .end = hart->pc};
    fill(hart, block, most, word);
    struct qemu_plugin_tb *const fitting =
        realloc(block, sizeof *block + block->count * sizeof block->insn[0]);
    return fitting != NULL ? fitting : block;
}

struct qemu_plugin_tb *translate(struct hart *hart)
{
    const bool is_open = hart->pmp.used == 0 ||
                         (hart->dram_is_open && hart->pc - SL_DRAM_BASE < hart->bus->dram_bytes);
    const bool is_whole = is_open || pmp_page_is_uniform(&hart->pmp, hart->pc);
    struct qemu_plugin_tb *block = is_whole ? blocks_find(hart->blocks, hart->pc) : NULL;
    uint64_t address = hart->pc;
    const char *foreign = NULL;
    uint32_t word;
    if (block != NULL && (is_open || pmp_allows(&hart->pmp, hart->pc, 1, PMP_EXECUTE))) {
        return block;
    }
    if (!fetch_word(hart, &address, &word, &foreign)) {
        (void)refuse(hart, address, foreign);
        return NULL;
    }
    blocks_free_dropped(hart->blocks);
    block = make_block(hart, word, is_whole);
    if (is_whole) {
        blocks_add(hart->blocks, block);
    } else {
        blocks_add_once(hart->blocks, block);
    }
    plugin_host_translated(block);
    return block;
}
