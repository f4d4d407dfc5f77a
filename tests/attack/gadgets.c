/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Gadgets: a wavefront calls an address of the code, in the middle of the channel routines mostly,
 * whose own accesses may do more than others', with registers that point at what they know and hold
 * what they do not. They may falsify their own graph's books: that is told, or it is harmless. */
#include <inttypes.h>
#include <string.h>

#include "attack/campaign.h"
#include "attack/places.h"
#include "host/driver/code/elf.h"
#include "host/driver/code/module.h"

enum { IN_TALLOC, IN_TALLOC_OR_TRAP, IN_TALLOC_OR_YIELD, IN_ENQ, IN_TFREE, IN_ANY, ROWS };

static const char *const routines[ROWS] = {
    [IN_TALLOC] = "sl_talloc",
    [IN_TALLOC_OR_TRAP] = "sl_talloc_or_trap",
    [IN_TALLOC_OR_YIELD] = "sl_talloc_or_yield",
    [IN_ENQ] = "sl_enq",
    [IN_TFREE] = "sl_tfree",
    [IN_ANY] = "anywhere in the code",
};

/* A routine's instruction, each two bytes; or one of all code. */
static uint64_t any_target(const struct session *session, unsigned row, struct rng *rng)
{
    const struct sl_elf *const elf = sl_module_elf(session->module);
    for (size_t i = 0; row != IN_ANY && i < elf->function_count; i++) {
        if (strcmp(elf->functions[i].name, routines[row]) == 0) {
            return elf->functions[i].address + 2 * rng_below(rng, elf->functions[i].bytes / 2);
        }
    }
    const struct sl_elf_segment *const segment = &elf->segments[elf->code];
    return segment->address + 2 * rng_below(rng, segment->bytes / 2);
}

/* What a routine's registers may hold: the graph's addresses, their contents, small numbers, any.
 */
static uint64_t any_value(const struct session *session, struct rng *rng)
{
    struct sl_graph_builder *const graph = session->graph;
    const unsigned number =
        graph != NULL ? (unsigned)rng_below(rng, sl_graph_shared(graph)->channel_count) : 0;
    const struct sl_channel *const channel =
        graph != NULL ? sl_graph_shared_channel(graph, (int)number) : NULL;
    if (channel == NULL) {
        return rng_odd(rng);
    }
    static const uint8_t counters[] = {64, 128, 192};
    switch (rng_below(rng, 10)) {
    case 0:
        return (uintptr_t)channel;
    case 1:
        return (uintptr_t)channel + counters[rng_below(rng, sizeof counters)];
    case 2:
        return channel->control + 4 * rng_below(rng, 2 * channel->width);
    case 3:
        return channel->done + 4 * rng_below(rng, channel->width >> channel->done_shift);
    case 4:
        return channel->data + channel->stride * rng_below(rng, channel->width);
    case 5:
        return number;
    case 6:
        return rng_below(rng, 2 * channel->width);
    case 7:
        return 1 + rng_below(rng, 4);
    case 8:
        return places[rng_below(rng, place_count)].address(session, rng);
    default:
        return rng_odd(rng);
    }
}

enum { A0, A1, A2, A3, A4, A5, A6, A7, T0, T1, T2, T3, T4, T5, T6, TP };

/* What the routine itself would have in its registers, half way, in a channel of the graph. */
static void set_plausible(const struct session *session, unsigned row, uint64_t *value,
                          struct rng *rng)
{
    const uint32_t count = sl_graph_shared(session->graph)->channel_count;
    const unsigned number = (unsigned)rng_below(rng, count);
    const struct sl_channel *const channel = sl_graph_shared_channel(session->graph, (int)number);
    const uint64_t offset = rng_below(rng, channel->width);
    const bool is_enq = row == IN_ENQ;
    value[A0] = number;
    value[A1] = is_enq ? channel->control : 1;
    value[A2] = 1;
    value[A3] = (uintptr_t)(is_enq ? &channel->control_reserve : &channel->data_tail);
    value[A4] = is_enq ? channel->control_reserve : offset;
    value[A5] = (uintptr_t)&channel->data_head;
    value[A6] = is_enq ? channel->width * 8 - 4 : channel->data_head;
    value[A7] = value[A4] + 1;
    value[T1] = (uintptr_t)channel;
    value[T2] = is_enq ? 0 : channel->width;
    value[T3] = is_enq ? offset : 0;
    value[T4] = row == IN_TFREE ? channel->done + 4 * (offset >> channel->done_shift) : 1;
    value[T5] = is_enq ? channel->width : channel->width - 1;
    value[T6] = is_enq ? rng_below(rng, 2) : UINT64_MAX;
}

/* Half of the gadgets have what the routine would have, but for a register or two. In most tp,
 * where the routines find the graph, is what it was. */
static void aim(struct session *session, struct rng *rng, unsigned row)
{
    struct wild *const wild = session->wild;
    for (unsigned i = 0; i < WILD_REGISTERS; i++) {
        wild->value[i] = any_value(session, rng);
    }
    if (rng_below(rng, 2) == 0) {
        set_plausible(session, row, wild->value, rng);
        for (uint64_t i = rng_below(rng, 3); i > 0; i--) {
            wild->value[rng_below(rng, TP)] = any_value(session, rng);
        }
    }
    if (rng_below(rng, 4) != 0) {
        wild->value[TP] = (uintptr_t)sl_graph_shared(session->graph);
    }
    wild->target = any_target(session, row, rng);
    wild->action = WILD_GADGET;
    wild->count = rng_below(rng, 2) == 0 ? 1 : 1 + (uint32_t)rng_below(rng, WILD_LANES);
}

/* Whether a register points, near enough, at what the kernel may falsify. */
static bool points_at_own(const struct session *session)
{
    for (unsigned i = 0; i < WILD_REGISTERS; i++) {
        const uint64_t value = session->wild->value[i];
        for (uint64_t near = value - 512; near != value + 512; near += 8) {
            if (session_is_open(session, near)) {
                return true;
            }
        }
    }
    return false;
}

static enum outcome attack_gadget(struct session *session, struct rng *rng, struct tally *tally,
                                  uint64_t *tried)
{
    const struct victim *const victim = &victims[rng_below(rng, 4)]; /* the graphs */
    tally->current = (unsigned)rng_below(rng, ROWS);
    session->is_stale = true; /* it may have stored anywhere that is open */
    enum sl_status status = session_make(session, victim);
    if (status != SL_OK) {
        return session_told(session, status);
    }
    aim(session, rng, tally->current);
    session->wild->moment = (uint32_t)rng_below(rng, victim->wavefronts);
    const bool is_own = tally->current == IN_ANY || points_at_own(session);
    tally_note(tally, "%s: %" PRIu32 " lanes, wavefront %" PRIu32 ", target 0x%" PRIx64,
               victim->name, session->wild->count, session->wild->moment, session->wild->target);
    status = session_run(session);
    *tried = session->wild->begun > 0;
    return session_judge(session, status, is_own);
}

static const char *row_of(unsigned row)
{
    return row < ROWS ? routines[row] : NULL;
}

const struct campaign campaign_gadgets = {
    .name = "gadgets",
    .unit = "gadgets",
    .runs = 3000,
    .runs_per_machine = 200,
    .row = row_of,
    .attack = attack_gadget,
};
