/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where lanes that diverge come together again: the immediate post-dominator of each branch,
 * computed from kernel machine code (docs/design.md, "Reconvergence"; papers/004 sections 1.3.2
 * and 2.2.3).
 *
 * Each function is taken by itself. Conditional branches and direct jumps inside it are edges; a
 * call goes on behind itself. Paths leave a function by a return, by a jump out of it (a tail
 * call), by running on behind its end, and by an indirect jump whose targets are not known
 * (jump_table.h finds those of a `switch`). Paths that end in a trap or an illegal instruction,
 * which end the wavefront, bind nobody: they are left out wherever some other path leads out of the
 * function, so that a check that traps does not undo the reconvergence around it. The same goes for
 * paths into an endless loop. */
#ifndef SLUICE_HOST_RECONVERGE_H
#define SLUICE_HOST_RECONVERGE_H

#include <stdint.h>

#include "host/analysis/code.h"

/* Fills `table`, one entry for each two bytes of code: at a branch, an indirect jump or an indirect
 * call, the offset in bytes from the code's beginning at which lanes that diverge there reconverge,
 * SL_RECONVERGE_NONE where they do so only when the function returns; SL_RECONVERGE_NONE everywhere
 * else and in all code that belongs to no function. Returns 0, or -1 when out of memory. */
int sl_reconverge(const struct sl_code *code, uint32_t *table);

#endif
