/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A block ends, as in QEMU, behind a jump, at the end of its page, and at 512 instructions; an
 * instruction that crosses into the next page is the first of its block. PMP is asked about the
 * first byte of a block, and about the first one in its second page. */
#include "native/translate.h"

#include <stdlib.h>
#include <string.h>

#include "native/blocks.h"
#include "native/decode.h"
#include "native/hart_trap.h"
#include "native/plugin_host.h"

#define BLOCK_INSTRUCTIONS 512u

static bool may_execute(struct hart *hart, uint64_t address)
{
    return tlb_allows(&hart->tlb, &hart->pmp, address, 1, PMP_EXECUTE);
}

/* 16 bits of code. Returns false where they cannot be fetched: with the name of a device that is
 * not modelled, or NULL. */
static bool fetch(const struct hart *hart, uint64_t pc, uint16_t *parcel, const char **foreign)
{
    uint64_t left;
    const uint8_t *const at = bus_memory(hart->bus, pc, &left);
    *foreign = at == NULL ? bus_device_name(pc) : NULL;
    if (at != NULL) {
        memcpy(parcel, at, sizeof *parcel);
    }
    return at != NULL;
}

/* Returns false with *pc where the fetch has failed. */
static bool fetch_word(struct hart *hart, uint64_t *pc, uint32_t *word, const char **foreign)
{
    uint16_t low;
    uint16_t high = 0;
    if (!fetch(hart, *pc, &low, foreign)) {
        return false;
    }
    if (decode_bytes(low) == 4) {
        const uint64_t second = *pc + sizeof low;
        if ((second % PMP_PAGE_BYTES == 0 && !may_execute(hart, second)) ||
            !fetch(hart, second, &high, foreign)) {
            *pc = second;
            return false;
        }
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
static void fill(struct hart *hart, struct qemu_plugin_tb *block, unsigned most, uint32_t word)
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

static struct qemu_plugin_tb *make_block(struct hart *hart, uint32_t word, bool is_kept)
{
    const unsigned most = is_kept ? BLOCK_INSTRUCTIONS : 1;
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

static struct qemu_plugin_tb *make(struct hart *hart, bool is_kept)
{
    uint64_t address = hart->pc;
    const char *foreign = NULL;
    uint32_t word;
    if (!fetch_word(hart, &address, &word, &foreign)) {
        (void)refuse(hart, address, foreign);
        return NULL;
    }
    blocks_free_dropped(hart->blocks);
    struct qemu_plugin_tb *const block = make_block(hart, word, is_kept);
    if (is_kept) {
        blocks_add(hart->blocks, block);
    } else {
        blocks_add_once(hart->blocks, block);
    }
    plugin_host_translated(block);
    return block;
}

/* Whether a block that has been translated may still be executed, whose begin may be. */
static bool may_go_on(struct hart *hart, const struct qemu_plugin_tb *block)
{
    const uint64_t page = (block->end - 1) & ~(uint64_t)(PMP_PAGE_BYTES - 1);
    return page <= block->pc || may_execute(hart, page);
}

struct qemu_plugin_tb *translate(struct hart *hart)
{
    const bool is_open = hart->pmp.used == 0 ||
                         (hart->dram_is_open && hart->pc - SL_DRAM_BASE < hart->bus->dram_bytes);
    struct qemu_plugin_tb *const block = blocks_find(hart->blocks, hart->pc);
    if (!is_open && !may_execute(hart, hart->pc)) {
        (void)refuse(hart, hart->pc, NULL);
        return NULL;
    }
    return block != NULL && (is_open || may_go_on(hart, block)) ? block : make(hart, true);
}

struct qemu_plugin_tb *translate_once(struct hart *hart)
{
    return make(hart, false);
}
