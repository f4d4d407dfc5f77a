/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a run's accesses to memory cost in energy (papers/003 section 4.3, Table 4.3): made of the
 * counters of memory system hybrid when the run has ended.
 *
 * Hits and lines sent to other caches read an L1, fills and stores write it; look-ups read a
 * tracker's entry, changes write it; the atomic buffers, which the table has no row for, cost
 * nothing, nor does the memory controller. */
#ifndef SLUICE_OBSERVERS_ENERGY_USE_H
#define SLUICE_OBSERVERS_ENERGY_USE_H

#include <stdint.h>

#include "config/energy.h"
#include "mem/mem_counters.h"

/* In pJ. */
struct energy {
    double l1;
    double tracker;
    double l2;
    double network;
    double dram;
    double dynamic; /* all of them */
    double leakage; /* of all structures over the run's time */
};

struct energy energy_of(const struct sl_energy_model *model, const struct mem_counters *memory,
                        uint64_t run_ps);

#endif
