/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables of pages are as large as DRAM asks for, and zeroed by the system where they are touched.
 */
#include "native/blocks.h"

#include <stdlib.h>

int blocks_init(struct blocks *blocks, uint64_t dram_bytes)
{
    *blocks = (struct blocks){.pages = dram_bytes >> BLOCKS_PAGE_SHIFT};
    blocks->bucket = calloc(BLOCKS_BUCKETS, sizeof(struct qemu_plugin_tb *));
    blocks->page = calloc(blocks->pages, sizeof(struct qemu_plugin_tb *));
    blocks->has_code = calloc(blocks->pages + 1, 1);
    return blocks->bucket != NULL && blocks->page != NULL && blocks->has_code != NULL ? 0 : -1;
}

void blocks_destroy(struct blocks *blocks)
{
    for (unsigned i = 0; blocks->bucket != NULL && i < BLOCKS_BUCKETS; i++) {
        while (blocks->bucket[i] != NULL) {
            struct qemu_plugin_tb *const block = blocks->bucket[i];
            blocks->bucket[i] = block->next_in_bucket;
            free(block);
        }
    }
    blocks_free_dropped(blocks);
    free(blocks->bucket);
    free(blocks->page);
    free(blocks->has_code);
    *blocks = (struct blocks){.pages = 0};
}

/* The page of an address, or the number of pages where it is not in DRAM. */
static uint64_t page_of(const struct blocks *blocks, uint64_t address)
{
    const uint64_t page = (address - SL_DRAM_BASE) >> BLOCKS_PAGE_SHIFT;
    return page < blocks->pages ? page : blocks->pages;
}

void blocks_add(struct blocks *blocks, struct qemu_plugin_tb *block)
{
    struct qemu_plugin_tb **const bucket = &blocks->bucket[block->pc / 2 % BLOCKS_BUCKETS];
    const uint64_t page = page_of(blocks, block->pc);
    block->next_in_bucket = *bucket;
    *bucket = block;
    if (page < blocks->pages) {
        block->next_in_page = blocks->page[page];
        blocks->page[page] = block;
        blocks->has_code[page] = 1;
        blocks->has_code[page_of(blocks, block->end - 1)] = 1;
    }
}

void blocks_add_once(struct blocks *blocks, struct qemu_plugin_tb *block)
{
    block->next_in_page = blocks->dropped;
    blocks->dropped = block;
}

void blocks_free_dropped(struct blocks *blocks)
{
    while (blocks->dropped != NULL) {
        struct qemu_plugin_tb *const block = blocks->dropped;
        blocks->dropped = block->next_in_page;
        free(block);
    }
}

static void take_from_bucket(struct blocks *blocks, const struct qemu_plugin_tb *block)
{
    struct qemu_plugin_tb **at = &blocks->bucket[block->pc / 2 % BLOCKS_BUCKETS];
    while (*at != block) {
        at = &(*at)->next_in_bucket;
    }
    *at = block->next_in_bucket;
}

static void drop_in_page(struct blocks *blocks, uint64_t page, uint64_t first, uint64_t last)
{
    struct qemu_plugin_tb **at = &blocks->page[page];
    while (*at != NULL) {
        struct qemu_plugin_tb *const block = *at;
        if (block->pc > last || block->end <= first) {
            at = &block->next_in_page;
            continue;
        }
        *at = block->next_in_page;
        take_from_bucket(blocks, block);
        block->is_dropped = true;
        blocks_add_once(blocks, block);
    }
}

void blocks_drop_all(struct blocks *blocks)
{
    for (uint64_t page = 0; page < blocks->pages; page++) {
        drop_in_page(blocks, page, 0, UINT64_MAX);
    }
}

/* A block begins in the page that is written, or, where its last instruction crosses into that, in
 * the one before. */
void blocks_drop(struct blocks *blocks, uint64_t address, unsigned bytes)
{
    const uint64_t last = address + bytes - 1;
    const uint64_t last_page = page_of(blocks, last);
    uint64_t page = page_of(blocks, address);
    for (page -= page > 0 ? 1 : 0; page <= last_page && page < blocks->pages; page++) {
        drop_in_page(blocks, page, address, last);
    }
}
