/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* DRAM that no PMP entry touches is the usual case. For the rest, as in QEMU: a misaligned access
 * that crosses a page, or is to a device, is loaded as two aligned ones of its size, and stored
 * byte by byte, which is what a fault's address comes from. */
#include "native/hart_memory.h"

#include "native/blocks.h"
#include "native/hart_trap.h"

/* An access cannot be made: nothing is there, or a device that is not modelled. */
static bool refuse(struct hart *hart, enum bus_result result, uint64_t address,
                   enum trap_cause cause)
{
    return result == BUS_FOREIGN ? hart_stop_foreign(hart, bus_foreign_name(address))
                                 : trap_take(hart, cause, address);
}

static bool crosses_page(uint64_t address, unsigned bytes)
{
    return address % PMP_PAGE_BYTES + bytes > PMP_PAGE_BYTES;
}

static bool is_in_memory(const struct hart *hart, uint64_t address, unsigned bytes)
{
    uint64_t left;
    return bus_memory(hart->bus, address, &left) != NULL && left >= bytes;
}

/* Whether code of the block has changed that accesses what is no memory: see native/hart_run.c. */
static bool looks_again(struct hart *hart, uint64_t address, unsigned bytes)
{
    hart->has_to_look_again = hart->block->is_dropped && !is_in_memory(hart, address, bytes);
    return hart->has_to_look_again;
}

static bool load_once(struct hart *hart, uint64_t address, unsigned bytes, uint64_t *value)
{
    if (!tlb_allows(&hart->tlb, &hart->pmp, address, bytes, PMP_READ)) {
        return trap_take(hart, TRAP_LOAD_FAULT, address);
    }
    if (looks_again(hart, address, bytes)) {
        return false;
    }
    const enum bus_result result = bus_read(hart->bus, address, bytes, value);
    return result == BUS_DONE || refuse(hart, result, address, TRAP_LOAD_FAULT);
}

static bool load_twice(struct hart *hart, uint64_t address, unsigned bytes, uint64_t *value)
{
    const unsigned past = (unsigned)(address % bytes);
    const uint64_t mask = bytes == 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
    uint64_t low;
    uint64_t high;
    if (!tlb_allows(&hart->tlb, &hart->pmp, address, bytes, PMP_READ)) {
        return trap_take(hart, TRAP_LOAD_FAULT, address);
    }
    if (!load_once(hart, address - past, bytes, &low) ||
        !load_once(hart, address - past + bytes, bytes, &high)) {
        return false;
    }
    *value = (low >> 8 * past | high << 8 * (bytes - past)) & mask;
    return true;
}

static bool load_closed(struct hart *hart, uint64_t address, unsigned bytes, uint64_t *value)
{
    const bool is_simple = address % bytes == 0 ||
                           (!crosses_page(address, bytes) && is_in_memory(hart, address, bytes));
    return is_simple ? load_once(hart, address, bytes, value)
                     : load_twice(hart, address, bytes, value);
}

bool memory_load(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                 unsigned shift, uint64_t *value)
{
    const unsigned bytes = 1u << shift;
    const uint8_t *const at = memory_open(hart, address, bytes);
    if (at != NULL) {
        *value = bus_memory_read(at, bytes);
    } else if (!load_closed(hart, address, bytes, value)) {
        return false;
    }
    insn_accessed(insn, address, shift, false);
    return true;
}

static bool store_once(struct hart *hart, uint64_t address, unsigned bytes, uint64_t value)
{
    if (!tlb_allows(&hart->tlb, &hart->pmp, address, bytes, PMP_WRITE)) {
        return trap_take(hart, TRAP_STORE_FAULT, address);
    }
    if (looks_again(hart, address, bytes)) {
        return false;
    }
    const enum bus_result result = bus_write(hart->bus, address, bytes, value);
    if (result != BUS_DONE) {
        return refuse(hart, result, address, TRAP_STORE_FAULT);
    }
    if (address - SL_DRAM_BASE < hart->bus->dram_bytes) {
        blocks_written(hart->blocks, address, bytes);
    }
    if (hart->bus->has_ended) {
        hart->has_stopped = true;
        hart->status = hart->bus->status;
    }
    return !hart->has_stopped;
}

static bool store_bytes(struct hart *hart, uint64_t address, unsigned bytes, uint64_t value)
{
    const uint64_t end = address + bytes;
    const uint64_t page = end & ~(uint64_t)(PMP_PAGE_BYTES - 1);
    if (!tlb_allows(&hart->tlb, &hart->pmp, address, bytes, PMP_WRITE)) {
        return trap_take(hart, TRAP_STORE_FAULT, address);
    }
    if (crosses_page(address, bytes) &&
        !tlb_allows(&hart->tlb, &hart->pmp, page, (unsigned)(end - page), PMP_WRITE)) {
        return trap_take(hart, TRAP_STORE_FAULT, page);
    }
    for (unsigned i = 0; i < bytes; i++) {
        if (!store_once(hart, address + i, 1, value >> 8 * i)) {
            return false;
        }
    }
    return true;
}

static bool store_closed(struct hart *hart, uint64_t address, unsigned bytes, uint64_t value)
{
    const bool is_simple = address % bytes == 0 ||
                           (!crosses_page(address, bytes) && is_in_memory(hart, address, bytes));
    return is_simple ? store_once(hart, address, bytes, value)
                     : store_bytes(hart, address, bytes, value);
}

bool memory_store(struct hart *hart, const struct qemu_plugin_insn *insn, uint64_t address,
                  unsigned shift, uint64_t value)
{
    const unsigned bytes = 1u << shift;
    uint8_t *const at = memory_open(hart, address, bytes);
    if (at != NULL) {
        bus_memory_write(at, bytes, value);
        blocks_written(hart->blocks, address, bytes);
    } else if (!store_closed(hart, address, bytes, value)) {
        return false;
    }
    insn_accessed(insn, address, shift, true);
    return true;
}
