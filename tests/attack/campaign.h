/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Campaigns: many attacks by seed, each in a host program of its own or many in one, under a
 * supervisor that counts what came of them and goes on where a host program crashed or hung. */
#ifndef SLUICE_ATTACK_CAMPAIGN_H
#define SLUICE_ATTACK_CAMPAIGN_H

#include "attack/session.h"

#define CLASSES_MAX 64u

/* What a campaign's table has in a row. */
struct row {
    uint64_t tried; /* accesses, gadgets, calls: what the campaign counts */
    uint64_t outcome[OUTCOMES];
};

/* In memory that the supervisor shares with its host programs. */
struct tally {
    struct row row[CLASSES_MAX];
    uint64_t number;  /* the run that is under way */
    unsigned current; /* and its row */
    uint32_t rounds;  /* counted up with each sign of life */
    uint64_t told_of; /* messages printed */
    char what[512];   /* the attack that is under way, for a report */
};

struct campaign {
    const char *name;
    const char *unit; /* what is tried */
    uint64_t runs;
    uint64_t runs_per_machine;
    bool opens_itself;                /* its attacks open machines and close them */
    const char *(*row)(unsigned row); /* NULL behind the last */
    /* One attack and what comes of it; it says in *row where that counts, and how many it was. A
     * machine that is not usable afterwards is the caller's to replace. */
    enum outcome (*attack)(struct session *session, struct rng *rng, struct tally *tally,
                           uint64_t *tried);
};

extern const struct campaign campaign_stores;
extern const struct campaign campaign_gadgets;
extern const struct campaign campaign_calls;
extern const struct campaign campaign_descriptors;
extern const struct campaign campaign_files;

struct campaign_options {
    uint64_t seed;
    uint64_t first; /* run */
    uint64_t count; /* runs; 0: all of the campaign's */
    bool is_verbose;
    bool is_open; /* machines without protection, which let through what is not theirs */
};

/* Runs it and prints its table. Returns how much was believed. */
uint64_t campaign_run(const struct campaign *campaign, uint64_t number,
                      const struct campaign_options *options);

/* Notes, printf-style, what the attack is; for reports of what must not be. */
void tally_note(struct tally *tally, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
