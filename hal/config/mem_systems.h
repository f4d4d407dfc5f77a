/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory systems of the accelerator: SYSTEM(ID, name), in the order of the choices of
 * mem.system. The simulator has a folder sim-soc/mem/<name>/ for each, which defines mem_<name>
 * (docs/memory.md, "A memory system of your own"). */
#ifndef SLUICE_CONFIG_MEM_SYSTEMS_H
#define SLUICE_CONFIG_MEM_SYSTEMS_H

#define SL_MEM_SYSTEMS(SYSTEM)                                                                     \
    SYSTEM(FLAT, flat)                                                                             \
    SYSTEM(MOESI, moesi)                                                                           \
    /* a new one: above this line */

#endif
