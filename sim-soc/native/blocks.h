/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Translation blocks by their entries. A store to code that has been translated drops the blocks
 * that it is part of; nothing else does, so that code which the plugin or another process has
 * changed stays as it was translated, as in QEMU. */
#ifndef SLUICE_NATIVE_BLOCKS_H
#define SLUICE_NATIVE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/translated_insn.h"
#include "sluice/memory_map.h"

#define BLOCKS_BUCKETS    4096u
#define BLOCKS_PAGE_SHIFT 12

struct blocks {
    struct qemu_plugin_tb **bucket; /* by entry */
    struct qemu_plugin_tb **page;   /* of DRAM, by the page of the entry */
    uint8_t *has_code;              /* of DRAM, by page: parts of blocks are there */
    uint64_t pages;
    struct qemu_plugin_tb *dropped; /* the one that executes may be among them */
};

/* Returns 0; -1 where memory is used up. */
int blocks_init(struct blocks *blocks, uint64_t dram_bytes);
void blocks_destroy(struct blocks *blocks);

/* The block with this entry, or NULL. */
static inline struct qemu_plugin_tb *blocks_find(const struct blocks *blocks, uint64_t pc)
{
    struct qemu_plugin_tb *block = blocks->bucket[pc / 2 % BLOCKS_BUCKETS];
    while (block != NULL && block->pc != pc) {
        block = block->next_in_bucket;
    }
    return block;
}

/* Takes a block from malloc(). */
void blocks_add(struct blocks *blocks, struct qemu_plugin_tb *block);

/* Likewise, one that executes once. */
void blocks_add_once(struct blocks *blocks, struct qemu_plugin_tb *block);

/* Frees what was dropped; while no block executes. */
void blocks_free_dropped(struct blocks *blocks);

/* Drops the blocks with code in the range of DRAM that was written, of 1 to 8 bytes. */
void blocks_drop(struct blocks *blocks, uint64_t address, unsigned bytes);

/* Drops all that are in DRAM; flash does not change. */
void blocks_drop_all(struct blocks *blocks);

/* To be called behind each store to DRAM. */
static inline void blocks_written(struct blocks *blocks, uint64_t address, unsigned bytes)
{
    const uint64_t offset = address - SL_DRAM_BASE;
    if (blocks->has_code[offset >> BLOCKS_PAGE_SHIFT] != 0 ||
        blocks->has_code[(offset + bytes - 1) >> BLOCKS_PAGE_SHIFT] != 0) {
        blocks_drop(blocks, address, bytes);
    }
}

#endif
