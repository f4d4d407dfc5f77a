/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One sentence for each kind of finding. */
#include "host/driver/code/lock_text.h"

#include <inttypes.h>
#include <stdio.h>

#define PLACE_BYTES 512

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* The line of the function proper, where the instruction is of an inlined one. */
static void place_of(Dwarf *lines, uint64_t address, char *out, size_t bytes)
{
    struct sl_debug_line line = sl_debug_line_outside(lines, address);

    if (line.file == NULL) {
        line = sl_debug_line_at(lines, address);
    }
    if (line.file != NULL) {
        (void)snprintf(out, bytes, "%s:%d", line.file, line.line);
    } else {
        (void)snprintf(out, bytes, "0x%" PRIx64, address);
    }
}

static void calls_text(const struct sl_elf *elf, const struct sl_lock_finding *finding, char *out,
                       size_t bytes)
{
    const struct sl_elf_function *callee =
        finding->callee == 0 ? NULL : sl_elf_function_at(elf, finding->callee);
    const char *const name = callee == NULL ? "a function through a pointer" : callee->name;

    (void)snprintf(out, bytes,
                   "it calls %s, which may take locks, with %" PRIu32
                   " lock%s held: give back all locks before the call",
                   name, finding->depth, plural(finding->depth));
}

void sl_lock_text(const struct sl_elf *elf, Dwarf *lines, const struct sl_lock_finding *finding,
                  char *out, size_t bytes)
{
    const uint32_t depth = finding->depth;
    char place[PLACE_BYTES];

    switch (finding->problem) {
    case SL_LOCK_DIFFERS:
        place_of(lines, finding->from, place, sizeof place);
        (void)snprintf(out, bytes,
                       "ways that meet hold different numbers of locks, %" PRIu32 " and, from %s, "
                       "%" PRIu32 ": give back what one of them takes before they meet",
                       depth, place, finding->other);
        break;
    case SL_LOCK_MISSING:
        (void)snprintf(out, bytes,
                       "it gives back a lock where none is held: lock and unlock belong into the "
                       "same function, the lock first on every way");
        break;
    case SL_LOCK_KEPT:
        (void)snprintf(out, bytes,
                       "it is left with %" PRIu32 " lock%s held: give back all locks before each "
                       "return, and before a jump whose targets are not known",
                       depth, plural(depth));
        break;
    case SL_LOCK_CALLS:
        calls_text(elf, finding, out, bytes);
        break;
    case SL_LOCK_NESTED:
        (void)snprintf(out, bytes,
                       "it takes a lock with %" PRIu32 " lock%s held, but with lock.queue=on a "
                       "lane holds one at a time: give that back first, or set lock.queue=off",
                       depth, plural(depth));
        break;
    }
}
