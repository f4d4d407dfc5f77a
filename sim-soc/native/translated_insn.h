/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A translated instruction, and a translation block: what QEMU's plugin interface calls by these
 * names, and keeps to itself. */
#ifndef SLUICE_NATIVE_TRANSLATED_INSN_H
#define SLUICE_NATIVE_TRANSLATED_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "native/hart.h"
#include "qemu/qemu_api.h"

/* Does what an instruction does, but for going on behind it. Returns true where it does so; false
 * where it has set hart->pc, or has stopped the hart. */
typedef bool (*insn_execute_t)(struct hart *hart, const struct qemu_plugin_insn *insn);

struct qemu_plugin_insn {
    insn_execute_t execute;
    qemu_plugin_vcpu_udata_cb_t on_execute; /* NULL: nothing is called */
    void *execute_data;
    qemu_plugin_vcpu_mem_cb_t on_access; /* NULL: likewise */
    void *access_data;
    uint64_t pc;
    uint32_t word;
    int32_t immediate;
    uint16_t number; /* of a CSR */
    uint8_t bytes;
    uint8_t rd;
    uint8_t rs1;
    uint8_t rs2;
    uint8_t accesses;     /* which call on_access: enum qemu_plugin_mem_rw */
    uint8_t access_shift; /* size of an atomic's access: 2 or 3 */
    bool ends_block;
};

/* What executes from one entry on; blocks with other entries have translations of their own. */
struct qemu_plugin_tb {
    uint64_t pc;
    uint64_t end; /* behind the last instruction */
    struct qemu_plugin_tb *next_in_bucket;
    struct qemu_plugin_tb *next_in_page; /* or in the list of what is to be freed */
    bool is_dropped;                     /* code of it has changed since it was translated */
    unsigned count;
    struct qemu_plugin_insn insn[];
};

#define INSN_MEM_STORE 16u /* in qemu_plugin_meminfo_t; below it, log2 of the size */

/* Tells the plugin of an access that has been made. */
static inline void insn_accessed(const struct qemu_plugin_insn *insn, uint64_t address,
                                 unsigned shift, bool is_store)
{
    const unsigned kind = is_store ? QEMU_PLUGIN_MEM_W : QEMU_PLUGIN_MEM_R;
    if (insn->on_access != NULL && (insn->accesses & kind) != 0) {
        insn->on_access(0, shift | (is_store ? INSN_MEM_STORE : 0), address, insn->access_data);
    }
}

#endif
