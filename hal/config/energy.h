/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Area, leakage and energy of the parts of memory system hybrid: papers/003 Table 4.3, which the
 * thesis computed with CACTI 6.5 for 22 nm. It has no formulas: a machine of other sizes has no
 * energies. */
#ifndef SLUICE_CONFIG_ENERGY_H
#define SLUICE_CONFIG_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/config.h"

/* A structure, all of the chip's together: 16 L1 data caches, all sharing trackers, the L2. */
struct sl_energy_structure {
    double read_pj; /* of a line: 128 B of an L1, an entry of a tracker, 32 B of the L2 */
    double write_pj;
    double leakage_mw;
    double area_mm2;
};

/* The legs of enum mem_leg, in the order of their keys. */
#define SL_ENERGY_LEGS 4u

struct sl_energy_model {
    struct sl_energy_structure l1;
    struct sl_energy_structure tracker; /* all zero: there is none */
    struct sl_energy_structure l2;
    double network_pj[SL_ENERGY_LEGS]; /* of a byte: 0.144 pJ a millimetre, of energy.*_mm */
    double dram_pj;                    /* of a line of the L2 */
    double leakage_mw;                 /* of all structures */
    double area_mm2;                   /* likewise */
};

/* The model of a machine, which may be any. Returns whether the table has it: memory system hybrid
 * with 16 compute units and the table's L1, tracker and L2. */
bool sl_energy_model(const struct sl_config *config, struct sl_energy_model *model);

#endif
