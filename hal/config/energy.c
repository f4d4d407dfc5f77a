/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* papers/003 Table 4.3. */
#include "config/energy.h"

#include <stddef.h>

#include "sluice/memory_map.h"

#define CUS      16 /* whose L1 caches area and leakage are of */
#define LINE     128
#define PIECE    32
#define L1_WAYS  4
#define L2_WAYS  8
#define L2_BANKS 8
#define SETS     1024 /* of all trackers */
#define WAYS     8
#define BANKS    8
#define BYTE_PJ  0.144 /* a byte over a millimetre */
#define DRAM_PJ  4480  /* 32 B */

/* 64 KiB, 4-way, lines of 128 B: with a port of its own and one for fills, and with two full ones,
 * as other caches read its lines, too. */
static const struct sl_energy_structure l1_base = {30.5, 44.4, 170.38, 5.76};
static const struct sl_energy_structure l1_proposed = {30.5, 44.5, 183.11, 5.79};

/* 8-way, an entry for each line of all L1 caches; of 1, 2, 4. */
static const struct {
    int64_t count;
    struct sl_energy_structure structure;
} trackers[] = {
    {0, {0, 0, 0, 0}},
    {1, {2.3, 3.9, 13.35, 0.07}},
    {2, {1.7, 2.9, 12.72, 0.05}},
    {4, {1.2, 2.1, 12.30, 0.07}},
};

/* 8-way, lines of 32 B. */
static const struct {
    int64_t bytes;
    struct sl_energy_structure structure;
} l2s[] = {
    {SL_KIB(128), {62.1, 61.5, 59.82, 0.46}},
    {SL_KIB(256), {67.7, 67.5, 81.26, 0.56}},
    {SL_KIB(512), {78.5, 77.2, 124.27, 0.81}},
    {SL_MIB(1), {99.7, 96.1, 211.24, 1.25}},
};

static bool has_l1(const int64_t *number)
{
    return number[SL_CFG_GPU_CUS] == CUS && number[SL_CFG_L1D_SIZE] == (int64_t)SL_KIB(64) &&
           number[SL_CFG_L1D_LINE] == LINE && number[SL_CFG_L1D_WAYS] == L1_WAYS &&
           number[SL_CFG_L1D_PORTS] == 1;
}

/* An entry lists all the caches that a tracker serves. */
static const struct sl_energy_structure *tracker_of(const int64_t *number)
{
    const int64_t count = number[SL_CFG_TRACKER_COUNT];
    const int64_t sharers = number[SL_CFG_TRACKER_SHARERS];

    if (count != 0 &&
        (number[SL_CFG_TRACKER_SETS] != SETS || number[SL_CFG_TRACKER_WAYS] != WAYS ||
         number[SL_CFG_TRACKER_BANKS] != BANKS || (sharers != 0 && sharers != CUS / count))) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof trackers / sizeof trackers[0]; i++) {
        if (trackers[i].count == count) {
            return &trackers[i].structure;
        }
    }
    return NULL;
}

static const struct sl_energy_structure *l2_of(const int64_t *number)
{
    if (number[SL_CFG_L2_LINE] != PIECE || number[SL_CFG_L2_WAYS] != L2_WAYS ||
        number[SL_CFG_L2_BANKS] != L2_BANKS) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof l2s / sizeof l2s[0]; i++) {
        if (l2s[i].bytes == number[SL_CFG_L2_SIZE]) {
            return &l2s[i].structure;
        }
    }
    return NULL;
}

bool sl_energy_model(const struct sl_config *config, struct sl_energy_model *model)
{
    static const enum sl_config_key legs[SL_ENERGY_LEGS] = {
        SL_CFG_ENERGY_L1_TRACKER_MM, SL_CFG_ENERGY_TRACKER_L2_MM, SL_CFG_ENERGY_L1_L2_MM,
        SL_CFG_ENERGY_L1_L1_MM};
    const int64_t *const number = config->number;

    if (number[SL_CFG_MEM_SYSTEM] != SL_MEM_SYSTEM_HYBRID || !has_l1(number)) {
        return false;
    }
    const struct sl_energy_structure *const tracker = tracker_of(number);
    const struct sl_energy_structure *const l2 = l2_of(number);
    if (tracker == NULL || l2 == NULL) {
        return false;
    }
    model->l1 = number[SL_CFG_TRACKER_COUNT] == 0 ? l1_base : l1_proposed;
    model->tracker = *tracker;
    model->l2 = *l2;
    for (unsigned leg = 0; leg < SL_ENERGY_LEGS; leg++) {
        model->network_pj[leg] = BYTE_PJ * (double)number[legs[leg]];
    }
    model->dram_pj = DRAM_PJ;
    model->leakage_mw = model->l1.leakage_mw + tracker->leakage_mw + l2->leakage_mw;
    model->area_mm2 = model->l1.area_mm2 + tracker->area_mm2 + l2->area_mm2;
    return true;
}
