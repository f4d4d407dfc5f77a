/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which registers are live at each instruction of kernel machine code: may be read before they are
 * written by what a lane does from there on (papers/001 section 7: a more sophisticated yield
 * would not save dead registers).
 *
 * What a lane does after it has returned from the function that it is in is left out. The entry
 * below the function's call entry on the reconvergence stack says where it goes on, and so for each
 * of its callers; a return that goes anywhere else is a fault. So the registers that a wavefront
 * still needs are those live at the program counters of all entries of its stack, which are also
 * where its lanes of other paths go on. No calling convention is assumed. Directions of the
 * approximation, all of them to more registers:
 *
 * - A call reads what its callee reads, and whatever is live behind the call is live before it, too
 *   (but for the link register): what the callee writes is not looked at.
 * - An indirect call may go to any function, as in registers_used.h. An auipc right in front of a
 *   jalr that sets its register makes a direct call or jump of it.
 * - Before any other jalr whose targets are not known (jump_table.h), or not all inside its
 * function, and in all code that belongs to no function, every register is live. */
#ifndef SLUICE_HOST_LIVENESS_H
#define SLUICE_HOST_LIVENESS_H

#include <stdint.h>

#include "host/analysis/code.h"

#define SL_LIVE_ALL (~1ull) /* all registers but x0 */

/* Fills `live`, one entry for each two bytes of code: the registers that are live in front of the
 * instruction there, bit n for xn, bit 32 + n for fn; SL_LIVE_ALL where no instruction begins.
 * Returns 0, or -1 when out of memory. */
int sl_liveness(const struct sl_code *code, uint64_t *live);

#endif
