/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The memory systems of the accelerator: SYSTEM(ID, name), in the order of the choices of
 * mem.system. The simulator has a folder sim-soc/mem/<name>/ for each, which defines mem_<name>. */
#ifndef SLUICE_CONFIG_MEM_SYSTEMS_H
#define SLUICE_CONFIG_MEM_SYSTEMS_H

#define SL_MEM_SYSTEMS(SYSTEM)                                                                     \
    SYSTEM(FLAT, flat)                                                                             \
    SYSTEM(MOESI, moesi)

#endif
