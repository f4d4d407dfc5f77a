/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A block that a store of its own drops executes to its end, as in QEMU, or to an access of what is
 * no memory: QEMU looks at that instruction again, as it is then, without the plugin's callback. */
#include "native/hart_run.h"

#include <stddef.h>

#include "native/blocks.h"
#include "native/plugin_host.h"
#include "native/translate.h"
#include "native/translated_insn.h"

static void run_block(struct hart *hart, const struct qemu_plugin_tb *block)
{
    hart->block = block;
    const struct qemu_plugin_insn *const end = block->insn + block->count;
    for (const struct qemu_plugin_insn *insn = block->insn; insn < end; insn++) {
        hart->pc = insn->pc;
        hart->word = insn->word;
        if (insn->on_execute != NULL) {
            insn->on_execute(0, insn->execute_data);
        }
        if (!insn->execute(hart, insn)) {
            return;
        }
    }
    hart->pc = block->end;
}

static void run_again(struct hart *hart)
{
    struct qemu_plugin_tb *const block = translate_once(hart);
    hart->has_to_look_again = false;
    if (block != NULL) {
        block->insn[0].on_execute = NULL;
        run_block(hart, block);
    }
}

void run(struct hart *hart, const volatile sig_atomic_t *signal_number)
{
    while (!hart->has_stopped && *signal_number == 0) {
        const struct qemu_plugin_tb *const block = translate(hart);
        if (block != NULL) {
            run_block(hart, block);
        }
        if (hart->has_to_look_again) {
            run_again(hart);
        }
        if (plugin_host_wants_reset()) {
            blocks_drop_all(hart->blocks);
            plugin_host_reset();
        }
    }
}
