/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lies at an address of shared memory, in words (docs/know/design.md, "Memory map"). */
#include <inttypes.h>

#include "host/base/text.h"
#include "host/driver/code/module.h"
#include "host/driver/graph/graph.h"
#include "host/driver/machine/machine.h"
#include "host/observe/diagnose/diagnose.h"

/* Code, variables and constants of the kernel file. */
static void append_kernel_memory(const struct sl_soc *soc, uint64_t address, char *out,
                                 size_t bytes)
{
    const struct sl_elf *const elf = soc->module != NULL ? sl_module_elf(soc->module) : NULL;
    const struct sl_elf_function *const function =
        elf != NULL ? sl_elf_function_at(elf, address) : NULL;
    struct sl_elf_variable variable;
    if (function != NULL) {
        sl_text_append(out, bytes, "code of function %s", function->name);
    } else if (elf != NULL && sl_elf_variable_at(elf, address, &variable)) {
        sl_text_append(out, bytes, "%s %s of the kernel file",
                       variable.is_writable ? "variable" : "constant", variable.name);
    } else {
        for (size_t i = 0; elf != NULL && i < elf->segment_count; i++) {
            const struct sl_elf_segment *const segment = &elf->segments[i];
            if (address >= segment->address && address - segment->address < segment->bytes) {
                sl_text_append(out, bytes, "%s of the kernel file",
                               segment->is_code       ? "code"
                               : segment->is_writable ? "data"
                                                      : "constants");
                return;
            }
        }
        sl_text_append(out, bytes, "nothing of the kernel file");
    }
}

static bool append_graph(struct sl_soc *soc, const struct sl_graph_builder *own, uint64_t address,
                         char *out, size_t bytes)
{
    for (struct sl_graph_builder *graph = soc->graphs; graph != NULL;
         graph = sl_graph_next(graph)) {
        if (sl_graph_append_where(graph, address, out, bytes)) {
            sl_text_append(out, bytes, "%s", graph == own ? " of the graph" : " of another graph");
            return true;
        }
    }
    return false;
}

static void append_heap(struct sl_soc *soc, const struct sl_graph_builder *own, uint64_t address,
                        char *out, size_t bytes)
{
    const struct sl_heap_piece piece = sl_heap_at(&soc->heap, address);
    if (append_graph(soc, own, address, out, bytes)) {
        return;
    }
    if (piece.number == 0) {
        sl_text_append(out, bytes, "free memory of the shared heap");
    } else if (piece.owner != NULL) {
        sl_text_append(out, bytes, "%s", piece.owner);
    } else {
        sl_text_append(
            out, bytes, "byte %" PRIu64 " of %" PRIu64 " that %s() gave as allocation %" PRIu32,
            address - piece.base, piece.bytes,
            piece.zone == SL_HEAP_CLOSED ? "sl_alloc_private" : "sl_alloc", piece.number);
    }
}

void sl_text_append_memory(const struct sl_message_context *context, uint64_t address, char *out,
                           size_t bytes)
{
    struct sl_soc *const soc = context->soc;
    const struct sl_layout *const layout = &soc->layout;
    if (address >= soc->heap.base && address < soc->heap.limit) {
        append_heap(soc, context->graph, address, out, bytes);
    } else if (address < SL_DRAM_BASE || address >= SL_DRAM_BASE + layout->dram_bytes) {
        sl_text_append(out, bytes, "no memory");
    } else if (address < SL_MAILBOX_BASE) {
        sl_text_append(out, bytes, "the firmware's memory");
    } else if (address < SL_MACHINE_BASE) {
        sl_text_append(out, bytes, "the mailbox of host and firmware");
    } else if (address < SL_KERNEL_BASE) {
        sl_text_append(out, bytes, "the machine's configuration");
    } else if (address < SL_HEAP_BASE) {
        append_kernel_memory(soc, address, out, bytes);
    } else if (address >= layout->pool_base &&
               address - layout->pool_base < layout->pool_blocks * layout->pool_block_bytes) {
        sl_text_append(out, bytes, "block %" PRIu64 " of the wavefront state pool",
                       (address - layout->pool_base) / layout->pool_block_bytes);
    } else {
        sl_text_append(out, bytes, "the device's own memory at the top of DRAM");
    }
}
