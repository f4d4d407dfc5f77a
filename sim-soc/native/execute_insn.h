/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What instructions do: for each, a function (native/translated_insn.h). */
#ifndef SLUICE_NATIVE_EXECUTE_INSN_H
#define SLUICE_NATIVE_EXECUTE_INSN_H

#include "isa/isa.h"
#include "native/translated_insn.h"

/* Functions by instruction; NULL for those of other tables. */
extern const insn_execute_t execute_integer[SL_INSN_COUNT];
extern const insn_execute_t execute_memory[SL_INSN_COUNT];
extern const insn_execute_t execute_atomic[SL_INSN_COUNT];

/* What is not in hal/isa: a machine-mode core's SYSTEM instructions. */
bool execute_csr(struct hart *hart, const struct qemu_plugin_insn *insn); /* all six of Zicsr */
bool execute_ecall(struct hart *hart, const struct qemu_plugin_insn *insn);
bool execute_ebreak(struct hart *hart, const struct qemu_plugin_insn *insn);
bool execute_mret(struct hart *hart, const struct qemu_plugin_insn *insn);
bool execute_wfi(struct hart *hart, const struct qemu_plugin_insn *insn);

/* What is no instruction, or one that QEMU has and this engine has not. */
bool execute_illegal(struct hart *hart, const struct qemu_plugin_insn *insn);
bool execute_foreign(struct hart *hart, const struct qemu_plugin_insn *insn);
bool execute_float(struct hart *hart, const struct qemu_plugin_insn *insn);

#endif
