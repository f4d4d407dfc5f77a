/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Offsets of the device registers, from hal/contract/registers.def, and of the statistics block. */
#ifndef SLUICE_REGISTERS_H
#define SLUICE_REGISTERS_H

enum sl_register {
#define SL_REGISTER(NAME, offset, access, text) SL_REG_##NAME = (offset),
#include "contract/registers.def"
#undef SL_REGISTER
    SL_REG_BYTES = 0x1000, /* registers end here */
    SL_REG_STATISTICS =
        0x8000,             /* one uint64_t per statistic, in the table's order (statistics.h) */
    SL_REG_SERVED = 0xa000, /* struct sl_served */
};

#endif
