/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The races of one call, and what lacks in each: lanes that race with one earlier instruction in
 * one kind of conflict are one finding. */
#ifndef SLUICE_OBSERVERS_RACES_FINDINGS_H
#define SLUICE_OBSERVERS_RACES_FINDINGS_H

#include "observers/races/history.h"

struct finding {
    struct access earlier;
    uint64_t lanes; /* of the later one */
    uint64_t address;
    enum race_conflict conflict;
    bool chain; /* ordered along a chain of several scopes */
};

struct findings {
    struct finding *of;
    uint32_t count;
    uint32_t room;
};

/* A word's access races with the one of these lanes that performs now. False without memory. */
bool findings_add(struct findings *findings, const struct judge *judge,
                  const struct access *earlier, const struct access *later, uint64_t address);

/* What is told of a finding. */
void findings_describe(const struct finding *finding, const struct threads *threads,
                       const struct race_operation *later, struct race_finding *told);

#endif
