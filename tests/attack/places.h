/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where wild accesses go. */
#ifndef SLUICE_ATTACK_PLACES_H
#define SLUICE_ATTACK_PLACES_H

#include "attack/session.h"

struct place {
    const char *name;
    /* An address there, of a run that is prepared or of none; aligned to 8 mostly. 0 where the run
     * has no such place. */
    uint64_t (*address)(const struct session *session, struct rng *rng);
    bool is_secret; /* lanes must not read there, either */
};

extern const struct place places[];
extern const unsigned place_count;

#endif
