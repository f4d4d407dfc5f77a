/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Legal calls with arguments that lie: channel routines, yields on anything for anything, texts to
 * print. What the routines do not refuse has to be told of by the books, or be harmless. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attack/campaign.h"
#include "attack/places.h"

static const char *const calls[WILD_CALLS] = {
    [WILD_TALLOC] = "sl_talloc",
    [WILD_TALLOC_OR_TRAP] = "sl_talloc_or_trap",
    [WILD_TALLOC_OR_YIELD] = "sl_talloc_or_yield",
    [WILD_ENQ] = "sl_enq",
    [WILD_TFREE] = "sl_tfree",
    [WILD_YIELD] = "sl_yield",
    [WILD_PRINTF] = "sl_printf",
};

/* A format of conversions and bytes, which ends in some place. */
static void make_format(char *format, size_t bytes, struct rng *rng)
{
    static const char *const parts[] = {
        "%s",  "%d",   "%n",   "%999999999d", "%.2000000000f", "%*d", "%-0+ #x",
        "%c",  "%llx", "%hhn", "%ls",         "%Lf",           "%p",  "%%",
        "%",   "%5$d", "\n",   "\033[2J",     "\x80\xff",      "\r",  "text ",
        "%.s", "%zu",  "%lc",
    };
    size_t used = 0;
    const uint64_t count = rng_below(rng, 40);
    format[0] = '\0';
    for (uint64_t i = 0; i < count; i++) {
        const char *const part = parts[rng_below(rng, sizeof parts / sizeof parts[0])];
        if (used + strlen(part) + 1 > bytes) {
            break;
        }
        (void)strcpy(format + used, part);
        used += strlen(part);
    }
}

/* A channel, mostly one that is there; counts, mostly small; an element or any address. */
static void make_arguments(struct session *session, struct rng *rng)
{
    struct wild *const wild = session->wild;
    const struct sl_graph *const graph = sl_graph_shared(session->graph);
    const uint32_t number = (uint32_t)rng_below(rng, graph->channel_count);
    const struct sl_channel *const channel = sl_graph_shared_channel(session->graph, (int)number);
    const bool is_there = rng_below(rng, 4) != 0;
    for (unsigned i = 0; i < WILD_REGISTERS; i++) {
        wild->value[i] = rng_below(rng, 2) == 0
                             ? places[rng_below(rng, place_count)].address(session, rng)
                             : rng_odd(rng);
    }
    wild->value[0] = is_there ? number : rng_odd(rng);
    wild->value[1] = rng_below(rng, 2) == 0 ? 1 + rng_below(rng, 2) : rng_odd(rng);
    if (wild->call == WILD_TFREE && is_there) {
        wild->value[1] = rng_below(rng, 2 * channel->width);
    }
    if (rng_below(rng, 2) == 0) {
        wild->value[2] = channel->data + rng_below(rng, channel->width) * channel->stride;
    }
    make_format(wild->format, sizeof wild->format, rng);
}

static enum outcome attack_call(struct session *session, struct rng *rng, struct tally *tally,
                                uint64_t *tried)
{
    const struct victim *const victim = &victims[rng_below(rng, 4)]; /* the graphs */
    struct wild *const wild = session->wild;
    tally->current = (unsigned)rng_below(rng, WILD_CALLS);
    enum sl_status status = session_make(session, victim);
    if (status != SL_OK) {
        return session_told(session, status);
    }
    wild->action = WILD_CALL;
    wild->call = tally->current;
    wild->count = rng_below(rng, 2) == 0 ? 1 : 1 + (uint32_t)rng_below(rng, WILD_LANES);
    wild->moment = (uint32_t)rng_below(rng, victim->wavefronts);
    make_arguments(session, rng);
    tally_note(
        tally,
        "%s: %" PRIu32 " lanes, wavefront %" PRIu32 ", 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64,
        victim->name, wild->count, wild->moment, wild->value[0], wild->value[1], wild->value[2]);
    status = session_run(session);
    *tried = wild->begun < WILD_LANES ? wild->begun : WILD_LANES;
    return session_judge(session, status, false);
}

static const char *row_of(unsigned row)
{
    return row < WILD_CALLS ? calls[row] : NULL;
}

const struct campaign campaign_calls = {
    .name = "calls",
    .unit = "calls",
    .runs = 2000,
    .runs_per_machine = 200,
    .row = row_of,
    .attack = attack_call,
};
