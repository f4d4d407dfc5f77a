/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where lanes that diverge come together again: the immediate post-dominator of each branch,
 * computed from kernel machine code (DESIGN section 4; papers/004 section 2.2).
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

#include <stddef.h>
#include <stdint.h>

#include "host/analysis/decoded.h"

/* Fills `table`, one entry for each two bytes of code: at a branch, an indirect jump or an indirect
 * call, the offset in bytes from `base` at which lanes that diverge there reconverge,
 * SL_RECONVERGE_NONE where they do so only when the function returns; SL_RECONVERGE_NONE everywhere
 * else and in all code that belongs to no function. `code` holds `words` instruction words, the
 * first one at address `base`. `functions` need no order. Jump
 * tables are looked for in `constants`, or not at all. Returns 0, or -1 when out of memory. */
int sl_reconverge(const uint32_t *code, size_t words, uint64_t base,
                  const struct sl_function *functions, size_t function_count, uint32_t *table);
int sl_reconverge_program(const uint32_t *code, size_t words, uint64_t base,
                          const struct sl_function *functions, size_t function_count,
                          const struct sl_read_only *constants, size_t constant_count,
                          uint32_t *table);

#endif
