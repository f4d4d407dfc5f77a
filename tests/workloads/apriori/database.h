/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The database of apriori.c: records of items. */
#ifndef SLUICE_WORKLOADS_APRIORI_DATABASE_H
#define SLUICE_WORKLOADS_APRIORI_DATABASE_H

#include <stdint.h>

#define ITEMS      96 /* that there are */
#define RECORD_MAX 24 /* items of a record */

/* Items of a record, sorted, each once. */
struct record {
    uint32_t count;
    uint32_t items[RECORD_MAX];
};

/* Record `number` of the database of this seed: most of the items of one to three patterns, of
 * which there are a few for all records, and some at random. */
struct record database_record(uint32_t seed, uint32_t number);

#endif
