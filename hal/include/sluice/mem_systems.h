/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory systems of the accelerator: SYSTEM(ID, name, tells), in the order of the choices of
 * mem.system; tells: whether it counts where data accesses are served (hal/contract/served.def).
 * The simulator has a folder sim-soc/mem/systems/<name>/ for each, which defines mem_<name>
 * (docs/look-up/memory-moesi.md, "A memory system of your own"). */
#ifndef SLUICE_MEM_SYSTEMS_H
#define SLUICE_MEM_SYSTEMS_H

#define SL_MEM_SYSTEMS(SYSTEM)                                                                     \
    SYSTEM(FLAT, flat, false)                                                                      \
    SYSTEM(MOESI, moesi, true)                                                                     \
    SYSTEM(NOL1, nol1, true)                                                                       \
    SYSTEM(WT, wt, true)                                                                           \
    SYSTEM(QUICKRELEASE, quickrelease, true)                                                       \
    SYSTEM(SCOPED, scoped, true)                                                                   \
    SYSTEM(PARTITION, partition, true)                                                             \
    SYSTEM(HYBRID, hybrid, true)                                                                   \
    /* a new one: above this line */

#endif
