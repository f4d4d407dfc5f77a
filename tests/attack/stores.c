/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wild accesses: in each run one wavefront's lanes access, together, what they should not. Of a run
 * that is complete nothing has got through that is closed; and it is right, unless lanes had access
 * to what is the kernel's own to falsify. */
#include <inttypes.h>
#include <string.h>

#include "attack/campaign.h"
#include "attack/places.h"

/* One run in four has accesses of several kinds and to several places. */
#define MIXED 4

static uint64_t address_at(const struct session *session, const struct place *place,
                           struct rng *rng, uint32_t kind)
{
    static const uint8_t aligned[WILD_KINDS] = {
        [WILD_SB] = 1,    [WILD_SH] = 2,      [WILD_SW] = 4,   [WILD_SD] = 8,   [WILD_FSD] = 8,
        [WILD_AMO_W] = 4, [WILD_AMO_D] = 8,   [WILD_SC_W] = 4, [WILD_SC_D] = 8, [WILD_RELEASE] = 8,
        [WILD_LOCK] = 4,  [WILD_TRYLOCK] = 4, [WILD_LB] = 1,   [WILD_LD] = 8,
    };
    const uint64_t within = rng_below(rng, 8) / aligned[kind] * aligned[kind];
    return place->address(session, rng) + within;
}

/* A place that the run has. */
static unsigned any_place(const struct session *session, struct rng *rng)
{
    unsigned number;
    do {
        number = (unsigned)rng_below(rng, place_count);
    } while (places[number].address(session, rng) == 0);
    return number;
}

static bool may_write(uint32_t kind)
{
    return kind != WILD_LB && kind != WILD_LD;
}

/* What runs that are complete may have done. */
struct expected {
    bool has_closed[WILD_LANES]; /* the lane's access must not have come back */
    bool has_open;               /* one may have changed what the kernel may change */
    bool has_kernel_data;
};

static void aim(struct session *session, struct rng *rng, struct tally *tally,
                struct expected *expected)
{
    struct wild *const wild = session->wild;
    const bool is_mixed = rng_below(rng, MIXED) == 0;
    uint32_t kind = (uint32_t)rng_below(rng, WILD_KINDS);
    tally->current = any_place(session, rng);
    const struct place *place = &places[tally->current];
    memset(expected, 0, sizeof *expected);
    for (uint32_t lane = 0; lane < wild->count; lane++) {
        if (is_mixed && lane > 0) {
            kind = (uint32_t)rng_below(rng, WILD_KINDS);
            place = &places[any_place(session, rng)];
        }
        const uint64_t address = address_at(session, place, rng, kind);
        wild->access[lane] = (struct wild_access){
            .address = address, .value = rng_odd(rng), .kind = kind, .is_done = 0};
        const bool is_open = session_is_open(session, address);
        expected->has_closed[lane] = !is_open && (may_write(kind) || place->is_secret);
        expected->has_open |= is_open && may_write(kind);
        expected->has_kernel_data |=
            is_open && address - SL_KERNEL_BASE < SL_KERNEL_BYTES && may_write(kind);
    }
    tally_note(tally,
               "%s: %" PRIu32 " lanes, wavefront %" PRIu32 ", kind %" PRIu32 ", first 0x%" PRIx64,
               session->victim->name, wild->count, wild->moment, wild->access[0].kind,
               wild->access[0].address);
}

/* The list is in memory that is open: what is there now is believed no more than by others. */
static bool has_come_through(const struct session *session, const struct expected *expected)
{
    for (uint32_t lane = 0; lane < WILD_LANES; lane++) {
        if (expected->has_closed[lane] && session->wild->access[lane].is_done == 1) {
            return true;
        }
    }
    return false;
}

/* Accesses of one kind are one instruction, and judged together; of several, those up to the first
 * that faults are tried. */
static uint64_t tried_of(const struct wild *wild)
{
    const uint32_t begun = wild->begun < WILD_LANES ? wild->begun : WILD_LANES;
    uint64_t done = 0;
    bool is_mixed = false;
    for (uint32_t lane = 0; lane < begun; lane++) {
        done += wild->access[lane].is_done == 1;
        is_mixed |= wild->access[lane].kind != wild->access[0].kind;
    }
    return is_mixed && done < begun ? done + 1 : begun;
}

static enum outcome attack_stores(struct session *session, struct rng *rng, struct tally *tally,
                                  uint64_t *tried)
{
    const struct victim *const victim = &victims[rng_below(rng, victim_count)];
    struct expected expected;
    struct wild *const wild = session->wild;
    enum sl_status status = session_make(session, victim);
    if (status != SL_OK) {
        return session_told(session, status);
    }
    wild->action = WILD_ACCESS;
    wild->count = rng_below(rng, 4) == 0 ? 1 : 1 + (uint32_t)rng_below(rng, WILD_LANES);
    wild->moment = (uint32_t)rng_below(rng, victim->wavefronts);
    aim(session, rng, tally, &expected);
    status = session_run(session);
    *tried = tried_of(wild);
    session->is_stale = expected.has_kernel_data;
    const bool is_through = has_come_through(session, &expected);
    const enum outcome outcome = session_judge(session, status, expected.has_open);
    return is_through && outcome < OUTCOME_WRONG ? OUTCOME_THROUGH : outcome;
}

static const char *row_of(unsigned row)
{
    return row < place_count ? places[row].name : NULL;
}

const struct campaign campaign_stores = {
    .name = "stores",
    .unit = "accesses",
    .runs = 7700,
    .runs_per_machine = 200,
    .row = row_of,
    .attack = attack_stores,
};
