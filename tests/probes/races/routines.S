/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The channel routines of the library once more, under other names, with relaxed operations in place
 * of those that acquire and release. A case calls one of them. */
#include "kernel/xsluice.inc"

.macro relaxed_load_d rd, address
    .insn r 0x2b, 6, 0x18, \rd, \address, x0
.endm
.macro relaxed_store_d value, address
    .insn r 0x2b, 6, 0x1c, x0, \address, \value
.endm
.macro amoadd.w.rl rd, value, address
    amoadd.w \rd, \value, \address
.endm

#define sl_load_acquire_d  relaxed_load_d
#define sl_store_release_d relaxed_store_d

#define sl_talloc          races_talloc
#define sl_talloc_or_trap  races_talloc_or_trap
#define sl_talloc_or_yield races_talloc_or_yield
#define sl_enq             races_enq
#define sl_tfree           races_tfree
#include "kernel/channel_routines.S"
