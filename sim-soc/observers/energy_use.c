/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Energies: counts times what each costs. */
#include "observers/energy_use.h"

_Static_assert(SL_ENERGY_LEGS == MEM_LEGS && MEM_LEG_L1_TRACKER == 0 && MEM_LEG_TRACKER_L2 == 1 &&
                   MEM_LEG_L1_L2 == 2 && MEM_LEG_L1_L1 == 3,
               "distances are in the order of the legs");

#define PJ_PER_MW_PS 1e-3

static double accesses(const struct sl_energy_structure *structure, uint64_t reads, uint64_t writes)
{
    return structure->read_pj * (double)reads + structure->write_pj * (double)writes;
}

struct energy energy_of(const struct sl_energy_model *model, const struct mem_counters *memory,
                        uint64_t run_ps)
{
    const struct l1_counters *l1d = &memory->l1[L1D];
    const struct tracker_counters *tracker = &memory->tracker;
    struct energy energy = {
        .l1 = accesses(&model->l1, l1d->read_hits + l1d->supplied, l1d->fills + l1d->updates),
        .tracker = accesses(&model->tracker, tracker->lookups,
                            tracker->marks + tracker->drops + tracker->reports),
        .l2 = accesses(&model->l2, memory->l2.line_reads, memory->l2.line_writes),
        .dram = model->dram_pj * (double)(memory->dram_reads + memory->dram_writes),
        .leakage = model->leakage_mw * (double)run_ps * PJ_PER_MW_PS,
    };

    for (unsigned leg = 0; leg < MEM_LEGS; leg++) {
        energy.network += model->network_pj[leg] * (double)memory->network_bytes[leg];
    }
    energy.dynamic = energy.l1 + energy.tracker + energy.l2 + energy.network + energy.dram;
    return energy;
}
