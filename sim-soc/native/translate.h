/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From code in memory to translation blocks. */
#ifndef SLUICE_NATIVE_TRANSLATE_H
#define SLUICE_NATIVE_TRANSLATE_H

#include "native/translated_insn.h"

/* The block at hart->pc, translated where there is none. NULL where the fetch has trapped, or has
 * stopped the hart. It stays valid until the next call. */
struct qemu_plugin_tb *translate(struct hart *hart);

/* Likewise a block of one instruction, as it is in memory now, which is not kept. */
struct qemu_plugin_tb *translate_once(struct hart *hart);

#endif
