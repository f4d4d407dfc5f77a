/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is computed from kernel machine code when it is loaded: where lanes that diverge, or wait
 * for locks, come together again, which registers are live, and which registers a kernel uses at
 * all.
 *
 * Below these are functions and instructions (decoded.h), jumps that are none to another function
 * (inner_jump.h), basic blocks (basic_blocks.h), post-dominators (postdom.h) and the numbers of
 * locks held (lock_regions.h). All of it is pure: code in, tables out; nothing here knows of
 * machines or files. Depends on hal/isa alone. */
#ifndef SLUICE_HOST_DRIVER_CODE_ANALYSIS_H
#define SLUICE_HOST_DRIVER_CODE_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of the code. Those that begin inside an earlier one are part of it. */
struct sl_function {
    uint64_t address;
    uint64_t bytes;
};

struct sl_code {
    const uint32_t *words;
    size_t word_count;
    uint64_t base;                       /* address of the first word */
    const struct sl_function *functions; /* in any order */
    size_t function_count;
};

/* ---- reconvergence ---- */

/* Where lanes that diverge come together again: the immediate post-dominator of each branch,
 * computed from kernel machine code (docs/know/design.md, "Reconvergence"; papers/004 section 2.2).
 *
 * Each function is taken by itself (basic_blocks.h). Paths that end in a trap or an illegal
 * instruction, which end the wavefront, bind nobody: they are left out wherever some other path
 * leads out of the function, so that a check that traps does not undo the reconvergence around it.
 * The same goes for paths into an endless loop. */

/* Fills `table`, one entry for each two bytes of code: at a branch or an indirect call, the offset
 * in bytes from the code's beginning at which lanes that diverge there reconverge,
 * SL_RECONVERGE_NONE where they do so only when the function returns, as behind any indirect jump;
 * SL_RECONVERGE_NONE everywhere else and in all code that belongs to no function. Returns 0, or -1
 * when out of memory. */
int sl_reconverge(const struct sl_code *code, uint32_t *table);

/* ---- locks ---- */

/* Where lanes that wait for each other at locks come together again, for lock.stack=join
 * (docs/look-up/isa.md, "Locks"; lock_regions.h).
 *
 * Changes a table of sl_reconverge(), in functions that take locks alone: at a lock, the offset at
 * which lanes that get it in different rounds join; at a branch, where lanes that part there
 * reconverge without one waiting for another that needs what it holds.
 * Returns 0, or -1 when out of memory. */
int sl_lock_joins(const struct sl_code *code, uint32_t *table);

/* What code may not do with locks. Depth is the number of locks that a lane has taken and not given
 * back since it entered the function. Ways that end in a trap may hold what they like, and code
 * that nothing leads to may do anything. */
enum sl_lock_problem {
    SL_LOCK_DIFFERS, /* ways that meet are of different depths */
    SL_LOCK_MISSING, /* an unlock at depth 0 */
    SL_LOCK_KEPT,    /* the function is left at another depth than 0 */
    SL_LOCK_CALLS,   /* at depth above 0, a call of what may take locks */
    SL_LOCK_NESTED,  /* at depth above 0, a lock, where locks may not nest */
};

struct sl_lock_finding {
    enum sl_lock_problem problem;
    uint32_t depth;
    uint64_t address; /* of the instruction; where ways differ, at which they meet */
    uint32_t other;   /* DIFFERS: the depth of the other way */
    uint64_t from;    /* likewise: the last instruction on that way */
    uint64_t callee;  /* CALLS: 0 where it is not known */
};

/* Sets *findings to all that is wrong, by address, for the caller to free; NULL where there is
 * nothing. A function may take locks if it does, or what it calls or jumps to may; calls and jumps
 * through registers lead anywhere, but for jumps inside a function (inner_jump.h). Returns 0, or -1
 * when out of memory. */
int sl_lock_check(const struct sl_code *code, bool may_nest, struct sl_lock_finding **findings,
                  size_t *count);

/* ---- liveness ---- */

/* Which registers are live at each instruction of kernel machine code: may be read before they are
 * written by what a lane does from there on (core paper, section 7: a more sophisticated yield
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
 * - An indirect call may go to any function, as in sl_registers_used(). An auipc right in front of
 * a jalr that sets its register makes a direct call or jump of it.
 * - Before any other jalr that is no return, and in all code that belongs to no function, every
 * register is live. */

#define SL_LIVE_ALL (~1ull) /* all registers but x0 */

/* Fills `live`, one entry for each two bytes of code: the registers that are live in front of the
 * instruction there, bit n for xn, bit 32 + n for fn; SL_LIVE_ALL where no instruction begins.
 * Returns 0, or -1 when out of memory. */
int sl_liveness(const struct sl_code *code, uint64_t *live);

/* ---- registers used ---- */

/* Which registers a kernel needs: those that it and all it can reach by calls name.
 *
 * Sets *mask: bit n for register xn, x0 left out, bit 32 + n for fn. Direct calls and jumps lead to
 * the function that they name (an auipc with a jalr right behind it counts as direct); any other
 * indirect call or jump may lead to every function. An entry in no function gives an empty mask.
 * *yields: whether sl.yield is among the instructions. `scratch` has two words for each function of
 * the code. */
void sl_registers_used(const struct sl_code *code, uint64_t entry, size_t *scratch, uint64_t *mask,
                       bool *yields);

#endif
